//! Kernels: what the streams of GPUs ran for which op.
//!
//! A stream says the name of the op that launched its kernel ([`label::op_of_kernel`]). A node that ran several times has
//! several ops: the kernel is of the last of them that had started when it was launched, or when it started itself
//! where its launch was not recorded; of the first where none had, because clocks of GPUs may be off.

use crate::analysis::nesting;
use crate::device::DeviceKind;
use crate::units::Interval;
use crate::{DeviceId, OpId, PartId, StringId, Timestamp, Trace, label, order};

/// How many ops of one name are looked at for one that is on the kernel's own GPU. Bounds the cost of hostile files.
const MAX_LOOK_BACK: usize = 64;

/// Kernels and copies joined to the ops that launched them. Empty, and free, for a trace without streams.
#[derive(Default)]
pub struct Kernels {
    /// (kernel, op), by kernel.
    by_kernel: Vec<(OpId, OpId)>,
    /// (op, kernel), by op and start of the kernel; without what other devices only repeat.
    by_op: Vec<(OpId, OpId)>,
}

/// An op that a kernel names.
#[derive(Clone, Copy)]
struct Launcher {
    name: StringId,
    part: PartId,
    start: Timestamp,
    op: OpId,
}

impl Kernels {
    /// Joins the kernels of `trace`, in time linear in ops.
    pub fn of(trace: &Trace) -> Self {
        if !trace.calls().is_empty() {
            return Self::of_calls(trace);
        }
        let devices: Vec<DeviceId> = trace.devices().ids().filter(|&id| has_kernels(trace, id)).collect();
        if devices.is_empty() {
            return Self::default();
        }
        let names = Names::of(trace, &devices);
        let launchers = launchers(trace, &names);
        let mut kernels = Self::default();
        for device in devices {
            let gpu = gpu_of(trace.text(trace.devices().get(device).name));
            let is_own: Vec<bool> = trace.devices().ids().map(|id| is_on(trace, id, gpu)).collect();
            let repeats = trace.devices().repeats_streams(device);
            for kernel in trace.ops_of(device) {
                let Some(op) = names.of_op(trace, kernel).and_then(|name| {
                    let launched = trace.ops().scheduled(kernel).unwrap_or(trace.ops().start(kernel));
                    let key = (name, trace.ops().part(kernel));
                    let first = launchers.partition_point(|other| (other.name, other.part) < key);
                    let own = &launchers[first..];
                    let end = own.partition_point(|other| (other.name, other.part) == key);
                    let own = &own[..end];
                    let by_then = &own[..own.partition_point(|other| other.start <= launched)];
                    let near = by_then.iter().rev().take(MAX_LOOK_BACK);
                    let on_gpu = near.clone().find(|other| is_own[trace.device_of(other.op).index()]);
                    on_gpu.or(by_then.last()).or(own.first()).map(|other| other.op)
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
        order::by_number(&mut kernels.by_op, |(op, kernel)| {
            (i64::from(op.get()), trace.ops().start(kernel).0)
        });
        kernels
    }

    /// Joins kernels by the calls that launched them: to the operator that the call is in, or to the call where it is in none.
    fn of_calls(trace: &Trace) -> Self {
        let operators: Vec<Vec<Option<OpId>>> =
            trace.devices().ids().map(|device| nesting::operators(trace, device)).collect();
        let operator = |call: OpId| {
            let device = trace.device_of(call);
            let place = call.get() - trace.devices().get(device).first_op;
            operators[device.index()].get(place as usize).copied().flatten()
        };
        let mut kernels = Self::default();
        for &(kernel, call) in trace.calls() {
            let operator = operator(call);
            kernels.by_kernel.push((kernel, operator.unwrap_or(call)));
            kernels.by_op.push((call, kernel));
            kernels.by_op.extend(operator.map(|operator| (operator, kernel)));
        }
        order::by_number(&mut kernels.by_op, |(op, kernel)| {
            (i64::from(op.get()), trace.ops().start(kernel).0)
        });
        kernels
    }

    /// The op that launched `kernel`, if it is one and its op is there.
    pub fn op_of(&self, kernel: OpId) -> Option<OpId> {
        let place = self.by_kernel.binary_search_by_key(&kernel, |&(kernel, _)| kernel).ok()?;
        self.by_kernel.get(place).map(|&(_, op)| op)
    }

    /// The kernels and copies that `op` launched, in order of start; each once, on the stream that ran it.
    pub fn of_op(&self, op: OpId) -> impl ExactSizeIterator<Item = OpId> + Clone + '_ {
        let first = self.by_op.partition_point(|&(other, _)| other < op);
        let own = &self.by_op[first..];
        own[..own.partition_point(|&(other, _)| other == op)].iter().map(|&(_, kernel)| kernel)
    }

    /// From the start of the first kernel of `op` to the end of the last.
    pub fn span(&self, trace: &Trace, op: OpId) -> Option<Interval> {
        let kernels = self.of_op(op);
        let start = kernels.clone().map(|kernel| trace.ops().start(kernel)).min()?;
        let end = kernels.map(|kernel| trace.ops().end(kernel)).max()?;
        Some(Interval { start, end })
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.by_kernel.capacity() + self.by_op.capacity()) * size_of::<(OpId, OpId)>()
    }
}

/// Whether `device` is what a GPU ran, stream by stream or all together.
pub(crate) fn has_kernels(trace: &Trace, device: DeviceId) -> bool {
    let device = trace.devices().get(device);
    device.is_accelerator
        || matches!(device.kind, DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy)
}

/// The names of the ops that kernels ran for, looked up once a node.
pub(crate) struct Names {
    /// By node; `None` where it ran for no op that is known, or is no kernel.
    of_node: Vec<Option<StringId>>,
    /// By string: whether a kernel ran for an op called so.
    is_wanted: Vec<bool>,
}

impl Names {
    /// The names that the kernels on `devices` say.
    pub(crate) fn of(trace: &Trace, devices: &[DeviceId]) -> Self {
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

    /// The name of the op that `kernel` ran for.
    pub(crate) fn of_op(&self, trace: &Trace, kernel: OpId) -> Option<StringId> {
        self.of_node[trace.ops().node(kernel).index()]
    }

    /// Whether a kernel ran for an op called `name`.
    pub(crate) fn has(&self, name: StringId) -> bool {
        self.is_wanted[name.index()]
    }
}

/// The ops that kernels may be of, by name, part and start.
fn launchers(trace: &Trace, names: &Names) -> Vec<Launcher> {
    let mut launchers = Vec::new();
    for device in trace.devices().ids().filter(|&id| !has_kernels(trace, id)) {
        launchers.extend(trace.ops_of(device).filter_map(|op| {
            let name = trace.nodes().name(trace.ops().node(op));
            let (part, start) = (trace.ops().part(op), trace.ops().start(op));
            names.has(name).then_some(Launcher { name, part, start, op })
        }));
    }
    order::by_number(&mut launchers, |other| {
        (i64::from(other.name.get()) << 32 | i64::from(other.part.get()), other.start.0)
    });
    launchers
}

/// `/device:GPU:0` of `/device:GPU:0/stream:13`.
pub(crate) fn gpu_of(device: &str) -> &str {
    device.rsplit_once('/').map_or(device, |(gpu, _)| gpu)
}

/// Whether the executor's `device` is the GPU called `gpu`, whatever its job and task.
fn is_on(trace: &Trace, device: DeviceId, gpu: &str) -> bool {
    let name = trace.text(trace.devices().get(device).name).as_bytes();
    let tail = name.len().checked_sub(gpu.len()).and_then(|start| name.get(start..));
    !gpu.is_empty() && tail.is_some_and(|tail| tail.eq_ignore_ascii_case(gpu.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{OpRecord, OpTimes, TraceBuilder};

    const GPU_0: &str = "/job:w/replica:0/task:0/device:GPU:0";
    const GPU_1: &str = "/job:w/replica:0/task:0/device:GPU:1";
    const STREAM: &str = "/device:GPU:1/stream:13";

    /// Ops as (device, name, start); each lasts 10, and a kernel is launched 5 before it starts.
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

    /// What a kernel is of: its start, its op's device and start.
    type Joined = (i64, usize, i64);

    /// What each kernel is of, and the starts of the kernels of each op that has any.
    fn joined(trace: &Trace) -> (Vec<Joined>, Vec<Vec<i64>>) {
        let kernels = Kernels::of(trace);
        let start = |op: OpId| trace.unix_ns(trace.ops().start(op));
        let told = trace.ops().ids().filter_map(|kernel| {
            let op = kernels.op_of(kernel)?;
            Some((start(kernel), trace.device_of(op).index(), start(op)))
        });
        let have = trace.ops().ids().map(|op| kernels.of_op(op).map(start).collect::<Vec<_>>());
        (told.collect(), have.filter(|have| !have.is_empty()).collect())
    }

    #[test]
    fn a_kernel_is_of_the_run_that_launched_it() {
        let ops = [(GPU_1, "a", 100), (GPU_1, "a", 200), (STREAM, "a:Mul", 120), (STREAM, "a:Mul", 203)];
        // The second kernel starts while the second run does, but was launched before.
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
        let (told, have) = joined(&trace);
        assert_eq!(told.len(), 4);
        assert!(told.iter().all(|&(_, device, start)| (device, start) == (1, 100)), "{told:?}");
        assert_eq!(have, [vec![120, 140]]);
        let op = trace.ops().ids().find(|&op| trace.op_name(op) == "a" && trace.device_of(op).get() == 1);
        let span = Kernels::of(&trace).span(&trace, op.unwrap()).unwrap();
        assert_eq!((trace.unix_ns(span.start), trace.unix_ns(span.end)), (120, 150));
    }
}
