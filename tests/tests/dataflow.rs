//! Data flow, edge by edge: loops against an independent reading, and graphs against prost.

use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::dataflow::Certainty;
use steplens_core::makers::Source;
use steplens_core::{CategoryRules, OpId, Study};
use steplens_formats::Opener;
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::proto::RunMetadata;
use steplens_tests::scale::scale;
use steplens_tests::writer::{PS, Scenario, WORKER, node, op, open};

/// The runs of every node, by device and name, in order of start.
fn runs(study: &Study) -> BTreeMap<(&str, &str), Vec<OpId>> {
    let trace = study.trace();
    let mut runs: BTreeMap<_, Vec<OpId>> = BTreeMap::new();
    for op in trace.ops().ids() {
        let device = trace.text(trace.devices().get(trace.device_of(op)).name);
        runs.entry((device, trace.op_name(op))).or_default().push(op);
    }
    runs
}

/// Two loops of 40 iterations: which run every run took, as frames and iterations tell.
#[test]
fn the_edges_of_loops_pair_up() {
    loops_pair_up(&Study::new(open(&fixture("lstm-while").bytes).trace));
}

/// The same of variables that are passed by reference: the nodes of their loops are of other types.
#[test]
fn the_edges_of_loops_of_references_pair_up() {
    let mut recorded = RunMetadata::decode(fixture("lstm-while").bytes.as_slice()).unwrap();
    let kinds = ["Switch", "Merge", "Enter", "Exit", "NextIteration"];
    for node in recorded.partition_graphs.iter_mut().flat_map(|graph| &mut graph.node) {
        if kinds.contains(&node.op.as_str()) {
            node.op.insert_str(0, "Ref");
        }
    }
    let devices = recorded.step_stats.iter_mut().flat_map(|step| &mut step.dev_stats);
    for own in devices.flat_map(|device| &mut device.node_stats) {
        for kind in kinds {
            own.timeline_label =
                own.timeline_label.replace(&format!(" = {kind}("), &format!(" = Ref{kind}("));
        }
    }
    loops_pair_up(&Study::new(open(&recorded.encode_to_vec()).trace));
}

fn loops_pair_up(study: &Study) {
    let wanted: Value =
        serde_json::from_slice(&bytes_of("lstm-while.edges.json")).expect("what the file has");
    let runs: BTreeMap<&str, Vec<OpId>> =
        runs(study).into_iter().map(|((_, name), ops)| (name, ops)).collect();
    let mut count = 0;
    for edge in wanted["edges"].as_array().expect("what the file has") {
        let (user, input) =
            (edge[0].as_str().expect("what the file has"), edge[1].as_str().expect("what the file has"));
        // Runs of them, each of so many, that take one after the other (1) or one and the same (0).
        let took = edge[2].as_array().expect("what the file has").iter().flat_map(|part| {
            let [first, many, step] = [0, 1, 2].map(|at| part[at].as_u64());
            (0..many.expect("what the file has"))
                .map(move |run| first.map(|first| (first + run * step.expect("what the file has")) as usize))
        });
        let took: Vec<Option<usize>> = took.collect();
        assert_eq!(runs[user].len(), took.len(), "{user}");
        for (&op, took) in runs[user].iter().zip(took) {
            let edges = study.edges().inputs(op, usize::MAX);
            let is_named = |edge: &&steplens_core::makers::Edge<'_>| text(edge) == input;
            let edge = edges.iter().find(is_named).expect("what the file has");
            let wanted = took.map_or(Source::NotTaken, |run| Source::Op(runs[edge.input.name][run]));
            assert_eq!((edge.source, edge.certainty), (wanted, Certainty::Exact), "{user} took {input}");
            if let Source::Op(maker) = edge.source {
                assert!(study.edges().consumers(maker).contains(&op), "{input} is used by {user}");
            }
            count += 1;
        }
    }
    assert_eq!(count, EDGES_OF_LOOPS);
}

const EDGES_OF_LOOPS: usize = 9_620;

/// A loop that is run twice, with two iterations each: of the six runs of its `Switch`, the third and the last went to `Exit`.
#[test]
fn what_follows_a_switch_takes_the_runs_that_did_not_leave_the_loop() {
    for own in ["", "Ref"] {
        let of = |label: &str, starts: &[i64]| -> Vec<_> {
            starts.iter().map(|at| op(label, at * 1_000, 5_000)).collect()
        };
        let (switch, exit) = (format!("{own}Switch"), format!("{own}Exit"));
        let mut ops = of(&format!("s = {switch}(m, c)"), &[0, 20, 40, 60, 80, 100]);
        ops.extend(of("b = Neg(s:1)", &[10, 30, 70, 90]));
        ops.extend(of(&format!("e = {exit}(s)"), &[50, 110]));
        let graph = [
            node("s", &switch, WORKER, &["m", "c"]),
            node("b", "Neg", WORKER, &["s:1"]),
            node("e", &exit, WORKER, &["s"]),
        ];
        let study = Scenario::new().device(WORKER, ops).graph(graph).study();
        let runs = runs(&study);
        for (run, taken) in [0, 1, 3, 4].into_iter().enumerate() {
            let [edge] = study.edges().inputs(runs[&(WORKER, "b")][run], usize::MAX)[..] else {
                panic!("one input")
            };
            let wanted = (Source::Op(runs[&(WORKER, "s")][taken]), Certainty::Exact);
            assert_eq!((edge.source, edge.certainty), wanted, "{own}: {run}");
        }
    }
}

/// As a graph writes it.
fn text(edge: &steplens_core::makers::Edge<'_>) -> String {
    match (edge.input.control, edge.input.slot) {
        (true, _) => format!("^{}", edge.input.name),
        (_, 0) => edge.input.name.to_owned(),
        (_, slot) => format!("{}:{slot}", edge.input.name),
    }
}

/// Every input of every op of one step is what its graph says; nothing of it is guessed.
#[test]
fn every_edge_of_a_graph_is_told() {
    for name in ["ps4w", "mnist-adam", "multidev"] {
        let file = fixture(name).bytes;
        let study = Study::new(open(&file).trace);
        let runs = runs(&study);
        let mut checked = 0;
        for graph in RunMetadata::decode(file.as_slice()).unwrap().partition_graphs {
            for node in &graph.node {
                for &op in runs.get(&(&*node.device, &*node.name)).into_iter().flatten() {
                    let edges = study.edges().inputs(op, usize::MAX);
                    assert_eq!(edges.iter().map(text).collect::<Vec<_>>(), node.input, "{}", node.name);
                    for edge in edges {
                        let maker = graph.node.iter().find(|maker| maker.name == edge.input.name).unwrap();
                        let wanted = match runs.get(&(&*maker.device, &*maker.name)) {
                            Some(made) => Source::Op(made[0]),
                            None if maker.op == "_Recv" => {
                                let Source::Transfer(id) = edge.source else { panic!("{edge:?}") };
                                let tensor = study.transfers().get(id).tensor;
                                assert_eq!(study.trace().text(tensor), maker.text("tensor_name"));
                                edge.source
                            }
                            None => Source::NotRecorded,
                        };
                        assert_eq!((edge.source, edge.certainty), (wanted, Certainty::Exact));
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 20);
    }
}

/// Steps of one file share a graph, and no op takes anything from another step.
#[test]
fn steps_never_mix() {
    let mut scaled = Vec::new();
    scale(&fixture("multidev").bytes, 7, &mut scaled).unwrap();
    let study = Study::new(open(&scaled).trace);
    assert_eq!(study.transfers().rows().len(), 6 * 7);
    let part = |op: OpId| study.trace().ops().part(op);
    for op in study.trace().ops().ids() {
        for edge in study.edges().inputs(op, usize::MAX) {
            assert_eq!(edge.certainty, Certainty::Exact);
            let maker = study.edges().maker(edge.source).unwrap();
            assert_eq!(part(maker), part(op));
        }
        assert!(study.edges().consumers(op).iter().all(|&user| part(user) == part(op)));
    }
}

/// Two sessions used one parameter server at the same time: each took what it made there itself.
#[test]
fn sessions_at_the_same_time_never_mix() {
    let session = |worker: &str, from: i64| {
        let recv = steplens_tests::writer::recv("edge_1_w", PS, worker, 8, from + 3, 4);
        Scenario::new()
            .device(PS, [op("w = Variable()", from * 1_000, 2_000)])
            .device(worker, [recv, op("use = Mul(w/_1)", from * 1_000 + 8_000, 9_000)])
            .graph([
                node("w", "Variable", PS, &[]),
                node("w/_0", "_Send", PS, &["w"]).meets("edge_1_w", PS, worker),
            ])
            .graph([
                node("w/_1", "_Recv", worker, &[]).meets("edge_1_w", PS, worker),
                node("use", "Mul", worker, &["w/_1"]),
            ])
    };
    let other = WORKER.replace("task:0", "task:1");
    let files = [session(WORKER, 0).bytes(), session(&other, 1).bytes()];
    let study = Study::new(open(&files.concat()).trace);
    assert_eq!(study.steps(), 1);
    for (_, row) in study.transfers().all() {
        let part = |op: OpId| study.trace().ops().part(op);
        assert_eq!(row.certainty, Certainty::Exact);
        assert_eq!(part(row.producer.unwrap()), part(row.op.unwrap()));
    }
}

/// What nothing decides is said, with how many there are.
#[test]
fn an_input_that_may_be_of_several_runs_is_ambiguous() {
    let study = Scenario::new()
        .device(
            PS,
            [
                op("a = Mul()", 0, 100),
                op("a = Mul()", 200, 100),
                op("a = Mul()", 400, 100),
                op("b = Neg(a)", 350, 10),
                op("b = Neg(a)", 600, 10),
                op("c = Neg(a)", 700, 10),
            ],
        )
        .study();
    let inputs = |name: &str| -> Vec<Certainty> {
        let ops = study.trace().ops().ids().filter(|&op| study.trace().op_name(op) == name);
        ops.map(|op| study.edges().inputs(op, 9)[0].certainty).collect()
    };
    assert_eq!(inputs("b"), [Certainty::Ambiguous(2), Certainty::Ambiguous(2)]);
    assert_eq!(inputs("c"), [Certainty::Ambiguous(3)]);
}

/// A file without graphs has those of another, if they are of the same model.
#[test]
fn graphs_hold_for_other_files_of_the_same_model() {
    let device = "/job:localhost/replica:0/task:0/device:CPU:0";
    let at = |scenario: Scenario, from: i64| {
        scenario.device(device, [op("a = Const()", from, 10), op("b = Neg(a)", from + 20, 10)])
    };
    let graph = |input: &str| [node("a", "Const", device, &[]), node("b", "Neg", device, &[input])];
    for (input, wanted) in [("a", Certainty::Exact), ("c", Certainty::Inferred)] {
        let first = Scenario::new().device(device, [op("a = Const()", 0, 10), op("c = Neg()", 5, 5)]);
        let files = [first.graph(graph(input)).bytes(), at(Scenario::new(), 1_000_000).bytes()];
        let mut opener = Opener::new(CategoryRules::default(), Default::default());
        for file in &files {
            opener.begin_file("step.pb");
            opener.push(file);
            opener.end_file();
        }
        let study = Study::new(opener.finish().unwrap().trace);
        let user = study.trace().ops().ids().find(|&op| study.trace().op_name(op) == "b").unwrap();
        let [edge] = study.edges().inputs(user, 9)[..] else { panic!("one input") };
        assert_eq!(edge.certainty, wanted, "{input}");
        let Source::Op(maker) = edge.source else { panic!("{edge:?}") };
        assert_eq!(study.trace().ops().part(maker), study.trace().ops().part(user));
    }
}
