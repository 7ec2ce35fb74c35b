//! Kernels: which kernels on the streams of GPUs ran for which op.
//!
//! If the format joins a kernel with the call that launched it, the kernel belongs to the innermost operator around the call.
//! Everything else that contains the call has launched the kernel, too: outer operators, annotations, steps, Python frames. Where the call
//! runs what another thread had put into a queue, all that is said of the op that did so.
//!
//! In other formats a stream records the name of the op that launched the kernel ([`label::op_of_kernel`]). A node that ran several
//! times has several ops. The kernel belongs to the last of them that had started when the kernel was launched, or when the kernel
//! started if its launch was not recorded. If none had started, it belongs to the first, because clocks of GPUs may be off. Where the name is that
//! of no op, the function of the kernel may name the type of the op that launched it ([`by_function`](super::by_function)).

use crate::base::order;
use crate::base::units::Interval;
use crate::gpu::by_function::{Rows, by_function};
use crate::gpu::task_queue::TaskQueue;
use crate::model::device::{DeviceKind, FRAMES, task_of};
use crate::model::device_name::{gpu_key, gpu_of};
use crate::model::label;
use crate::timeline::nesting;
use crate::{DeviceId, OpId, PartId, StringId, Timestamp, Trace};

/// Kernels and copies joined to the ops that launched them. Empty, and without cost, for a trace without streams.
#[derive(Default)]
pub struct Kernels {
    /// (kernel, op), in order of kernel.
    by_kernel: Vec<(OpId, OpId)>,
    /// (op, kernel) for kernels joined by names, in order of op and start of the kernel; without devices that only repeat others.
    by_op: Vec<(OpId, OpId)>,
    /// (call, kernel), in order of device, thread and start of the call, and start of the kernel.
    by_call: Vec<(OpId, OpId)>,
}

/// An op that may have launched a kernel.
#[derive(Clone, Copy)]
struct Launcher {
    name: StringId,
    part: PartId,
    start: Timestamp,
    op: OpId,
}

impl Kernels {
    /// Joins the kernels of `trace`, in time n log n.
    pub fn joined(trace: &Trace) -> Self {
        let mut kernels = Self::of_calls(trace);
        let mut has_calls = vec![false; trace.devices().len()];
        trace.calls().iter().for_each(|&(kernel, _)| has_calls[trace.device_of(kernel).index()] = true);
        let is_by_name = |id: &DeviceId| has_kernels(trace, *id) && !has_calls[id.index()];
        let devices: Vec<DeviceId> = trace.devices().ids().filter(is_by_name).collect();
        if devices.is_empty() {
            return kernels;
        }
        let names = Names::found(trace, &devices);
        let gpus = Gpus::indexed(trace, &devices);
        let launchers = Launchers::indexed(trace, &names, &gpus);
        for &device in &devices {
            let gpu = gpus.of_streams(trace, device);
            let repeats = trace.devices().repeats_streams(device);
            for kernel in trace.ops_of(device) {
                let Some(op) = names.of_op(trace, kernel).and_then(|name| {
                    let launched = trace.ops().scheduled(kernel).unwrap_or(trace.ops().start(kernel));
                    launchers.find(name, trace.ops().part(kernel), gpu, launched)
                }) else {
                    continue;
                };
                kernels.by_kernel.push((kernel, op));
                if !repeats {
                    kernels.by_op.push((op, kernel));
                }
            }
        }
        order::by_number(&mut kernels.by_kernel, |(kernel, _)| (i64::from(kernel.get()), 0));
        let known = |kernel: OpId| kernels.by_kernel.binary_search_by_key(&kernel, |own| own.0).is_ok();
        let streams: Vec<(DeviceId, u32)> =
            devices.iter().map(|&id| (id, gpus.of_streams(trace, id))).collect();
        let others = trace.devices().ids().filter(|&id| !has_kernels(trace, id));
        let executors: Vec<(DeviceId, [u32; 2])> =
            others.map(|id| (id, gpus.of_executor(trace, id))).filter(|own| own.1 != [0, 0]).collect();
        let others = by_function(trace, &Rows { streams: &streams, executors: &executors }, known);
        kernels.by_kernel.extend(others.iter().copied());
        let repeats = |kernel: OpId| trace.devices().repeats_streams(trace.device_of(kernel));
        let each = others.into_iter().filter(|&(kernel, _)| !repeats(kernel));
        kernels.by_op.extend(each.map(|(kernel, op)| (op, kernel)));
        order::by_number(&mut kernels.by_kernel, |(kernel, _)| (i64::from(kernel.get()), 0));
        order::by_number(&mut kernels.by_op, |(op, kernel)| {
            (i64::from(op.get()), trace.ops().start(kernel).0)
        });
        kernels
    }

    /// Joins kernels by the calls that launched them: to the operator around the call, or to the call itself without an operator.
    fn of_calls(trace: &Trace) -> Self {
        if trace.calls().is_empty() {
            return Self::default();
        }
        let operators: Vec<Vec<Option<OpId>>> =
            trace.devices().ids().map(|device| nesting::operators(trace, device)).collect();
        let operator = |call: OpId| {
            let device = trace.device_of(call);
            let place = call.get() - trace.devices().get(device).first_op;
            operators[device.index()].get(place as usize).copied().flatten()
        };
        let queue = TaskQueue::found(trace);
        let put = |call: OpId| queue.put(operator(call).unwrap_or(call));
        let mut by_call: Vec<(OpId, OpId)> =
            trace.calls().iter().map(|&(kernel, call)| (call, kernel)).collect();
        by_call.extend(trace.calls().iter().filter_map(|&(kernel, call)| Some((put(call)?, kernel))));
        order::by_number(&mut by_call, |(_, kernel)| (trace.ops().start(kernel).0, 0));
        order::by_number(&mut by_call, |(call, _)| (trace.ops().start(call).0, i64::from(call.get())));
        order::by_number(&mut by_call, |(call, _)| (thread_key(trace, call), 0));
        let of = |&(kernel, call): &(OpId, OpId)| {
            let own = put(call).unwrap_or(call);
            // What launched it may be an operator itself, where no call was recorded.
            let is_operator = own == call && !trace.is_call(own);
            (kernel, Some(own).filter(|_| !is_operator).and_then(operator).unwrap_or(own))
        };
        Self { by_kernel: trace.calls().iter().map(of).collect(), by_op: Vec::new(), by_call }
    }

    /// The op that launched `kernel`, if both are recorded: the innermost operator, or the call if it is in no operator.
    pub fn op_of(&self, kernel: OpId) -> Option<OpId> {
        let place = self.by_kernel.binary_search_by_key(&kernel, |&(kernel, _)| kernel).ok()?;
        self.by_kernel.get(place).map(|&(_, op)| op)
    }

    /// Each kernel and copy whose op is known, with that op, in order of kernel.
    pub fn with_ops(&self) -> impl Iterator<Item = (OpId, OpId)> {
        self.by_kernel.iter().copied()
    }

    /// The kernels and copies that were launched by `op` or within it, in order of start; each once, on the stream that ran it.
    pub fn of_op(&self, trace: &Trace, op: OpId) -> Vec<OpId> {
        let first = self.by_op.partition_point(|&(other, _)| other < op);
        let by_name = self.by_op[first..].iter().take_while(|&&(other, _)| other == op);
        let by_call = self.calls_within(trace, op);
        let mut kernels: Vec<OpId> = by_name.chain(by_call).map(|&(_, kernel)| kernel).collect();
        order::by_number(&mut kernels, |kernel| (trace.ops().start(kernel).0, i64::from(kernel.get())));
        kernels
    }

    /// The calls that launched anything and are within `op` on its thread, including `op` itself, each with every kernel.
    fn calls_within<'a>(&'a self, trace: &'a Trace, op: OpId) -> impl Iterator<Item = &'a (OpId, OpId)> {
        let (ops, own) = (trace.ops(), trace.ops().interval(op));
        let thread = thread_of(process_of(trace, trace.device_of(op)), ops.thread(op));
        let nests = trace.devices().get(trace.device_of(op)).nests;
        let key = |call: OpId| (thread_key(trace, call), ops.start(call));
        let first = self.by_call.partition_point(|&(call, _)| key(call) < (thread, own.start));
        let begins_within = move |call: OpId| {
            let (of_call, start) = key(call);
            of_call == thread && (start == own.start || start < own.end)
        };
        // Of two ops that begin together, the longer one contains the other.
        let is_within = move |call: OpId| {
            call == op || (nests && (ops.start(call) > own.start || ops.end(call) <= own.end))
        };
        self.by_call[first..]
            .iter()
            .take_while(move |&&(call, _)| begins_within(call))
            .filter(move |&&(call, _)| is_within(call))
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let rows = self.by_kernel.capacity() + self.by_op.capacity() + self.by_call.capacity();
        rows * size_of::<(OpId, OpId)>()
    }
}

/// The thread of `op` as a number, which orders the threads of all devices.
fn thread_key(trace: &Trace, op: OpId) -> i64 {
    thread_of(trace.device_of(op), trace.ops().thread(op))
}

fn thread_of(device: DeviceId, thread: u32) -> i64 {
    i64::from(device.get()) << 32 | i64::from(thread)
}

/// The process whose Python frames `device` has; otherwise `device` itself.
fn process_of(trace: &Trace, device: DeviceId) -> DeviceId {
    let process = trace.text(trace.devices().get(device).name).strip_suffix(FRAMES);
    let process = process.and_then(|name| trace.devices().by_name(trace.strings().find(name)?));
    process.unwrap_or(device)
}

/// From the start of the first of `kernels` to the end of the last.
pub fn span(trace: &Trace, kernels: &[OpId]) -> Option<Interval> {
    let start = kernels.iter().map(|&kernel| trace.ops().start(kernel)).min()?;
    let end = kernels.iter().map(|&kernel| trace.ops().end(kernel)).max()?;
    Some(Interval { start, end })
}

/// Whether `device` has kernels of a GPU, stream by stream or all together.
pub(crate) fn has_kernels(trace: &Trace, device: DeviceId) -> bool {
    let device = trace.devices().get(device);
    device.is_accelerator
        || matches!(device.kind, DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy)
}

/// The names of the ops for which kernels ran, looked up once per node.
pub(crate) struct Names {
    /// For each node the name; `None` if the node is no kernel, or ran for no known op.
    of_node: Vec<Option<StringId>>,
    /// For each string whether a kernel ran for an op of this name.
    is_wanted: Vec<bool>,
}

impl Names {
    /// Finds the names for the kernels on `devices`.
    pub(crate) fn found(trace: &Trace, devices: &[DeviceId]) -> Self {
        let mut names =
            Self { of_node: vec![None; trace.nodes().len()], is_wanted: vec![false; trace.strings().len()] };
        let mut is_known = vec![false; trace.nodes().len()];
        for kernel in devices.iter().flat_map(|&device| trace.ops_of(device)) {
            let node = trace.ops().node(kernel);
            if std::mem::replace(&mut is_known[node.index()], true) {
                continue;
            }
            let (name, label) = (trace.nodes().name(node), trace.nodes().label(node));
            let name = trace.strings().find(label::op_of_kernel(trace.text(name), trace.text(label)));
            names.of_node[node.index()] = name;
            name.into_iter().for_each(|name| names.is_wanted[name.index()] = true);
        }
        names
    }

    /// The name of the op for which `kernel` ran.
    pub(crate) fn of_op(&self, trace: &Trace, kernel: OpId) -> Option<StringId> {
        self.of_node[trace.ops().node(kernel).index()]
    }

    /// Whether a kernel ran for an op called `name`.
    pub(crate) fn has(&self, name: StringId) -> bool {
        self.is_wanted[name.index()]
    }
}

/// The GPUs on which kernels ran, each with a number from 1 on.
struct Gpus {
    /// The keys of their names, sorted.
    keys: Vec<String>,
}

impl Gpus {
    fn indexed(trace: &Trace, streams: &[DeviceId]) -> Self {
        let key = |&id: &DeviceId| gpu_key(gpu_of(trace.text(trace.devices().get(id).name)));
        let mut keys: Vec<String> = streams.iter().map(key).collect();
        keys.sort();
        keys.dedup();
        Self { keys }
    }

    /// The number of the GPU whose streams `device` has.
    fn of_streams(&self, trace: &Trace, device: DeviceId) -> u32 {
        self.number(&gpu_key(gpu_of(trace.text(trace.devices().get(device).name))))
    }

    /// The numbers of the GPUs that the executor's `device` may be: streams name their GPU with or without the task. 0 means none.
    fn of_executor(&self, trace: &Trace, device: DeviceId) -> [u32; 2] {
        let name = trace.text(trace.devices().get(device).name);
        let short = task_of(name).map_or("", |task| &name[task.len()..]);
        [name, short].map(|name| self.number(&gpu_key(name)))
    }

    fn number(&self, key: &str) -> u32 {
        let place = self.keys.binary_search_by(|own| own.as_str().cmp(key));
        place.map_or(0, |place| if key.is_empty() { 0 } else { place as u32 + 1 })
    }
}

/// The ops to which kernels may belong: sorted by name, part and start, and by name, part, GPU and start.
struct Launchers {
    anywhere: Vec<Launcher>,
    on_gpu: Vec<(u32, Launcher)>,
}

impl Launchers {
    fn indexed(trace: &Trace, names: &Names, gpus: &Gpus) -> Self {
        let (mut anywhere, mut on_gpu) = (Vec::new(), Vec::new());
        for device in trace.devices().ids().filter(|&id| !has_kernels(trace, id)) {
            let gpus = gpus.of_executor(trace, device);
            for op in trace.ops_of(device) {
                let name = trace.nodes().name(trace.ops().node(op));
                if names.has(name) {
                    let own = Launcher { name, part: trace.ops().part(op), start: trace.ops().start(op), op };
                    anywhere.push(own);
                    on_gpu.extend(gpus.into_iter().filter(|&gpu| gpu > 0).map(|gpu| (gpu, own)));
                }
            }
        }
        let by = |other: Launcher| i64::from(other.name.get()) << 32 | i64::from(other.part.get());
        order::by_number(&mut anywhere, |other| (by(other), other.start.0));
        // The sort is stable: the ops of one GPU stay in order of start.
        order::by_number(&mut on_gpu, |(_, other)| (other.start.0, 0));
        order::by_number(&mut on_gpu, |(gpu, other)| (by(other), i64::from(gpu)));
        Self { anywhere, on_gpu }
    }

    /// The op called `name` in `part` that launched a kernel at `launched`: the last on `gpu` that had started, otherwise the last
    /// on any device, otherwise the first.
    fn find(&self, name: StringId, part: PartId, gpu: u32, launched: Timestamp) -> Option<OpId> {
        let key = (name, part);
        let end = self.on_gpu.partition_point(|(own, other)| {
            (other.name, other.part, *own, other.start) <= (name, part, gpu, launched)
        });
        let own = self.on_gpu[..end]
            .last()
            .filter(|(own, other)| (other.name, other.part, *own) == (name, part, gpu));
        let own = own.map(|(_, other)| other);
        let rows = &self.anywhere;
        let first = rows.partition_point(|other| (other.name, other.part) < key);
        let end =
            rows.partition_point(|other| (other.name, other.part, other.start) <= (name, part, launched));
        let by_then = self.anywhere[first..end.max(first)].last();
        let any = || self.anywhere.get(first).filter(|other| (other.name, other.part) == key);
        own.or(by_then).or_else(any).map(|other| other.op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;
    use crate::{Hint, Says};

    const GPU_0: &str = "/job:w/replica:0/task:0/device:GPU:0";
    const GPU_1: &str = "/job:w/replica:0/task:0/device:GPU:1";
    const STREAM: &str = "/device:GPU:1/stream:13";

    /// Ops as (device, name, start); each lasts 10, and a kernel is launched 5 before its start.
    fn trace(ops: &[(&str, &str, i64)]) -> Trace {
        let mut builder = TraceBuilder::default();
        for &(device, name, start) in ops {
            let slot = builder.begin_device();
            builder.name_device(slot, device.as_bytes());
            let scheduled_unix_ns = device.contains("stream").then_some(start - 5);
            let times =
                OpTimes { start_unix_ns: start, length_ns: 10, scheduled_unix_ns, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
        }
        builder.finish(&Default::default())
    }

    /// A joined kernel: its start, the device of its op, the start of its op.
    type Joined = (i64, usize, i64);

    /// The op of each kernel, and for each op with kernels their starts.
    fn joined(trace: &Trace) -> (Vec<Joined>, Vec<Vec<i64>>) {
        let kernels = Kernels::joined(trace);
        let start = |op: OpId| trace.unix_ns(trace.ops().start(op));
        let joins = trace.ops().ids().filter_map(|kernel| {
            let op = kernels.op_of(kernel)?;
            Some((start(kernel), trace.device_of(op).index(), start(op)))
        });
        let have =
            trace.ops().ids().map(|op| kernels.of_op(trace, op).into_iter().map(start).collect::<Vec<_>>());
        (joins.collect(), have.filter(|have| !have.is_empty()).collect())
    }

    #[test]
    fn a_kernel_is_of_the_run_that_launched_it() {
        let ops = [(GPU_1, "a", 100), (GPU_1, "a", 200), (STREAM, "a:Mul", 120), (STREAM, "a:Mul", 203)];
        // The second kernel starts while the second run does, but was launched before that.
        assert_eq!(joined(&trace(&ops)), (vec![(120, 0, 100), (203, 0, 100)], vec![vec![120, 203]]));
        let late = [(GPU_1, "a", 100), (STREAM, "a:Mul", 50), (STREAM, "b:Mul", 150)];
        assert_eq!(joined(&trace(&late)).0, [(50, 0, 100)]);
    }

    #[test]
    fn its_own_gpu_comes_first_and_nothing_counts_twice() {
        let all = "/device:GPU:1/stream:all";
        let ops = [
            (GPU_0, "a", 110),
            (GPU_1, "a", 100),
            (STREAM, "a:Mul", 120),
            (all, "a:Mul", 120),
            ("/device:GPU:1/memcpy", "a:MEMCPYDtoH", 140),
            ("/device:GPU:1/stream:14", "a:MEMCPYDtoH", 140),
        ];
        let trace = trace(&ops);
        let (joins, have) = joined(&trace);
        assert_eq!(joins.len(), 4);
        assert!(joins.iter().all(|&(_, device, start)| (device, start) == (1, 100)), "{joins:?}");
        assert_eq!(have, [vec![120, 140]]);
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == "a" && trace.device_of(op).get() == 1);
        let span = span(&trace, &Kernels::joined(&trace).of_op(&trace, op.unwrap())).unwrap();
        assert_eq!((trace.unix_ns(span.start), trace.unix_ns(span.end)), (120, 150));
    }

    /// Other ops of the same name ran in between.
    #[test]
    fn its_own_gpu_is_found_behind_any_number_of_others() {
        let mut ops = vec![(GPU_1, "a", 100), (STREAM, "a:Mul", 100_000)];
        ops.extend((0..1_000).map(|at| (GPU_0, "a", 200 + at * 20)));
        let trace = trace(&ops);
        let (joins, _) = joined(&trace);
        let [(kernel, device, start)] = joins[..] else { panic!("one kernel: {joins:?}") };
        let name = trace.text(trace.devices().get(DeviceId::from_usize(device)).name);
        assert_eq!((kernel, name, start), (100_000, GPU_1, 100));
    }

    #[test]
    fn whatever_contains_a_call_launched_its_kernel() {
        let mut builder = TraceBuilder::default();
        let [host, frames, gpu] = ["python CPU", "python CPU (Python frames)", "python GPU 0"].map(|name| {
            let slot = builder.begin_device();
            builder.name_device(slot, name.as_bytes());
            slot
        });
        builder.mark_nesting(host);
        builder.mark_nesting(frames);
        builder.mark_accelerator(gpu);
        let call = builder.hint(Says::Call, b"cat=cuda_runtime");
        let none = Hint::default();
        let mut rows = Vec::new();
        for (slot, name, thread, start, end, hint) in [
            (host, "outer", 1, 0, 100, none),
            (host, "inner", 1, 10, 60, none),
            (host, "call", 1, 20, 30, call),
            (host, "after", 1, 60, 90, none),
            (host, "elsewhere", 2, 0, 100, none),
            (frames, "frame", 1, 0, 200, none),
            (gpu, "kernel", 7, 25, 300, none),
        ] {
            let times =
                OpTimes { start_unix_ns: start, length_ns: end - start, thread, ..OpTimes::default() };
            builder.hinted_op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }, hint).unwrap();
            rows.extend(builder.last_row());
        }
        builder.set_call(rows[6], rows[2]);
        let trace = builder.finish(&Default::default());
        let kernels = Kernels::joined(&trace);
        let launchers: Vec<&str> = trace
            .ops()
            .ids()
            .filter(|&op| !kernels.of_op(&trace, op).is_empty())
            .map(|op| trace.op_name(op))
            .collect();
        assert_eq!(launchers, ["outer", "inner", "call", "frame"]);
        let kernel = trace.ops().ids().find(|&op| trace.op_name(op) == "kernel").unwrap();
        assert_eq!(kernels.op_of(kernel).map(|op| trace.op_name(op)), Some("inner"));
        assert_eq!(trace.call_of(kernel).map(|op| trace.op_name(op)), Some("call"));
    }
}
