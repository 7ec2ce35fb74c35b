//! The arrow of a transfer: from the op that made the tensor to the op that received it.

use steplens_core::base::order;
use steplens_core::{Nanos, OpId, Study, Timestamp, TransferId};

/// The two ends of an arrow, and their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) id: TransferId,
    /// The op that made the tensor.
    pub(crate) from: OpId,
    /// A moment within `from`: its last, unless `to` began earlier.
    pub(crate) leaves: Timestamp,
    /// The op that recorded the transfer; if no op did, the first op that used the tensor.
    pub(crate) to: OpId,
    /// The start of `to`, always later than `leaves`.
    pub(crate) arrives: Timestamp,
}

/// The arrows of a study, found by either end.
pub(crate) struct Arrows<'a> {
    study: &'a Study,
    /// (the first op that used the tensor, the transfer), for transfers that no op recorded, sorted by op.
    silent: Vec<(OpId, TransferId)>,
}

/// How many transfers have an arrow, and how many have none although both ends are known, because the receiver began before the
/// producer by the current clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrowCounts {
    /// Transfers with an arrow.
    pub drawn: u64,
    /// Transfers whose arrow would point backwards.
    pub backwards: u64,
}

impl<'a> Arrows<'a> {
    pub(crate) fn of(study: &'a Study) -> Self {
        let transfers = study.transfers();
        let without_op =
            transfers.all().filter(|(_, transfer)| transfer.op.is_none() && transfer.producer.is_ok());
        let mut silent: Vec<_> =
            without_op.filter_map(|(id, _)| Some((study.times(id).first_consumer?, id))).collect();
        order::by_number(&mut silent, |(op, id)| (i64::from(op.get()), i64::from(id.get())));
        Self { study, silent }
    }

    /// The arrows that leave `op`.
    pub(crate) fn from(&self, op: OpId) -> impl Iterator<Item = Arrow> {
        self.study.transfers().sent_from(op).filter_map(|id| self.arrow(id).ok().flatten())
    }

    /// The arrows that arrive at `op`.
    pub(crate) fn to(&self, op: OpId) -> impl Iterator<Item = Arrow> {
        let first = self.silent.partition_point(|&(to, _)| to < op);
        let silent = self.silent[first..].iter().take_while(move |&&(to, _)| to == op).map(|&(_, id)| id);
        let recorded = self.study.transfers().id_of_op(op);
        recorded.into_iter().chain(silent).filter_map(|id| self.arrow(id).ok().flatten())
    }

    pub(crate) fn counts(&self) -> ArrowCounts {
        let mut counts = ArrowCounts::default();
        for (id, _) in self.study.transfers().all() {
            match self.arrow(id) {
                Ok(arrow) => counts.drawn += u64::from(arrow.is_some()),
                Err(()) => counts.backwards += 1,
            }
        }
        counts
    }

    /// The arrow of a transfer: `None` if one of its ends is not known, `Err` if it would point backwards.
    fn arrow(&self, id: TransferId) -> Result<Option<Arrow>, ()> {
        let transfer = self.study.transfers().get(id);
        let to = transfer.op.or_else(|| self.study.times(id).first_consumer);
        let (Ok(from), Some(to)) = (transfer.producer, to) else { return Ok(None) };
        let ops = self.study.trace().ops();
        let (own, arrives) = (ops.interval(from), ops.start(to));
        let last = Timestamp((own.end - Nanos(1)).0.max(own.start.0));
        let leaves = last.min(arrives - Nanos(1));
        if leaves < own.start { Err(()) } else { Ok(Some(Arrow { id, from, leaves, to, arrives })) }
    }
}
