//! Turns the records of a file into ops: their nodes, their kernels, their copies and their allocations.

use super::ends::Ends;
use super::path::{PathParts, place};
use crate::op_type::push_op_type;
use steplens_core::base::order;
use steplens_core::build::builder::{DeviceSlot, TraceBuilder};
use steplens_core::model::op::OpTimes;
use steplens_core::model::output::OutputRecord;
use steplens_core::storage::strings::StringTable;
use steplens_core::{NodeId, StringId};
use steplens_messages::say;

/// What ran an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventSource {
    Cpu,
    /// A call of CUDA's API, made by some op of the CPU.
    Api,
    Gpu,
}

/// An event.
pub(crate) struct Event {
    pub(crate) start_ns: i64,
    /// Negative if it ended before it started.
    pub(crate) length_ns: i64,
    pub(crate) copied_bytes: Option<i64>,
    pub(crate) name: StringId,
    pub(crate) detail: Option<StringId>,
    pub(crate) slot: DeviceSlot,
    pub(crate) thread: u32,
    pub(crate) kind: EventSource,
}

impl Event {
    fn end_ns(&self) -> i64 {
        self.start_ns.saturating_add(self.length_ns.max(0))
    }
}

/// An allocation and its end.
#[derive(Clone, Copy)]
pub(crate) struct Use {
    pub(super) start_ns: i64,
    pub(super) end_ns: i64,
    pub(super) bytes: i64,
    /// The event in which it was made, in the table of texts.
    pub(super) made_in: StringId,
    pub(super) place: u8,
    pub(super) device: u32,
}

/// Makes ops of `events`, whose names and other texts are in two tables. Returns the number of `uses` that belong to none of them.
pub(crate) fn assemble(
    events: &[Event],
    uses: Vec<Use>,
    (names, texts): (&StringTable, &StringTable),
    builder: &mut TraceBuilder,
) -> u64 {
    let kernels = kernels(events, names);
    let all_uses = uses.len();
    let uses = match all_uses {
        0 => Vec::new(),
        _ => EventIndex::of(events, names).joined(&uses, texts),
    };
    let (mut next_kernel, mut next_use) = (0, 0);
    let mut nodes = Nodes::default();
    for (row, event) in (0..).zip(events) {
        let kernel = take_run(&kernels, &mut next_kernel, |(op, _)| *op == row).last();
        let own_uses = take_run(&uses, &mut next_use, |(op, _)| *op == row);
        let kernel = kernel.map_or(event, |&(_, phase)| &events[phase as usize]);
        let node = nodes.of(event, (names, texts), builder);
        let times = OpTimes {
            start_unix_ns: event.start_ns,
            length_ns: event.length_ns,
            kernel_start_ns: kernel.start_ns.saturating_sub(event.start_ns),
            kernel_end_ns: kernel.end_ns().saturating_sub(event.start_ns),
            thread: event.thread,
            scheduled_unix_ns: None,
        };
        // An op that is refused here is left out by the selection, and counted.
        if builder.op_of(event.slot, node, &times).is_err() {
            continue;
        }
        if let Some(bytes) = event.copied_bytes {
            builder.output(&OutputRecord {
                requested_bytes: bytes,
                allocated_bytes: bytes,
                ..OutputRecord::default()
            });
        }
        add_uses(own_uses, event.end_ns(), builder);
    }
    (all_uses - uses.len()) as u64
}

/// The rows from `next` on that are `own`; moves `next` behind them.
fn take_run<'a, T>(rows: &'a [T], next: &mut usize, own: impl Fn(&T) -> bool) -> &'a [T] {
    let rest = rows.get(*next..).unwrap_or_default();
    let length = rest.iter().take_while(|row| own(row)).count();
    *next += length;
    &rest[..length]
}

/// Adds the allocations of an op, with a report for each place.
fn add_uses(uses: &[(u32, Use)], op_end_ns: i64, builder: &mut TraceBuilder) {
    for own in uses.chunk_by(|(_, a), (_, b)| (a.place, a.device) == (b.place, b.device)) {
        let mut changes = Vec::with_capacity(2 * own.len());
        for (_, made) in own {
            changes.push((made.start_ns, made.bytes));
            if made.end_ns > made.start_ns {
                changes.push((made.end_ns, -made.bytes));
            }
        }
        order::by_number(&mut changes, |change| change);
        let (mut held, mut peak, mut total) = (0_i64, 0, 0_i64);
        for &(_, bytes) in changes.iter().take_while(|(at, _)| *at <= op_end_ns) {
            held = held.saturating_add(bytes);
            peak = peak.max(held);
            total = total.saturating_add(bytes.max(0));
        }
        let (_, Use { place, device, .. }) = own[0];
        let allocator = match place {
            0 => format!("CUDAPlace({device})"),
            1 => "CPUPlace".to_owned(),
            2 => "CUDAPinnedPlace".to_owned(),
            other => say!("paddle-place", number = other.to_string()),
        };
        builder.allocator_use(allocator.as_bytes(), total, peak, held, None);
        changes.iter().for_each(|&(at, bytes)| builder.allocation(at, bytes));
    }
}

/// (op, its phase `compute`), in order of op. The time before and after that phase is Paddle's own work.
///
/// An op and its phases are neighbours; the op comes before or after them, depending on the version of Paddle.
fn kernels(events: &[Event], names: &StringTable) -> Vec<(u32, u32)> {
    let op_of_name: Vec<Option<StringId>> = (0..names.len())
        .map(|row| {
            let path = names.get(StringId::from_usize(row));
            let op = path.strip_suffix("/compute")?;
            let is_op = place(path, |beginning| names.find(beginning).is_some()).op == Some(op);
            is_op.then(|| names.find(op)).flatten()
        })
        .collect();
    let is_within = |phase: &Event, op: &Event| {
        (op.slot, op.thread) == (phase.slot, phase.thread)
            && op.start_ns <= phase.start_ns
            && phase.end_ns() <= op.end_ns()
    };
    let mut kernels = Vec::new();
    let (mut last_op, mut last_phase): (Option<u32>, Option<u32>) = (None, None);
    for (row, event) in (0..).zip(events).filter(|(_, event)| event.kind == EventSource::Cpu) {
        if let Some(name) = op_of_name[event.name.index()] {
            let op = last_op.map(|op| (op, &events[op as usize]));
            match op.filter(|(_, op)| op.name == name && is_within(event, op)) {
                Some((op, _)) => kernels.push((op, row)),
                None => last_phase = Some(row),
            }
            continue;
        }
        let phase = last_phase.map(|phase| (phase, &events[phase as usize]));
        let own = |(_, phase): &(u32, &Event)| op_of_name[phase.name.index()] == Some(event.name);
        if let Some((phase, _)) = phase.filter(|phase| own(phase) && is_within(phase.1, event)) {
            kernels.push((row, phase));
            last_phase = None;
        }
        // Other phases may be between an op and this one.
        let is_phase = last_op.is_some_and(|op| {
            let (op, own) = (names.get(events[op as usize].name), names.get(event.name));
            own.strip_prefix(op).is_some_and(|rest| rest.starts_with('/'))
        });
        if !is_phase {
            last_op = Some(row);
        }
    }
    order::by_number(&mut kernels, |(op, _)| (i64::from(op), 0));
    kernels
}

/// Events by name and time.
struct EventIndex<'a> {
    events: &'a [Event],
    names: &'a StringTable,
    /// The events of CPUs, by name and start.
    rows: Vec<u32>,
    ends: Ends,
}

impl<'a> EventIndex<'a> {
    fn of(events: &'a [Event], names: &'a StringTable) -> Self {
        let is_cpu = |row: &u32| events[*row as usize].kind == EventSource::Cpu;
        let mut rows: Vec<u32> = (0..events.len() as u32).filter(is_cpu).collect();
        order::by_number(&mut rows, |row| {
            let event = &events[row as usize];
            (i64::from(event.name.get()), event.start_ns)
        });
        let ends = Ends::of(rows.iter().map(|&row| events[row as usize].end_ns()).collect());
        Self { events, names, rows, ends }
    }

    fn place<'b>(&self, path: &'b str) -> PathParts<'b> {
        place(path, |beginning| self.names.find(beginning).is_some())
    }

    /// The last event called `name` that had started and not ended at `at_ns`.
    fn going_on(&self, name: &str, at_ns: i64) -> Option<u32> {
        let name = self.names.find(name)?;
        let event = |row: u32| &self.events[row as usize];
        let end = self.rows.partition_point(|&row| (event(row).name, event(row).start_ns) <= (name, at_ns));
        let row = *self.rows.get(self.ends.last_reaching(end, at_ns)?)?;
        (event(row).name == name).then_some(row)
    }

    /// (the op that made it, a use of memory), in order of op and place.
    fn joined(&self, uses: &[Use], texts: &StringTable) -> Vec<(u32, Use)> {
        let maker = |made: &Use| {
            let path = texts.get(made.made_in);
            let op = self.place(path).op.unwrap_or(path);
            self.going_on(op, made.start_ns).or_else(|| self.going_on(path, made.start_ns))
        };
        let mut joined: Vec<_> = uses.iter().filter_map(|made| Some((maker(made)?, *made))).collect();
        order::by_number(&mut joined, |(op, made)| {
            (i64::from(op), i64::from(made.place) << 32 | i64::from(made.device))
        });
        joined
    }
}

/// The nodes by name. Most events have no detail, and there are few names.
#[derive(Default)]
struct Nodes {
    /// By name and kind.
    known: Vec<[Option<NodeId>; 3]>,
}

impl Nodes {
    fn of(
        &mut self,
        event: &Event,
        tables: (&StringTable, &StringTable),
        builder: &mut TraceBuilder,
    ) -> NodeId {
        if self.known.is_empty() {
            self.known = vec![[None; 3]; tables.0.len()];
        }
        let known = &mut self.known[event.name.index()][event.kind as usize];
        if let (Some(node), None) = (*known, event.detail) {
            return node;
        }
        let path = tables.0.get(event.name);
        let place = place(path, |beginning| tables.0.find(beginning).is_some());
        let (is_inner, kind) = match event.kind {
            EventSource::Cpu => (place.is_inner(path), place.kind),
            EventSource::Api => (true, path),
            // A kernel has the name of what launched it, and belongs to its op.
            EventSource::Gpu => (false, place.name),
        };
        let mut label = if is_inner { b"~ ".to_vec() } else { b"= ".to_vec() };
        push_op_type(kind.as_bytes(), b"", &mut label);
        label.extend_from_slice(b"()");
        let Some(detail) = event.detail else {
            return *known.insert(builder.node(path.as_bytes(), &label));
        };
        label.push(b' ');
        label.extend_from_slice(tables.1.get(detail).as_bytes());
        builder.node(path.as_bytes(), &label)
    }
}
