//! Many of everything: workers, devices and consumers beyond what any bound allows for one of them. What is found stays exact and is
//! counted to the last; what a file asks for beyond its size is a finding.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use steplens_core::dataflow::Certainty;
use steplens_core::makers::Source;
use steplens_core::memory::alive::alive;
use steplens_core::memory::{By, Reading};
use steplens_core::steps::figures::step_figures;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::transfers::Join;
use steplens_core::{CategoryRules, Nanos, OpId, Study, Trace};
use steplens_formats::Opener;
use steplens_report as report;
use steplens_tests::exports::Files;
use steplens_tests::meter::{Cost, Meter, cost};
use steplens_tests::proto::{NodeDef, NodeExecStats};
use steplens_tests::writer::{PS, Scenario, WORKER, node, op, recv};

#[global_allocator]
static METER: Meter = Meter;

const WORKERS: usize = 200;
const CONSUMERS: usize = 100_000;

fn worker(number: usize) -> String {
    format!("/job:worker/replica:0/task:{number}/device:CPU:0")
}

fn gpu(number: usize) -> String {
    format!("/job:worker/replica:0/task:0/device:GPU:{number}")
}

/// What `files` hold together.
fn study_of(files: &[Scenario]) -> Study {
    let mut opener = Opener::new(CategoryRules::default(), Default::default());
    for (place, file) in files.iter().enumerate() {
        opener.begin_file(&format!("{place}.pb"));
        opener.push(&file.bytes());
        opener.end_file();
    }
    Study::new(opener.finish().unwrap().trace)
}

/// A parameter server and its workers, each with a file and a graph of its own.
fn processes() -> Vec<Scenario> {
    let sends = (0..WORKERS).map(|at| {
        node(&format!("w/_{at}"), "_Send", PS, &["w"]).meets(&format!("edge_{at}_w"), PS, &worker(at))
    });
    let server = Scenario::new()
        .device(PS, [op("w = Variable()", 0, 1_000)])
        .graph([node("w", "Variable", PS, &[])].into_iter().chain(sends));
    let worker = |at: usize| {
        let (device, tensor) = (worker(at), format!("edge_{at}_w"));
        Scenario::new()
            .device(&device, [recv(&tensor, PS, &device, 64, 5, 20)])
            .device(&device, [op("m = MatMul(w/_S)", 30_000, 5_000)])
            .graph([
                node("w/_S", "_Recv", &device, &[]).meets(&tensor, PS, &device),
                node("m", "MatMul", &device, &["w/_S"]),
            ])
    };
    [server].into_iter().chain((0..WORKERS).map(worker)).collect()
}

/// (code, count) of what the doctor finds.
/// What the doctor finds, but that kernels of GPUs are missing: these steps have none.
fn findings(study: &Study) -> Vec<(&'static str, u64)> {
    let all = report::doctor::findings(study.trace(), study);
    let counts = all.iter().map(|own| (own.code, own.count));
    counts.filter(|&(code, _)| code != "kernels-not-recorded").collect()
}

fn device(trace: &Trace, op: OpId) -> &str {
    trace.text(trace.devices().get(trace.device_of(op)).name)
}

#[test]
fn the_graphs_of_200_processes_join_exactly() {
    let study = study_of(&processes());
    let trace = study.trace();
    assert_eq!((study.flow().executions.len(), study.flow().executions.graphs(0).len()), (1, WORKERS + 1));
    assert_eq!(study.transfers().rows().len(), WORKERS);
    for (id, transfer) in study.transfers().all() {
        assert_eq!((transfer.join, transfer.certainty), (Some(Join::Graph), Certainty::Exact));
        assert_eq!(trace.op_name(transfer.producer.unwrap()), "w");
        let [user] = *study.transfer_times().consumers(id) else { panic!("one op of each worker uses it") };
        assert_eq!(device(trace, user), trace.text(transfer.destination));
        let inputs = study.edges().inputs(user, usize::MAX);
        assert_eq!((inputs[0].source, inputs[0].certainty), (Source::Transfer(id), Certainty::Exact));
    }
    assert_eq!(findings(&study), []);
}

#[test]
fn a_straggler_is_compared_with_all_of_199_peers() {
    // Two thirds of its peers take 9 ms: of the first 64 alone the usual would be 1 ms.
    let files = (0..WORKERS).map(|at| {
        let length = if at == WORKERS - 1 {
            20
        } else if at < 64 {
            1
        } else {
            9
        };
        Scenario::new().device(&worker(at), [op("m = MatMul()", 0, length * 1_000_000)])
    });
    let study = study_of(&files.collect::<Vec<_>>());
    let network: Value = serde_json::from_str(&report::network::Network::of(&study).to_text()).unwrap();
    let row = &network["stragglers"]["rows"][0];
    assert_eq!(row["cause"]["usual_ns"], 9_000_000, "{row}");
    assert_eq!((row["tasks"].as_u64(), row["is_cut"].as_bool()), (Some(200), Some(false)));
    assert_eq!(row["ended"].as_array().unwrap().len(), 64);
}

/// One value that goes from the CPU of a task to 200 GPUs, which no op records.
fn to_gpus() -> (Scenario, Vec<NodeDef>) {
    let mut scenario = Scenario::new().device(WORKER, [op("x = Conv()", 0, 1_000)]);
    let mut graph = vec![node("x", "Conv", WORKER, &[])];
    for at in 0..WORKERS {
        let (to, tensor) = (gpu(at), format!("edge_{at}_x"));
        scenario = scenario.device(&to, [op(&format!("r{at} = Relu(x/_{at})"), 10_000, 1_000)]);
        graph.extend([
            node(&format!("x/_s{at}"), "_Send", WORKER, &["x"]).meets(&tensor, WORKER, &to),
            node(&format!("x/_{at}"), "_Recv", &to, &[]).meets(&tensor, WORKER, &to),
            node(&format!("r{at}"), "Relu", &to, &[&format!("x/_{at}")]),
        ]);
    }
    (scenario, graph)
}

#[test]
fn a_value_goes_to_200_devices() {
    let (scenario, graph) = to_gpus();
    for study in [scenario.study(), scenario.clone().graph(graph).study()] {
        assert_eq!(study.transfers().rows().len(), WORKERS);
        let made = study.trace().ops().ids().find(|&op| study.trace().op_name(op) == "x").unwrap();
        assert_eq!(steplens_core::questions::flow::consumers(&study, made).len(), WORKERS);
        for (id, transfer) in study.transfers().all() {
            let consumers = study.transfer_times().consumers(id);
            assert_eq!(
                (transfer.producer, consumers.len()),
                (Ok(made), 1),
                "{}",
                study.trace().text(transfer.destination)
            );
        }
        assert_eq!(findings(&study), []);
    }
}

#[test]
fn an_input_that_any_of_200_devices_may_have_made_says_so() {
    // Labels alone: every device ran an `x`, and none of them recorded a transfer.
    let mut scenario = Scenario::new().device(&gpu(WORKERS), [op("y = Relu(x/_1)", 10_000, 1_000)]);
    for at in 0..WORKERS {
        scenario = scenario.device(&gpu(at), [op("x = Conv()", 0, 1_000)]);
    }
    let study = scenario.study();
    let (_, transfer) = study.transfers().all().next().unwrap();
    assert_eq!(transfer.certainty, Certainty::Ambiguous(WORKERS as u32));
}

/// A value of a parameter server that so many ops of one worker use.
fn used_by(count: usize) -> (Scenario, Vec<NodeDef>) {
    let users = (0..count).map(|at| op(&format!("u{at} = Mul(w/_1)"), 30_000 + at as i64, 10));
    let scenario = Scenario::new()
        .device(PS, [op("w = Variable()", 0, 1_000)])
        .device(WORKER, [recv("edge_1_w", PS, WORKER, 64, 5, 20)])
        .device(WORKER, users);
    let graph = [
        node("w", "Variable", PS, &[]),
        node("w/_0", "_Send", PS, &["w"]).meets("edge_1_w", PS, WORKER),
        node("w/_1", "_Recv", WORKER, &[]).meets("edge_1_w", PS, WORKER),
    ];
    let users = (0..count).map(|at| node(&format!("u{at}"), "Mul", WORKER, &["w/_1"]));
    (scenario, graph.into_iter().chain(users).collect())
}

#[test]
fn all_of_100_000_consumers_are_counted() {
    let (scenario, graph) = used_by(CONSUMERS);
    for study in [scenario.study(), scenario.clone().graph(graph).study()] {
        let transfers: Value = serde_json::from_str(&report::transfers::json(&study)).unwrap();
        let row = &transfers["transfers"][0];
        assert_eq!(row["consumer_count"], CONSUMERS);
        assert_eq!(row["consumers"].as_array().unwrap().len(), 1_000, "the first of them are listed");
        assert_eq!(row["consumers"][999]["name"], "u999");
        let recorded = study.transfers().all().next().unwrap().1.op.unwrap();
        let details: Value = serde_json::from_str(&report::ops::details(&study, recorded).unwrap()).unwrap();
        assert_eq!(details["consumer_count"], CONSUMERS);
        assert_eq!(findings(&study), []);
    }
}

#[test]
fn all_consumers_of_a_value_that_no_op_recorded_are_counted() {
    let users = (0..CONSUMERS).map(|at| op(&format!("u{at} = Mul(x/_1)"), 30_000 + at as i64, 10));
    let near = (0..CONSUMERS).map(|at| op(&format!("n{at} = Mul(x)"), 30_000 + at as i64, 10));
    let to = gpu(0);
    let scenario =
        Scenario::new().device(WORKER, [op("x = Conv()", 0, 1_000)]).device(&to, users).device(WORKER, near);
    let graph = [
        node("x", "Conv", WORKER, &[]),
        node("x/_0", "_Send", WORKER, &["x"]).meets("edge_1_x", WORKER, &to),
        node("x/_1", "_Recv", &to, &[]).meets("edge_1_x", WORKER, &to),
    ];
    let users = (0..CONSUMERS).map(|at| node(&format!("u{at}"), "Mul", &to, &["x/_1"]));
    let near = (0..CONSUMERS).map(|at| node(&format!("n{at}"), "Mul", WORKER, &["x"]));
    for study in
        [scenario.study(), scenario.clone().graph(graph.into_iter().chain(users).chain(near)).study()]
    {
        let (id, transfer) = study.transfers().all().next().unwrap();
        assert_eq!(study.transfer_times().consumers(id).len(), CONSUMERS);
        assert_eq!(study.transfer_times().consumers(id), study.edges().consumers_of(id));
        assert_eq!(study.edges().consumers(transfer.producer.unwrap()).len(), CONSUMERS);
        assert_eq!(findings(&study), []);
    }
}

/// Twice as many consumers cost about twice as much.
#[test]
fn consumers_cost_what_they_are() {
    let cost_of = |count: usize| {
        let (scenario, graph) = used_by(count);
        let study = scenario.graph(graph).study();
        cost(|| (report::transfers::json(&study), findings(&study))).1.total_bytes
    };
    let (once, twice) = (cost_of(10_000), cost_of(20_000));
    assert!(twice < 3 * once, "{once} bytes for 10,000, and {twice} for twice as many");
}

#[test]
fn an_op_has_all_of_its_inputs() {
    // The last of 3,000 inputs comes last: what the op waited for is that one.
    const INPUTS: usize = 3_000;
    let names: Vec<String> = (0..INPUTS).map(|at| format!("g{at}")).collect();
    let makers = names.iter().enumerate().map(|(at, name)| op(&format!("{name} = Mul()"), at as i64 * 10, 5));
    let sum = op(&format!("s = AddN({})", names.join(", ")), 1_000_000, 10);
    let scenario = Scenario::new().device(WORKER, makers.chain([sum]));
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let graph = inputs.iter().map(|name| node(name, "Mul", WORKER, &[]));
    let graph = graph.chain([node("s", "AddN", WORKER, &inputs)]);
    for study in [scenario.study(), scenario.clone().graph(graph).study()] {
        let sum = study.trace().ops().ids().find(|&op| study.trace().op_name(op) == "s").unwrap();
        let details: Value = serde_json::from_str(&report::ops::details(&study, sum).unwrap()).unwrap();
        assert_eq!(
            (details["input_count"].as_u64(), details["inputs"].as_array().unwrap().len()),
            (Some(3_000), 1_000)
        );
        let inputs = study.edges().inputs(sum, usize::MAX);
        let last = study.edges().maker(inputs.last().unwrap().source).unwrap();
        assert_eq!((inputs.len(), study.trace().op_name(last)), (INPUTS, "g2999"));
        assert_eq!(study.edges().consumers(last), [sum]);
    }
}

fn runs(label: &str, count: i64) -> impl Iterator<Item = NodeExecStats> {
    (0..count).map(move |at| op(label, 10_000 + at * 100, 10))
}

#[test]
fn inputs_beyond_the_limit_are_a_finding() {
    // 2,000 ops of 1,000 inputs: twice what the size of the file allows.
    let inputs = vec!["x"; 1_000];
    let label = format!("u = AddN({})", inputs.join(", "));
    let scenario =
        Scenario::new().device(WORKER, [op("x = Conv()", 0, 10)].into_iter().chain(runs(&label, 2_000)));
    let left_out = 2_000 - (16 * 2_001 + (1 << 20)) / 1_000;
    let study = scenario.study();
    let found = report::doctor::findings(study.trace(), &study);
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.code, finding.count, finding.is_note), ("inputs-not-followed", left_out - 1, false));
    assert!(
        finding.sentence.contains(&format!("those of {} ops were not followed", left_out - 1)),
        "{}",
        finding.sentence
    );
}

#[test]
fn transfers_beyond_the_limit_are_a_finding() {
    // 2,000 ops that each take 1,000 tensors from another device: more than 64 for each op.
    let inputs: Vec<String> = (0..1_000).map(|at| format!("x{at}/_1")).collect();
    let label = format!("u = AddN({})", inputs.join(", "));
    let makers = (0..1_000).map(|at| op(&format!("x{at} = Conv()"), at, 10));
    let scenario = Scenario::new().device(WORKER, makers).device(&gpu(0), runs(&label, 2_000));
    let found = findings(&scenario.study());
    let followed = 64 * 3_000 / 2_000;
    assert_eq!(found[0], ("transfers-not-followed", 1_000 - followed), "{found:?}");
}

#[test]
fn tasks_that_are_not_listed_are_counted() {
    let named = |at: usize| format!("/job:ps/replica:0/task:{at}/device:CPU:0");
    let transfers = (0..40).map(|at| recv("edge_1_w", &named(at), WORKER, 8, at as i64, 5));
    let study = Scenario::new().device(WORKER, transfers).study();
    let found = report::doctor::findings(study.trace(), &study);
    let missing = found.iter().filter(|own| own.code == "missing-task").count();
    let more = found.iter().find(|own| own.code == "more-tasks-missing").unwrap();
    assert_eq!(missing, 32);
    assert_eq!((more.count, more.counted), (8, "task"));
    assert!(more.sentence.starts_with("8 more tasks are without an op here"), "{}", more.sentence);
}

#[test]
fn graphs_beyond_the_limit_are_a_finding() {
    // Two runs of 80 workers, worker by worker: the nodes that the ops of the first run are called after are in the graphs of the second.
    let file = |at: usize, run: i64| {
        let own = worker(at);
        let scenario = Scenario::new().device(&own, [op("m = MatMul()", run * 10_000_000_000, 1_000)]);
        match run {
            0 => scenario.graph([node("other", "NoOp", &own, &[])]),
            _ => scenario.graph([node("m", "MatMul", &own, &[]), node("m", "MatMul", &worker(0), &[])]),
        }
    };
    let files: Vec<Scenario> = (0..80).flat_map(|at| [file(at, 0), file(at, 1)]).collect();
    let found = findings(&study_of(&files));
    let graphs = found.iter().find(|(code, _)| *code == "graphs-not-searched");
    assert!(graphs.is_some_and(|&(_, count)| (1..=80).contains(&count)), "{found:?}");
}

#[test]
fn consumers_beyond_the_limit_are_a_finding() {
    // 2,000 runs of an op that takes 1,000 values which no op recorded: more than 64 for each op and transfer.
    const VALUES: usize = 1_000;
    const RUNS: i64 = 2_000;
    let to = gpu(0);
    let makers = (0..VALUES).map(|at| op(&format!("x{at} = Conv()"), at as i64, 10));
    let scenario = Scenario::new().device(WORKER, makers).device(&to, runs("u = AddN()", RUNS));
    let mut graph = Vec::new();
    for at in 0..VALUES {
        let tensor = format!("edge_1_x{at}");
        graph.extend([
            node(&format!("x{at}"), "Conv", WORKER, &[]),
            node(&format!("x{at}/_0"), "_Send", WORKER, &[&format!("x{at}")]).meets(&tensor, WORKER, &to),
            node(&format!("x{at}/_1"), "_Recv", &to, &[]).meets(&tensor, WORKER, &to),
        ]);
    }
    let names: Vec<String> = (0..VALUES).map(|at| format!("x{at}/_1")).collect();
    graph.push(node("u", "AddN", &to, &names.iter().map(String::as_str).collect::<Vec<_>>()));
    let study = scenario.graph(graph).study();
    let transfers = study.transfers().rows().len();
    let sought = 64 * (transfers + study.trace().ops().len()) / RUNS as usize;
    let found = findings(&study);
    assert_eq!(transfers, VALUES);
    assert!(found.contains(&("consumers-not-sought", (VALUES - sought) as u64)), "{found:?}");
}

#[test]
fn stragglers_beyond_the_limit_are_a_finding() {
    // 40 jobs that all wait for the end of one chain of 60,000 ops: more than 8 links for each op.
    const LINKS: usize = 60_000;
    const JOBS: usize = 40;
    let chain = (0..LINKS).map(|at| match at {
        0 => op("c0 = Mul()", 0, 10),
        _ => op(&format!("c{at} = Mul(c{})", at - 1), at as i64 * 10, 10),
    });
    let last = format!("c{}", LINKS - 1);
    let mut scenario = Scenario::new().device(PS, chain);
    for job in 0..JOBS {
        let task = |task: usize| format!("/job:worker{job}/replica:0/task:{task}/device:CPU:0");
        let used = op(&format!("m = MatMul({last}/_1)"), 700_000, 1_000);
        scenario = scenario
            .device(&task(0), [op("m = MatMul()", 0, 1_000)])
            .device(&task(1), [recv(&format!("edge_1_{last}"), PS, &task(1), 64, 600, 50)])
            .device(&task(1), [used]);
    }
    let found = findings(&scenario.study());
    let cut = found.iter().find(|(code, _)| *code == "stragglers-not-followed");
    assert!(cut.is_some_and(|&(_, count)| (1..=JOBS as u64).contains(&count)), "{found:?}");
}

#[test]
fn variables_beyond_the_limit_are_a_finding() {
    // Every gradient leads through the same 273 ops, none of which changes a variable.
    const GRADIENTS: usize = 5_000;
    let (sender, from) = (worker(0), |at: usize| at as i64 * 10);
    let made = (0..GRADIENTS).map(|at| op(&format!("g{at} = Mul()"), from(at), 5));
    let arrived = (0..GRADIENTS).map(|at| recv(&format!("edge_{at}_g{at}"), &sender, PS, 8, from(at) + 5, 1));
    let summed = (0..GRADIENTS).map(|at| op(&format!("u{at} = AddN(g{at}/_1)"), from(at) + 7, 1));
    let all = (0..GRADIENTS).map(|at| format!("u{at}")).collect::<Vec<_>>().join(", ");
    let end = from(GRADIENTS);
    let first = op(&format!("t = Identity({all})"), end, 1);
    let second = (0..16).map(|at| op(&format!("a{at} = Identity(t)"), end + 2 + at, 1));
    let third = (0..256).map(|at| op(&format!("b{at} = Identity(a{})", at % 16), end + 20 + at, 1));
    let scenario = Scenario::new()
        .device(&sender, made)
        .device(PS, arrived)
        .device(PS, summed)
        .device(PS, [first])
        .device(PS, second)
        .device(PS, third);
    let found = findings(&scenario.study());
    let cut = found.iter().find(|(code, _)| *code == "variables-not-sought");
    assert!(cut.is_some_and(|&(_, count)| (1..GRADIENTS as u64 / 2).contains(&count)), "{found:?}");
}

#[test]
fn variables_of_what_is_alive_beyond_the_limit_are_counted() {
    // All gradients are alive at once. Each leads through the same 273 ops, none of which changes a variable.
    const GRADIENTS: usize = 1_000;
    let (from, end) = (|at: usize| at as i64, 10_000);
    let made = (0..GRADIENTS).map(|at| op(&format!("g{at} = Mul()"), from(at), 1).output(0, 1, &[2], 8));
    let all = (0..GRADIENTS).map(|at| format!("g{at}")).collect::<Vec<_>>().join(", ");
    let first = op(&format!("t = AddN({all})"), end, 1);
    let second = (0..16).map(|at| op(&format!("a{at} = Identity(t)"), end + 2 + at, 1));
    let third = (0..256).map(|at| op(&format!("b{at} = Identity(a{})", at % 16), end + 20 + at, 1));
    let study = Scenario::new().device(PS, made.chain([first]).chain(second).chain(third)).study();
    let account = &study.memory(Reading::Tensors).accounts[0];
    let (_, peak) = account.peak();
    let found = |by| alive(study.edges(), account, peak, by);
    assert!((1..GRADIENTS as u64).contains(&found(By::Variable).not_sought), "{:?}", found(By::Variable));
    let said = |by| report::memory::alive(&study, account, peak, by, 10).contains("\"not_sought\"");
    assert_eq!(By::ALL.map(said), By::ALL.map(|by| by == By::Variable));
}

#[test]
fn an_order_of_transfers_beyond_the_limit_is_a_finding() {
    // So many tasks, and so few ops for each, that parameters are sought for 63 tasks at a time and never for the last.
    // Each sends a gradient back: of a task that sends nothing, nothing need be sought.
    const TASKS: usize = 80_000;
    let mut scenario = Scenario::new().device(PS, [op("w = Variable()", 0, 1_000)]);
    for at in 0..TASKS {
        let (own, w, g) = (worker(at), format!("edge_{at}_w"), format!("edge_{at}_g{at}"));
        scenario = scenario
            .device(&own, [recv(&w, PS, &own, 8, 5, 20), op(&format!("g{at} = Mul()"), 100, 10)])
            .device(PS, [recv(&g, &own, PS, 8, 200, 20)]);
    }
    // The server receives, too.
    let sought = 63 * ((1 << 28) / (3 * TASKS + 1)) - 1;
    let found = findings(&scenario.study());
    assert!(found.contains(&("transfer-order-not-sought", (TASKS - sought) as u64)), "{found:?}");
}

#[test]
fn clocks_beyond_the_limit_are_a_finding() {
    // A chain of tasks, each of which sends to the next what arrives too early; their names are in such an order that following the
    // chain takes a round over all bounds for every few of them.
    const TASKS: usize = 20_011;
    let at = |place: usize| worker(place * 7_919 % TASKS);
    let mut scenario = Scenario::new();
    for place in 0..TASKS {
        let own = at(place);
        scenario = scenario.device(&own, [op(&format!("w{place} = Variable()"), 0, 100_000)]);
        if let Some(before) = place.checked_sub(1) {
            let tensor = format!("edge_{before}_w{before}");
            scenario = scenario.device(&own, [recv(&tensor, &at(before), &own, 8, 5, 20)]);
        }
    }
    let study = scenario.study();
    assert!(findings(&study).contains(&("clocks-not-sought", TASKS as u64)), "{:?}", findings(&study));
}

/// Each device with one op: a chart of 240 slices for each would take 5 KB, and the mean of the step bar once more what each device has.
#[test]
fn a_device_takes_no_more_than_its_ops() {
    const DEVICES: usize = 20_000;
    let mut scenario = Scenario::new();
    for at in 0..DEVICES {
        let device = format!("/job:worker/replica:0/task:0/device:CPU:{at}");
        scenario = scenario.device(&device, [op("m = MatMul()", at as i64 * 10_000, 9_000)]);
    }
    let study = scenario.study();
    study.causes();
    let held = |cost: Cost| cost.held_bytes / DEVICES as isize;
    let scheduling = held(cost(|| _ = study.scheduling()).1);
    assert!(scheduling < 1_000, "{scheduling} bytes for each device");
    study.coverage();
    let bar = held(cost(|| _ = study.bar()).1);
    assert!(bar < 32, "{bar} bytes for each device");
}

/// Nested as deep as they are many: an op that looked at all within it would make this 45 billion steps.
#[test]
fn the_self_times_of_300_000_nested_ops_add_up() {
    const DEPTH: usize = 300_000;
    let event = |at: usize| {
        format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":{at},"dur":{}}}"#,
            2 * (DEPTH - at)
        )
    };
    let events: Vec<String> = (0..DEPTH).map(event).collect();
    let file = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let opened = Opener::open_bytes("nested.json", file.as_bytes(), CategoryRules::default()).unwrap();
    let study = Study::new(opened.trace);
    let trace = study.trace();
    assert_eq!(trace.ops().len(), DEPTH);
    // Each but the innermost has a microsecond before and after the one in it.
    assert!(trace.ops().ids().all(|op| study.self_time(op) == Nanos(2_000)));
    assert_eq!(trace.span().length(), Nanos(2_000 * DEPTH as i64));
}

/// The figures of a step on 99,999 GPUs are the mean of all of them.
#[test]
fn a_step_has_the_mean_of_99_999_gpus() {
    const GPUS: usize = 99_999;
    let mut scenario = Scenario::new();
    for at in 0..GPUS {
        let stream = format!("/device:GPU:{at}/stream:0");
        scenario = scenario.device(&stream, [op("k:MatMul", 0, 1_000 + 1_000 * (at as i64 % 3))]);
    }
    let study = scenario.study();
    let steps = Steps::divided(study.trace(), StepRule::Together);
    let figures = step_figures(study.trace(), &steps);
    assert_eq!(figures.len(), 1);
    assert_eq!(figures[0].split.compute, Nanos(2_000));
}

/// Every rank has a file of its own ops; transfers are those of the ranks at their ends.
#[test]
fn chakra_writes_20_000_ranks() {
    const RANKS: usize = 20_000;
    let mut scenario = Scenario::new().device(PS, [op("w = Variable()", 0, 1_000)]);
    for at in 0..RANKS {
        let own = worker(at);
        scenario = scenario.device(&own, [recv(&format!("edge_{at}_w"), PS, &own, 8, 5, 20)]);
    }
    let study = scenario.study();
    let mut files = Files::default();
    let counts = steplens_export::chakra::write(&study, &mut files).unwrap();
    assert_eq!(files.0.len(), RANKS + 1);
    // The op, and both ends of each transfer.
    assert_eq!(counts.nodes, 1 + 2 * RANKS as u64);
}
