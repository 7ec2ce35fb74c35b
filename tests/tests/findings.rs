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
            op(&format!("{name}{place} = {name}({input})"), start, own).scheduled(start - gap.min(US)).output(
                0,
                1,
                &[256],
                1_024,
            )
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
            ops.push(op(&format!("mul{worker} = Mul({inputs})"), ready, length).scheduled(ready));
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
        ("a chain", Scenario::new().device(WORKER, chain(20, "Mul", |_| MS, 5 * US)).study()),
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
fn with_less_than_eight_ops_like_it_no_op_is_slower_than_others() {
    // The first op of a chain reads nothing, and is not like the others.
    for (others, is_one) in [(8, true), (7, false)] {
        let length = |place: usize| if place == 5 { 12 * MS } else { MS };
        let study = Scenario::new().device(WORKER, chain(others + 1, "MatMul", length, 5 * US)).study();
        let rows = found(&study).0.rows;
        assert_eq!(rows.iter().any(|own| own.rule == Rule::SlowerThanPeers), is_one, "{others}: {rows:?}");
    }
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
    let (found, _) = found(&study);
    let rules: Vec<Rule> = found.rows.iter().map(|own| own.rule).collect();
    // The part that is most of it comes first.
    assert_eq!(rules[..2], [Rule::LaunchBound, Rule::HostBound], "{:?}", found.rows);
    assert!(found.rows[0].is_part && found.rows[0].facts.count == 200);
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

#[test]
fn a_first_call_is_not_launching() {
    let mut events = launches(50, 2, 5, 40);
    events
        .insert(0, event("cuda_runtime", "cudaDeviceGetStreamPriorityRange", 1, -60_000, 59_990, &json!({})));
    let study = pytorch(events);
    let (found, _) = found(&study);
    let rules: Vec<Rule> = found.rows.iter().map(|own| own.rule).collect();
    assert_eq!(rules, [Rule::FirstStep], "{:?}", found.rows);
    assert_eq!(found.rows[0].facts.name, "cudaDeviceGetStreamPriorityRange");
}

/// What holds for every trace: savings are larger than what the replay is off, the list is in order, each has its words.
#[test]
fn findings_of_every_recording_are_in_order_and_worth_their_place() {
    let mut count = 0;
    for fixture in fixtures_and_samples().into_iter().chain(chrome_traces()) {
        let study = Study::new(open(&fixture.bytes).trace);
        let (found, replay) = found(&study);
        // Parts of a finding may come before it, and before a network that takes no time what can be changed, if that saves half as much.
        let weights: Vec<i64> = found
            .rows
            .iter()
            .filter(|own| !own.is_part && own.rule != Rule::ExposedTransfers)
            .map(|own| match own.basis {
                Basis::Replay | Basis::Measured => own.saving.map_or(0, |saving| saving.0),
                Basis::Path => own.on_path.0,
                Basis::Figure if own.rule == Rule::Tracing => own.facts.time.0,
                Basis::Figure => -1,
            })
            .collect();
        assert!(weights.is_sorted_by(|a, b| a >= b), "{}: {weights:?}", fixture.name);
        for own in &found.rows {
            if let Some(saving) = own.saving.filter(|_| own.basis == Basis::Replay) {
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
        let text = steplens_report::findings::json(&study, &[], None);
        let json: Value = serde_json::from_str(&text).expect("JSON");
        for row in json["findings"].as_array().expect("a list") {
            let sentence = row["sentence"].as_str().expect("a text");
            assert!(sentence.ends_with('.') && !row["advice"].as_str().expect("a text").is_empty());
        }
    }
    assert!(count > 15, "{count}");
}

fn gpu(op: &str) -> String {
    format!("/job:worker/replica:0/task:0/device:{op}:0")
}

#[test]
fn transfers_that_come_in_another_order_than_they_are_needed() {
    // Each takes 10 ms alone, one after the other; the layers of a network need them from the last to the first.
    let (ps, worker) = (task("ps", 0), task("worker", 0));
    let mut ops: Vec<NodeExecStats> = (0..4)
        .map(|place| {
            recv(&format!("edge_{place}_v{place}"), &ps, &worker, 1_000_000, 10, 10_000 * (place + 1))
        })
        .collect();
    let ready = 10 * US + 40 * MS;
    ops.extend((0..4).map(|layer| {
        let start = ready + layer * 10 * MS;
        let below = if layer == 0 { "x".to_owned() } else { format!("layer{}", layer - 1) };
        let label = format!("layer{layer} = MatMul({below}, v{}/_{})", 3 - layer, 3 - layer);
        op(&label, start, 10 * MS).scheduled(start)
    }));
    let reads = (0..4).map(|place| op(&format!("v{place} = VariableV2()"), 0, US).scheduled(0));
    let study = Scenario::new().device(&worker, ops).device(&ps, reads).study();
    let (found, _) = found(&study);
    let row = found.rows.iter().find(|own| own.rule == Rule::TransferOrder);
    // The first layer starts after one transfer in place of four.
    let saving = row.unwrap_or_else(|| panic!("{:?}", found.rows)).saving.expect("it is replayed");
    assert!((saving.0 - 30 * MS).abs() < MS, "{saving:?}");
}

#[test]
fn a_server_that_holds_most_variables() {
    // What each server sends shares its line: nine variables of one take nine times as long as the one of the other.
    let worker = task("worker", 0);
    let mut ops = Vec::new();
    let mut scenario = Scenario::new();
    for (server, count) in [(0, 9_i64), (1, 1)] {
        let ps = task("ps", server);
        let reads = (0..count).map(|own| op(&format!("v{server}_{own} = VariableV2()"), 0, US).scheduled(0));
        scenario = scenario.device(&ps, reads);
        ops.extend(
            (0..count).map(|own| {
                recv(&format!("edge_1_v{server}_{own}"), &ps, &worker, 1_000_000, 10, 3_000 * count)
            }),
        );
    }
    let ready = 10 * US + 27 * MS;
    let inputs: Vec<String> =
        (0..9).map(|own| format!("v0_{own}/_1")).chain(["v1_0/_1".to_owned()]).collect();
    ops.push(op(&format!("all = AddN({})", inputs.join(", ")), ready, 10 * MS).scheduled(ready));
    let study = scenario.device(&worker, ops).study();
    let (found, _) = found(&study);
    let row = found.rows.iter().find(|own| own.rule == Rule::UnevenServers);
    let row = row.unwrap_or_else(|| panic!("{:?}", found.rows));
    assert_eq!((row.facts.name.as_str(), row.facts.bytes.0), ("/job:ps/replica:0/task:0", 9_000_000));
    // An even load is five variables each: 15 in place of 27 ms.
    let saving = row.saving.expect("it is replayed");
    assert!((saving.0 - 12 * MS).abs() < MS, "{saving:?}");
}

#[test]
fn a_server_is_uneven_from_half_as_much_again_as_the_mean_on() {
    // The mean is 2 MB.
    for (bytes, is_uneven) in [([3_000_000, 1_000_000], true), ([2_999_998, 1_000_002], false)] {
        let worker = task("worker", 0);
        let mut scenario = Scenario::new();
        let mut ops = Vec::new();
        for (server, own) in (0..).zip(bytes) {
            let ps = task("ps", server);
            scenario = scenario.device(&ps, [op(&format!("v{server} = VariableV2()"), 0, US).scheduled(0)]);
            ops.push(recv(&format!("edge_1_v{server}"), &ps, &worker, own, 10, own / 100));
        }
        ops.push(op("all = AddN(v0/_1, v1/_1)", 40 * MS, 10 * MS).scheduled(40 * MS));
        let study = scenario.device(&worker, ops).study();
        let (found, _) = found(&study);
        let judged = found.rows.iter().any(|own| own.rule == Rule::UnevenServers);
        assert_eq!(judged, is_uneven, "{bytes:?}: {:?}", found.rows);
    }
}

#[test]
fn collectives_that_wait_for_the_last_rank() {
    let mut scenario = Scenario::new();
    for (rank, arrives) in [5_i64, 5, 30, 5].into_iter().enumerate() {
        let end = 32 * MS;
        let ops = [
            op("grad = MatMul(x)", 0, arrives * MS).scheduled(0),
            op("sum = CollectiveReduce(grad)", arrives * MS, end - arrives * MS).scheduled(arrives * MS),
            op("apply = ApplyGradientDescent(sum)", end, MS).scheduled(end),
        ];
        scenario = scenario.device(&task("worker", rank), ops);
    }
    let study = scenario.study();
    let (found, _) = found(&study);
    let row = found.rows.iter().find(|own| own.rule == Rule::CollectiveWait);
    let row = row.unwrap_or_else(|| panic!("{:?}", found.rows));
    assert_eq!(row.facts.name, "/job:worker/replica:0/task:2");
    assert_eq!(row.saving, Some(Nanos(25 * MS)));
}

#[test]
fn an_op_on_the_host_between_ops_of_the_gpu() {
    let study = Scenario::new()
        .device(
            &gpu("GPU"),
            [
                op("first = MatMul(x)", 0, 10 * MS).scheduled(0),
                op("last = MatMul(where/_7)", 25 * MS, 10 * MS).scheduled(25 * MS),
            ],
        )
        .device(&gpu("CPU"), [op("where = Where(first/_5)", 10 * MS, 15 * MS).scheduled(10 * MS)])
        .study();
    let (found, _) = found(&study);
    let row = &found.rows[0];
    assert_eq!((row.rule, row.facts.name.as_str()), (Rule::HostOpBetween, "where"), "{:?}", found.rows);
    assert_eq!(row.saving, Some(Nanos(15 * MS)));
}

#[test]
fn copies_that_the_gpu_waits_for() {
    let mut events = Vec::new();
    for place in 0..20 {
        let start = place * 1_000;
        for (own, (cat, call, name, length)) in [
            ("gpu_memcpy", "cudaMemcpyAsync", "Memcpy HtoD", 700),
            ("kernel", "cudaLaunchKernel", "gemm", 280),
        ]
        .into_iter()
        .enumerate()
        {
            let own = own as i64;
            let id = json!({"correlation": place * 2 + own + 1, "stream": 7, "device": 0});
            events.push(event("cuda_runtime", call, 1, place * 20 + own * 10, 5, &id));
            events.push(event(cat, name, 7, 20 + start + own * 705, length, &id));
        }
    }
    let study = pytorch(events);
    let (found, _) = found(&study);
    assert_eq!(found.rows.first().map(|own| own.rule), Some(Rule::Copies), "{:?}", found.rows);
    assert!(
        found.rows[0].saving.is_some_and(|saving| saving.0 > 13 * MS && saving.0 < 14_100 * US),
        "{:?}",
        found.rows
    );
}

#[test]
fn memory_that_a_late_reader_holds() {
    let big: i64 = 512 << 20;
    let ops = [
        op("early = MatMul(x)", 0, MS).scheduled(0).output(0, 1, &[], big).memory("cpu", &[(0, big)]),
        op("other = MatMul(x)", 2 * MS, MS)
            .scheduled(0)
            .output(0, 1, &[], big)
            .memory("cpu", &[(2_000, big), (4_000, -big)]),
        op("between = Relu(other)", 3 * MS, 5 * MS).scheduled(3 * MS),
        op("late = Add(early, between)", 8 * MS, MS).scheduled(8 * MS).memory("cpu", &[(9_000, -big)]),
    ];
    // It saves no time: it is said only after what does.
    let alone = Scenario::new().device(WORKER, ops.clone()).study();
    assert!(found(&alone).0.rows.iter().all(|own| own.rule != Rule::MemoryPeak));
    let next = op("next = IteratorGetNext(late)", 9 * MS, 10 * MS).scheduled(9 * MS);
    let study = Scenario::new().device(WORKER, ops.into_iter().chain([next])).study();
    let (found, _) = found(&study);
    assert_eq!(found.rows.first().map(|own| own.rule), Some(Rule::InputBound), "{:?}", found.rows);
    let row = found.rows.iter().find(|own| own.rule == Rule::MemoryPeak);
    let row = row.unwrap_or_else(|| panic!("{:?} {:?}", found.rows, found.not_judged));
    assert_eq!((row.basis, row.saving), (Basis::Figure, None));
    assert_eq!(row.facts.bytes.0, big as u64);
}

/// Programs that were recorded with one thread and with two (`tests/pairs`): what the second thread saved, next to what was promised.
#[test]
fn one_thread_is_a_cause_where_ops_that_are_ready_wait_for_it() {
    let folder = steplens_tests::places::root().join("tests/pairs/executor");
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("truth.json")).unwrap()).unwrap();
    let span = |name: &str| truth[name]["span_us"].as_f64().unwrap();
    let mut seen = 0;
    for name in truth.as_object().unwrap().keys() {
        let bytes = std::fs::read(folder.join(format!("{name}.pb.gz"))).unwrap();
        let study = Study::new(open(&bytes).trace);
        let found = found(&study).0;
        let own = found.rows.iter().find(|own| own.rule == Rule::FewThreads);
        let Some((program, size)) = name.split_once("1-") else {
            assert!(own.is_none(), "{name} has two threads");
            continue;
        };
        // Each op of a chain needs the one before it.
        assert_eq!(own.is_none(), program == "chain", "{name}");
        let Some(saving) = own.and_then(|own| own.saving) else { continue };
        let promised = saving.0 as f64 / study.trace().span().length().0 as f64;
        let achieved = 1.0 - span(&format!("{program}2-{size}")) / span(name);
        assert!((promised - achieved).abs() < 0.08, "{name}: {promised}, {achieved}");
        seen += 1;
    }
    assert_eq!(seen, 8);
}
