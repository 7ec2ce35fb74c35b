//! Times of transfers: how long each was queued, on the wire and unused, and how much it delayed its first consumer.

use crate::Trace;
use crate::analysis::edges::Edges;
use crate::analysis::makers::Makers;
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
    first_consumer: Column,
    consumer_count: Column,
    delayed: Column,
}

/// How many users are looked at, for each op and transfer that there is, to find the consumers of transfers that no op recorded. Ops have
/// a few inputs each; a hostile file may have any number. What is found no more is not known.
const MAX_LOOKS_EACH: usize = 64;

impl TransferTimes {
    /// Looks at the consumers of every transfer once. `makers` are those of all ops.
    pub fn of(edges: Edges<'_>, makers: &Makers) -> Self {
        let (trace, transfers) = (edges.trace, edges.transfers);
        let rows = transfers.rows().len();
        let mut first_consumer: Vec<Option<OpId>> = vec![None; rows];
        let mut consumer_count = vec![0_u32; rows];
        // An op may take by two inputs what one transfer brought.
        let mut newest: Vec<Option<OpId>> = vec![None; rows];
        let mut take = |op: OpId, id: TransferId| {
            let row = id.index();
            if newest[row].replace(op) != Some(op) {
                consumer_count[row] += 1;
                let first = &mut first_consumer[row];
                if first.is_none_or(|first| (scheduled(trace, op), op) < (scheduled(trace, first), first)) {
                    *first = Some(op);
                }
            }
        };
        each_taken(edges, makers, &mut take);
        let mut looks = MAX_LOOKS_EACH * (rows + trace.ops().len());
        let is_silent = |row: &u32| transfers.get(TransferId::new(*row)).op.is_none();
        for group in transfers.by_input().filter(|group| group.iter().any(is_silent)) {
            let mut users = edges.users_of_all(group, &mut looks);
            users.retain(|(row, _)| is_silent(row));
            order::by_number(&mut users, |(_, op)| (i64::from(op.get()), 0));
            users.into_iter().for_each(|(row, op)| take(op, TransferId::new(row)));
        }
        let mut delayed: Vec<Option<i64>> = vec![None; rows];
        let mut latest = Latest::default();
        each_taken(edges, makers, &mut |op, id| {
            if first_consumer[id.index()] != Some(op) {
                return;
            }
            if latest.of != Some(op) {
                latest = Latest::of(trace, op, makers.of_op(op));
            }
            let received = transfers.get(id).op.map(|op| (op, trace.ops().end(op)));
            let wait = received.and_then(|(op, at)| Some((at - latest.but(op)?).max(Nanos(0)).0));
            delayed[id.index()] = wait;
        });
        let mut column = ColumnBuilder::default();
        delayed.into_iter().for_each(|wait| column.push_option(wait));
        let consumer_count = ColumnBuilder::of(consumer_count.into_iter().map(i64::from));
        let mut firsts = ColumnBuilder::default();
        first_consumer.into_iter().for_each(|op| firsts.push_option(op.map(|op| i64::from(op.get()))));
        Self { first_consumer: firsts.in_order(), consumer_count, delayed: column.in_order() }
    }

    /// How many ops used what a transfer brought.
    pub fn consumer_count(&self, id: TransferId) -> u32 {
        self.consumer_count.get(id.index()) as u32
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
        let first_consumer = self.first_consumer.get_option(id.index()).map(|op| OpId::new(op as u32));
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
        self.first_consumer.heap_bytes() + self.consumer_count.heap_bytes() + self.delayed.heap_bytes()
    }
}

/// When the executor queued `op`, or when it started where nothing says.
fn scheduled(trace: &Trace, op: OpId) -> Timestamp {
    trace.ops().scheduled(op).unwrap_or(trace.ops().start(op))
}

/// Calls `visit` for every transfer that ops recorded with each op that took it, in the order of these.
#[inline(never)]
fn each_taken(edges: Edges<'_>, makers: &Makers, visit: &mut dyn FnMut(OpId, TransferId)) {
    let transfers = edges.transfers;
    for op in edges.trace.ops().ids().filter(|&op| transfers.id_of_op(op).is_none()) {
        let (first, end) = makers.range(op);
        for id in (first..end).filter_map(|at| makers.transfer(transfers, at)) {
            visit(op, id);
        }
    }
}

/// When the last input of an op was there, and the last of those that came from somewhere else.
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

    /// The last but that which the op `transfer` brought.
    fn but(&self, transfer: OpId) -> Option<Timestamp> {
        match self.last {
            Some((_, last)) if last == transfer => self.other,
            last => last.map(|(time, _)| time),
        }
    }
}
