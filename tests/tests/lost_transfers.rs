//! Tensors between tasks that TensorFlow did not record, next to a reading of the same files by their nodes and rows.

use prost::Message;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::opened::{open, study};
use steplens_tests::proto::{RunMetadata, attr_value::Value};
use steplens_tests::samples::sample;
use steplens_tests::writer::{Scenario, op, recv};

/// (tensors from other tasks that an op took and no row recorded, all that were taken), by the names in the file alone.
fn lost(file: &[u8]) -> (u64, u64) {
    let run = RunMetadata::decode(file).expect("a RunMetadata");
    let (mut ran, mut received) = (HashSet::new(), HashSet::new());
    for device in &run.step_stats.as_ref().expect("steps").dev_stats {
        for op in &device.node_stats {
            ran.insert((device.device.as_str(), op.node_name.as_str()));
            if let Some((tensor, from)) = op.timeline_label.split_once(" from ") {
                let tensor = tensor.rsplit("] ").next().unwrap_or(tensor);
                let from = from.split_once(" to ").map_or(from, |ends| ends.0);
                received.insert((device.device.as_str(), tensor.to_owned(), from.to_owned()));
            }
        }
    }
    let task = |device: &str| device.split('/').take(4).collect::<Vec<_>>().join("/");
    let (mut lost, mut all) = (0, 0);
    for graph in &run.partition_graphs {
        let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
        for node in &graph.node {
            for input in &node.input {
                let name = input.trim_start_matches('^').split(':').next().unwrap_or(input);
                users.entry(name).or_default().push(&node.name);
            }
        }
        for node in graph.node.iter().filter(|node| node.op == "_Recv") {
            let text = |key: &str| match node.attr.get(key).and_then(|own| own.value.as_ref()) {
                Some(Value::S(text)) => String::from_utf8_lossy(text).into_owned(),
                _ => String::new(),
            };
            let (from, to) = (text("send_device"), text("recv_device"));
            if task(&from) == task(&to) {
                continue;
            }
            let is_recorded = received.contains(&(to.as_str(), text("tensor_name"), from));
            let is_taken = users
                .get(node.name.as_str())
                .is_some_and(|users| users.iter().any(|user| ran.contains(&(to.as_str(), *user))));
            lost += u64::from(is_taken && !is_recorded);
            all += u64::from(is_taken || is_recorded);
        }
    }
    (lost, all)
}

fn said(name: &str, bytes: &[u8]) -> Option<String> {
    let opened = open(&[(name, bytes)]);
    let study = study(opened);
    let found = steplens_report::doctor::findings(study.trace(), &study);
    found.into_iter().find(|own| own.code == "transfers-not-recorded").map(|own| own.sentence)
}

#[test]
fn the_doctor_counts_what_was_not_recorded() {
    let unpacked = |packed: &[u8]| {
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).expect("a gzip file");
        bytes
    };
    let mut files = vec![
        ("ps4w-later.pb", bytes_of("ps4w-later.pb"), (148, 991)),
        ("ps4w.pb", bytes_of("ps4w.pb"), (0, 991)),
        ("cluster-2.2.3.pb", unpacked(&bytes_of("releases/cluster-2.2.3.pb.gz")), (11, 57)),
        (
            "cluster-processes-1.15.5.pb",
            unpacked(&bytes_of("releases/cluster-processes-1.15.5.pb.gz")),
            (0, 57),
        ),
    ];
    files.extend(sample("releases/cluster-1.8.0.pb").map(|bytes| ("cluster-1.8.0.pb", bytes, (14, 48))));
    for (name, bytes, wanted) in files {
        assert_eq!(lost(&bytes), wanted, "{name}");
        let (lost, all) = wanted;
        match said(name, &bytes) {
            Some(sentence) => {
                assert!(sentence.starts_with(&format!("{lost} of {all} tensors")), "{name}: {sentence}");
            }
            None => assert_eq!(lost, 0, "{name}"),
        }
    }
}

#[test]
fn a_missing_task_is_said_with_the_transfers_that_name_it() {
    let worker = "/job:worker/replica:0/task:1/device:CPU:0";
    for (count, words) in [(0, "graphs or the numbers"), (1, "1 transfer names"), (2, "2 transfers name")] {
        // Task 0 has its number only, or sends.
        let sent = (0..count).map(|place| {
            let sender = "/job:worker/replica:0/task:0/device:CPU:0";
            recv(&format!("edge_{place}_v"), sender, worker, 100, 10 * place, 5)
        });
        let ops = sent.chain([op("a = MatMul(b)", 200_000, 1_000)]);
        let study = Scenario::new().device(worker, ops).study();
        let found = steplens_report::doctor::findings(study.trace(), &study);
        let own = found.iter().find(|own| own.code == "missing-task").expect("a finding");
        assert!(own.sentence.contains(words), "{count}: {}", own.sentence);
    }
}
