//! Findings: each planted problem is the first finding of its trace, and a trace without problems has none.

use serde_json::{Value, json};
use steplens_core::findings::{Basis, Findings, Rule};
use steplens_core::replay::Replay;
use steplens_core::{Nanos, Study};
use steplens_tests::fixtures::{chrome_traces, fixtures_and_samples};
use steplens_tests::proto::NodeExecStats;
use steplens_tests::writer::{Scenario, WORKER, op, open, recv};

const MS: i64 = 1_000_000;
const US: i64 = 1_000;

fn found(study: &Study) -> (Findings, Replay) {
    let replay = Replay::of(study);
    (Findings::found(study, &replay, None), replay)
}

/// The rules that found something, the first one first.
fn rules(study: &Study) -> Vec<Rule> {
    found(study).0.rows.iter().map(|own| own.rule).collect()
}

fn first(study: &Study) -> Option<Rule> {
    rules(study).first().copied()
}

fn task(job: &str, task: usize) -> String {
    format!("/job:{job}/replica:0/task:{task}/device:CPU:0")
}

/// A chain of ops of `length` each on one device, one right after the other.
fn chain(count: usize, name: &str, length: impl Fn(usize) -> i64, gap: i64) -> Vec<NodeExecStats> {
    let mut at = 0;
    (0..count)
        .map(|place| {
            let input = if place == 0 { "start".to_owned() } else { format!("{name}{}", place - 1) };
            let (start, own) = (at + gap, length(place));
            at = start + own;
            op(&format!("{name}{place} = {name}({input})"), start, own).scheduled(start - gap.min(US))
        })
        .collect()
}

/// Workers that each get one variable from a server, compute for a while, and send a gradient back, which the server applies.
struct Cluster {
    workers: usize,
    /// How long a transfer takes.
    transit: i64,
    /// How long each worker computes.
    compute: Box<dyn Fn(usize) -> i64>,
    /// How long a worker loads its batch.
    input: i64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self { workers: 4, transit: 20 * US, compute: Box::new(|_| 20 * MS), input: 0 }
    }
}

impl Cluster {
    fn study(&self) -> Study {
        let mut scenario = Scenario::new();
        let ps = task("ps", 0);
        let mut server = vec![op("v/read = Identity(v)", 0, 10 * US).scheduled(0)];
        for worker in 0..self.workers {
            let own = task("worker", worker);
            let mut ops = Vec::new();
            if self.input > 0 {
                ops.push(op("batch = IteratorGetNext(iterator)", 0, self.input).scheduled(0));
            }
            let sent = 10 * US;
            ops.push(recv("edge_1_v/read", &ps, &own, 1_000, sent / US, self.transit / US));
            let ready = (sent + self.transit).max(self.input);
            let length = (self.compute)(worker);
            let inputs = if self.input > 0 { "v/read/_1, batch" } else { "v/read/_1" };
            ops.push(op(&format!("mul{worker} = MatMul({inputs})"), ready, length).scheduled(ready));
            let made = ready + length;
            let key = format!("edge_2_mul{worker}");
            server.push(recv(&key, &own, &ps, 1_000, made / US, self.transit / US));
            let arrived = made + self.transit;
            let label = format!("apply{worker} = ApplyGradientDescent(mul{worker}/_2)");
            server.push(op(&label, arrived, 10 * US).scheduled(arrived));
            scenario = scenario.device(&own, ops);
        }
        scenario.device(&ps, server).study()
    }
}

#[test]
fn a_step_without_problems_has_no_findings() {
    for (name, study) in [
        ("a chain", Scenario::new().device(WORKER, chain(20, "MatMul", |_| MS, 5 * US)).study()),
        ("a cluster", Cluster::default().study()),
    ] {
        let (found, replay) = found(&study);
        assert!(found.rows.is_empty(), "{name}: {:?}", found.rows);
        assert!(replay.error().may_predict());
        assert!(!found.not_judged.is_empty(), "a rule about GPUs cannot judge {name}");
    }
}

#[test]
fn transfers_that_the_step_waits_for() {
    let study = Cluster { transit: 8 * MS, ..Cluster::default() }.study();
    let (found, replay) = found(&study);
    let row = &found.rows[0];
    assert_eq!(row.rule, Rule::ExposedTransfers, "{:?}", found.rows);
    // Both transfers of a worker are on its way: without them the step is 16 ms shorter.
    assert_eq!(row.saving, Some(Nanos(16 * MS)));
    assert_eq!((row.basis, replay.error().difference()), (Basis::Replay, Nanos(0)));
}

#[test]
fn a_worker_that_is_slower_than_its_peers() {
    let compute = |worker: usize| if worker == 2 { 45 * MS } else { 20 * MS };
    let study = Cluster { compute: Box::new(compute), ..Cluster::default() }.study();
    let (found, _) = found(&study);
    let row = &found.rows[0];
    assert_eq!(row.rule, Rule::Straggler, "{:?}", found.rows);
    assert_eq!(row.facts.name, "/job:worker/replica:0/task:2");
    assert_eq!(row.saving, Some(Nanos(25 * MS)));
    assert_eq!((row.facts.count, row.facts.of), (1, 1), "last in one of one step");
}

#[test]
fn a_batch_that_the_step_waits_for() {
    let study = Cluster { input: 15 * MS, ..Cluster::default() }.study();
    let (found, _) = found(&study);
    assert_eq!(found.rows[0].rule, Rule::InputBound, "{:?}", found.rows);
    assert_eq!(found.rows[0].saving, Some(Nanos(15 * MS - 30 * US)), "the variable arrives after 30 µs");
}

#[test]
fn an_op_that_took_longer_than_others_like_it() {
    let length = |place: usize| if place == 7 { 12 * MS } else { MS };
    let study = Scenario::new().device(WORKER, chain(20, "MatMul", length, 5 * US)).study();
    let (found, _) = found(&study);
    assert_eq!(found.rows[0].rule, Rule::SlowerThanPeers, "{:?}", found.rows);
    assert_eq!(found.rows[0].saving, Some(Nanos(11 * MS)));
    assert_eq!(found.rows[0].facts.name, "MatMul7");
}

#[test]
fn ops_that_are_tiny() {
    let study = Scenario::new().device(WORKER, chain(2_000, "Add", |_| 2 * US, 3 * US)).study();
    let (found, _) = found(&study);
    assert_eq!(found.rows[0].rule, Rule::TinyOps, "{:?}", found.rows);
    assert_eq!((found.rows[0].facts.count, found.rows[0].facts.of), (2_000, 2_000));
}

#[test]
fn small_transfers_that_follow_one_another() {
    // 30 transfers of 300 µs each, and a little more for each byte, that one op needs together.
    let (ps, worker) = (task("ps", 0), task("worker", 0));
    let mut ops: Vec<NodeExecStats> = (0..30)
        .map(|place| {
            recv(
                &format!("edge_{place}_v{place}"),
                &ps,
                &worker,
                1_000 * (place % 5),
                place * 310,
                300 + place % 5,
            )
        })
        .collect();
    let inputs: Vec<String> = (0..30).map(|place| format!("v{place}/_{place}")).collect();
    let ready = (29 * 310 + 300) * US;
    ops.push(op(&format!("all = ConcatV2({})", inputs.join(", ")), ready, 5 * MS).scheduled(ready));
    let reads = (0..30).map(|place| op(&format!("v{place} = VariableV2()"), 0, US).scheduled(0));
    let study = Scenario::new().device(&worker, ops).device(&ps, reads).study();
    let rules = rules(&study);
    assert!(rules.contains(&Rule::TransfersToMerge), "{rules:?}");
}

#[test]
fn clocks_that_differ_come_without_a_saving() {
    let study = Study::new(open(&steplens_tests::fixtures::fixture("ps4w-skewed").bytes).trace);
    let (found, _) = found(&study);
    assert!(found.rows.iter().all(|own| own.basis == Basis::Figure && own.saving.is_none()));
    assert!(found.rows.iter().any(|own| own.rule == Rule::SkewedClocks), "{:?}", found.rows);
}

/// An event of a trace as PyTorch writes it.
fn event(cat: &str, name: &str, thread: u64, start_us: i64, length_us: i64, args: &Value) -> Value {
    let pid = if matches!(cat, "kernel" | "gpu_memcpy") { 0 } else { 100 };
    json!({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": thread, "ts": start_us, "dur": length_us, "args": args})
}

fn pytorch(events: Vec<Value>) -> Study {
    let file = json!({"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": events});
    Study::new(open(file.to_string().as_bytes()).trace)
}

/// `count` operators that each launch a kernel; the host takes `between_us` between two of them, a launch `launch_us`.
fn launches(count: i64, between_us: i64, launch_us: i64, kernel_us: i64) -> Vec<Value> {
    let mut events = Vec::new();
    let (mut host, mut gpu) = (0, 0);
    for place in 0..count {
        let id = json!({"correlation": place + 1, "stream": 7, "device": 0});
        let (start, operator) = (host, launch_us + 4);
        events.push(event("cpu_op", "aten::mm", 1, start, operator, &json!({})));
        events.push(event("cuda_runtime", "cudaLaunchKernel", 1, start + 2, launch_us, &id));
        let begin = (start + 2 + launch_us + 3).max(gpu);
        events.push(event("kernel", "gemm", 7, begin, kernel_us, &id));
        gpu = begin + kernel_us;
        host = start + operator + between_us;
    }
    events
}

#[test]
fn a_gpu_that_waits_for_python() {
    let study = pytorch(launches(200, 100, 5, 10));
    assert_eq!(first(&study), Some(Rule::HostBound), "{:?}", found(&study).0.rows);
}

#[test]
fn a_gpu_that_waits_for_launches() {
    let study = pytorch(launches(200, 1, 60, 10));
    assert_eq!(first(&study), Some(Rule::LaunchBound), "{:?}", found(&study).0.rows);
}

#[test]
fn a_gpu_that_is_busy_has_no_findings() {
    let study = pytorch(launches(200, 2, 5, 200));
    assert_eq!(rules(&study), [], "the host is far ahead of the GPU");
}

#[test]
fn the_recording_itself() {
    let mut events = launches(100, 2, 5, 100);
    for place in 0..5 {
        events.push(event("overhead", "Activity Buffer Request", 9, place * 2_000, 300, &json!({})));
    }
    let rules = rules(&pytorch(events));
    assert!(rules.contains(&Rule::Tracing), "{rules:?}");
}

#[test]
fn a_first_step() {
    let mut events = launches(50, 2, 5, 40);
    events.push(event("cuda_runtime", "cudnnFindConvolutionForwardAlgorithm", 1, 4_000, 3_000, &json!({})));
    let rules = rules(&pytorch(events));
    assert!(rules.contains(&Rule::FirstStep), "{rules:?}");
}

/// What holds for every trace: savings are larger than what the replay is off, the list is in order, each has its words.
#[test]
fn findings_of_every_recording_are_in_order_and_worth_their_place() {
    let mut count = 0;
    for fixture in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        let study = Study::new(open(&fixture.bytes).trace);
        let (found, replay) = found(&study);
        let weights: Vec<i64> = found
            .rows
            .iter()
            .map(|own| match own.basis {
                Basis::Replay => own.saving.map_or(0, |saving| saving.0),
                Basis::Path => own.on_path.0,
                Basis::Figure => -1,
            })
            .collect();
        assert!(weights.is_sorted_by(|a, b| a >= b), "{}: {weights:?}", fixture.name);
        for own in &found.rows {
            if let Some(saving) = own.saving {
                assert!(saving > replay.error().difference(), "{} {:?}", fixture.name, own.rule);
                assert!(saving <= replay.unchanged().length());
            }
            if own.rule != Rule::SkewedClocks {
                assert!(!own.evidence.is_empty(), "{} {:?}", fixture.name, own.rule);
            }
            count += 1;
        }
        let all = found.rows.len() + found.not_judged.len();
        assert!(all <= Rule::ALL.len());
        let text = steplens_report::findings::json(&study, None);
        let json: Value = serde_json::from_str(&text).expect("JSON");
        for row in json["findings"].as_array().expect("a list") {
            let sentence = row["sentence"].as_str().expect("a text");
            assert!(sentence.ends_with('.') && !row["advice"].as_str().expect("a text").is_empty());
        }
    }
    assert!(count > 15, "{count}");
}
