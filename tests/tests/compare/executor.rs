//! A small executor: runs a graph on some threads as TensorFlow does, and writes what it would have recorded. An op that is ready first
//! when its maker ends stays on its thread; the others go to a queue, from which threads without work take after they woke up.

use super::Opened;
use std::collections::VecDeque;
use steplens_tests::writer::{Scenario, WORKER, op};

/// How long a thread needs to wake up, and to begin its next op.
const WAKE_NS: i64 = 40_000;
const NEXT_NS: i64 = 400;

/// A graph, and on how many threads it runs.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) threads: usize,
    /// Name, op type, the ops whose outputs it takes, and its length in µs.
    pub(super) ops: Vec<(String, &'static str, Vec<usize>, i64)>,
}

impl Job {
    /// A source, `branches` rows of `depth` products of which each takes about 5 ms, and their sum.
    pub(super) fn fork(threads: usize, branches: usize, depth: usize) -> Self {
        let mut job = Self { threads, ops: vec![("x".to_owned(), "Const", Vec::new(), 5)] };
        let mut ends = Vec::new();
        for branch in 0..branches {
            let mut before = 0;
            for place in 0..depth {
                let us = 4_900 + ((branch * 37 + place * 61) % 17) as i64 * 10;
                job.ops.push((format!("m/b{branch}_{place}"), "MatMul", vec![before], us));
                before = job.ops.len() - 1;
            }
            ends.push(before);
        }
        job.ops.push(("m/sum".to_owned(), "AddN", ends, 60));
        job
    }

    /// The op with this name.
    pub(super) fn at(&self, name: &str) -> usize {
        self.ops.iter().position(|own| own.0 == name).unwrap()
    }

    /// The same with an op that takes `us`.
    pub(super) fn with(&self, name: &str, us: i64) -> Self {
        let (mut job, at) = (self.clone(), self.at(name));
        job.ops[at].3 = us;
        job
    }

    /// Runs it.
    pub(super) fn run(&self) -> Opened {
        let mut waits: Vec<usize> = self.ops.iter().map(|own| own.2.len()).collect();
        // Ops that are ready, with when they were scheduled; for each thread its op, and when that ends.
        let mut queue: VecDeque<(usize, i64)> = VecDeque::new();
        let mut running: Vec<Option<(i64, usize)>> = vec![None; self.threads];
        let mut free_since: Vec<i64> = vec![0; self.threads];
        let mut recorded = Vec::new();
        queue.extend((0..self.ops.len()).filter(|&at| waits[at] == 0).map(|at| (at, 0)));
        let mut begin =
            |thread: usize, at: usize, scheduled: i64, start: i64, running: &mut [Option<(i64, usize)>]| {
                let (name, kind, inputs, us) = &self.ops[at];
                let inputs: Vec<&str> = inputs.iter().map(|&input| self.ops[input].0.as_str()).collect();
                let label = format!("{name} = {kind}({})", inputs.join(", "));
                recorded.push(op(&label, start, us * 1_000).scheduled(scheduled));
                running[thread] = Some((start + us * 1_000, at));
            };
        loop {
            for thread in 0..self.threads {
                if running[thread].is_none()
                    && let Some((at, scheduled)) = queue.pop_front()
                {
                    let start = scheduled.max(free_since[thread]) + WAKE_NS;
                    begin(thread, at, scheduled, start, &mut running);
                }
            }
            let next = (0..self.threads).filter_map(|thread| Some((running[thread]?.0, thread))).min();
            let Some((now, thread)) = next else { break };
            let ended = running[thread].take().unwrap().1;
            free_since[thread] = now;
            let mut ready = Vec::new();
            for (at, own) in self.ops.iter().enumerate() {
                for _ in own.2.iter().filter(|&&input| input == ended) {
                    waits[at] -= 1;
                    if waits[at] == 0 {
                        ready.push(at);
                    }
                }
            }
            let mut ready = ready.into_iter();
            let kept = ready.next();
            queue.extend(ready.map(|at| (at, now + NEXT_NS / 2)));
            if let Some(at) = kept {
                begin(thread, at, now - NEXT_NS, now + NEXT_NS, &mut running);
            } else if let Some((at, scheduled)) = queue.pop_front() {
                begin(thread, at, scheduled, now + NEXT_NS, &mut running);
            }
        }
        Opened::of(Scenario::new().device(WORKER, recorded).open().trace)
    }
}
