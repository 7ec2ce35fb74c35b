//! Roles: which ops of several tasks, or of several devices of one task, do the same work.
//!
//! Replicas run the same graph under names that differ in numbers: `net/tower_0/Relu` and `net_1/tower_1/Relu`. Two ops have the
//! same role if their names without numbers are equal, and if both have the same index among the ops of that name, in natural order
//! of name and then of start. Both sides must have the same number of such ops, so that nothing is guessed.

use crate::base::{natural, order};
use crate::{NodeId, Trace};
use std::ops::Range;

/// The nodes of a trace in the order of their names without numbers, and then of their full names.
pub struct Roles {
    /// For each node its index in that order. All nodes with one name without numbers are next to one another.
    place: Vec<u32>,
    /// For each node the number of its name without numbers.
    class: Vec<u32>,
    classes: usize,
}

impl Roles {
    /// Finds the roles of the nodes for which `is_wanted` holds, in time n log n.
    pub fn matched(trace: &Trace, is_wanted: impl Fn(NodeId) -> bool) -> Self {
        let nodes = trace.nodes();
        let name = |node: NodeId| trace.text(nodes.name(node));
        let mut sorted: Vec<(i64, NodeId)> = nodes
            .ids()
            .filter(|&node| is_wanted(node))
            .map(|node| (hash_without_numbers(name(node)), node))
            .collect();
        order::by_number(&mut sorted, |(hash, _)| (hash, 0));
        let mut roles =
            Self { place: vec![u32::MAX; nodes.len()], class: vec![u32::MAX; nodes.len()], classes: 0 };
        let mut place = 0;
        for class in sorted.chunk_by_mut(|a, b| a.0 == b.0) {
            class.sort_by(|&(_, a), &(_, b)| natural::compare(name(a), name(b)).then(a.cmp(&b)));
            for (_, node) in class {
                roles.place[node.index()] = place;
                roles.class[node.index()] = roles.classes as u32;
                place += 1;
            }
            roles.classes += 1;
        }
        roles
    }

    /// The index of a node; nodes of one class follow one another. `u32::MAX` for a node that was not wanted.
    pub fn place(&self, node: NodeId) -> u32 {
        self.place[node.index()]
    }

    /// The number of the node's name without numbers. `u32::MAX` for a node that was not wanted.
    pub fn class(&self, node: NodeId) -> u32 {
        self.class[node.index()]
    }

    /// How many different names without numbers there are.
    pub fn classes(&self) -> usize {
        self.classes
    }
}

/// The FNV-1a hash of `name` without its numbers, without underscores before them, and without the parts that only tell replicas
/// apart.
pub(crate) fn hash_without_numbers(name: &str) -> i64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in name.split('/').filter(|part| !is_replica(part)) {
        let bytes = part.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            let is_before_number = byte == b'_' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            if !byte.is_ascii_digit() && !is_before_number {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash = (hash ^ u64::from(b'/')).wrapping_mul(0x0100_0000_01b3);
    }
    hash as i64
}

/// Whether `part` is like `replica_1`. The ops of the first replica are outside of such a scope.
fn is_replica(part: &str) -> bool {
    part.strip_prefix("replica_").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The ranges of `rows` with equal keys. `rows` must be sorted by `key`.
pub(crate) fn runs<T: Copy>(rows: &[T], key: impl Fn(T) -> (i64, i64)) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, &row) in rows.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if key(rows[run.start]) == key(row) => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_have_equal_names_without_numbers() {
        let same = [
            ("net/tower_0/mixed_3/Relu_1", "net_1/tower_1/mixed_3/Relu_1"),
            ("gradients/net/tower_0/AddN_7", "gradients_1/net_1/tower_1/AddN_7"),
            ("net/c0/w/read_S3", "net/c0/w/read_S21"),
            ("CollectiveReduce", "CollectiveReduce_1"),
            ("dense/MatMul", "replica_1/dense/MatMul"),
        ];
        for (a, b) in same {
            assert_eq!(hash_without_numbers(a), hash_without_numbers(b), "{a} {b}");
        }
        for (a, b) in [("a/b", "ab"), ("a_b", "ab"), ("replica_x/a", "a")] {
            assert_ne!(hash_without_numbers(a), hash_without_numbers(b), "{a} {b}");
        }
    }
}
