//! Chakra execution traces, read as the feeder reads them: names and types of attributes, and dependencies that can all be met.
//!
//! The feeder itself cannot read them here: no registry has it or its Python package (PyPI's `chakra` is another program, and has no file to install; `mlcommons-chakra`
//! is not there, November 2026).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use steplens_core::{Category, CategoryRules, Study};
use steplens_export::chakra::{self, ChakraCounts};
use steplens_formats::Opener;
use steplens_tests::chakra::attribute_proto::Value;
use steplens_tests::chakra::{Node, NodeType};
use steplens_tests::exports::{Files, chakra_nodes};
use steplens_tests::fixtures::{fixture, fixtures_and_samples};

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("a", bytes, CategoryRules::default()).unwrap().trace)
}

/// The nodes of each rank.
fn written(study: &Study) -> (Vec<Vec<Node>>, ChakraCounts) {
    let mut files = Files::default();
    let counts = chakra::write(study, &mut files).unwrap();
    let nodes = files.0.iter().enumerate().map(|(rank, (name, bytes))| {
        assert_eq!(*name, format!("steplens.{rank}.et"));
        let (metadata, nodes) = chakra_nodes(bytes).unwrap();
        assert!(!metadata.version.is_empty());
        nodes
    });
    (nodes.collect(), counts)
}

fn attribute<'a>(node: &'a Node, name: &str) -> Option<&'a Value> {
    node.attr.iter().find(|attribute| attribute.name == name).and_then(|attribute| attribute.value.as_ref())
}

/// What the feeder reads of a node that sends or receives: source, destination, tag and size.
fn ends(node: &Node) -> (i32, i32, i32, i64) {
    let int32 = |name| match attribute(node, name) {
        Some(Value::Int32Val(value)) => *value,
        other => panic!("{name}: {other:?}"),
    };
    let Some(Value::Int64Val(size)) = attribute(node, "comm_size") else { panic!("no size") };
    assert_eq!(attribute(node, "is_cpu_op"), Some(&Value::BoolVal(false)));
    (int32("comm_src"), int32("comm_dst"), int32("comm_tag"), *size)
}

#[test]
fn every_sending_meets_its_receipt_and_every_dependency_can_be_met() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let (ranks, counts) = written(&study);
        assert_eq!(ranks.iter().map(|nodes| nodes.len() as u64).sum::<u64>(), counts.nodes);
        let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
        for (rank, nodes) in ranks.iter().enumerate() {
            let ids: BTreeSet<u64> = nodes.iter().map(|node| node.id).collect();
            assert_eq!(ids.len(), nodes.len(), "numbers are of one node each");
            for node in nodes {
                match node.r#type() {
                    NodeType::CommSendNode => {
                        assert_eq!(ends(node).0, rank as i32);
                        assert!(sent.insert(ends(node)));
                    }
                    NodeType::CommRecvNode => {
                        assert_eq!(ends(node).1, rank as i32);
                        assert!(received.insert(ends(node)));
                    }
                    NodeType::CommCollNode => {
                        assert!(matches!(attribute(node, "comm_type"), Some(Value::Int64Val(0..=9))));
                        assert!(matches!(attribute(node, "comm_size"), Some(Value::Int64Val(_))));
                    }
                    NodeType::CompNode => {
                        assert!(matches!(attribute(node, "is_cpu_op"), Some(Value::BoolVal(_))));
                        assert!(matches!(attribute(node, "tensor_size"), Some(Value::Uint64Val(_))));
                    }
                    NodeType::InvalidNode => panic!("{node:?}"),
                }
            }
            // As the feeder does: a node is issued when all that it needs is done.
            let mut open: BTreeMap<u64, usize> = BTreeMap::new();
            let mut waiting: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for node in nodes {
                assert!(node.ctrl_deps.iter().all(|dep| node.data_deps.contains(dep)));
                open.insert(node.id, node.data_deps.len());
                for dep in &node.data_deps {
                    assert!(
                        ids.contains(dep),
                        "{}: {} needs {dep}, which is not there",
                        fixture.name,
                        node.id
                    );
                    waiting.entry(*dep).or_default().push(node.id);
                }
            }
            let mut ready: Vec<u64> =
                open.iter().filter(|(_, open)| **open == 0).map(|(&id, _)| id).collect();
            let mut done = 0;
            while let Some(id) = ready.pop() {
                done += 1;
                for next in waiting.remove(&id).unwrap_or_default() {
                    let left = open.get_mut(&next).unwrap();
                    *left -= 1;
                    ready.extend((*left == 0).then_some(next));
                }
            }
            assert_eq!(done, nodes.len(), "{}: a circle", fixture.name);
        }
        assert_eq!(sent, received, "{}", fixture.name);
    }
}

#[test]
fn the_main_example_is_five_tasks_with_all_of_their_transfers() {
    let study = study(&fixture("ps4w").bytes);
    let (ranks, counts) = written(&study);
    assert_eq!((ranks.len(), counts.backwards), (5, 0));
    let of_type = |kind: NodeType| ranks.iter().flatten().filter(|node| node.r#type() == kind).count();
    let trace = study.trace();
    assert_eq!(of_type(NodeType::CommRecvNode), study.transfers().rows().len());
    let others = trace
        .ops()
        .ids()
        .filter(|&op| study.transfers().id_of_op(op).is_none() && trace.category(op) != Category::Range);
    assert_eq!(of_type(NodeType::CompNode), others.count());
    let bytes: i64 = ranks
        .iter()
        .flatten()
        .filter(|node| node.r#type() == NodeType::CommRecvNode)
        .map(|node| ends(node).3)
        .sum();
    assert_eq!(bytes as u64, study.transfers().all().map(|(_, own)| own.bytes.0).sum::<u64>());
}
