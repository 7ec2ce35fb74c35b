//! Accelerators: every GPU, TPU and the like once, with the devices that recorded its work; and the devices whose mean the step bar
//! shows.
//!
//! TensorFlow writes each stream of a GPU and its copies as devices, and the ops that its executor dispatched to the GPU as another
//! device with the name of the GPU. An accelerator is the union of the streams and copies. Other formats have one device for each
//! accelerator.

use crate::base::ids::{DeviceId, OpId};
use crate::base::order;
use crate::base::units::Interval;
use crate::gpu::kernels::has_kernels;
use crate::model::category::{SINK, SOURCE, is_collective};
use crate::model::device::{DeviceKind, is_of_executor, task_of};
use crate::model::device_name::{gpu_key, gpu_of, is_one_gpu, stream_of};
use crate::timeline::coverage::Coverage;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// What follows the name of a TPU in the name of one of its SparseCores.
const SPARSE_CORE: &str = " SparseCore ";

/// Op types that an executor runs at the beginning and the end of a step, on every device.
const BOOKKEEPING: [&str; 3] = [SOURCE, SINK, "NoOp"];

/// Whether an executor begins with `op`, which computes nothing.
pub(crate) fn begins_executor(trace: &Trace, op: OpId) -> bool {
    trace.op_name(op) == SOURCE && !trace.devices().get(trace.device_of(op)).nests
}

/// Whether an executor ends with `op`, which computes nothing.
pub(crate) fn ends_executor(trace: &Trace, op: OpId) -> bool {
    trace.op_name(op) == SINK && !trace.devices().get(trace.device_of(op)).nests
}

/// Whether `op` is no operator: an executor begins or ends with it, whatever its type says (`NoOp`).
pub(crate) fn is_of_executor_itself(trace: &Trace, op: OpId) -> bool {
    begins_executor(trace, op) || ends_executor(trace, op)
}

/// One GPU, TPU or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accelerator<'a> {
    /// The common name of its devices: `/device:GPU:0`.
    pub name: &'a str,
    /// The devices that recorded its work, in order.
    pub devices: Vec<DeviceId>,
}

impl Accelerator<'_> {
    /// The number of streams it worked on: in RunMetadata those that devices are called after, otherwise threads that did any work; 0
    /// if the format has only all streams together.
    pub fn streams(&self, trace: &Trace) -> usize {
        let devices = self.devices.iter().map(|&id| (id, trace.devices().get(id)));
        let (at_work, named_ones): (Vec<_>, Vec<_>) = devices.partition(|(_, device)| device.is_accelerator);
        let named: HashSet<&str, FixedState> =
            named_ones.into_iter().filter_map(|(_, device)| stream_of(trace.text(device.name))).collect();
        named.len() + at_work.into_iter().map(|(id, _)| threads_at_work(trace, id)).sum::<usize>()
    }

    /// The devices that have all of its work, each piece once: the numbered streams, if there are any.
    pub fn unrepeated(&self, trace: &Trace) -> impl Iterator<Item = DeviceId> {
        let is = |id: DeviceId, kinds: &[DeviceKind]| kinds.contains(&trace.devices().get(id).kind);
        let has_streams = self.devices.iter().any(|&id| is(id, &[DeviceKind::Stream]));
        let repeats = move |id: DeviceId| is(id, &[DeviceKind::StreamAll, DeviceKind::Memcpy]);
        self.devices.iter().copied().filter(move |&id| !(has_streams && repeats(id)))
    }
}

/// Whether `device` did any work that is counted: not what has ranges alone, and not what a host profiler recorded once more.
pub fn works(trace: &Trace, device: DeviceId) -> bool {
    let is_work = |op: OpId| trace.category(op) != Category::Range;
    !trace.devices().is_host_profiler(device) && trace.ops_of(device).any(is_work)
}

/// How many devices did any work, each accelerator once; of a trace of ranges alone how many there are.
pub fn working_units(trace: &Trace) -> usize {
    let units = accelerators(trace);
    let mut is_of_unit = vec![false; trace.devices().len()];
    units.iter().flat_map(|unit| &unit.devices).for_each(|id| is_of_unit[id.index()] = true);
    let others = trace.devices().ids().filter(|id| !is_of_unit[id.index()]);
    match units.len() + others.filter(|&id| works(trace, id)).count() {
        0 => trace.devices().len() - trace.devices().host_profilers().count(),
        count => count,
    }
}

/// For each of `accelerators` the devices with the ops that TensorFlow's executor dispatched to it: devices of the same name, with
/// any job and task.
pub fn dispatched_to(trace: &Trace, accelerators: &[Accelerator<'_>]) -> Vec<Vec<DeviceId>> {
    let mut by_accelerator = vec![Vec::new(); accelerators.len()];
    if accelerators.is_empty() {
        return by_accelerator;
    }
    let others = trace.devices().ids().filter(|&id| !has_kernels(trace, id));
    let others: Vec<(DeviceId, String)> =
        others.map(|id| (id, gpu_key(trace.text(trace.devices().get(id).name)))).collect();
    let rest = |name: &str| task_of(name).map_or(0, str::len);
    // The map holds the names of these devices only: there may be very many accelerators.
    let sought = others.iter().flat_map(|(_, name)| [name.as_str(), &name[rest(name)..]]);
    let mut row_of_key: HashMap<&str, Option<usize>, FixedState> = sought.map(|key| (key, None)).collect();
    for (row, one) in accelerators.iter().enumerate() {
        row_of_key.get_mut(gpu_key(one.name).as_str()).into_iter().for_each(|own| *own = Some(row));
    }
    for (id, name) in &others {
        let has_task = rest(name) > 0;
        let of_rest = || row_of_key[&name[rest(name)..]].filter(|_| has_task);
        let row = row_of_key[name.as_str()].or_else(of_rest);
        row.into_iter().for_each(|row| by_accelerator[row].push(*id));
    }
    by_accelerator
}

/// The collectives among the ops that an executor dispatched to an accelerator: Horovod's and the like run them on the GPU, or wait in them for
/// other ranks, while no kernel of a stream says so.
pub fn dispatched_collectives(trace: &Trace, devices: &[DeviceId]) -> Coverage {
    let mut found: Vec<Interval> = devices
        .iter()
        .flat_map(|&device| trace.ops_of(device))
        .filter(|&op| trace.category(op) == Category::Communication && is_collective(trace.op_type(op)))
        .map(|op| trace.ops().interval(op))
        .collect();
    order::by_number(&mut found, |own| (own.start.0, own.end.0));
    Coverage::summed(found.into_iter().map(|own| (Category::Communication, own)))
}

/// The GPUs to which an executor dispatched ops, and whose kernels were not recorded: how long the GPU took is not known.
pub fn without_kernels(trace: &Trace) -> Vec<DeviceId> {
    let found = accelerators(trace);
    let dispatched = dispatched_to(trace, &found).into_iter().flatten();
    let dispatched: HashSet<DeviceId, FixedState> = dispatched.collect();
    let is_one = |&id: &DeviceId| {
        let device = trace.devices().get(id);
        let is_gpu = device.kind == DeviceKind::Gpu && !device.is_accelerator && device.op_count > 0;
        is_gpu && is_of_executor(trace.text(device.name)) && !dispatched.contains(&id)
    };
    trace.devices().ids().filter(is_one).collect()
}

/// The number of threads of `device` that did any work.
fn threads_at_work(trace: &Trace, device: DeviceId) -> usize {
    let (ops, nodes) = (trace.ops(), trace.nodes());
    let mut threads: HashSet<u32, FixedState> = HashSet::default();
    let mut last = None;
    for op in trace.ops_of(device).filter(|&op| !nodes.is_range(ops.node(op))) {
        let thread = ops.thread(op);
        if last.replace(thread) != Some(thread) {
            threads.insert(thread);
        }
    }
    threads.len()
}

/// Whether `trace` has any accelerator.
pub fn has_any(trace: &Trace) -> bool {
    trace.devices().ids().any(|id| trace.devices().get(id).is_accelerator || has_kernels(trace, id))
}

/// The accelerators of `trace`, in the order of their devices.
pub fn accelerators(trace: &Trace) -> Vec<Accelerator<'_>> {
    let mut found: Vec<Accelerator<'_>> = Vec::new();
    for id in trace.devices().ids() {
        let device = trace.devices().get(id);
        let name = trace.text(device.name);
        if device.is_accelerator {
            // A SparseCore is a part of its TPU, which comes before it.
            let whole = name.rfind(SPARSE_CORE).map(|place| &name[..place]);
            match found.last_mut().filter(|last| Some(last.name) == whole) {
                Some(last) => last.devices.push(id),
                None => found.push(Accelerator { name, devices: vec![id] }),
            }
        } else if has_kernels(trace, id) && (device.op_count == 0 || works(trace, id)) {
            // A row that only repeats another one of its GPU is no other GPU. Devices are sorted so that those of one GPU follow each other.
            let gpu = gpu_of(name);
            match found.last_mut().filter(|last| is_one_gpu(last.name, gpu)) {
                Some(last) => {
                    last.devices.push(id);
                    // TensorFlow 1.14 to 2.0 has two names for it: this is the name that the executor uses.
                    if gpu.contains("/device:") {
                        last.name = gpu;
                    }
                }
                None => found.push(Accelerator { name: gpu, devices: vec![id] }),
            }
        }
    }
    found
}

/// For each device of `trace` whether it is one of an accelerator.
pub fn are_accelerators(trace: &Trace) -> Vec<bool> {
    let mut found = vec![false; trace.devices().len()];
    let own = accelerators(trace).into_iter().flat_map(|one| one.devices);
    own.for_each(|device| found[device.index()] = true);
    found
}

/// The devices whose mean the step bar shows, as lists: the [`accelerators`] in order, or without accelerators all devices that did
/// any work.
pub fn units(trace: &Trace) -> Vec<Vec<DeviceId>> {
    let found = accelerators(trace);
    if !found.is_empty() {
        return found.into_iter().map(|accelerator| accelerator.devices).collect();
    }
    let nodes = trace.nodes();
    let is_work = |op| !nodes.is_range(trace.ops().node(op));
    // An executor begins and ends its part of a step on every device, also where nothing else runs.
    let is_own = |op| BOOKKEEPING.contains(&trace.op_type(op)) || BOOKKEEPING.contains(&trace.op_name(op));
    let with = |is_it: &dyn Fn(OpId) -> bool| -> Vec<Vec<DeviceId>> {
        let works = |id: &DeviceId| trace.ops_of(*id).any(is_it);
        trace.devices().ids().filter(works).map(|id| vec![id]).collect()
    };
    let found = with(&|op| is_work(op) && !is_own(op));
    if found.is_empty() { with(&is_work) } else { found }
}

/// The coverage of each of `units`, from the coverage of each device.
pub fn coverage_of(units: &[Vec<DeviceId>], coverage: &[Coverage]) -> Vec<Coverage> {
    let of = |unit: &Vec<DeviceId>| match unit.as_slice() {
        // A copy shares its parts.
        [device] => coverage.get(device.index()).cloned().unwrap_or_default(),
        _ => Coverage::together(unit.iter().filter_map(|device| coverage.get(device.index()))),
    };
    units.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;

    const DISPATCH: &str = "/job:w/replica:0/task:0/device:GPU:0";

    fn trace(devices: &[(&str, &[u32])], is_accelerator: bool) -> Trace {
        let mut builder = TraceBuilder::default();
        for &(device, threads) in devices {
            let slot = builder.begin_device();
            builder.name_device(slot, device.as_bytes());
            if is_accelerator {
                builder.mark_accelerator(slot);
            }
            for &thread in threads {
                let times = OpTimes { length_ns: 1, thread, ..OpTimes::default() };
                builder.op(slot, &OpRecord { name: b"a", label: b"", times }).unwrap();
            }
        }
        builder.finish(&Default::default())
    }

    #[test]
    fn a_gpu_of_run_metadata_is_its_streams_and_what_repeats_them_counts_once() {
        let streams = ["memcpy", "stream:13", "stream:14", "stream:all"];
        let streams = streams.map(|stream| ["/device:GPU:0/", stream].concat());
        let devices: Vec<(&str, &[u32])> = streams.iter().map(|name| (name.as_str(), &[0][..])).collect();
        let whole =
            trace(&[&devices[..], &[(DISPATCH, &[0]), ("/device:GPU:1/stream:all", &[0])]].concat(), false);
        let found = accelerators(&whole);
        let names = |ids: Vec<DeviceId>| -> Vec<&str> {
            ids.iter().map(|&id| whole.text(whole.devices().get(id).name)).collect()
        };
        assert_eq!(found.iter().map(|one| one.name).collect::<Vec<_>>(), ["/device:GPU:0", "/device:GPU:1"]);
        assert_eq!(found.iter().map(|one| one.streams(&whole)).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(names(found[0].unrepeated(&whole).collect()), [&streams[1], &streams[2]]);
        assert_eq!(names(found[1].unrepeated(&whole).collect()), ["/device:GPU:1/stream:all"]);
        let dispatched: Vec<Vec<&str>> = dispatched_to(&whole, &found).into_iter().map(names).collect();
        assert_eq!(dispatched, [vec![DISPATCH], vec![]]);
    }

    #[test]
    fn streams_of_other_formats_are_threads() {
        let one = trace(&[("python GPU 0", &[7, 7, 20, 7])], true);
        let found = accelerators(&one);
        assert_eq!((found[0].streams(&one), dispatched_to(&one, &found)), (2, vec![vec![]]));
    }
}
