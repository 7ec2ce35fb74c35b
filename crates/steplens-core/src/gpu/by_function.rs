//! Kernels of TensorFlow without the name of an op: what launched them is known by their functions. `CheckNumericsKernel` is of an op of the type
//! `CheckNumerics`, and of one that runs when the kernel begins: of several the first that has none yet. A copy without a name after such a kernel on
//! its stream brings the result to the op, which waits for it.

use crate::base::order;
use crate::{Category, DeviceId, NodeId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, VecDeque};

/// What follows the type of an op in the name of a function that computes it.
const KERNEL: &str = "Kernel";
/// What `timeline.py` calls what has no name.
const UNKNOWN: &str = "unknown";

/// Where the kernels are, and what may have launched them.
pub(super) struct Rows<'a> {
    /// The devices with kernels, each with the number of its GPU.
    pub(super) streams: &'a [(DeviceId, u32)],
    /// The devices with the ops of executors, each with the numbers of the GPUs that it may be; 0 is none.
    pub(super) executors: &'a [(DeviceId, [u32; 2])],
}

/// (kernel, op) for the kernels and copies of `rows` whose op is not `known`, in time n log n.
pub(super) fn by_function(trace: &Trace, rows: &Rows<'_>, known: impl Fn(OpId) -> bool) -> Vec<(OpId, OpId)> {
    let mut types = Types::default();
    let streams =
        || rows.streams.iter().flat_map(|&(device, gpu)| trace.ops_of(device).map(move |op| (op, gpu)));
    let mut wanted: BTreeMap<(u32, StringId), Vec<OpId>> = BTreeMap::new();
    for (kernel, gpu) in streams().filter(|own| !known(own.0)) {
        types.of(trace, kernel).into_iter().for_each(|op_type| _ = wanted.entry((gpu, op_type)).or_default());
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    for &(device, gpus) in rows.executors {
        for op in trace.ops_of(device) {
            let op_type = trace.nodes().op_type(trace.ops().node(op));
            for gpu in gpus {
                wanted.get_mut(&(gpu, op_type)).into_iter().for_each(|own| own.push(op));
            }
        }
    }
    for own in wanted.values_mut() {
        order::by_number(own, |op| (trace.ops().start(op).0, i64::from(op.get())));
        own.dedup();
    }
    let mut found = Vec::new();
    for &(device, gpu) in rows.streams {
        of_stream(trace, device, |kernel| wanted.get(&(gpu, types.of(trace, kernel)?)), &known, &mut found);
    }
    found
}

/// How many ops are looked at for one kernel: those that began last before it. An executor has some ten threads.
const MOST_LOOKED_AT: usize = 16;

/// Finds the ops of the kernels and copies of one stream. `ops_of` has the ops of the type that a kernel is of, in order of start.
fn of_stream<'a>(
    trace: &Trace,
    device: DeviceId,
    mut ops_of: impl FnMut(OpId) -> Option<&'a Vec<OpId>>,
    known: &impl Fn(OpId) -> bool,
    found: &mut Vec<(OpId, OpId)>,
) {
    let ops = trace.ops();
    let mut own: Vec<OpId> = trace.ops_of(device).filter(|&op| !known(op)).collect();
    order::by_number(&mut own, |op| (ops.start(op).0, i64::from(op.get())));
    let mut taken: HashSet<OpId, FixedState> = HashSet::default();
    // The ops whose kernels have begun, and whose copies have not.
    let mut waiting: VecDeque<OpId> = VecDeque::new();
    for kernel in own {
        let start = ops.start(kernel);
        if let Some(all) = ops_of(kernel) {
            let begun = all.partition_point(|&op| ops.start(op) <= start);
            let running = || {
                all[begun.saturating_sub(MOST_LOOKED_AT)..begun]
                    .iter()
                    .copied()
                    .filter(|&op| ops.end(op) > start)
            };
            // Ops that run at once begin their kernels in their own order, each one of this function.
            let Some(op) = running().find(|op| !taken.contains(op)).or_else(|| running().next_back()) else {
                continue;
            };
            if taken.insert(op) {
                waiting.push_back(op);
            }
            found.push((kernel, op));
        } else if trace.category(kernel) == Category::Copy
            && trace.text(trace.nodes().name(ops.node(kernel))).starts_with(UNKNOWN)
        {
            while waiting.pop_front_if(|op| ops.end(*op) < ops.end(kernel)).is_some() {}
            waiting.pop_front().into_iter().for_each(|op| found.push((kernel, op)));
        }
    }
}

/// For each kind of kernel the type of the ops that it is of.
#[derive(Default)]
struct Types(HashMap<NodeId, Option<StringId>, FixedState>);

impl Types {
    fn of(&mut self, trace: &Trace, kernel: OpId) -> Option<StringId> {
        let node = trace.ops().node(kernel);
        let of_function = |name: &str| trace.strings().find(name.strip_suffix(KERNEL)?);
        let name = || trace.text(trace.nodes().name(node));
        *self.0.entry(node).or_insert_with(|| functions(name()).find_map(of_function))
    }
}

/// The names of the functions and namespaces that the name of a kernel is made of, as the compiler wrote it or as it is in C++.
fn functions(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name.strip_prefix("_ZN").or_else(|| name.strip_prefix("_Z"));
    let is_mangled = rest.is_some();
    let mangled = std::iter::from_fn(move || {
        let text = rest?;
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = text.get(..digits)?.parse().ok()?;
        let end = digits.checked_add(length)?;
        rest = text.get(end..);
        text.get(digits..end)
    });
    let plain = if is_mangled { "" } else { name };
    let is_of_name = |own: char| own.is_ascii_alphanumeric() || own == '_';
    mangled.chain(plain.split(move |own: char| !is_of_name(own)).filter(|own| !own.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_in_both_ways_of_writing() {
        let all = |name| functions(name).collect::<Vec<_>>();
        assert_eq!(
            all("_ZN10tensorflow4_aux19CheckNumericsKernelIfEEvPKT_iPi"),
            ["tensorflow", "_aux", "CheckNumericsKernel"]
        );
        assert_eq!(all("_Z4gemmIfE"), ["gemm"]);
        assert_eq!(all("void tf::(anonymous namespace)::AddKernel<float>")[4], "AddKernel");
        assert_eq!(all("_ZN99short"), [""; 0]);
        assert_eq!(all("_ZN99999999999999999999999x"), [""; 0]);
    }
}
