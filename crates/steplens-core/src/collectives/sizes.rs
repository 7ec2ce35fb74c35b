//! How much one rank gives to a collective, where the collective itself does not say it: PyTorch marks each call by a range `nccl:NAME` around the
//! launch, with the shapes and types of its tensors; Ascend's HCCL writes `count` and `data_type` at the collective.

use crate::base::units::{Bytes, Timestamp};
use crate::model::arguments::Argument;
use crate::model::collective::is_around_collective;
use crate::model::input_bytes::{input_bytes, item_bytes};
use crate::{DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// HCCL's names of types of elements, and the bytes of one.
const TYPES: [(&str, u64); 12] = [
    ("INT8", 1),
    ("UINT8", 1),
    ("INT16", 2),
    ("UINT16", 2),
    ("FP16", 2),
    ("BFP16", 2),
    ("INT32", 4),
    ("UINT32", 4),
    ("FP32", 4),
    ("INT64", 8),
    ("UINT64", 8),
    ("FP64", 8),
];

/// What is said about the data of one collective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) bytes: Option<Bytes>,
    /// The bytes of one element.
    pub(super) item: Option<u64>,
    /// The operation; empty if nothing says it.
    pub(super) operation: String,
}

/// A range around the call of a collective.
struct Around {
    start: Timestamp,
    end: Timestamp,
    range: OpId,
}

/// The ranges of a trace, by thread and start.
#[derive(Default)]
pub(super) struct Sizes {
    of_thread: HashMap<(DeviceId, u32), Vec<Around>, FixedState>,
}

impl Sizes {
    pub(super) fn found(trace: &Trace) -> Self {
        let nodes = trace.nodes();
        let is_range: Vec<bool> =
            nodes.ids().map(|node| is_around_collective(trace.text(nodes.op_type(node)))).collect();
        let mut found = Self::default();
        if trace.arguments().is_empty() || !is_range.contains(&true) {
            return found;
        }
        let ops = trace.ops();
        let is_host = |op: OpId| !trace.devices().get(trace.device_of(op)).is_accelerator;
        for op in ops.ids().filter(|&op| is_range[ops.node(op).index()] && is_host(op)) {
            let own = Around { start: ops.start(op), end: ops.end(op), range: op };
            found.of_thread.entry((trace.device_of(op), ops.thread(op))).or_default().push(own);
        }
        found.of_thread.values_mut().for_each(|all| all.sort_by_key(|own| (own.start, own.range)));
        found
    }

    /// What is said of `op`, or by the range in which it was called.
    pub(super) fn of(&self, trace: &Trace, op: OpId) -> Option<Size> {
        of_hccl(trace, op).or_else(|| self.of_range(trace, op))
    }

    fn of_range(&self, trace: &Trace, kernel: OpId) -> Option<Size> {
        let call = trace.calls().binary_search_by_key(&kernel, |&(kernel, _)| kernel).ok()?;
        let call = trace.calls().get(call)?.1;
        let (at, thread) = (trace.ops().start(call), trace.ops().thread(call));
        let all = self.of_thread.get(&(trace.device_of(call), thread))?;
        let last = all.partition_point(|own| own.start <= at).checked_sub(1)?;
        let own = all.get(last).filter(|own| at < own.end)?;
        // Types stay when names are hidden.
        let name = trace.op_type(own.range);
        let operation = name.split_once(':').map_or("", |(_, operation)| operation).to_owned();
        Some(Size { bytes: input_bytes(trace, own.range), item: item_bytes(trace, own.range), operation })
    }
}

/// What HCCL says at its collective: `hcom_allReduce__271_0_1` has `count` elements of `data_type`.
fn of_hccl(trace: &Trace, op: OpId) -> Option<Size> {
    let operation = trace.op_name(op).split("__").next().filter(|name| name.starts_with("hcom_"))?;
    let (mut count, mut item) = (None, None);
    for Argument { name, value } in trace.arguments().of(op) {
        match name {
            "count" => count = value.count(),
            "data_type" => {
                let shown = value.shown();
                item = TYPES.iter().find(|(name, _)| *name == shown).map(|&(_, bytes)| bytes);
            }
            _ => {}
        }
    }
    let bytes = count.zip(item).map(|(count, item)| Bytes(count.saturating_mul(item)));
    Some(Size { bytes, item, operation: operation.trim_end_matches('_').to_owned() })
}
