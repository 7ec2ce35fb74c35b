//! Where the difference of two steps comes from, as bars that add up to it.
//!
//! The observed path of the longer step tiles it ([`chain`](self::chain)). The ops of this path that have a partner divide the other
//! step in the same way: from the end of one partner to the end of the next. So each stretch of the path has a length in both steps,
//! and the lengths add up to the steps on both sides. What the other step waited for meanwhile, and which the longer step does not
//! wait for, hid some of the growth; it is taken off the bars that grew, in proportion. `docs/compare.md` has the formulas.

mod bars;
mod chain;

pub use bars::{Bar, MOST_BARS, Waterfall};

use super::devices::Devices;
use super::joined::{Joined, Which};
use super::matching::Matching;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::transfers::links::{Between, place};
use crate::{DeviceId, OpId, Study};
use std::rc::Rc;

/// What a stretch of a path is counted for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Ops of one type on one device, which both traces have.
    Op {
        /// The number of the op type, in [`Joined`].
        op_type: u32,
        /// The number of the device and its partner.
        device: u32,
    },
    /// Transfers of one link.
    Link {
        /// The task that sent, as the longer step has it.
        source: Rc<str>,
        /// The task that received.
        destination: Rc<str>,
    },
    /// Ops that only one of the traces has.
    Only {
        /// Which of them.
        side: Which,
        /// The number of the op type, in [`Joined`].
        op_type: u32,
        /// The number of the device.
        device: u32,
    },
    /// Waiting of one kind, of ops of one device.
    Wait {
        /// What for.
        kind: SegmentKind,
        /// The number of the device.
        device: u32,
    },
    /// Ops whose batch has another size.
    Batch,
    /// Clocks that differ: nothing else can be said.
    Clocks,
}

impl Cause {
    /// The word for this value in every output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Op { .. } => "op",
            Self::Link { .. } => "link",
            Self::Only { side: Which::A, .. } => "only-a",
            Self::Only { side: Which::B, .. } => "only-b",
            Self::Wait { .. } => "wait",
            Self::Batch => "batch",
            Self::Clocks => "clocks",
        }
    }
}

/// What a waterfall is made from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) studies: [&'a Study; 2],
    pub(super) joined: &'a Joined<'a>,
    pub(super) devices: &'a Devices,
    pub(super) matching: &'a Matching,
    /// For each op of A whether it and its partner work on batches of different sizes.
    pub(super) of_other_batch: &'a [bool],
}

impl<'a> Context<'a> {
    fn study(&self, side: Which) -> &'a Study {
        self.studies[side as usize]
    }

    /// The number of the device of an op and of its partner.
    fn device(&self, side: Which, op: OpId) -> u32 {
        let id: DeviceId = self.study(side).trace().device_of(op);
        match side {
            Which::A => id.get(),
            Which::B => self.devices.number_of_b(id),
        }
    }

    /// What the time in which `op` ran, or waited, is counted for.
    fn cause(&self, side: Which, op: OpId, kind: SegmentKind, runs: bool) -> Cause {
        let device = self.device(side, op);
        if !runs {
            return Cause::Wait { kind, device };
        }
        let trace = self.study(side).trace();
        let op_type = || self.joined.number(side, trace.nodes().op_type(trace.ops().node(op)));
        let Some(partner) = self.matching.partner(side, op) else {
            return Cause::Only { side, op_type: op_type(), device };
        };
        let of_a = if side == Which::A { op } else { partner };
        if self.of_other_batch.get(of_a.index()).is_some_and(|is| *is) {
            return Cause::Batch;
        }
        if let Some(transfer) = self.study(side).transfers().of_op(op) {
            let end = |id| Rc::from(place(trace, id, Between::Tasks));
            return Cause::Link { source: end(transfer.source), destination: end(transfer.destination) };
        }
        Cause::Op { op_type: op_type(), device }
    }

    /// The length of the step that `side` shows.
    fn length(&self, side: Which) -> Nanos {
        self.study(side).causes().observed.length()
    }

    /// The waterfall, in time linear in both paths, and in the ops that led to where they part.
    pub(super) fn waterfall(&self) -> Waterfall {
        let [a, b] = Which::BOTH.map(|side| self.length(side));
        let longer = if b >= a { Which::B } else { Which::A };
        bars::waterfall(self, longer, chain::compared(self, longer))
    }
}
