//! Generated fleets: workers whose steps differ a little, with what a test looks for planted among them.

use steplens_report::overview::{Builder, FindingRow, LinkRow, OpTypeRow, RunShape, SourceRow, SplitRow};

const DAY_NS: i64 = 86_400_000_000_000;

/// What is made.
#[derive(Clone, Debug)]
pub(crate) struct Fleet {
    pub(crate) tasks: usize,
    pub(crate) steps: i64,
    pub(crate) seed: u64,
    /// The task that computes half as long again in the second half of the steps.
    pub(crate) straggler: usize,
    /// The step in which every task waits for its input.
    pub(crate) slow_step: i64,
}

/// What a step spends on each op type on the first day, and how much more on the second, in ns: one is the regression.
pub(crate) const OP_TYPES: [(&str, &str, i64, i64); 4] = [
    ("Conv2D", "compute", 20_000_000, -1_000_000),
    ("MatMul", "compute", 10_000_000, 3_000_000),
    ("RecvTensor", "communication", 9_000_000, 8_000_000),
    ("train", "range", 40_000_000, 10_000_000),
];

impl Fleet {
    pub(crate) const JOB: &'static str = "/job:worker/replica:0";

    pub(crate) fn new(tasks: usize, steps: i64) -> Self {
        Self { tasks, steps, seed: 7, straggler: tasks / 3, slow_step: steps / 4 }
    }

    pub(crate) fn task(task: usize) -> String {
        format!("/job:worker/replica:0/task:{task}")
    }

    pub(crate) fn shape(&self) -> RunShape {
        RunShape {
            name: "run-1".to_owned(),
            tasks: (0..self.tasks).map(|task| (Self::task(task), Self::JOB.to_owned())).collect(),
            steps: (0..self.steps).map(|step| 1000 + step).collect(),
            ..RunShape::default()
        }
    }

    /// Whether a step is of the second day, as its second half is.
    pub(crate) fn is_late(&self, step: i64) -> bool {
        step >= self.steps / 2
    }

    pub(crate) fn day(&self, step: i64) -> &'static str {
        if self.is_late(step) { "2026-12-02" } else { "2026-12-01" }
    }

    /// Of each task and step, in order; `source` names the file of a cell.
    pub(crate) fn rows(&self, source: impl Fn(usize, i64) -> String, mut take: impl FnMut(&SplitRow<'_>)) {
        let mut random = fastrand::Rng::with_seed(self.seed);
        for task in 0..self.tasks {
            let name = Self::task(task);
            for step in 0..self.steps {
                let is_behind = task == self.straggler && step >= self.steps / 2;
                let compute_ns = random.i64(30_000_000..31_000_000) * if is_behind { 3 } else { 2 } / 2;
                let exposed_input_ns =
                    if step == self.slow_step { 25_000_000 } else { random.i64(0..200_000) };
                let (exposed_copy_ns, idle_ns) = (random.i64(100_000..300_000), random.i64(0..500_000));
                let own_ns = compute_ns + exposed_input_ns + exposed_copy_ns;
                // All wait for the last one.
                let exposed_communication_ns = if is_behind { 500_000 } else { 16_500_000 };
                let window_ns = own_ns + exposed_communication_ns + idle_ns;
                take(&SplitRow {
                    task: &name,
                    step: 1000 + step,
                    source: &source(task, step),
                    start_unix_ns: 1_796_112_000_000_000_000
                        + step * 50_000_000
                        + if self.is_late(step) { DAY_NS } else { 0 },
                    day: self.day(step),
                    window_ns,
                    own_ns,
                    end_ns: own_ns + exposed_communication_ns,
                    compute_ns,
                    exposed_input_ns,
                    exposed_copy_ns,
                    exposed_communication_ns,
                    idle_ns,
                    communication_ns: exposed_communication_ns + 4_000_000,
                    overlapped_communication_ns: 4_000_000,
                    ..Default::default()
                });
            }
        }
    }

    /// A run of it, whole.
    pub(crate) fn builder(&self, source: impl Fn(usize, i64) -> String) -> Builder {
        let mut builder = Builder::new(vec![self.shape()]);
        self.rows(&source, |row| builder.split(0, row).expect("it is the only run"));
        for task in 0..self.tasks {
            let name = Self::task(task);
            let of = source(task, 0);
            let row = SourceRow { source: &of, state: "whole", ..Default::default() };
            builder.source(0, &row).expect("it is the only run");
            builder
                .finding(
                    0,
                    &FindingRow {
                        source: &of,
                        step: 1000,
                        rule: "input-bound",
                        subject: "IteratorGetNext",
                        task: &name,
                        saving_ns: Some(120_000 + task as i64),
                        what: "The step waits for IteratorGetNext.",
                    },
                )
                .expect("it is the only run");
            let next = Self::task((task + 1) % self.tasks);
            let link = LinkRow {
                source: &of,
                source_task: &name,
                destination_task: &next,
                transfers: 10,
                bytes: 10 << 20,
                timed_bytes: 10 << 20,
                busy_ns: if task == 1 { 90_000_000 } else { 9_000_000 },
            };
            builder.link(0, &link).expect("it is the only run");
        }
        for (task, step) in (0..self.tasks).flat_map(|task| (0..self.steps).map(move |step| (task, step))) {
            for (op_type, category, usual_ns, more_ns) in OP_TYPES {
                let self_ns = usual_ns + if self.is_late(step) { more_ns } else { 0 };
                let row = OpTypeRow {
                    source: &source(task, step),
                    job: Self::JOB,
                    day: self.day(step),
                    op_type,
                    category,
                    place: "host",
                    count: 3,
                    total_ns: self_ns,
                    self_ns,
                };
                builder.op_type(0, &row).expect("it is the only run");
            }
        }
        let broken = SourceRow {
            source: "run-1/worker-2/broken.pb",
            state: "unreadable",
            code: "not-run-metadata",
            what: "broken.pb is not a trace that Steplens reads.",
        };
        builder.source(0, &broken).expect("it is the only run");
        builder
    }
}
