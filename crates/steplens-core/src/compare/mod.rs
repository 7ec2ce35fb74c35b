//! What differs between two traces, and what of the difference of their steps comes from where. From two studies: their ops,
//! observed paths, op types, links, devices and memory. For `steplens compare`, the page and the packages.
//!
//! | module | what it has |
//! |---|---|
//! | [`joined`] | the strings of both traces under one numbering |
//! | [`devices`] | which device of A is which of B |
//! | [`matching`] | which op of A is which of B |
//! | [`reasons`] | why times cannot be compared as they are |
//! | [`waterfall`] | bars that add up to the difference |
//! | [`change`] | how the time of each op changed |
//! | [`tables`] | op types, links, devices and memory, side by side |
//! | [`samples`], [`over_steps`], [`significance`] | whether many steps differ, or only vary |
//! | [`step_use`] | what each step used besides time |
//! | [`align`] | how much of the difference comes before an op, and how much after it |
//!
//! `docs/compare.md` has the formulas and their limits.

pub mod align;
pub mod change;
pub mod devices;
pub mod joined;
pub mod matching;
pub mod over_steps;
pub mod reasons;
pub mod samples;
pub mod significance;
pub mod step_use;
pub mod tables;
pub mod waterfall;

use crate::base::pace::{Pace, at_once};
use crate::base::units::Nanos;
use crate::{DeviceId, Study};
use devices::Devices;
use joined::{Joined, Which};
use matching::Matching;
use over_steps::StepComparison;
use reasons::Reason;
use samples::StepSamples;
use tables::Tables;
use waterfall::{Cause, Context, Waterfall};

/// One of the two traces.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What of it is compared: a step, or all of it.
    pub study: &'a Study,
    /// The figures of all its steps that count.
    pub steps: &'a StepSamples,
}

impl Side<'_> {
    fn shown_steps(&self) -> usize {
        if self.study.view().step.is_some() { 1 } else { self.study.steps().max(1) }
    }
}

/// Two traces, compared.
pub struct Comparison<'a> {
    /// A and B.
    pub sides: [Side<'a>; 2],
    /// Their strings.
    pub joined: Joined<'a>,
    /// Their devices.
    pub devices: Devices,
    /// Their ops.
    pub matching: Matching,
    /// Why times cannot be compared as they are; empty if they can.
    pub reasons: Vec<Reason>,
    /// The lengths of both steps.
    pub lengths: [Nanos; 2],
    /// Where the difference comes from.
    pub waterfall: Waterfall,
    /// Both, side by side.
    pub tables: Tables,
    /// All steps of both.
    pub steps: StepComparison,
}

impl<'a> Comparison<'a> {
    /// Compares `a`, the trace before a change, with `b`, the trace after it; in time n log n in the ops of both, with a bounded
    /// number of replays.
    pub fn made(a: Side<'a>, b: Side<'a>) -> Self {
        at_once(async |pace: &Pace| Self::paced(a, b, pace).await)
    }

    /// [`made`](Self::made), piece by piece.
    pub async fn paced(a: Side<'a>, b: Side<'a>, pace: &Pace) -> Self {
        let sides = [a, b];
        let studies = sides.map(|side| side.study);
        let joined = Joined::of(a.study.trace(), b.study.trace());
        let devices = Devices::matched(a.study.trace(), b.study.trace());
        let matching = Matching::found(studies, &joined, &devices, pace).await;
        let rows = a.study.trace().ops().len() + b.study.trace().ops().len();
        let (reasons, of_other_batch) = reasons::found([&a, &b], &devices, &matching);
        pace.worked(rows).await;
        for study in studies {
            study.causes();
            pace.worked(rows).await;
        }
        let lengths = studies.map(|study| study.causes().observed.length());
        let waterfall = if reasons.iter().any(|own| matches!(own, Reason::Clocks { .. })) {
            // What waited for what is not known, and a wrong cause is worse than none.
            Waterfall::of_one(Cause::Clocks, lengths[1] - lengths[0], lengths)
        } else {
            let (joined, devices, matching) = (&joined, &devices, &matching);
            let context = Context { studies, joined, devices, matching, of_other_batch: &of_other_batch };
            context.waterfall(lengths, pace).await
        };
        pace.worked(rows).await;
        let tables = Tables::of([&a, &b], &joined, &devices);
        pace.worked(rows).await;
        let steps = StepComparison::of(sides.map(|side| side.steps));
        Self { sides, joined, devices, matching, reasons, lengths, waterfall, tables, steps }
    }

    /// B minus A.
    pub fn difference(&self) -> Nanos {
        self.lengths[1] - self.lengths[0]
    }

    /// The device of A, or of B where only B has it, that a cause names by its number.
    pub fn device(&self, number: u32) -> (Which, DeviceId) {
        self.devices.only_in_b(number).map_or((Which::A, DeviceId::new(number)), |id| (Which::B, id))
    }
}
