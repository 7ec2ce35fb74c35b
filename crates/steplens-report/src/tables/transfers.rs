//! Every transfer. A new column of it is a figure of core, an entry here, and a text for its heading if the page is to have it.

use super::{Clock, Give, InJson, Order, Value, columns};
use crate::OpRef;
use crate::rate::rate;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::io;
use steplens_core::base::progress::Progress;
use steplens_core::model::output::{dtype_name, shape_text};
use steplens_core::network::waited::Waited;
use steplens_core::transfer_times::Times;
use steplens_core::transfers::{self, Join};
use steplens_core::{Nanos, OpId, Study, TransferId};
use steplens_messages::message;

columns! { Transfer {
    /// Its number.
    transfer: count => |row| row.id.get().into();
    /// The op that recorded it, if one did.
    op: maybe_count => |row| row.transfer.op.into();
    /// The tensor part of the rendezvous key.
    tensor: text [headed("column-tensor")] => |row| row.study.trace().text(row.transfer.tensor).into();
    /// The variable that it is a value of, or a gradient for.
    variable: maybe_text [headed("column-variable"), explained("variable-about")] => |row| row.variable();
    /// `value` or `gradient`.
    kind: maybe_text [headed("column-kind"), explained("kind-about")] => |row| row.kind().into();
    /// The device that sent it.
    source: text [headed("part-from")] => |row| row.study.trace().text(row.transfer.source).into();
    /// The device that received it.
    destination: text [headed("part-to")] => |row| row.study.trace().text(row.transfer.destination).into();
    /// Which output of its producer it is.
    output: count => |row| row.transfer.output(row.study.trace()).slot.into();
    /// Its size.
    bytes: maybe_size [headed("column-size"), largest_first(message!("transfers-by-bytes"))]
        => |row| row.transfer.known_bytes().into();
    /// The type of its values.
    dtype: maybe_text [headed("column-type"), explained("type-about")] => |row| row.dtype();
    /// Its shape.
    shape: maybe_text => |row| row.shape();
    /// The op that made the tensor.
    producer: maybe_count [in_json(InJson::Op)] => |row| row.transfer.producer.ok().into();
    /// What that op is called.
    producer_name: maybe_text [in_json(InJson::Nothing)]
        => |row| row.transfer.producer.ok().map(|op| row.study.title(op)).into();
    /// When the op that made the tensor ended.
    producer_end_ns: maybe_moment [by(Clock::Sender)] => |row| row.times.producer_end.into();
    /// When it was handed over to be sent: the start of its `_Send` node, where a host profiler recorded that.
    handed_over_ns: maybe_moment [by(Clock::Sender)] => |row| row.study.handed_over(row.id).into();
    /// When it was sent.
    sent_ns: maybe_moment [by(Clock::Sender), headed("column-sent"), explained("since-start")]
        => |row| row.times.sent.into();
    /// When it was received.
    received_ns: maybe_moment [
        by(Clock::Receiver), headed("column-received"), explained("since-start"),
        smallest_first(message!("transfers-by-arrival"))
    ] => |row| row.times.received.into();
    /// From the producer's end to the sending.
    queued_ns: maybe_length [
        by(Clock::Sender), headed("column-queued"), explained("queued-about"),
        largest_first(message!("transfers-by-queue"))
    ] => |row| row.times.queued.into();
    /// From the sending to the receipt.
    wire_ns: maybe_length [
        by(Clock::Both), headed("in-transit"), explained("in-transit-about"),
        largest_first(message!("transfers-by-transit"))
    ] => |row| row.times.wire.into();
    /// From the receipt until the first consumer was scheduled.
    unused_ns: maybe_length [
        by(Clock::Receiver), headed("column-waited-after"), explained("waited-after-about"),
        largest_first(message!("transfers-by-wait"))
    ] => |row| row.times.unused.into();
    /// How much later its first consumer could start because of it.
    delayed_ns: maybe_length [
        by(Clock::Receiver), headed("column-delay"), explained("delay-one-about"),
        largest_first(message!("transfers-by-delay"))
    ] => |row| row.times.delayed.into();
    /// Exposed communication of the receiver that it is blamed for. Null if no op recorded it, and in the details of an op, which do
    /// not look for it.
    waited_ns: maybe_length [
        by(Clock::Receiver), headed("column-waited"), explained("waited-one-about"),
        largest_first(message!("transfers-by-waited"))
    ] => |row| row.waited.into();
    /// Its size by its time in transit.
    bytes_per_second: maybe_rate [by(Clock::Both), headed("column-speed"), explained("speed-about")]
        => |row| rate(row.transfer.bytes.0, row.times.wire.map(|wire| wire.0)).into();
    /// The op that was scheduled first of those that used it.
    first_consumer: maybe_count => |row| row.times.first_consumer.into();
    /// The first ops that used it; `consumer_count` is how many there are.
    consumers: text [in_json(InJson::Ops)] => |row| row.consumer_names();
    /// How many ops used it.
    consumer_count: count => |row| row.all_consumers().len().into();
    /// How producer and consumers were found: exactly, from the graphs; or inferred from labels.
    joined: maybe_text => |row| row.joined().into();
    /// How surely its producer is known: `exact`, `inferred` or `ambiguous`; and of how many it is one.
    certainty: text => |row| row.transfer.certainty.word().into();
    /// Of how many ops the producer is one, where it is ambiguous.
    candidates: maybe_count => |row| row.transfer.certainty.candidates().into();
    /// Why there is no producer, when there is none: one of the codes of docs.
    unjoined_because: maybe_text => |row| row.transfer.producer.err().map(|why| why.code()).into();
} }

/// How many consumers of one transfer are listed at most; the count has the rest, too.
const MAX_CONSUMERS: usize = 1_000;
/// How many consumers of all transfers are listed at most, but at least some of each: keeps the list of a file with a
/// million transfers, each used by a million ops, from outgrowing memory.
const MAX_CONSUMERS_TOGETHER: usize = 10_000_000;
const MIN_CONSUMERS: usize = 16;

/// A transfer as a row of the table. Most of its values are looked up when they are asked for.
pub struct Transfer<'s> {
    study: &'s Study,
    id: TransferId,
    transfer: transfers::Transfer,
    times: Times,
    /// `None` where it was not looked for, too.
    waited: Option<Nanos>,
}

impl<'s> Transfer<'s> {
    /// The row of `id`; without `waited`, what devices waited for it is not known.
    pub(crate) fn of(study: &'s Study, id: TransferId, waited: Option<&Waited>) -> Self {
        let transfer = study.transfers().get(id);
        let waited = waited.zip(transfer.op).map(|(waited, op)| waited.of_op(op));
        Self { study, id, transfer, times: study.times(id), waited }
    }

    fn variable(&self) -> Value<'s> {
        self.study.variable(self.id).map(|variable| self.study.trace().text(variable.name)).into()
    }

    fn kind(&self) -> Option<&'static str> {
        let variable = self.study.variable(self.id)?;
        Some(if variable.is_gradient { "gradient" } else { "value" })
    }

    fn dtype(&self) -> Value<'s> {
        let found = self.study.transfers().type_of(self.study.trace(), self.id);
        found.map(|(dtype, _)| dtype_name(dtype)).into()
    }

    fn shape(&self) -> Value<'s> {
        let found = self.study.transfers().type_of(self.study.trace(), self.id);
        found.and_then(|(_, output)| Some(shape_text(output?.shape))).into()
    }

    fn all_consumers(&self) -> Cow<'s, [OpId]> {
        self.study.transfer_times().consumers(self.id)
    }

    /// Those that are listed.
    fn consumers(&self) -> impl Iterator<Item = OpId> + use<'s> {
        let each = MAX_CONSUMERS_TOGETHER / self.study.transfers().rows().len().max(1);
        let all = self.all_consumers();
        (0..all.len().min(each.clamp(MIN_CONSUMERS, MAX_CONSUMERS))).map(move |place| all[place])
    }

    /// Apart by a space.
    fn consumer_names(&self) -> Value<'s> {
        let names: Vec<&str> = self.consumers().map(|op| self.study.title(op)).collect();
        match *names {
            [one] => one.into(),
            _ => names.join(" ").into(),
        }
    }

    fn joined(&self) -> Option<&'static str> {
        self.transfer.join.map(|join| match join {
            Join::Graph => "graph",
            Join::Label => "label",
        })
    }
}

impl Serialize for Transfer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Transfer", COLUMNS.len())?;
        for ((column, facts), value) in COLUMNS.iter().zip(FACTS).zip(&VALUES) {
            match facts.in_json {
                InJson::Same => row.serialize_field(column.name, &value(self))?,
                InJson::Op => {
                    let op = self.transfer.producer.ok().map(|op| OpRef::of(self.study, op));
                    row.serialize_field(column.name, &op)?;
                }
                InJson::Ops => {
                    let ops: Vec<_> = self.consumers().map(|op| OpRef::of(self.study, op)).collect();
                    row.serialize_field(column.name, &ops)?;
                }
                InJson::Nothing => {}
            }
        }
        row.end()
    }
}

/// A column by which transfers are sorted: by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferColumn(usize);

impl TransferColumn {
    /// Those there are: but for columns that list ops.
    pub fn all() -> impl Iterator<Item = Self> {
        let is_sorted_by = |place: &usize| FACTS[*place].in_json == InJson::Same;
        (0..COLUMNS.len()).filter(is_sorted_by).map(Self)
    }

    /// By its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|own| own.name() == name)
    }

    /// By the word of the program's `--sort`.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::all().find(|own| own.order().is_some() && own.word() == word)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        COLUMNS[self.0].name
    }

    /// What the program's `--sort` calls it.
    pub fn word(self) -> &'static str {
        self.name().trim_end_matches("_ns")
    }

    /// How the program lists transfers by it, if it does.
    pub fn order(self) -> Option<Order> {
        FACTS[self.0].order
    }

    /// Whether its values are texts.
    pub(crate) fn is_text(self) -> bool {
        COLUMNS[self.0].is_text()
    }

    /// Its value of a row.
    pub(crate) fn value<'s>(self, row: &Transfer<'s>) -> Value<'s> {
        VALUES[self.0](row)
    }
}

pub(super) async fn rows(study: &Study, give: &mut Give<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    let waited = Waited::paced(study, progress.pace()).await;
    for (id, _) in study.transfers().all() {
        let row = Transfer::of(study, id, Some(&waited));
        give.row(&VALUES, &row)?;
        progress.row().await;
    }
    Ok(())
}
