//! Where the difference of two steps comes from, as bars that add up to it.
//!
//! The longer step is replayed ([`replay`](crate::replay)) with the lengths and delays of the other one: first each likely group of ops
//! alone, to put the groups in order; then one group after another. What a group gains is its bar. Ops that only one of the steps has
//! take no time in its replay. What no group explains is the rest. `docs/compare.md` has the formulas and their limits.
//!
//! | module | what it has |
//! |---|---|
//! | [`entries`] | what each op and its partner spend, in both steps |
//! | [`groups`] | ops that are given their lengths together |
//! | [`given`] | the replays |
//! | [`bars`] | what comes of them |

mod bars;
mod entries;
mod given;
mod groups;

pub use bars::{Bar, Waterfall};
pub use given::MOST_BARS;

use super::devices::Devices;
use super::joined::{Joined, Which};
use super::matching::Matching;
use crate::base::pace::Pace;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::replay::Replay;
use crate::transfers::links::{Between, place};
use crate::{DeviceId, OpId, Study};
use entries::{Step, Steps};
use std::rc::Rc;

/// What a group of ops has in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Ops of one type on one device.
    Op {
        /// The number of the op type, in [`Joined`].
        op_type: u32,
        /// The number of the device and its partner.
        device: u32,
    },
    /// Transfers from one task to another, or from one device to another of the same task.
    Link {
        /// Who sent, as the longer step has it.
        source: Rc<str>,
        /// Who received.
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
    /// Delays of one kind, before ops of one device.
    Wait {
        /// What they are.
        kind: SegmentKind,
        /// The number of the device.
        device: u32,
    },
    /// Ops whose batch has another size.
    Batch,
    /// Threads of executors: how many ops ran at once in A, and in B.
    Threads([u32; 2]),
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
            Self::Threads(_) => "threads",
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

    /// What the length of `op` is counted for.
    fn cause(&self, side: Which, op: OpId) -> Cause {
        let device = self.device(side, op);
        let trace = self.study(side).trace();
        let partner = self.matching.partner(side, op);
        let of_a = if side == Which::A { Some(op) } else { partner };
        if partner.and(of_a).and_then(|own| self.of_other_batch.get(own.index())).is_some_and(|is| *is) {
            return Cause::Batch;
        }
        if let Some(transfer) = self.study(side).transfers().of_op(op) {
            let ends = |between| {
                [transfer.source, transfer.destination].map(|id| Rc::<str>::from(place(trace, id, between)))
            };
            let [source, destination] = match ends(Between::Tasks) {
                [source, destination] if source == destination => ends(Between::Devices),
                tasks => tasks,
            };
            return Cause::Link { source, destination };
        }
        Cause::Op { op_type: self.joined.number(side, trace.nodes().op_type(trace.ops().node(op))), device }
    }

    /// The waterfall of two steps of these lengths.
    pub(super) async fn waterfall(&self, [a, b]: [Nanos; 2], pace: &Pace) -> Waterfall {
        let longer = if b >= a { Which::B } else { Which::A };
        let mut replays = Vec::with_capacity(2);
        for side in [longer, longer.other()] {
            replays.push(Replay::of(self.study(side)));
            pace.worked(self.study(side).trace().ops().len()).await;
        }
        let [own, other] = replays.as_slice() else { return Waterfall::default() };
        let steps =
            Steps { longer, own: Step::of(self, longer, own), other: Step::of(self, longer.other(), other) };
        let entries = steps.entries(self, pace).await;
        let groups = groups::grouped(self, longer, entries);
        let at_once = own.at_once().zip(other.at_once()).map(|(own, other)| [own, other]);
        let explained = given::explained(&steps, groups, at_once, pace).await;
        let errors = [(longer, own.error()), (longer.other(), other.error())];
        let worst =
            errors.into_iter().filter(|(_, error)| !error.may_predict()).max_by_key(|own| own.1.ppm());
        let doubt = worst.map(|(side, error)| (side, error.ppm()));
        Waterfall { doubt, ..bars::waterfall(longer, b - a, explained) }
    }
}
