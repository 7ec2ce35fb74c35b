//! The critical paths of several steps: how often each op is on the observed path, and the static path with a barrier between
//! steps.
//!
//! Each step is a separate trace, and its paths are those that it has alone. So the static path of several steps is the sum of
//! their paths: no work of a step is assumed to begin before the step before it has ended.
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;
use crate::clocks::Doubt;
use crate::steps::rule::Steps;
use crate::{Study, Trace, View};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The paths of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepPath {
    /// Its row in [`Steps`].
    pub step: usize,
    /// The length of the observed path: the span of the step.
    pub length: Nanos,
    /// The length of the static path.
    pub floor: Nanos,
    /// The observed path by kind, in the order of [`SegmentKind::ALL`].
    pub by_kind: [Nanos; SegmentKind::ALL.len()],
}

/// An op that is on the observed path of at least one step. Ops with the same name and device count as one, in whatever step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnPath {
    /// The name of its device.
    pub device: String,
    /// The name of the op.
    pub op: String,
    /// The number of steps whose path it is on.
    pub steps: u32,
    /// Its share of the step in millionths: the median over the steps whose path it is on.
    pub median_share: u32,
    /// Its time on all these paths, summed.
    pub length: Nanos,
    /// The step in which it has most time, and that time.
    pub longest: (usize, Nanos),
}

/// The critical paths of several steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverSteps {
    /// The steps with ops, in order of time.
    pub steps: Vec<StepPath>,
    /// The ops on most paths first, then by time.
    pub ops: Vec<OnPath>,
    /// Why times of tasks cannot be compared in one of the steps. Then everything else is empty.
    pub doubt: Option<Doubt>,
}

impl OverSteps {
    /// The paths of the steps `rows` of `whole`, under the settings of `view`, whichever step it shows. Each step takes time in
    /// proportion to all ops, because its own must be found.
    pub fn of(whole: &Arc<Trace>, view: &View, rows: Range<usize>) -> Self {
        let (trace, steps) = view.steps(whole);
        let mut found = Self::default();
        let mut ops: HashMap<(String, String), Met, FixedState> = HashMap::default();
        let end = rows.end.min(steps.rows().len());
        for row in rows.start.min(end)..end {
            if steps.rows()[row].ops > 0 {
                let study = alone(&trace, &steps, row, view);
                if let Some(doubt) = study.clock_doubt() {
                    return Self { doubt: Some(doubt), ..Self::default() };
                }
                found.steps.push(add(&study, row, &mut ops));
            }
        }
        found.ops = ops.into_iter().map(|((device, op), met)| met.on_path(device, op)).collect();
        let mut rows: Vec<u32> = (0..found.ops.len() as u32).collect();
        let own = |row: u32| &found.ops[row as usize];
        rows.sort_by(|&a, &b| {
            let (a, b) = (own(a), own(b));
            let tie = || (&a.device, &a.op).cmp(&(&b.device, &b.op));
            b.steps.cmp(&a.steps).then(b.length.cmp(&a.length)).then_with(tie)
        });
        found.ops = rows.iter().map(|&row| own(row).clone()).collect();
        found
    }

    /// The length of the steps, summed.
    pub fn length(&self) -> Nanos {
        self.steps.iter().fold(Nanos(0), |sum, step| sum + step.length)
    }

    /// The length of their static paths, summed: with a barrier between steps.
    pub fn floor(&self) -> Nanos {
        self.steps.iter().fold(Nanos(0), |sum, step| sum + step.floor)
    }

    /// The observed paths by kind.
    pub fn by_kind(&self) -> [Nanos; SegmentKind::ALL.len()] {
        let mut sums = [Nanos(0); SegmentKind::ALL.len()];
        for step in &self.steps {
            sums.iter_mut().zip(step.by_kind).for_each(|(sum, own)| *sum += own);
        }
        sums
    }
}

/// One step as a separate trace. `trace` must have its repairs and aligned clocks already.
fn alone(trace: &Trace, steps: &Steps, row: usize, view: &View) -> Study {
    let own = Arc::new(steps.alone(trace, row).trace);
    Study::of_view(&own, View { rule: view.rule, op_time: view.op_time, ..View::default() })
}

/// An op that was found on a path.
#[derive(Default)]
struct Met {
    /// Its share of each step in millionths.
    shares: Vec<i64>,
    length: Nanos,
    longest: (usize, Nanos),
}

impl Met {
    fn on_path(mut self, device: String, op: String) -> OnPath {
        self.shares.sort_unstable();
        // Of an even number the lower one of the two in the middle.
        let median = self.shares.get((self.shares.len().max(1) - 1) / 2).copied().unwrap_or(0);
        OnPath {
            device,
            op,
            steps: self.shares.len() as u32,
            median_share: median as u32,
            length: self.length,
            longest: self.longest,
        }
    }
}

fn add(study: &Study, step: usize, ops: &mut HashMap<(String, String), Met, FixedState>) -> StepPath {
    let (trace, causes) = (study.trace(), study.causes());
    let mut own: HashMap<(&str, &str), Nanos, FixedState> = HashMap::default();
    for segment in &causes.observed.segments {
        let device = trace.text(trace.devices().get(trace.device_of(segment.op)).name);
        *own.entry((device, study.title(segment.op))).or_default() += segment.interval.length();
    }
    let length = causes.observed.length();
    for ((device, op), own) in own {
        let met = ops.entry((device.to_owned(), op.to_owned())).or_default();
        let share = i128::from(own.0) * 1_000_000 / i128::from(length.0.max(1));
        met.shares.push(share as i64);
        met.length += own;
        if met.longest.1 < own {
            met.longest = (step, own);
        }
    }
    StepPath { step, length, floor: causes.floor.length, by_kind: causes.observed.by_kind() }
}
