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
//! | [`tables`] | op types, links, devices and memory, side by side |
//! | [`significance`], [`over_steps`] | whether many steps differ, or only vary |
//!
//! `docs/compare.md` has the formulas and their limits.

pub mod devices;
pub mod joined;
pub mod matching;
pub mod over_steps;
pub mod reasons;
pub mod significance;
pub mod tables;
pub mod waterfall;

use crate::base::units::Nanos;
use crate::steps::figures::is_usual;
use crate::steps::rule::Steps;
use crate::{DeviceId, Study, Trace};
use devices::Devices;
use joined::{Joined, Which};
use matching::Matching;
use over_steps::StepComparison;
use reasons::Reason;
use tables::Tables;
use waterfall::{Cause, Context, Waterfall};

/// One of the two traces.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What of it is compared: a step, or all of it.
    pub study: &'a Study,
    /// All that was opened, as the view of the study corrects it.
    pub whole: &'a Trace,
    /// Its steps.
    pub steps: &'a Steps,
}

impl Side<'_> {
    fn shown_steps(&self) -> usize {
        if self.study.view().step.is_some() { 1 } else { self.study.steps().max(1) }
    }
}

/// The step to compare if nobody chose one: of several usual steps the one with the median length, of an even number the shorter of
/// the two in the middle, of equal ones the first. `None` if there is only one step.
pub fn typical_step(trace: &Trace, steps: &Steps) -> Option<usize> {
    if steps.rows().len() < 2 {
        return None;
    }
    let usual = is_usual(trace, steps);
    let mut lengths: Vec<(i64, usize)> = steps
        .rows()
        .iter()
        .enumerate()
        .filter(|&(row, _)| usual[row])
        .map(|(row, step)| (step.span.length().0, row))
        .collect();
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).map(|&(_, row)| row)
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
    /// Compares `a`, the trace before a change, with `b`, the trace after it; in time n log n in the ops of both.
    pub fn made(a: Side<'a>, b: Side<'a>) -> Self {
        let sides = [a, b];
        let studies = sides.map(|side| side.study);
        let joined = Joined::of(a.study.trace(), b.study.trace());
        let devices = Devices::matched(a.study.trace(), b.study.trace());
        let matching = Matching::found(studies, &joined, &devices);
        let (reasons, of_other_batch) = reasons::found([&a, &b], &devices, &matching);
        let lengths = studies.map(|study| study.causes().observed.length());
        let waterfall = if reasons.iter().any(|own| matches!(own, Reason::Clocks { .. })) {
            // What waited for what is not known, and a wrong cause is worse than none.
            Waterfall::of_one(Cause::Clocks, lengths[1] - lengths[0], lengths)
        } else {
            let (joined, devices, matching) = (&joined, &devices, &matching);
            Context { studies, joined, devices, matching, of_other_batch: &of_other_batch }.waterfall()
        };
        let tables = Tables::of([&a, &b], &joined, &devices);
        // A view has the strings of what was opened.
        let steps = StepComparison::of([&a, &b], &joined);
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
