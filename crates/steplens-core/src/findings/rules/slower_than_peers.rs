//! Ops that took at least three times as long as the median of their peers: the ops of the same type on devices of the same kind
//! with inputs and outputs of the same size, at least eight with the op itself. The rule replays the step with the median as the
//! length of each such op. Where no sizes are recorded, ops of one type differ for good reasons: such ops have no peers.
//!
//! An op type that is merely dear is no finding: nothing says that it could be faster.

use super::super::context::{Context, With};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::{Bytes, Nanos};
use crate::model::device::DeviceKind;
use crate::{Category, OpId, StringId};
use std::collections::BTreeMap;

/// How many times the median an op takes.
const TIMES: i64 = 3;
/// The least peers.
const LEAST_PEERS: usize = 8;
/// Shorter ops vary by themselves.
const LEAST_LENGTH: Nanos = Nanos(100_000);

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let (ops, nodes) = (trace.ops(), trace.nodes());
    let mut peers: BTreeMap<(StringId, u8, Bytes, Bytes), Vec<OpId>> = BTreeMap::new();
    for op in ops.ids().take(trace.counted_ops()) {
        let device = trace.devices().get(trace.device_of(op));
        if trace.category(op) != Category::Compute || device.nests || ops.interval(op).length() <= Nanos(0) {
            continue;
        }
        let bytes = trace.outputs().requested_bytes(op);
        if bytes == Bytes(0) {
            continue;
        }
        let inputs = context.makers.of_op(op).iter().map(|&maker| trace.outputs().requested_bytes(maker));
        let read = inputs.fold(Bytes(0), |sum, own| Bytes(sum.0.saturating_add(own.0)));
        let kind = match device.kind {
            DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy => 1,
            _ => 0,
        };
        peers.entry((nodes.op_type(ops.node(op)), kind, bytes, read)).or_default().push(op);
    }
    let mut slow: Vec<(OpId, Nanos)> = Vec::new();
    let mut judged = false;
    for own in peers.values().filter(|own| own.len() >= LEAST_PEERS) {
        judged = true;
        let mut lengths: Vec<i64> = own.iter().map(|&op| ops.interval(op).length().0).collect();
        lengths.sort_unstable();
        let median = lengths[(lengths.len() - 1) / 2];
        let is_slow = |&&op: &&OpId| {
            let length = ops.interval(op).length();
            length >= LEAST_LENGTH && length.0 >= median.saturating_mul(TIMES)
        };
        slow.extend(own.iter().filter(is_slow).map(|&op| (op, Nanos(median))));
    }
    if !judged {
        return Ruling::Lacks(Needs::Peers);
    }
    slow.sort_by_key(|&(op, _)| (std::cmp::Reverse(ops.interval(op).length()), op));
    let Some(&(longest, usual)) = slow.first() else { return Ruling::Nothing };
    let facts = Facts {
        name: context.study.title(longest).to_owned(),
        other: trace.text(nodes.op_type(ops.node(longest))).to_owned(),
        count: slow.len() as u64,
        time: ops.interval(longest).length(),
        usual,
        ..Facts::default()
    };
    let evidence = slow.iter().map(|&(op, _)| op).collect();
    let scenario = || context.replay.with_lengths(&slow);
    context.judge(
        Rule::SlowerThanPeers,
        Nanos(0),
        With { facts, evidence, change: None, scenario: &scenario, most: None },
    )
}
