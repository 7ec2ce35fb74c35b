//! Times of transfers: how long each was queued, on the wire and unused, and how much it delayed its first consumer.

use crate::Trace;
use crate::analysis::edges::{Edges, MAX_INPUTS, Source};
use crate::analysis::transfers::CLAMPED;
use crate::column::{Column, ColumnBuilder};
use crate::ids::{OpId, TransferId};
use crate::order;
use crate::units::{Interval, Nanos, Timestamp};

/// The times of a transfer; `None` where nothing that was recorded tells them.
///
/// Where they are known, `queued`, `wire` and `unused` are what lies between the producer's end and the moment when the first
/// consumer was scheduled. None of them is negative: where clocks make it so, it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The producer's end, on the sender's clock.
    pub producer_end: Option<Timestamp>,
    /// When it was sent, on the sender's clock; `None` where the receiver's bounds replaced it.
    pub sent: Option<Timestamp>,
    /// When it was received, on the receiver's clock.
    pub received: Option<Timestamp>,
    /// The op that was scheduled first of those that used it.
    pub first_consumer: Option<OpId>,
    /// From the producer's end to the sending.
    pub queued: Option<Nanos>,
    /// From the sending to the receipt.
    pub wire: Option<Nanos>,
    /// From the receipt until the first consumer is scheduled.
    pub unused: Option<Nanos>,
    /// How much later its first consumer could start because of it: the receipt minus when the latest of that consumer's other
    /// inputs was there, at least 0.
    pub delayed: Option<Nanos>,
}

/// What of the times of all transfers is not to be had without a look at their consumers.
#[derive(Default)]
pub struct TransferTimes {
    first_consumer: Vec<Option<OpId>>,
    consumer_count: Vec<u32>,
    delayed: Column,
}

/// How many users are looked at, for each op and transfer that there is, to find the consumers of all transfers. Ops have a few inputs
/// each; a hostile file may have any number. What is found no more is not known.
const MAX_LOOKS_EACH: usize = 64;

impl TransferTimes {
    /// Looks at the consumers of every transfer once.
    pub fn of(edges: Edges<'_>) -> Self {
        let (trace, rows) = (edges.trace, edges.transfers.rows().len());
        let mut looks = MAX_LOOKS_EACH * (rows + trace.ops().len());
        let mut first_consumer: Vec<Option<OpId>> = vec![None; rows];
        let mut consumer_count = vec![0_u32; rows];
        for group in edges.transfers.by_input() {
            let mut users = edges.users_of_all(group, &mut looks);
            order::by_number(&mut users, |(row, op)| (i64::from(row), i64::from(op.get())));
            users.dedup();
            for (row, op) in users {
                consumer_count[row as usize] += 1;
                let first = &mut first_consumer[row as usize];
                if first.is_none_or(|first| (scheduled(trace, op), op) < (scheduled(trace, first), first)) {
                    *first = Some(op);
                }
            }
        }
        let delayed = delayed(edges, &first_consumer);
        Self { first_consumer, consumer_count, delayed }
    }

    /// How many ops used what a transfer brought.
    pub fn consumer_count(&self, id: TransferId) -> u32 {
        self.consumer_count.get(id.index()).copied().unwrap_or(0)
    }

    /// The times of a transfer.
    pub fn get(&self, edges: Edges<'_>, id: TransferId) -> Times {
        let (ops, transfer) = (edges.trace.ops(), edges.transfers.get(id));
        let interval = transfer.op.map(|op| ops.interval(op));
        // The op of a receiving node starts when that begins to wait: only a transport's own record has the time of sending.
        let sent =
            interval.filter(|own| transfer.is_of_transport && own.length() > CLAMPED).map(|own| own.start);
        let received = interval.map(|Interval { end, .. }| end);
        let producer_end = transfer.producer.ok().map(|producer| ops.end(producer));
        let first_consumer = self.first_consumer.get(id.index()).copied().flatten();
        let span = |from: Option<Timestamp>, to: Option<Timestamp>| {
            let length = to? - from?;
            (length >= Nanos(0)).then_some(length)
        };
        Times {
            producer_end,
            sent,
            received,
            first_consumer,
            queued: span(producer_end, sent),
            wire: span(sent, received),
            unused: span(received, first_consumer.map(|op| scheduled(edges.trace, op))),
            delayed: self.delayed(id),
        }
    }

    /// How much later the first consumer of a transfer could start because of it.
    pub fn delayed(&self, id: TransferId) -> Option<Nanos> {
        self.delayed.get_option(id.index()).map(Nanos)
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.first_consumer.capacity() + self.consumer_count.capacity()) * 4 + self.delayed.heap_bytes()
    }
}

/// When the executor queued `op`, or when it started where nothing says.
fn scheduled(trace: &Trace, op: OpId) -> Timestamp {
    trace.ops().scheduled(op).unwrap_or(trace.ops().start(op))
}

/// By transfer: how much later its first consumer could start because of it.
fn delayed(edges: Edges<'_>, first_consumer: &[Option<OpId>]) -> Column {
    let (trace, transfers) = (edges.trace, edges.transfers);
    let mut delayed: Vec<Option<i64>> = vec![None; first_consumer.len()];
    let mut by_consumer: Vec<(OpId, u32)> =
        first_consumer.iter().zip(0..).filter_map(|(&op, row)| Some((op?, row))).collect();
    order::by_number(&mut by_consumer, |(op, row)| (i64::from(op.get()), i64::from(row)));
    for same in by_consumer.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(consumer, _)) = same.first() else { continue };
        let latest = Latest::of(edges, consumer);
        for &(_, row) in same {
            let other = latest.but(TransferId::new(row));
            let received = transfers.get(TransferId::new(row)).op.map(|op| trace.ops().end(op));
            let wait = received.zip(other).map(|(received, other)| (received - other).max(Nanos(0)).0);
            delayed[row as usize] = wait;
        }
    }
    let mut column = ColumnBuilder::default();
    delayed.into_iter().for_each(|wait| column.push_option(wait));
    column.in_order()
}

/// When the last input of an op was there, and the last of those that came from somewhere else.
struct Latest {
    last: Option<(Timestamp, Source)>,
    other: Option<Timestamp>,
}

impl Latest {
    fn of(edges: Edges<'_>, op: OpId) -> Self {
        let mut latest = Self { last: None, other: None };
        for edge in edges.inputs(op, MAX_INPUTS) {
            let time = match edge.source {
                Source::Op(maker) => edges.trace.ops().end(maker),
                Source::Transfer(id) => edges.transfers.ready(edges.trace, id.get()),
                Source::NotTaken | Source::NotRecorded => continue,
            };
            match latest.last {
                Some((_, source)) if source == edge.source => {}
                Some((last, _)) if time <= last => latest.other = latest.other.max(Some(time)),
                last => {
                    latest.other = latest.other.max(last.map(|(last, _)| last));
                    latest.last = Some((time, edge.source));
                }
            }
        }
        latest
    }

    /// The last but that which `transfer` brought.
    fn but(&self, transfer: TransferId) -> Option<Timestamp> {
        match self.last {
            Some((_, Source::Transfer(last))) if last == transfer => self.other,
            last => last.map(|(time, _)| time),
        }
    }
}
