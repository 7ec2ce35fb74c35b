//! The trace: everything that was read, as tables; immutable.

use crate::Category;
use crate::base::ids::{DeviceId, OpId, PartId, StringId};
use crate::base::units::{Flops, Interval, Timestamp};
use crate::model::arguments::Arguments;
use crate::model::category::is_driver_call;
use crate::model::counters::Counters;
use crate::model::device::DeviceTable;
use crate::model::file_order::FileOrder;
use crate::model::graph::Graph;
use crate::model::instants::Instants;
use crate::model::memory::MemoryTable;
use crate::model::node::NodeTable;
use crate::model::op::OpTable;
use crate::model::output::OutputTable;
use crate::model::owner::Owner;
use crate::model::part::Part;
use crate::storage::shared::shared_bytes;
use crate::storage::strings::StringTable;
use std::sync::Arc;

/// One trace: one step, or several in a row.
///
/// Times count from the origin: the first start of any op that is no range, or the start of the period that is shown. Ops are in order of device, start, end; devices in
/// natural order of task and name.
///
/// Data that does not change is shared with the traces that are made from this one.
#[derive(Clone, Default)]
pub struct Trace {
    pub(crate) strings: Arc<StringTable>,
    pub(crate) devices: DeviceTable,
    pub(crate) nodes: Arc<NodeTable>,
    pub(crate) ops: Arc<OpTable>,
    pub(crate) outputs: Arc<OutputTable>,
    pub(crate) memory: Arc<MemoryTable>,
    pub(crate) arguments: Arguments,
    pub(crate) counters: Arc<Counters>,
    pub(crate) instants: Arc<Instants>,
    pub(crate) graph: Arc<Graph>,
    pub(crate) parts: Vec<Part>,
    /// (device, thread) and the thread's name, sorted.
    pub(crate) threads: Vec<(DeviceId, u32, StringId)>,
    /// (kernel, the call that launched it), in order of kernel, where the format joins them.
    pub(crate) calls: Vec<(OpId, OpId)>,
    /// (part, a range that marks it as a step), in order.
    pub(crate) marks: Vec<(PartId, OpId)>,
    /// The period that the trace shows, from 1970; `None` if it shows what its ops span.
    pub(crate) period_unix_ns: Option<[i64; 2]>,
    /// What each accelerator calculates in a second at most.
    pub(crate) peak_flops: Option<Flops>,
    pub(crate) file_order: Option<Arc<FileOrder>>,
    pub(crate) origin_unix_ns: i64,
    pub(crate) end: Timestamp,
}

impl Trace {
    /// The most floating-point operations of a second that each of its accelerators has, if profilers say it and they do not differ.
    pub fn peak_flops(&self) -> Option<Flops> {
        self.peak_flops
    }

    /// The devices.
    pub fn devices(&self) -> &DeviceTable {
        &self.devices
    }

    /// The nodes of the ops.
    pub fn nodes(&self) -> &NodeTable {
        &self.nodes
    }

    /// The ops.
    pub fn ops(&self) -> &OpTable {
        &self.ops
    }

    /// The number of ops that count: all except the host profiler's copies, which are the last rows.
    pub fn counted_ops(&self) -> usize {
        let first = self.devices.host_profilers().next();
        first.map_or(self.ops.len(), |first| self.devices.get(first).first_op as usize)
    }

    /// The outputs of ops.
    pub fn outputs(&self) -> &OutputTable {
        &self.outputs
    }

    /// The memory that ops allocated.
    pub fn memory(&self) -> &MemoryTable {
        &self.memory
    }

    /// Other data of events.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// The counters that the files recorded.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The instants that the files recorded.
    pub fn instants(&self) -> &Instants {
        &self.instants
    }

    /// The names of the processes without ops that recorded counters or instants, as often as they did.
    pub(crate) fn processes(&self) -> impl Iterator<Item = StringId> + '_ {
        let of_counters = self.counters.ids().map(|id| self.counters.get(id).owner);
        let owners = of_counters.chain(self.instants.all().iter().map(|own| own.owner));
        owners.filter_map(|owner| match owner {
            Owner::Process(name) => Some(name),
            Owner::Device(_) => None,
        })
    }

    /// The partition graphs; empty if the run did not record them.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The parts of the files, in the order of reading: those with ops, and those that their container calls runs.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The same trace with its files renumbered: `new_file` has the new number of each old file. No op may be in a file that is
    /// removed.
    #[must_use]
    pub fn with_files(mut self, new_file: &[u32]) -> Self {
        for part in &mut self.parts {
            part.file = new_file.get(part.file as usize).copied().unwrap_or(part.file);
        }
        self
    }

    /// Every string.
    pub fn strings(&self) -> &StringTable {
        &self.strings
    }

    /// The text of `id`.
    #[inline]
    pub fn text(&self, id: StringId) -> &str {
        self.strings.get(id)
    }

    /// Time 0 in ns from 1970.
    pub fn origin_unix_ns(&self) -> i64 {
        self.origin_unix_ns
    }

    /// `time` in ns from 1970.
    pub fn unix_ns(&self, time: Timestamp) -> i64 {
        self.origin_unix_ns.saturating_add(time.0)
    }

    /// The span of the step: from the first start to the last end over all devices, without ranges; where a program marks its first step
    /// before anything runs, from that mark on; or the step's period, where it has one.
    pub fn span(&self) -> Interval {
        Interval { start: Timestamp(0), end: self.end }
    }

    /// The device that ran `op`.
    pub fn device_of(&self, op: OpId) -> DeviceId {
        let (mut low, mut high) = (0, self.devices.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.devices.get(DeviceId::from_usize(middle)).first_op <= op.get() {
                low = middle;
            } else {
                high = middle;
            }
        }
        DeviceId::from_usize(low)
    }

    /// The ops of `device`, in order of start.
    pub fn ops_of(
        &self,
        device: DeviceId,
    ) -> impl ExactSizeIterator<Item = OpId> + DoubleEndedIterator + use<> {
        let device = self.devices.get(device);
        (device.first_op..device.first_op + device.op_count).map(OpId::new)
    }

    /// The name of `op`'s node.
    pub fn op_name(&self, op: OpId) -> &str {
        self.text(self.nodes.name(self.ops.node(op)))
    }

    /// The category of `op`.
    #[inline]
    pub fn category(&self, op: OpId) -> Category {
        self.nodes.category(self.ops.node(op))
    }

    /// The type of an op. What everybody has (calls into drivers, copies, TensorFlow's ops) stays when names of ops are hidden.
    pub fn op_type(&self, op: OpId) -> &str {
        self.text(self.nodes.op_type(self.ops.node(op)))
    }

    /// Whether `op` is a call into a driver, whatever it does: no operator of the framework.
    pub fn is_call(&self, op: OpId) -> bool {
        match self.category(op) {
            Category::Compute => {
                is_driver_call(self.op_type(op)) && self.devices.get(self.device_of(op)).nests
            }
            category => category.is_call(),
        }
    }

    /// (kernel, the call on a host that launched it), in order of kernel, where the format joins them.
    pub fn calls(&self) -> &[(OpId, OpId)] {
        &self.calls
    }

    /// (part, the range with which a program or a device marks that part as a step), in order. A step that several threads or
    /// processes mark has several.
    pub fn marks(&self) -> &[(PartId, OpId)] {
        &self.marks
    }

    /// The marks of steps that a program made. Those of devices repeat the work that they mark, and last until the next step.
    pub(crate) fn marks_of_hosts(&self) -> impl Iterator<Item = OpId> {
        let of_host = |op: &OpId| !self.devices.get(self.device_of(*op)).is_accelerator;
        self.marks.iter().map(|&(_, op)| op).filter(of_host)
    }

    /// Whether the trace shows one step that is a period, with everything that devices did in it: then ops may lie outside of the
    /// [`span`](Self::span), such as calls that launched its work earlier.
    pub fn is_period(&self) -> bool {
        self.period_unix_ns.is_some()
    }

    /// The order of the files, if it was requested before reading and the files have blocks.
    pub fn file_order(&self) -> Option<&FileOrder> {
        self.file_order.as_deref()
    }

    /// The call that launched `kernel`.
    pub fn call_of(&self, kernel: OpId) -> Option<OpId> {
        let place = self.calls.binary_search_by_key(&kernel, |&(kernel, _)| kernel).ok()?;
        Some(self.calls[place].1)
    }

    /// The threads with names: (device, thread, name), in that order.
    pub fn threads(&self) -> &[(DeviceId, u32, StringId)] {
        &self.threads
    }

    /// Whether it was recorded which thread ran which op.
    pub fn has_threads(&self) -> bool {
        !self.threads.is_empty() || self.ops.ids().any(|op| self.ops.thread(op) != 0)
    }

    /// The name of a thread of `device`, if one was recorded.
    pub fn thread_name(&self, device: DeviceId, thread: u32) -> Option<&str> {
        let row = self
            .threads
            .binary_search_by_key(&(device, thread), |&(device, thread, _)| (device, thread))
            .ok()?;
        Some(self.text(self.threads[row].2))
    }

    /// Counts the ops of every part.
    #[inline]
    pub(crate) fn measure_parts(&mut self) {
        if let [only] = self.parts.as_mut_slice() {
            (only.ops, only.span) = (self.ops.len() as u32, Interval { start: Timestamp(0), end: self.end });
            return;
        }
        self.parts.iter_mut().for_each(|part| (part.ops, part.span) = (0, Interval::default()));
        if self.nodes.has_ranges() {
            return self.measure_parts_with_ranges();
        }
        // Ops of one part follow one another.
        let (parts, mut run_of) = (&mut self.parts, crate::PartId::new(u32::MAX));
        let (mut run_ops, mut run_span) = (0, Interval::default());
        let add = |parts: &mut [Part], of: crate::PartId, ops: u32, span: Interval| {
            let Some(part) = parts.get_mut(of.index()) else { return };
            part.span = if part.ops == 0 { span } else { part.span.hull(span) };
            part.ops += ops;
        };
        self.ops.each_interval(|_, interval, part| {
            if part != run_of {
                add(parts, run_of, run_ops, run_span);
                (run_of, run_ops, run_span) = (part, 0, interval);
            }
            run_ops += 1;
            run_span = run_span.hull(interval);
        });
        add(parts, run_of, run_ops, run_span);
    }

    /// Like `measure_parts`, but ranges do not count in parts with any work.
    fn measure_parts_with_ranges(&mut self) {
        let mut works = vec![false; self.parts.len()];
        for of_ranges in [false, true] {
            let (nodes, ops, parts) = (&self.nodes, &self.ops, &mut self.parts);
            ops.each_interval(|op, interval, part| {
                let row = part.index();
                let Some(part) = parts.get_mut(row) else { return };
                if nodes.is_range(ops.node(op)) != of_ranges {
                    return;
                }
                part.ops += 1;
                if part.ops == 1 {
                    part.span = interval;
                } else if !(of_ranges && works[row]) {
                    part.span = part.span.hull(interval);
                }
                works[row] |= !of_ranges;
            });
        }
    }

    /// Sets the end of the trace: that of its period; otherwise the last end of an op that is no range, or of a range if all ops
    /// are ranges.
    pub(crate) fn find_end(&mut self) {
        if let Some([start, end]) = self.period_unix_ns {
            self.end = Timestamp(end.saturating_sub(start));
            return;
        }
        let end = |op| self.ops.end(op);
        let works = self.ops.ids().filter(|&op| !self.nodes.is_range(self.ops.node(op)));
        let last = if self.nodes.has_ranges() { works.map(end).max() } else { None };
        self.end = last.or_else(|| self.ops.ids().map(end).max()).unwrap_or(Timestamp(0));
    }

    /// Heap memory in use, in bytes, including what is shared with other traces.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes()
            + self.nodes.heap_bytes()
            + self.ops.heap_bytes()
            + self.outputs.heap_bytes()
            + self.memory.heap_bytes()
            + self.arguments.heap_bytes()
            + self.counters.heap_bytes()
            + self.instants.heap_bytes()
            + shared_bytes::<Counters>()
            + shared_bytes::<Instants>()
            + self.graph.heap_bytes()
            + self.devices.heap_bytes()
            + self.parts.capacity() * size_of::<Part>()
            + self.parts.iter().map(Part::heap_bytes).sum::<usize>()
            + self.threads.capacity() * size_of::<(DeviceId, u32, StringId)>()
            + shared_bytes::<StringTable>()
            + shared_bytes::<NodeTable>()
            + shared_bytes::<Graph>()
            + shared_bytes::<OpTable>()
            + shared_bytes::<OutputTable>()
            + shared_bytes::<MemoryTable>()
            + self.calls.capacity() * size_of::<(OpId, OpId)>()
            + self.marks.capacity() * size_of::<(PartId, OpId)>()
            + self.file_order().map_or(0, FileOrder::heap_bytes)
    }
}
