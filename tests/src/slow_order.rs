//! The order of transfers, calculated the plain way from a file: every pair is compared, every path is followed.

use crate::proto::{NodeDef, NodeExecStats, RunMetadata};
use std::collections::{BTreeMap, BTreeSet};

/// What is said of one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// In the better order: tensor, when it is needed, when it would come in ns from 1970.
    pub better: Vec<(String, i64, i64)>,
    /// Pairs the wrong way round.
    pub inversions: u64,
    /// Of so many.
    pub pairs: u64,
    /// How much sooner the ops would have been done.
    pub lost: i64,
    /// How far the replay is off.
    pub replay_error: i64,
    /// What came late, what came instead, how many did, and how long it was waited for.
    pub worst: Vec<(String, String, u32, i64)>,
}

/// A file that holds one step.
pub struct SlowOrder {
    ops: Vec<Op>,
}

struct Op {
    device: String,
    name: String,
    label: String,
    start: i64,
    end: i64,
    /// The tensor, its source and its size.
    transfer: Option<(String, String, i64)>,
    makers: Vec<usize>,
    /// Whether a tensor that it used has no record of its transfer.
    is_unrecorded: bool,
}

/// A tensor that is put in order.
#[derive(Clone)]
struct Tensor {
    op: usize,
    need: i64,
    received_with_it: usize,
    user: usize,
    released: i64,
    received: i64,
    bytes: u128,
    better: i64,
}

/// Whether a transfer is a parameter, and whether it is an answer to the task's own work; neither for the rest.
#[derive(Clone, Copy, PartialEq)]
enum TransferKind {
    Parameter,
    Answer,
    Neither,
}

impl SlowOrder {
    /// Reads a step.
    pub fn of(metadata: &RunMetadata) -> Self {
        let mut ops: Vec<Op> = metadata.ops().map(|(device, op)| read(device, op)).collect();
        ops.sort_by_key(|op| (op.device.clone(), op.start, op.end));
        let mut nodes: BTreeMap<(&str, &str), &NodeDef> = BTreeMap::new();
        for node in metadata.partition_graphs.iter().flat_map(|graph| &graph.node) {
            nodes.insert((&node.device, &node.name), node);
        }
        let linked: Vec<_> = ops.iter().map(|op| makers(&ops, &nodes, op)).collect();
        for (op, (makers, is_unrecorded)) in ops.iter_mut().zip(linked) {
            (op.makers, op.is_unrecorded) = (makers, is_unrecorded);
        }
        Self { ops }
    }

    /// What is to be said of `device`; `None` where nothing can be.
    pub fn order(&self, device: &str) -> Option<Order> {
        let own: Vec<usize> = (0..self.ops.len()).filter(|&op| self.ops[op].device == device).collect();
        let kinds: BTreeMap<usize, TransferKind> = own
            .iter()
            .filter(|&&op| self.ops[op].transfer.is_some())
            .map(|&op| (op, self.kind(op)))
            .collect();
        let mut tensors = self.tensors(&own, &kinds);
        deliver(&mut tensors);
        let came: BTreeMap<usize, i64> = tensors.iter().map(|own| (own.op, own.received)).collect();
        let better: BTreeMap<usize, i64> = tensors.iter().map(|own| (own.op, own.better)).collect();
        let has_sizes = |own: &&Op| own.transfer.as_ref().is_some_and(|own| own.2 > 0);
        if self.ops.iter().any(|op| has_sizes(&op)) {
            tensors.retain(|own| self.ops[own.op].transfer.as_ref().is_some_and(|own| own.2 > 0));
        }
        if tensors.len() < 2 {
            return None;
        }
        let waits: Vec<usize> = own
            .into_iter()
            .filter(|op| !kinds.contains_key(op) && self.waits_for_parameters(*op, &kinds))
            .collect();
        let end = |arrivals: &BTreeMap<usize, i64>| {
            let mut known = BTreeMap::new();
            waits.iter().map(|&op| self.replayed(op, arrivals, &mut known)).max().unwrap_or(0)
        };
        let recorded = waits.iter().map(|&op| self.ops[op].end).max().unwrap_or(0);
        let is_competing = |a: &&Tensor, b: &Tensor| a.received > b.received && a.released <= b.received;
        let pairs = |is_counted: &dyn Fn(&Tensor, &Tensor) -> bool| {
            let of = |a: &&Tensor| tensors.iter().filter(|b| is_competing(a, b) && is_counted(a, b)).count();
            tensors.iter().map(|a| of(&a) as u64).sum::<u64>()
        };
        Some(Order {
            better: tensors.iter().map(|own| (self.tensor(own.op), own.need, own.better)).collect(),
            inversions: pairs(&|a, b| a.need < b.need),
            pairs: pairs(&|a, b| a.need != b.need),
            lost: (end(&came) - end(&better)).max(0),
            replay_error: end(&came) - recorded,
            worst: self.worst(&tensors),
        })
    }

    fn tensor(&self, op: usize) -> String {
        self.ops[op].transfer.as_ref().map_or_else(String::new, |own| own.0.clone())
    }

    fn kind(&self, op: usize) -> TransferKind {
        let Some((_, source, _)) = &self.ops[op].transfer else { return TransferKind::Neither };
        if !self.ops.iter().any(|op| op.device == *source) {
            return TransferKind::Neither;
        }
        let (mut seen, mut next) = (BTreeSet::new(), vec![op]);
        while let Some(op) = next.pop() {
            if seen.insert(op) {
                next.extend(&self.ops[op].makers);
            }
        }
        let task = task(&self.ops[op].device);
        let is_own =
            |&&op: &&usize| self.ops[op].transfer.is_none() && self::task(&self.ops[op].device) == task;
        if seen.iter().any(|op| is_own(&op)) {
            return TransferKind::Answer;
        }
        if seen.iter().any(|&op| self.ops[op].is_unrecorded) {
            TransferKind::Neither
        } else {
            TransferKind::Parameter
        }
    }

    fn tensors(&self, own: &[usize], kinds: &BTreeMap<usize, TransferKind>) -> Vec<Tensor> {
        let mut tensors: Vec<Tensor> = Vec::new();
        let mut known = BTreeMap::new();
        for (&op, _) in kinds.iter().filter(|(_, kind)| **kind == TransferKind::Parameter) {
            let users =
                own.iter().filter(|&&user| !kinds.contains_key(&user) && self.ops[user].makers.contains(&op));
            let user = users.map(|&user| {
                let received_with_it =
                    self.ops[user].makers.iter().filter(|maker| kinds.contains_key(maker)).count();
                (self.free_start(user, kinds, &mut known), received_with_it, user)
            });
            let Some((need, received_with_it, user)) = user.min() else { continue };
            let Op { end: received, transfer, makers, .. } = &self.ops[op];
            let source = transfer.as_ref().map(|own| &own.1);
            // What the fastest tensor took that came from there.
            let fastest = kinds.iter().filter(|&(other, kind)| {
                let other_source = self.ops[*other].transfer.as_ref().map(|own| &own.1);
                let is_used = own
                    .iter()
                    .any(|&user| !kinds.contains_key(&user) && self.ops[user].makers.contains(other));
                *kind == TransferKind::Parameter && other_source == source && is_used
            });
            let took = |op: &usize| Some(self.ops[*op].end - self.ops[*self.ops[*op].makers.first()?].end);
            let fastest = fastest.filter_map(|(op, _)| took(op)).min();
            let made = makers.first().map(|&maker| self.ops[maker].end);
            let released = made.zip(fastest).map_or(i64::MIN, |(made, fastest)| made + fastest);
            let bytes = transfer.as_ref().map_or(1, |own| own.2.max(1) as u128);
            tensors.push(Tensor {
                op,
                need,
                received_with_it,
                user,
                released,
                received: *received,
                bytes,
                better: 0,
            });
        }
        tensors.sort_by_key(|own| (own.need, own.received_with_it, own.user, own.received, own.op));
        tensors
    }

    /// When `op` would start if every received tensor were there at 0.
    fn free_start(
        &self,
        op: usize,
        kinds: &BTreeMap<usize, TransferKind>,
        known: &mut BTreeMap<usize, i64>,
    ) -> i64 {
        if let Some(&start) = known.get(&op) {
            return start;
        }
        let mut start = 0;
        for &maker in self.ops[op].makers.iter().filter(|maker| !kinds.contains_key(maker)) {
            let Op { start: began, end, .. } = self.ops[maker];
            start = start.max(self.free_start(maker, kinds, known) + end - began);
        }
        known.insert(op, start);
        start
    }

    /// Whether a parameter, and no answer, is among what `op` was made of on its device.
    fn waits_for_parameters(&self, op: usize, kinds: &BTreeMap<usize, TransferKind>) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![op]);
        while let Some(op) = next.pop() {
            if seen.insert(op) && !kinds.contains_key(&op) {
                next.extend(&self.ops[op].makers);
            }
        }
        let has = |kind| seen.iter().any(|op| kinds.get(op) == Some(&kind));
        has(TransferKind::Parameter) && !has(TransferKind::Answer)
    }

    /// When `op` would end with these arrivals.
    fn replayed(&self, op: usize, arrivals: &BTreeMap<usize, i64>, known: &mut BTreeMap<usize, i64>) -> i64 {
        if let Some(&end) = arrivals.get(&op).or_else(|| known.get(&op)) {
            return end;
        }
        let Op { start, end, makers, transfer, device, .. } = &self.ops[op];
        let was_ready = makers.iter().map(|&maker| self.ops[maker].end).max().unwrap_or(i64::MIN);
        let ready =
            makers.iter().map(|&maker| self.replayed(maker, arrivals, known)).max().unwrap_or(i64::MIN);
        let is_before =
            |&other: &usize| self.ops[other].transfer.is_none() && self.ops[other].device == *device;
        let before = (0..op).rev().find(is_before);
        let replayed = match before {
            _ if transfer.is_some() => *end,
            Some(before) if self.ops[before].start > was_ready => {
                let own = &self.ops[before];
                let follows = self.replayed(before, arrivals, known) - own.end + start;
                ready.max(follows.min(*start)) + end - start
            }
            _ if makers.is_empty() => *end,
            _ => ready + (start - was_ready).max(0) + end - start,
        };
        known.insert(op, replayed);
        replayed
    }

    fn worst(&self, tensors: &[Tensor]) -> Vec<(String, String, u32, i64)> {
        let mut worst = Vec::new();
        for own in tensors {
            let mut instead = tensors.iter().filter(|other| {
                other.need > own.need && other.received < own.received && other.received >= own.released
            });
            let count = instead.clone().count() as u32;
            let Some(early) = instead.next_back() else { continue };
            let others = self.ops[own.user].makers.iter().filter(|&&maker| maker != own.op);
            let others = others.map(|&maker| self.ops[maker].end).max().unwrap_or(i64::MIN);
            let waited = own.received - others.max(own.released);
            if waited > 0 {
                worst.push((self.tensor(own.op), self.tensor(early.op), count, waited));
            }
        }
        worst.sort_by_key(|row| -row.3);
        worst.truncate(8);
        worst
    }
}

/// By every receipt as many bytes as had come, the first in order among those that could have come.
fn deliver(tensors: &mut [Tensor]) {
    let mut receipts: Vec<(i64, u128)> = tensors.iter().map(|own| (own.received, own.bytes)).collect();
    receipts.sort_by_key(|receipt| receipt.0);
    let (mut came, mut done) = (0, BTreeSet::new());
    for (now, bytes) in receipts {
        came += bytes;
        while let Some(next) =
            (0..tensors.len()).find(|row| !done.contains(row) && tensors[*row].released <= now)
        {
            if tensors[next].bytes > came {
                break;
            }
            came -= tensors[next].bytes;
            tensors[next].better = now;
            done.insert(next);
        }
    }
}

fn read(device: &str, op: &NodeExecStats) -> Op {
    let start = op.start_ns().unwrap_or_default();
    let words: Vec<&str> = op.timeline_label.split(' ').collect();
    let transfer = match words.as_slice() {
        [.., tensor, "from", source, "to", _] => {
            let output = op.output.first().and_then(|output| output.tensor_description.as_ref());
            let bytes = output.and_then(|tensor| tensor.allocation_description.as_ref());
            let bytes = bytes.map_or(0, |allocation| allocation.requested_bytes);
            Some(((*tensor).to_owned(), (*source).to_owned(), bytes))
        }
        _ => None,
    };
    Op {
        device: device.to_owned(),
        name: op.node_name.clone(),
        label: op.timeline_label.clone(),
        start,
        end: start + op.length_ns().unwrap_or_default(),
        transfer,
        makers: Vec::new(),
        is_unrecorded: false,
    }
}

/// What `op` waited for, by the graphs where it stands in one, else by its label; and whether a transfer is missing.
fn makers(ops: &[Op], nodes: &BTreeMap<(&str, &str), &NodeDef>, op: &Op) -> (Vec<usize>, bool) {
    let device = op.device.as_str();
    let named = |device: &str, name: &str| {
        ops.iter().position(|op| op.transfer.is_none() && op.device == device && op.name == name)
    };
    let brought = |is_it: &dyn Fn(&str) -> bool| {
        ops.iter().position(|op| op.device == device && op.transfer.as_ref().is_some_and(|own| is_it(&own.0)))
    };
    if let Some((tensor, source, _)) = &op.transfer {
        let is_end = |node: &&&NodeDef| {
            node.op == "_Send" && node.text("tensor_name") == *tensor && node.text("recv_device") == device
        };
        let sender = nodes.values().find(is_end).map(|node| bare(&node.input[0]));
        return (named(source, sender.unwrap_or_else(|| of_edge(tensor))).into_iter().collect(), false);
    }
    let (mut makers, mut is_unrecorded) = (Vec::new(), false);
    if let Some(node) = nodes.get(&(device, op.name.as_str())) {
        for input in node.input.iter().map(|input| bare(input)) {
            let receiver = nodes.get(&(device, input)).filter(|node| node.op == "_Recv");
            let Some(receiver) = receiver else {
                makers.extend(named(device, input));
                continue;
            };
            let tensor = receiver.text("tensor_name");
            let maker = brought(&|other| other == tensor);
            is_unrecorded |= maker.is_none();
            makers.extend(maker);
        }
        return (makers, is_unrecorded);
    }
    let list = op.label.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    for input in list.split(", ").filter(|input| !input.is_empty()).map(bare) {
        let cut = input.rsplit_once("/_").map(|(base, _)| base);
        let maker = match cut {
            Some(base) => brought(&|tensor| of_edge(tensor) == base),
            None => named(device, input),
        };
        is_unrecorded |= cut.is_some() && maker.is_none();
        makers.extend(maker);
    }
    (makers, is_unrecorded)
}

/// `a` of `a`, `a:1` and `^a`.
fn bare(input: &str) -> &str {
    let input = input.strip_prefix('^').unwrap_or(input);
    input.split(':').next().unwrap_or(input)
}

/// `a/b` of `edge_12_a/b`.
fn of_edge(tensor: &str) -> &str {
    tensor.splitn(3, '_').last().unwrap_or(tensor)
}

fn task(device: &str) -> &str {
    device.split("/device:").next().unwrap_or(device)
}
