//! A fleet: a file for each worker and step of a training job on two days, with what is planted in it.
//!
//! Every worker receives parameters from two servers, loads input, computes layer by layer, and meets the others in an all-reduce, which
//! ends for all of them when the last one has come.

use crate::random::Random;
use crate::writer::{Scenario, op, recv};

/// The worker whose convolutions take three times as long on the second day.
pub const STRAGGLER: usize = 17;
/// The worker to which transfers from the second server take ten times as long.
pub const SLOW_LINK: usize = 5;
/// The op type that takes half as long again on the second day, on every worker.
pub const REGRESSED: &str = "BatchNorm";
/// The worker that loads input for half of its time.
pub const INPUT_BOUND: usize = 9;
/// The step of the first day in which every worker takes twice as long.
pub const OUTLIER: usize = 3;

/// How large a fleet is.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// How many workers.
    pub workers: usize,
    /// How many steps are recorded on each of the two days.
    pub steps: usize,
    /// How many layers a worker computes.
    pub layers: usize,
}

const DAY_NS: i64 = 86_400_000_000_000;
/// From the start of one step to that of the next.
const STEP_NS: i64 = 2_000_000_000;
const DAYS: [&str; 2] = ["monday", "tuesday"];

/// What a worker does in a step.
struct Work {
    random: Random,
    is_slow: [bool; 3],
}

impl Fleet {
    /// Its files, as their paths and what is in them, one after the other.
    pub fn files(&self) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
        let steps = (0..DAYS.len()).flat_map(move |day| (0..self.steps).map(move |step| (day, step)));
        steps.flat_map(move |(day, step)| {
            let ends: Vec<i64> =
                (0..self.workers).map(|worker| self.worker(day, step, worker, None).1).collect();
            let met = ends.iter().copied().max().unwrap_or(0) + 2_000_000;
            (0..self.workers).map(move |worker| {
                let path = format!("{}/worker-{worker}/step-{step}.pb", DAYS[day]);
                (path, self.worker(day, step, worker, Some(met)).0.bytes())
            })
        })
    }

    /// Files of the same folder that are damaged or are no traces, with the state that the dataset gives them. `whole` is one of
    /// [`files`](Self::files).
    pub fn damaged(whole: &[u8]) -> Vec<(&'static str, Vec<u8>, &'static str)> {
        let mut cut = whole.to_vec();
        cut.truncate(whole.len() * 2 / 3);
        vec![
            ("monday/broken/cut.pb", cut, "damaged"),
            ("monday/broken/empty.pb", Vec::new(), "unreadable"),
            ("monday/broken/notes.png", b"\x89PNG\r\n\x1a\n0000".to_vec(), "no-trace"),
            ("monday/broken/noise.pb", vec![0x5a; 4_096], "no-trace"),
        ]
    }

    /// What a worker recorded, and when it came to the all-reduce, which ends at `met`.
    fn worker(&self, day: usize, step: usize, worker: usize, met: Option<i64>) -> (Scenario, i64) {
        let seed = ((day * 1_000_003 + step) * 1_000_003 + worker) as u64;
        let mut work = Work { random: Random::new(seed), is_slow: [false; 3] };
        work.is_slow = [day == 1 && worker == STRAGGLER, day == 1, day == 0 && step == OUTLIER];
        let begun = day as i64 * DAY_NS + step as i64 * STEP_NS;
        let device = format!("/job:worker/replica:0/task:{worker}/device:CPU:0");
        let mut ops = Vec::new();
        let mut at = begun;
        for parameter in 0..8 {
            let server = parameter % 2;
            let from = format!("/job:ps/replica:0/task:{server}/device:CPU:0");
            let usual = 400 + work.random.below(100) as i64;
            let length = if server == 1 && worker == SLOW_LINK { usual * 10 } else { usual };
            ops.push(recv(
                &format!("edge_{parameter}_w{parameter}/read"),
                &from,
                &device,
                1 << 20,
                at / 1_000,
                length,
            ));
            at += length * 1_000;
        }
        let input = if worker == INPUT_BOUND { 160_000_000 } else { 4_000_000 };
        at = work.run(&mut ops, "IteratorGetNext", "IteratorGetNext", at, input);
        for layer in 0..self.layers {
            for (op_type, length) in [("Conv2D", 900_000), (REGRESSED, 300_000), ("Relu", 60_000)] {
                at = work.run(&mut ops, &format!("layer_{layer}/{op_type}"), op_type, at, length);
            }
        }
        for layer in (0..self.layers).rev() {
            let name = format!("gradients/layer_{layer}/Conv2D_grad");
            at = work.run(&mut ops, &name, "Conv2DBackpropFilter", at, 1_100_000);
        }
        if let Some(met) = met {
            ops.push(op("all_reduce/CollectiveReduce = CollectiveReduce(gradients)", at, met - at));
            work.run(&mut ops, "train/ApplyAdam", "ApplyAdam", met, 2_000_000);
        }
        (Scenario::new().device(&device, ops), at)
    }
}

impl Work {
    /// Adds an op of about `length_ns`; gives its end.
    fn run(
        &mut self,
        ops: &mut Vec<crate::proto::NodeExecStats>,
        name: &str,
        op_type: &str,
        at: i64,
        length_ns: i64,
    ) -> i64 {
        let [is_straggler, is_second_day, is_outlier] = self.is_slow;
        let mut length = length_ns + self.random.below((length_ns / 20) as usize) as i64;
        length *= if is_straggler && op_type == "Conv2D" { 3 } else { 1 };
        length += if is_second_day && op_type == REGRESSED { length / 2 } else { 0 };
        length *= if is_outlier { 2 } else { 1 };
        ops.push(op(&format!("{name} = {op_type}(x)"), at, length));
        at + length
    }
}
