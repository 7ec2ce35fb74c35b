//! Figures of steps: how long each took and how it divides, what is usual, and which stand out.

use crate::analysis::coverage::Coverage;
use crate::analysis::split::Split;
use crate::analysis::steps::Steps;
use crate::{Bytes, OpId, Trace, label, order};

/// The figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepFigures {
    /// How its span divides, all devices together: at every moment it computes if any device computes.
    pub split: Split,
    /// What its transfers carried.
    pub transferred: Bytes,
}

/// The figures of every step, in time n log n. What repeats the numbered streams of a GPU is not counted again.
pub fn step_figures(trace: &Trace, steps: &Steps) -> Vec<StepFigures> {
    let ops = trace.ops();
    let counted = || {
        let devices = trace.devices().ids().filter(|&device| !trace.devices().repeats_streams(device));
        devices.flat_map(|device| trace.ops_of(device))
    };
    let step_of = |op: OpId| steps.of_part(ops.part(op));
    // By step: a counting sort, so that no step costs a look at the ops of others.
    let mut end = vec![0; steps.rows().len() + 1];
    counted().filter_map(step_of).for_each(|step| end[step + 1] += 1);
    for step in 1..end.len() {
        end[step] += end[step - 1];
    }
    let mut by_step = vec![OpId::new(0); end.last().copied().unwrap_or(0)];
    for op in counted() {
        if let Some(step) = step_of(op) {
            by_step[end[step]] = op;
            end[step] += 1;
        }
    }
    let is_transfer: Vec<bool> = trace
        .nodes()
        .ids()
        .map(|node| label::transfer(trace.text(trace.nodes().label(node))).is_some())
        .collect();
    let mut first = 0;
    let figures = steps.rows().iter().zip(end).map(|(step, end)| {
        let own = &mut by_step[first..end.max(first)];
        first = end.max(first);
        order::by_number(own, |op| (ops.start(op).0, i64::from(op.get())));
        let transfers = own.iter().filter(|&&op| is_transfer[ops.node(op).index()]);
        StepFigures {
            transferred: transfers.map(|&op| trace.outputs().requested_bytes(op)).sum(),
            split: Coverage::of(own.iter().map(|&op| (trace.category(op), ops.interval(op))))
                .split(step.span),
        }
    });
    figures.collect()
}

/// What is usual of one figure, over steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usual {
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation of a sample: the root of the squared differences from the mean, over one less than there are.
    pub deviation: f64,
    /// The least.
    pub min: i64,
    /// What half of the steps do not exceed.
    pub p50: i64,
    /// What 99 of 100 do not exceed.
    pub p99: i64,
    /// The most.
    pub max: i64,
    /// Outside of these two a step stands out: Tukey's fences, one and a half times the distance of the quartiles below the
    /// first and above the third. Of fewer than four steps none stands out.
    pub fences: [f64; 2],
}

impl Usual {
    /// Of `values`; `None` if there is none.
    pub fn of(values: impl Iterator<Item = i64>) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TraceBuilder;
    use crate::analysis::steps::StepRule;
    use crate::builder::{OpRecord, OpTimes};
    use crate::output::OutputRecord;
    use crate::part::PartRecord;
    use crate::units::Nanos;

    #[test]
    fn what_is_usual() {
        let usual = Usual::of([4, 2, 100, 3, 5, 3].into_iter()).unwrap();
        assert_eq!((usual.min, usual.p50, usual.p99, usual.max), (2, 3, 100, 100));
        assert_eq!((usual.mean, usual.fences), (19.5, [0.0, 8.0]));
        assert!((usual.deviation - 39.449_968_3).abs() < 1e-6);
        assert!(usual.stands_out(100) && !usual.stands_out(2));
        let few = Usual::of([1, 1, 1_000_000].into_iter()).unwrap();
        assert!(!few.stands_out(1_000_000));
        assert_eq!(Usual::of([7].into_iter()).map(|usual| usual.deviation), Some(0.0));
        assert_eq!(Usual::of(std::iter::empty()), None);
    }

    #[test]
    fn every_step_divides_by_its_own_ops() {
        let mut builder = TraceBuilder::default();
        let transfer = b"[8B] edge_1_x from /job:ps/task:0 to /job:w/task:0";
        for step in 0..3 {
            builder.begin_part(&PartRecord { is_run: true, ..PartRecord::default() });
            let slot = builder.begin_device();
            builder.name_device(slot, b"/job:w/task:0");
            // Steps overlap, and yet each counts its own.
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
        let steps = Steps::of(&trace, StepRule::Content);
        let figures = step_figures(&trace, &steps);
        let told =
            figures.iter().map(|own| (own.split.window, own.split.compute, own.split.exposed_communication));
        let expected = (0..3).map(|step| (Nanos(20), Nanos(10 + step), Nanos(10 - step)));
        assert!(told.eq(expected), "{figures:?}");
        assert!(figures.iter().all(|own| own.transferred == Bytes(8)));
    }
}
