//! Figures of steps: how long each took and how it divides, what is usual, and which steps stand out.

use crate::base::order;
use crate::gpu::accelerators::{accelerators, units};
use crate::model::label;
use crate::steps::rule::Steps;
use crate::timeline::coverage::Coverage;
use crate::timeline::nesting::{Piece, pieces};
use crate::timeline::split::{Mean, Split};
use crate::{Bytes, DeviceId, Nanos, Trace};

/// The figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepFigures {
    /// How its span divides: the mean over the accelerators with ops in it, without those that only copy where another one does more;
    /// without accelerators, over all devices with ops in it. In a period all work of an accelerator counts, otherwise that of the step's own ops.
    pub split: Split,
    /// The bytes of its transfers.
    pub transferred: Bytes,
}

/// The figures of every step, in time n log n.
pub fn step_figures(trace: &Trace, steps: &Steps) -> Vec<StepFigures> {
    let mut figures: Vec<StepFigures> = steps
        .rows()
        .iter()
        .map(|step| StepFigures { split: Coverage::default().split(step.span), transferred: Bytes(0) })
        .collect();
    let accelerators = accelerators(trace);
    let mut has_accelerator = vec![false; figures.len()];
    let mut means = vec![Mean::default(); figures.len()];
    // Those that only copy in a step count where no other one does more.
    let mut copying = vec![Mean::default(); figures.len()];
    for accelerator in &accelerators {
        let mut add = |step: usize, split: Split| {
            let does_more = split.compute + split.communication > Nanos(0);
            let mean = if does_more { &mut means[step] } else { &mut copying[step] };
            mean.add(&split);
            has_accelerator[step] = true;
        };
        let mut works = vec![false; if steps.has_periods() { steps.rows().len() } else { 0 }];
        add_splits(trace, steps, &accelerator.devices, |step, split| match steps.rows()[step].is_period {
            true if steps.has_periods() => works[step] = true,
            _ => add(step, split),
        });
        splits_of_periods(trace, steps, &accelerator.devices, |step, split| {
            if works[step] || split.busy > Nanos(0) {
                add(step, split);
            }
        });
    }
    let mut is_of_accelerator = vec![false; trace.devices().len()];
    for device in accelerators.iter().flat_map(|accelerator| &accelerator.devices) {
        is_of_accelerator[device.index()] = true;
    }
    // Without accelerators the devices that the step bar counts, too.
    let counts: Vec<DeviceId> = match accelerators.is_empty() {
        true => units(trace).into_iter().flatten().collect(),
        false => trace.devices().ids().filter(|device| !is_of_accelerator[device.index()]).collect(),
    };
    for device in counts {
        add_splits(trace, steps, &[device], |step, split| {
            if !has_accelerator[step] {
                means[step].add(&split);
            }
        });
    }
    for ((own, mean), copying) in figures.iter_mut().zip(&means).zip(&copying) {
        own.split = mean.get().or(copying.get()).unwrap_or(own.split);
    }
    add_transfers(trace, steps, &mut figures);
    figures
}

/// For each step whether it counts towards the usual figures: it has ops, and is one.
pub fn is_usual(steps: &Steps) -> Vec<bool> {
    steps.rows().iter().map(|step| step.ops > 0 && !step.is_before).collect()
}

/// Calls `add` for each step in which `devices`, taken as one, have work, with how the step divides.
fn add_splits(trace: &Trace, steps: &Steps, devices: &[DeviceId], mut add: impl FnMut(usize, Split)) {
    let of_step = |piece: Piece| Some((steps.of_part(trace.ops().part(piece.op))?, piece));
    let pieces = devices.iter().flat_map(|&device| pieces(trace, device));
    let mut pieces: Vec<(usize, Piece)> = pieces.filter_map(of_step).collect();
    order::by_number(&mut pieces, |(step, piece)| (step as i64, piece.interval.start.0));
    for own in pieces.chunk_by(|a, b| a.0 == b.0) {
        let step = own[0].0;
        let covered = own.iter().map(|(_, piece)| (trace.category(piece.op), piece.interval));
        add(step, Coverage::summed(covered).split(steps.rows()[step].span));
    }
}

/// Calls `add` for each step of `trace` that is a period, with how it divides by all work of `devices`, taken as one.
pub(crate) fn splits_of_periods(
    trace: &Trace,
    steps: &Steps,
    devices: &[DeviceId],
    mut add: impl FnMut(usize, Split),
) {
    if !steps.has_periods() {
        return;
    }
    let of_run = |piece: Piece| Some((steps.periods().run_of_op(trace, piece.op)?, piece));
    let pieces = devices.iter().flat_map(|&device| pieces(trace, device));
    let mut pieces: Vec<(u32, Piece)> = pieces.filter_map(of_run).collect();
    order::by_number(&mut pieces, |(run, piece)| (i64::from(run), piece.interval.start.0));
    for own in pieces.chunk_by(|a, b| a.0 == b.0) {
        let covered = own.iter().map(|(_, piece)| (trace.category(piece.op), piece.interval));
        let coverage = Coverage::summed(covered);
        for step in steps.periods().of_run(own[0].0) {
            add(step, coverage.split(steps.rows()[step].span));
        }
    }
}

/// Adds the bytes of the transfers of each step. Devices that repeat the numbered streams of a GPU are not counted again.
fn add_transfers(trace: &Trace, steps: &Steps, figures: &mut [StepFigures]) {
    let nodes = trace.nodes();
    let is_transfer: Vec<bool> =
        nodes.ids().map(|node| label::transfer(trace.text(nodes.label(node))).is_some()).collect();
    if !is_transfer.contains(&true) {
        return;
    }
    let devices = trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device));
    for op in devices.flat_map(|device| trace.ops_of(device)) {
        let step = steps.of_part(trace.ops().part(op)).filter(|_| is_transfer[trace.ops().node(op).index()]);
        if let Some(step) = step {
            figures[step].transferred += trace.outputs().requested_bytes(op);
        }
    }
}

/// The distribution of one figure over steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usual {
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation of a sample: the square root of the sum of squared differences from the mean over n - 1.
    pub deviation: f64,
    /// The minimum.
    pub min: i64,
    /// The median.
    pub p50: i64,
    /// The value that 99 of 100 steps do not exceed.
    pub p99: i64,
    /// The maximum.
    pub max: i64,
    /// A step stands out if its value is outside of these two: Tukey's fences, one and a half times the distance of the quartiles
    /// below the first and above the third. With fewer than four steps none stands out.
    pub fences: [f64; 2],
}

impl Usual {
    /// Computes the figures of `values`; `None` without values.
    pub fn computed(values: impl Iterator<Item = i64>) -> Option<Self> {
        let mut sorted: Vec<i64> = values.collect();
        order::by_number(&mut sorted, |value| (value, 0));
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let count = sorted.len();
        let mean = sorted.iter().map(|&value| value as f64).sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|&value| (value as f64 - mean).powi(2)).sum();
        // The nearest rank: the least value that this share of the steps does not exceed.
        let rank = |percent: usize| sorted[(count * percent).div_ceil(100).clamp(1, count) - 1];
        let (low, high) = (rank(25) as f64, rank(75) as f64);
        let reach = 1.5 * (high - low);
        Some(Self {
            mean,
            deviation: if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 },
            min,
            p50: rank(50),
            p99: rank(99),
            max,
            fences: if count < 4 { [f64::NEG_INFINITY, f64::INFINITY] } else { [low - reach, high + reach] },
        })
    }

    /// Whether `value` stands out.
    pub fn stands_out(&self, value: i64) -> bool {
        !(self.fences[0]..=self.fences[1]).contains(&(value as f64))
    }
}

/// How much the lengths of the usual steps vary: the median of their distances from their median. `None` with less than two usual
/// steps: then nothing says how much they vary.
pub fn variation(steps: &Steps) -> Option<Nanos> {
    let usual = is_usual(steps);
    let lengths =
        steps.rows().iter().zip(usual).filter(|&(_, usual)| usual).map(|(step, _)| step.span.length().0);
    let mut lengths: Vec<i64> = lengths.collect();
    if lengths.len() < 2 {
        return None;
    }
    let middle = median(&mut lengths);
    let mut distances: Vec<i64> = lengths.iter().map(|length| (length - middle).abs()).collect();
    Some(Nanos(median(&mut distances)))
}

/// The median; of an even number of values the mean of the two in the middle.
fn median(values: &mut [i64]) -> i64 {
    order::by_number(values, |value| (value, 0));
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => values[middle - 1] + (values[middle] - values[middle - 1]) / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceBuilder;
    use crate::build::builder::OpRecord;
    use crate::model::op::OpTimes;
    use crate::model::output::OutputRecord;
    use crate::model::part::PartRecord;
    use crate::steps::rule::StepRule;

    #[test]
    fn what_is_usual() {
        let usual = Usual::computed([4, 2, 100, 3, 5, 3].into_iter()).unwrap();
        assert_eq!((usual.min, usual.p50, usual.p99, usual.max), (2, 3, 100, 100));
        assert_eq!((usual.mean, usual.fences), (19.5, [0.0, 8.0]));
        assert!((usual.deviation - 39.449_968_3).abs() < 1e-6);
        assert!(usual.stands_out(100) && !usual.stands_out(2));
        let few = Usual::computed([1, 1, 1_000_000].into_iter()).unwrap();
        assert!(!few.stands_out(1_000_000));
        assert_eq!(Usual::computed([7].into_iter()).map(|usual| usual.deviation), Some(0.0));
        assert_eq!(Usual::computed(std::iter::empty()), None);
    }

    #[test]
    fn every_step_divides_by_its_own_ops() {
        let mut builder = TraceBuilder::default();
        let transfer = b"[8B] edge_1_x from /job:ps/task:0 to /job:w/task:0";
        for step in 0..3 {
            builder.begin_part(&PartRecord { is_run: true, ..PartRecord::default() });
            let slot = builder.begin_device();
            builder.name_device(slot, b"/job:w/task:0");
            // Steps overlap, but each counts only its own ops.
            for (name, label, start, length) in
                [(&b"m"[..], &b"m = MatMul(x)"[..], 0, 10 + step), (b"RecvTensor", transfer, 5, 15)]
            {
                let times =
                    OpTimes { start_unix_ns: step * 15 + start, length_ns: length, ..OpTimes::default() };
                builder.op(slot, &OpRecord { name, label, times }).unwrap();
                builder.output(&OutputRecord { requested_bytes: 8, ..OutputRecord::default() });
            }
        }
        let trace = builder.finish(&Default::default());
        let steps = Steps::divided(&trace, StepRule::Content);
        let figures = step_figures(&trace, &steps);
        let actual =
            figures.iter().map(|own| (own.split.window, own.split.compute, own.split.exposed_communication));
        let expected = (0..3).map(|step| (Nanos(20), Nanos(10 + step), Nanos(10 - step)));
        assert!(actual.eq(expected), "{figures:?}");
        assert!(figures.iter().all(|own| own.transferred == Bytes(8)));
    }
}
