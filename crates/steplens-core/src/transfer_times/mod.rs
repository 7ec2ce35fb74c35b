//! How long each transfer was queued, in transit and unused, and how much it delayed its first consumer. From the ends of the
//! transfers and the makers of all ops. For the table of transfers, and for what devices waited for.

pub mod handed_over;

use crate::Trace;
use crate::base::ids::{OpId, TransferId};
use crate::base::order;
use crate::base::pace::{Pace, at_once, strides};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::makers::Edges;
use crate::makers::Makers;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::range;
use crate::transfers::CLAMPED;
use std::borrow::Cow;
use std::ops::Range;

/// The times of a transfer; `None` where nothing was recorded from which they follow.
///
/// Where they are known, `queued`, `wire` (in transit) and `unused` tile the time from the producer's end until the first consumer
/// was scheduled. None of them is negative: where clocks would make it negative, it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The producer's end, by the sender's clock.
    pub producer_end: Option<Timestamp>,
    /// The time of the send, by the sender's clock; `None` where TensorFlow replaced it by a bound from the receiver's clock.
    pub sent: Option<Timestamp>,
    /// The time of the arrival, by the receiver's clock.
    pub received: Option<Timestamp>,
    /// Of the ops that used the tensor, the one that was scheduled first.
    pub first_consumer: Option<OpId>,
    /// From the producer's end to the send.
    pub queued: Option<Nanos>,
    /// In transit: from the send to the arrival.
    pub wire: Option<Nanos>,
    /// Waited after arrival: from the arrival until the first consumer was scheduled.
    pub unused: Option<Nanos>,
    /// How much later the first consumer could start because of this transfer: the time from the latest of that consumer's other
    /// inputs to the arrival, at least 0.
    pub delayed: Option<Nanos>,
}

/// The times of all transfers that depend on their consumers.
#[derive(Default)]
pub struct TransferTimes {
    first_consumer: Column,
    delayed: Column,
    /// The rows of the transfers that several ops used, sorted.
    several: Vec<u32>,
    /// The consumers of the transfer in row `several[i]` are `consumers[first[i] .. first[i + 1]]`, in order.
    first: Vec<u32>,
    consumers: Vec<OpId>,
    /// The number of ops whose inputs were not searched.
    pub(crate) ops_without: u64,
    /// The number of transfers that no op recorded and whose consumers were not all found.
    pub(crate) unfollowed: u64,
}

/// How many users are visited, per op and transfer of the trace, to find the consumers of transfers that no op recorded. Real ops
/// have a few inputs; a hostile file may have any number. See [`TransferTimes::unfollowed`].
const MAX_VISITS_EACH: usize = 64;

impl TransferTimes {
    /// Visits the consumers of every transfer once. `makers` must be the makers of all ops.
    pub fn measured(edges: Edges<'_>, makers: &Makers) -> Self {
        at_once(async |pace: &Pace| Self::paced(edges, makers, pace).await)
    }

    /// Like `measured`, but in pieces, so that the caller can do other work between them.
    pub async fn paced(edges: Edges<'_>, makers: &Makers, pace: &Pace) -> Self {
        let (trace, transfers) = (edges.trace, edges.transfers);
        let rows = transfers.rows().len();
        let mut first_consumer: Vec<Option<OpId>> = vec![None; rows];
        let mut used: Vec<(u32, OpId)> = Vec::new();
        // An op may use the tensor of one transfer for two inputs.
        let mut newest: Vec<Option<OpId>> = vec![None; rows];
        let mut take = |op: OpId, id: TransferId| {
            let row = id.index();
            if newest[row].replace(op) != Some(op) {
                used.push((id.get(), op));
                let first = &mut first_consumer[row];
                if first.is_none_or(|first| (scheduled(trace, op), op) < (scheduled(trace, first), first)) {
                    *first = Some(op);
                }
            }
        };
        for ops in strides(trace.ops().len()) {
            pace.worked(ops.len()).await;
            each_taken(edges, makers, ops, &mut take);
        }
        let mut visits = most_visits(edges);
        let mut unfollowed = 0;
        let is_silent = |row: &u32| transfers.get(TransferId::new(*row)).op.is_none();
        for groups in silent_groups(edges).chunk_by(|a, b| has_same_node_or_name(edges, a, b)) {
            let Some(mut users) = edges.users_of_all(groups, &mut visits) else {
                unfollowed += groups.iter().copied().flatten().filter(|row| is_silent(row)).count() as u64;
                continue;
            };
            users.retain(|(row, _)| is_silent(row));
            order::by_number(&mut users, |(_, op)| (i64::from(op.get()), 0));
            users.into_iter().for_each(|(row, op)| take(op, TransferId::new(row)));
        }
        let mut delayed: Vec<Option<i64>> = vec![None; rows];
        let mut latest = Latest::default();
        let mut delay = |op: OpId, id: TransferId| {
            if first_consumer[id.index()] != Some(op) {
                return;
            }
            if latest.of != Some(op) {
                latest = Latest::of(trace, op, makers.of_op(op));
            }
            let received = transfers.get(id).op.map(|op| (op, trace.ops().end(op)));
            let wait = received.and_then(|(op, at)| Some((at - latest.but(op)?).max(Nanos(0)).0));
            delayed[id.index()] = wait;
        };
        for ops in strides(trace.ops().len()) {
            pace.worked(ops.len()).await;
            each_taken(edges, makers, ops, &mut delay);
        }
        let mut column = ColumnBuilder::default();
        delayed.into_iter().for_each(|wait| column.push_option(wait));
        let (several, first, consumers) = used_by_several(rows, &used);
        let mut firsts = ColumnBuilder::default();
        first_consumer.into_iter().for_each(|op| firsts.push_option(op.map(|op| i64::from(op.get()))));
        Self {
            first_consumer: firsts.in_order(),
            delayed: column.in_order(),
            several,
            first,
            consumers,
            ops_without: makers.ops_without(),
            unfollowed,
        }
    }

    /// The ops that used the tensor of a transfer, in order.
    pub fn consumers(&self, id: TransferId) -> Cow<'_, [OpId]> {
        match self.several.binary_search(&id.get()) {
            Ok(place) => Cow::Borrowed(&self.consumers[range(&self.first, place)]),
            Err(_) => Cow::Owned(self.first_consumer(id).into_iter().collect()),
        }
    }

    fn first_consumer(&self, id: TransferId) -> Option<OpId> {
        self.first_consumer.get_option(id.index()).map(|op| OpId::new(op as u32))
    }

    /// The times of a transfer.
    pub fn get(&self, edges: Edges<'_>, id: TransferId) -> Times {
        let (ops, transfer) = (edges.trace.ops(), edges.transfers.get(id));
        let interval = transfer.op.map(|op| ops.interval(op));
        // The op of a receiving node starts when it begins to wait. Only the record of a transport itself has the time of the send.
        let sent =
            interval.filter(|own| transfer.is_of_transport && own.length() > CLAMPED).map(|own| own.start);
        let received = interval.map(|Interval { end, .. }| end);
        let producer_end = transfer.producer.ok().map(|producer| ops.end(producer));
        let first_consumer = self.first_consumer(id);
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

    /// How much later the first consumer could start because of the transfer.
    pub fn delayed(&self, id: TransferId) -> Option<Nanos> {
        self.delayed.get_option(id.index()).map(Nanos)
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.first_consumer.heap_bytes()
            + self.delayed.heap_bytes()
            + (self.several.capacity() + self.first.capacity()) * size_of::<u32>()
            + self.consumers.capacity() * size_of::<OpId>()
    }
}

/// The rows of each input with at least one transfer that no op recorded. Groups that are known by the same node or name follow one
/// another.
fn silent_groups(edges: Edges<'_>) -> Vec<&[u32]> {
    let is_silent = |row: &u32| edges.transfers.get(TransferId::new(*row)).op.is_none();
    edges.transfers.by_input().filter(|group| group.iter().any(is_silent)).collect()
}

fn has_same_node_or_name(edges: Edges<'_>, a: &[u32], b: &[u32]) -> bool {
    let brought = |rows: &[u32]| Some(edges.transfers.input_of(TransferId::new(*rows.first()?))?.1);
    brought(a) == brought(b)
}

/// The bound on visits to users of transfers that no op recorded.
fn most_visits(edges: Edges<'_>) -> usize {
    MAX_VISITS_EACH * (edges.transfers.rows().len() + edges.trace.ops().len())
}

impl Edges<'_> {
    /// Whether the transfers that no op recorded may have more users than the bound allows.
    pub(crate) fn may_have_too_many_users(self) -> bool {
        let mut visits = most_visits(self);
        let groups = silent_groups(self);
        let mut inputs = groups.chunk_by(|a, b| has_same_node_or_name(self, a, b));
        inputs.any(|groups| !self.are_few_users(groups, &mut visits))
    }
}

/// From the (transfer, op) pairs in `used`: the transfers that several ops used, where the consumers of each start, and these
/// consumers in the order of `used`.
fn used_by_several(transfers: usize, used: &[(u32, OpId)]) -> (Vec<u32>, Vec<u32>, Vec<OpId>) {
    let mut count = vec![0_u32; transfers];
    used.iter().for_each(|&(row, _)| count[row as usize] += 1);
    let mut several: Vec<u32> = (0..transfers as u32).filter(|&row| count[row as usize] > 1).collect();
    several.shrink_to_fit();
    let mut first = Vec::with_capacity(several.len() + 1);
    let mut all = 0;
    for &row in &several {
        first.push(all);
        // From here on `count` has the index for the next consumer of the transfer.
        let own = std::mem::replace(&mut count[row as usize], all + 2);
        all += own;
    }
    first.push(all);
    let mut consumers = vec![OpId::new(0); all as usize];
    for &(row, op) in used {
        // A transfer with one consumer has no index; indexes are stored plus 2.
        if let Some(place) = count[row as usize].checked_sub(2) {
            consumers[place as usize] = op;
            count[row as usize] += 1;
        }
    }
    (several, first, consumers)
}

/// When the executor scheduled `op`; its start where that was not recorded.
fn scheduled(trace: &Trace, op: OpId) -> Timestamp {
    trace.ops().scheduled(op).unwrap_or(trace.ops().start(op))
}

/// Calls `visit` for each op in `ops` and each recorded transfer that it used, in the order of the ops.
#[inline(never)]
fn each_taken(edges: Edges<'_>, makers: &Makers, ops: Range<usize>, visit: &mut dyn FnMut(OpId, TransferId)) {
    let transfers = edges.transfers;
    for op in ops.map(OpId::from_usize).filter(|&op| transfers.id_of_op(op).is_none()) {
        let (first, end) = makers.range(op);
        for id in (first..end).filter_map(|at| makers.transfer(transfers, at)) {
            visit(op, id);
        }
    }
}

/// When the last input of an op was ready, and which maker it came from; and the last time among all other makers.
#[derive(Default)]
struct Latest {
    of: Option<OpId>,
    last: Option<(Timestamp, OpId)>,
    other: Option<Timestamp>,
}

impl Latest {
    fn of(trace: &Trace, op: OpId, makers: &[OpId]) -> Self {
        let mut latest = Self { of: Some(op), ..Self::default() };
        for &maker in makers {
            let time = trace.ops().end(maker);
            match latest.last {
                Some((_, last)) if last == maker => {}
                Some((last, _)) if time <= last => latest.other = latest.other.max(Some(time)),
                last => {
                    latest.other = latest.other.max(last.map(|(last, _)| last));
                    latest.last = Some((time, maker));
                }
            }
        }
        latest
    }

    /// The latest time without the input that the op `transfer` brought.
    fn but(&self, transfer: OpId) -> Option<Timestamp> {
        match self.last {
            Some((_, last)) if last == transfer => self.other,
            last => last.map(|(time, _)| time),
        }
    }
}
