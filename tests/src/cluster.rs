//! Clusters: steps of parameter servers and workers as TensorFlow would have recorded them, by clocks that are ahead and drift.
//!
//! Every worker receives each server's parameters, computes, and sends back a gradient for each. What happens when is random; what
//! is recorded of it is not: ops by their task's clock, and a RecvTensor's start as `grpc_remote_worker.cc` has it,
//! `min(max(request, sending), end - 1 us)`, of which the sending is by the sender's clock.

use crate::proto::NodeExecStats;
use crate::random::Random;
use crate::writer::{Scenario, op, recv};
use std::collections::BTreeMap;

/// What a cluster is like.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// How many parameter servers.
    pub servers: usize,
    /// How many workers.
    pub workers: usize,
    /// How many parameters each worker receives from each server in a step.
    pub parameters: usize,
    /// How many steps.
    pub steps: usize,
    /// Whether workers send gradients back.
    pub sends_back: bool,
    /// By how many ms the clock of a task is ahead or behind at most.
    pub skew_ms: i64,
    /// By how many ppm it goes faster or slower at most.
    pub drift_ppm: i64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self { servers: 2, workers: 4, parameters: 12, steps: 1, sends_back: true, skew_ms: 50, drift_ppm: 0 }
    }
}

/// From the start of one step to that of the next.
pub const STEP_NS: i64 = 200_000_000;

/// A clock: by how much it is ahead at time 0, and how much faster it goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// In ns.
    pub ahead_ns: i64,
    /// In millionths.
    pub drift_ppm: i64,
}

impl Clock {
    /// What it says at a true time.
    pub fn says(self, at_ns: i64) -> i64 {
        at_ns + self.ahead_ns + at_ns / 1_000_000 * self.drift_ppm
    }
}

/// What was recorded, and by which clocks.
pub struct Recorded {
    /// The file.
    pub scenario: Scenario,
    /// The clock of each task.
    pub clocks: BTreeMap<String, Clock>,
}

/// Ops by device.
type Ops = BTreeMap<String, Vec<NodeExecStats>>;

impl Cluster {
    /// One such cluster.
    pub fn record(&self, random: &mut Random) -> Recorded {
        let task = |job: &str, number: usize| format!("/job:{job}/replica:0/task:{number}");
        let servers: Vec<String> = (0..self.servers).map(|number| task("ps", number)).collect();
        let workers: Vec<String> = (0..self.workers).map(|number| task("worker", number)).collect();
        let up_to = |random: &mut Random, most: i64| random.below(2 * most as usize + 1) as i64 - most;
        let clock = |task: &String| {
            let ahead_ns = up_to(random, self.skew_ms * 1_000) * 1_000;
            (task.clone(), Clock { ahead_ns, drift_ppm: up_to(random, self.drift_ppm) })
        };
        let clocks: BTreeMap<String, Clock> = servers.iter().chain(&workers).map(clock).collect();
        let mut ops = Ops::new();
        for step in 0..self.steps as i64 {
            for server in &servers {
                for worker in &workers {
                    self.exchange(random, &clocks, &mut ops, server, worker, step * STEP_NS);
                }
            }
        }
        let mut scenario = Scenario::new();
        for (device, ops) in ops {
            scenario = scenario.device(&device, ops);
        }
        Recorded { scenario, clocks }
    }

    /// What one server and one worker do in a step.
    fn exchange(
        &self,
        random: &mut Random,
        clocks: &BTreeMap<String, Clock>,
        ops: &mut Ops,
        server: &str,
        worker: &str,
        start: i64,
    ) {
        let pair = format!("{}_{}", number(server), number(worker));
        for parameter in 0..self.parameters {
            let within = |random: &mut Random, ns: i64| random.below(ns as usize) as i64;
            let made = start + 1_000_000 + within(random, 40_000_000);
            let requested = start + within(random, 30_000_000);
            let name = format!("read_{pair}_{parameter}");
            run(ops, clocks, server, &name, made);
            let got = send(ops, clocks, random, &name, [server, worker], made, requested);
            let grad = format!("grad_{pair}_{parameter}");
            let made = got + 500_000 + within(random, 60_000_000);
            run(ops, clocks, worker, &format!("{grad} = MatMul({name})"), made);
            if self.sends_back {
                let requested = start + within(random, 90_000_000);
                let got = send(ops, clocks, random, &grad, [worker, server], made, requested);
                let applied = format!("apply_{pair}_{parameter} = ApplyAdam({grad})");
                run(ops, clocks, server, &applied, got + 300_000);
            }
        }
    }
}

fn number(task: &str) -> &str {
    task.rsplit(':').next().unwrap_or_default()
}

fn device(task: &str) -> String {
    format!("{task}/device:CPU:0")
}

/// An op that ends at `end`.
fn run(ops: &mut Ops, clocks: &BTreeMap<String, Clock>, task: &str, label: &str, end: i64) {
    const LENGTH_NS: i64 = 200_000;
    let own = op(label, clocks[task].says(end) - LENGTH_NS, LENGTH_NS);
    ops.entry(device(task)).or_default().push(own);
}

/// A transfer; when it was received. Most take some tens of microseconds, some much longer.
fn send(
    ops: &mut Ops,
    clocks: &BTreeMap<String, Clock>,
    random: &mut Random,
    name: &str,
    [from, to]: [&str; 2],
    made: i64,
    requested: i64,
) -> i64 {
    let sent = made.max(requested) + 5_000 + random.below(30_000) as i64;
    let usual = 25_000 + random.below(100_000) as i64;
    let received = sent + if random.below(3) == 0 { usual * 30 } else { usual };
    let us = |task: &str, at: i64| clocks[task].says(at).div_euclid(1_000);
    let end = us(to, received);
    let start = us(to, requested).max(us(from, sent)).min(end - 1);
    let tensor = format!("edge_7_{name}");
    let own = recv(&tensor, &device(from), &device(to), 4_096, start, end - start);
    ops.entry(device(to)).or_default().push(own);
    received
}
