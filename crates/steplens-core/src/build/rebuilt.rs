//! A trace made from another: some of its ops, and some of these at other times or on other devices.
//!
//! Views of a trace are made this way: one step of several, aligned clocks, repaired damage. What does not depend on times
//! (strings, nodes, graphs) is shared with the old trace; the cost is that of the ops taken.

use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::build::builder::sort_ops;
use crate::model::device::{Device, DeviceTable};
use crate::model::memory::Sampling;
use crate::model::op::OpTableBuilder;
use crate::model::op::OpTimes;
use crate::model::owner::Owner;
use crate::storage::column::{Column, ColumnBuilder};
use crate::{DeviceId, OpId, PartId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::sync::Arc;

/// (a kernel, the call that launched it).
type Calls = Vec<(OpId, OpId)>;
/// (a part, the range that marks it as a step).
type Marks = Vec<(PartId, OpId)>;

/// Where an op of an old trace goes in the new one.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The op, in the old trace.
    pub op: OpId,
    /// The device in the new trace, one of the old trace's.
    pub device: DeviceId,
    /// How much later all of its times are.
    pub shift: Nanos,
    /// A new start and end after that, if they change. The scheduling, the kernel and the allocations do not move.
    pub interval: Option<Interval>,
}

/// A trace made from another.
pub struct Rebuilt {
    /// The new trace.
    pub trace: Trace,
    /// For each op its id in the old trace.
    pub old_op: Vec<OpId>,
}

/// How much later counters and instants are in the new trace: as much as the first op of their file or their device.
struct Moves {
    has_samples: bool,
    of_device: Vec<Option<i64>>,
    of_file: HashMap<u32, i64, FixedState>,
}

impl Moves {
    fn new(trace: &Trace) -> Self {
        let has_samples = !trace.counters.is_empty() || !trace.instants.is_empty();
        Self { has_samples, of_device: vec![None; trace.devices.len()], of_file: HashMap::default() }
    }

    fn learn(&mut self, trace: &Trace, place: &Placed) {
        if !self.has_samples {
            return;
        }
        let old = trace.device_of(place.op).index();
        if self.of_device[old].is_none() {
            self.of_device[old] = Some(place.shift.0);
        }
        if let Some(part) = trace.parts.get(trace.ops.part(place.op).index()) {
            self.of_file.entry(part.file).or_insert(place.shift.0);
        }
    }

    fn of(&self, owner: Owner, file: Option<u32>) -> i64 {
        let of_file = file.and_then(|file| self.of_file.get(&file).copied());
        let of_device = || owner.device().and_then(|device| self.of_device[device.index()]);
        of_file.or_else(of_device).unwrap_or(0)
    }
}

impl Trace {
    /// The trace with only the counters and instants of its ops' time, and the values that hold at its start.
    pub(crate) fn keep_samples_of_ops(&mut self) {
        if self.counters.is_empty() && self.instants.is_empty() {
            return;
        }
        let of_ops = || self.ops.ids().map(|op| self.ops.interval(op)).reduce(Interval::hull);
        let all = if self.is_period() { self.span() } else { of_ops().unwrap_or_default() };
        let end = Timestamp(all.end.0.saturating_add(1));
        self.counters = Arc::new(self.counters.within(all.start, end));
        self.instants = Arc::new(self.instants.within(all.start, end));
    }

    /// The trace whose counters and instants do not say any more which file each is from.
    #[must_use]
    pub(crate) fn with_joined_samples(mut self) -> Self {
        if self.counters.has_files() {
            self.counters = Arc::new(self.counters.joined());
        }
        if !self.instants.is_empty() {
            self.instants = Arc::new(Arc::unwrap_or_clone(self.instants).joined());
        }
        self
    }

    /// Where `op` is in this trace.
    pub fn place(&self, op: OpId) -> Placed {
        Placed { op, device: self.device_of(op), shift: Nanos(0), interval: None }
    }

    /// Every op where it is, device by device: needs no search for the device of each op.
    pub fn places(&self) -> impl Iterator<Item = Placed> {
        self.devices().ids().flat_map(|device| {
            self.ops_of(device).map(move |op| Placed { op, device, shift: Nanos(0), interval: None })
        })
    }

    /// The trace of `places`. Devices that lose all of their ops are left out; parts are not, so that their ids stay. Times count
    /// from the first start of the ops taken, or from the start of the period that this trace shows.
    ///
    /// This is one function for all views, without generics, because each copy would be four kilobytes of the page.
    ///
    /// Starts and ends saturate at the limits of a [`Timestamp`].
    pub fn rebuilt(&self, places: &mut dyn Iterator<Item = Placed>) -> Rebuilt {
        self.rebuilt_in(self.period_unix_ns, places)
    }

    /// Like [`rebuilt`](Self::rebuilt), but the new trace shows this period, from 1970: its times count from there.
    pub(crate) fn rebuilt_in(
        &self,
        period_unix_ns: Option<[i64; 2]>,
        places: &mut dyn Iterator<Item = Placed>,
    ) -> Rebuilt {
        let mut ops = OpTableBuilder::default();
        let (mut old_op, mut device_of_op, mut records_earlier) = (Vec::new(), Vec::new(), Vec::new());
        let mut moves = Moves::new(self);
        for place in places {
            let times = self.times_at(&place);
            moves.learn(self, &place);
            ops.push(self.ops.node(place.op), &times);
            old_op.push(place.op);
            device_of_op.push(place.device);
            let moved = times.start_unix_ns.saturating_sub(self.unix_ns(self.ops.start(place.op)));
            records_earlier.push(moved.saturating_sub(place.shift.0));
        }
        let (devices, new_device) = self.devices_with(&device_of_op);
        let device_of_op = device_of_op.iter().map(|device| new_device[device.index()]);
        let rows = sort_ops(&ops, device_of_op, &devices);
        let old_op: Vec<OpId> = rows.iter().map(|&row| old_op[row as usize]).collect();

        let mut trace = Trace {
            strings: Arc::clone(&self.strings),
            nodes: Arc::clone(&self.nodes),
            graph: Arc::clone(&self.graph),
            parts: self.parts.clone(),
            devices: DeviceTable::new(devices),
            period_unix_ns,
            peak_flops: self.peak_flops,
            ..Trace::default()
        };
        (trace.calls, trace.marks) = self.joined_in(&old_op);
        let of_host: Vec<u32> = trace.marks_of_hosts().map(|op| rows[op.index()]).collect();
        trace.origin_unix_ns = match period_unix_ns {
            Some([start, _]) => start,
            None => ops.origin(&rows, &of_host, &trace.nodes),
        };
        trace.outputs = Arc::new(self.outputs.picked(&old_op));
        let part_of_row = match self.parts.len() {
            ..=1 => Column::default(),
            _ => ColumnBuilder::of(old_op.iter().map(|&op| i64::from(self.ops.part(op).get()))),
        };
        trace.ops = Arc::new(ops.finish(&rows, trace.origin_unix_ns, part_of_row));
        let sampling = Sampling::new(trace.devices.rows(), &trace.ops);
        let earlier = |new| records_earlier[rows[new] as usize];
        trace.memory = Arc::new(self.memory.picked(&old_op, earlier, sampling));
        trace.arguments = self.arguments.picked(&old_op);
        let of_origin = self.origin_unix_ns.saturating_sub(trace.origin_unix_ns);
        let place = |owner: Owner, file: Option<u32>| {
            let later = Nanos(moves.of(owner, file).saturating_add(of_origin));
            let new =
                owner.device().map(|device| (new_device[device.index()], self.devices.get(device).name));
            match new {
                // A device without ops is kept as a process.
                Some((device, name)) => (device.map_or(Owner::Process(name), Owner::Device), later),
                None => (owner, later),
            }
        };
        if moves.has_samples {
            trace.counters = Arc::new(self.counters.placed(place));
            trace.instants = Arc::new(self.instants.placed(place));
        }
        trace.find_end();
        trace.measure_parts();
        let order = self.file_order().map(|order| order.of_taken(&old_op, self.ops.len()));
        trace.file_order = order.map(Arc::new);
        let threads = self.threads.iter();
        trace.threads = threads
            .filter_map(|&(device, thread, name)| Some((new_device[device.index()]?, thread, name)))
            .collect();
        order::by_number(&mut trace.threads, |(device, thread, _)| {
            (i64::from(device.get()), i64::from(thread))
        });
        Rebuilt { trace, old_op }
    }

    /// The calls and the marks of steps among the ops of a new trace. `old_op` has the old ids of these ops.
    fn joined_in(&self, old_op: &[OpId]) -> (Calls, Marks) {
        if self.calls.is_empty() && self.marks.is_empty() {
            return Default::default();
        }
        let mut new_op = vec![None; self.ops.len()];
        for (new, old) in old_op.iter().enumerate() {
            new_op[old.index()] = Some(OpId::from_usize(new));
        }
        let new = |&(kernel, call): &(OpId, OpId)| Some((new_op[kernel.index()]?, new_op[call.index()]?));
        let mut calls: Vec<_> = self.calls.iter().filter_map(new).collect();
        order::by_number(&mut calls, |(kernel, _)| (i64::from(kernel.get()), 0));
        let marks = self.marks.iter().filter_map(|&(part, op)| Some((part, new_op[op.index()]?)));
        let mut marks: Vec<_> = marks.collect();
        order::by_number(&mut marks, |(part, op)| (i64::from(part.get()), i64::from(op.get())));
        (calls, marks)
    }

    /// The times of an op where `place` puts it.
    fn times_at(&self, place: &Placed) -> OpTimes {
        let (op, by) = (place.op, place.shift.0);
        let old = self.ops.interval(op);
        let at = |time: Timestamp| self.unix_ns(time).saturating_add(by);
        let (start, end) = match place.interval {
            None => (at(old.start), at(old.end)),
            Some(new) => (self.unix_ns(new.start), self.unix_ns(new.end)),
        };
        let kernel = self.ops.kernel(op);
        OpTimes {
            start_unix_ns: start,
            length_ns: end.saturating_sub(start).max(0),
            scheduled_unix_ns: self.ops.scheduled(op).map(at),
            kernel_start_ns: at(kernel.start).saturating_sub(start),
            kernel_end_ns: at(kernel.end).saturating_sub(start),
            thread: self.ops.thread(op),
        }
    }

    /// The devices of the new trace, for ops on `device_of_op`, in the same order; and for each old device its new id.
    fn devices_with(&self, device_of_op: &[DeviceId]) -> (Vec<Device>, Vec<Option<DeviceId>>) {
        let mut counts = vec![0; self.devices.len()];
        for device in device_of_op {
            counts[device.index()] += 1;
        }
        let mut devices = Vec::new();
        let mut first_op = 0;
        let ids = self.devices.ids().zip(counts).map(|(id, op_count)| {
            let old = self.devices.get(id);
            if op_count == 0 && old.op_count > 0 {
                return None;
            }
            devices.push(Device { first_op, op_count, ..old.clone() });
            first_op += op_count;
            Some(DeviceId::from_usize(devices.len() - 1))
        });
        let ids = ids.collect();
        (devices, ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::output::OutputRecord;

    /// Two devices with two ops each; the name of each op is its time.
    fn trace() -> Trace {
        let mut builder = TraceBuilder::default();
        for (device, ops) in [("a", [(100, 10), (120, 5)]), ("b", [(105, 1), (130, 2)])] {
            let slot = builder.begin_device();
            builder.name_device(slot, device.as_bytes());
            for (start, length) in ops {
                let times = OpTimes {
                    start_unix_ns: start,
                    length_ns: length,
                    scheduled_unix_ns: Some(start - 2),
                    kernel_start_ns: 1,
                    kernel_end_ns: length,
                    thread: 3,
                };
                let name = format!("{device}{start}");
                builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
                builder.output(&OutputRecord { requested_bytes: start, ..OutputRecord::default() });
                builder.allocator_use(b"cpu", 1, 1, 1, None);
                builder.allocation(start + 1, 8);
            }
        }
        builder.finish(&Default::default())
    }

    /// An op as name; start, length, scheduling, kernel and allocation from 1970; and bytes.
    type OpValues = (String, [i64; 6], u64);

    fn op_values(trace: &Trace) -> Vec<OpValues> {
        let op_values = |op| {
            let (ops, unix) = (trace.ops(), |time| trace.unix_ns(time));
            let own = ops.interval(op);
            let record = trace.memory().of(op).next().and_then(|(_, mut records)| records.next());
            let kernel = ops.kernel(op);
            let allocation = unix(own.start) + record.unwrap().after_start.0;
            let moments = [ops.scheduled(op).unwrap(), kernel.start, kernel.end].map(unix);
            let [scheduled, kernel_start, kernel_end] = moments;
            let times = [unix(own.start), own.length().0, scheduled, kernel_start, kernel_end, allocation];
            (trace.op_name(op).to_owned(), times, trace.outputs().requested_bytes(op).0)
        };
        trace.ops().ids().map(op_values).collect()
    }

    #[test]
    fn every_op_where_it_was_is_the_same_trace() {
        let old = trace();
        let Rebuilt { trace, old_op } = old.rebuilt(&mut old.places());
        assert_eq!(op_values(&trace), op_values(&old));
        assert!(old_op.into_iter().eq(old.ops().ids()));
        assert_eq!((trace.origin_unix_ns(), trace.span()), (old.origin_unix_ns(), old.span()));
        assert_eq!(trace.parts()[0].ops, 4);
    }

    #[test]
    fn shifted_ops_move_with_all_their_times() {
        let old = trace();
        let b = old.devices().ids().nth(1).unwrap();
        let later = |place: Placed| match place.device == b {
            true => Placed { shift: Nanos(-20), ..place },
            false => place,
        };
        let new = old.rebuilt(&mut old.places().map(later)).trace;
        assert_eq!(new.origin_unix_ns(), 85);
        let moved = ("b105".to_owned(), [85, 1, 83, 86, 86, 86], 105);
        assert_eq!(op_values(&new)[2], moved);
        assert_eq!(op_values(&new)[..2], op_values(&old)[..2]);
    }

    #[test]
    fn an_op_that_lasts_otherwise_keeps_its_other_times() {
        let old = trace();
        let first = old.ops().ids().next().unwrap();
        let interval = Interval { start: Timestamp(50), end: Timestamp(70) };
        let only = Placed { interval: Some(interval), ..old.place(first) };
        let new = old.rebuilt(&mut std::iter::once(only)).trace;
        assert_eq!(op_values(&new), [("a100".to_owned(), [150, 20, 98, 101, 110, 101], 100)]);
        assert_eq!(new.devices().len(), 1);
        assert_eq!(new.thread_name(DeviceId::new(0), 3), None);
    }

    #[test]
    fn devices_can_be_joined() {
        let old = trace();
        let a = old.devices().ids().next().unwrap();
        let new = old.rebuilt(&mut old.places().map(|place| Placed { device: a, ..place })).trace;
        let names: Vec<_> = new.ops().ids().map(|op| new.op_name(op)).collect();
        assert_eq!(names, ["a100", "b105", "a120", "b130"]);
        assert_eq!(new.devices().len(), 1);
    }
}
