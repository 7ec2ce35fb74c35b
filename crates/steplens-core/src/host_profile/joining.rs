//! Joining: which op of the executor an event is, of which run, on which thread.
//!
//! An event and its op have one node name and one op type, if the event says it one device, and the event starts within the op. Of several ops it is the one that started last:
//! the executor stamps an op's start just before it calls the kernel. So a loop is joined run by run.
//!
//! Events of other runs of sessions may be of the same nodes at the same time. The step's own run is the one that most joined events
//! belong to; then its events are joined alone.

use super::event::{Label, Named, is_transfer_node};
use super::{EventKind, HostEvent, HostProfile, HostThread};
use crate::base::ids::{DeviceId, NodeId, OpId, PartId, StringId};
use crate::base::order;
use crate::base::units::Timestamp;
use crate::model::device::DeviceKind;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

type Map<K, V> = HashMap<K, V, FixedState>;
type HashSet<T> = hashbrown::HashSet<T, FixedState>;

/// What the name and the label of an event's node say, with names as ids.
#[derive(Clone, Copy)]
struct Facts {
    kind: Kind,
    run: Option<i64>,
    device: Option<StringId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An op of a node that the trace has, of this op type.
    Op(StringId, StringId),
    /// An op of which the executor recorded no run.
    UnknownOp,
    TransferNode,
    Process,
    Range,
}

/// An event on its way to its op.
struct Draft {
    event: OpId,
    device: DeviceId,
    thread: u32,
    part: PartId,
    facts: Facts,
    op: Option<OpId>,
}

pub(super) fn joined(trace: &Trace) -> HostProfile {
    let mut drafts = drafts(trace);
    give_runs(trace, &mut drafts);
    let ops = Ops::of(trace, &drafts);
    join(trace, &ops, &mut drafts, &mut HashSet::default(), |_| true);
    let runs = step_runs(&drafts);
    let step_run = |own: &Draft| runs.get(&own.part).copied();
    let is_other =
        |own: &Draft| step_run(own).is_some_and(|step| own.facts.run.is_some_and(|run| run != step));
    // A range is not recorded that had begun before the profiler did: what lies in it does not say its run, and takes what is left.
    let says_none = |own: &Draft| step_run(own).is_some() && own.facts.run.is_none();
    if drafts.iter().any(|own| own.op.is_some() && (is_other(own) || says_none(own))) {
        let mut is_taken = HashSet::default();
        drafts.iter_mut().for_each(|own| own.op = None);
        join(trace, &ops, &mut drafts, &mut is_taken, |own| !is_other(own) && !says_none(own));
        join(trace, &ops, &mut drafts, &mut is_taken, says_none);
    }
    let mut profile = HostProfile::default();
    let rows = Threads::of(trace, &drafts);
    for own in &drafts {
        let kind = match (own.op, own.facts.kind) {
            _ if is_other(own) => EventKind::OtherRun,
            (Some(op), _) => {
                profile.of_op.push((op, profile.events.len() as u32));
                EventKind::Joined(op)
            }
            (None, Kind::TransferNode) => EventKind::TransferNode,
            (None, Kind::Op(..) | Kind::UnknownOp) if says_none(own) => EventKind::OtherRun,
            (None, Kind::Op(..) | Kind::UnknownOp) => EventKind::Unjoined,
            (None, Kind::Process | Kind::Range) => EventKind::Range,
        };
        profile.events.push(HostEvent { event: own.event, kind, thread: rows.row(trace, own) });
    }
    profile.threads = rows.threads;
    order::by_number(&mut profile.of_op, |(op, _)| (i64::from(op.get()), 0));
    profile
}

/// Every event, in the order of the trace's ops.
fn drafts(trace: &Trace) -> Vec<Draft> {
    let (ops, nodes) = (trace.ops(), trace.nodes());
    let mut facts_of: Map<NodeId, Facts> = Map::default();
    let facts = |node: NodeId| {
        let [name, label] = [nodes.name(node), nodes.label(node)].map(|id| trace.text(id));
        let label = Label::of(label);
        let find = |text: &str| trace.strings().find(text);
        let kind = match Named::of(name) {
            Named::Op { op_type, .. } if is_transfer_node(op_type) => Kind::TransferNode,
            Named::Op { name, op_type } => find(name)
                .zip(find(op_type))
                .map_or(Kind::UnknownOp, |(name, op_type)| Kind::Op(name, op_type)),
            Named::Process => Kind::Process,
            Named::Range => Kind::Range,
        };
        Facts { kind, run: label.run, device: label.device.and_then(find) }
    };
    let mut drafts = Vec::new();
    for device in trace.devices().host_profilers() {
        drafts.extend(trace.ops_of(device).map(|event| {
            let node = ops.node(event);
            let facts = *facts_of.entry(node).or_insert_with(|| facts(node));
            Draft { event, device, thread: ops.thread(event), part: ops.part(event), facts, op: None }
        }));
    }
    drafts
}

/// Gives events that do not say their run that of the `ExecutorState::Process` around them on their thread.
fn give_runs(trace: &Trace, drafts: &mut [Draft]) {
    let ops = trace.ops();
    // Of each thread the range that began last: (end, run). Events come in order of start.
    let mut around: Map<(DeviceId, u32), (Timestamp, i64)> = Map::default();
    for own in drafts {
        let thread = (own.device, own.thread);
        match (own.facts.kind, own.facts.run) {
            (Kind::Process, Some(run)) => {
                around.insert(thread, (ops.end(own.event), run));
            }
            (_, None) => {
                let run = around.get(&thread).filter(|&&(end, _)| ops.start(own.event) <= end);
                own.facts.run = run.map(|&(_, run)| run);
            }
            _ => {}
        }
    }
}

/// The ops of executors that events name.
struct Ops {
    /// In order of start, by part, name and op type.
    of_node: Map<(PartId, StringId, StringId), Vec<OpId>>,
}

impl Ops {
    fn of(trace: &Trace, drafts: &[Draft]) -> Self {
        let (ops, nodes) = (trace.ops(), trace.nodes());
        let mut of_node: Map<_, Vec<OpId>> = Map::default();
        for own in drafts {
            if let Kind::Op(name, op_type) = own.facts.kind {
                of_node.entry((own.part, name, op_type)).or_default();
            }
        }
        // A node runs often: whether events name it is looked up once.
        let named: HashSet<(StringId, StringId)> =
            of_node.keys().map(|&(_, name, op_type)| (name, op_type)).collect();
        let is_named = |id: NodeId| named.contains(&(nodes.name(id), nodes.op_type(id)));
        let is_named: Vec<bool> = nodes.ids().map(is_named).collect();
        for device in trace.devices().ids().filter(|&device| is_executor(trace, device)) {
            for op in trace.ops_of(device) {
                let node = ops.node(op);
                if is_named[node.index()] && trace.category(op) != Category::Range {
                    let key = (ops.part(op), nodes.name(node), nodes.op_type(node));
                    of_node.get_mut(&key).into_iter().for_each(|own| own.push(op));
                }
            }
        }
        // They were met device by device.
        of_node
            .values_mut()
            .for_each(|own| order::by_number(own, |op| (ops.start(op).0, i64::from(op.get()))));
        Self { of_node }
    }
}

/// Whether an executor ran the ops of `device`.
fn is_executor(trace: &Trace, device: DeviceId) -> bool {
    let row = trace.devices().get(device);
    !row.nests
        && !row.is_accelerator
        && matches!(row.kind, DeviceKind::Cpu | DeviceKind::Gpu | DeviceKind::Tpu)
}

/// Events that are told apart by time alone: part, node name, op type, and the device if they say it.
type GroupKey = (PartId, StringId, StringId, Option<StringId>);

/// Joins the drafts that `is_wanted`, each to an op that is not taken yet.
fn join(
    trace: &Trace,
    ops: &Ops,
    drafts: &mut [Draft],
    is_taken: &mut HashSet<OpId>,
    is_wanted: impl Fn(&Draft) -> bool,
) {
    let mut groups: Map<GroupKey, Vec<usize>> = Map::default();
    for (row, own) in drafts.iter().enumerate() {
        if let (Kind::Op(name, op_type), true) = (own.facts.kind, is_wanted(own)) {
            groups.entry((own.part, name, op_type, own.facts.device)).or_default().push(row);
        }
    }
    // Those that say their device come first: others take what these leave.
    let mut keys: Vec<GroupKey> = groups.keys().copied().collect();
    let place = |(part, name, op_type, device): GroupKey| (device.is_none(), device, part, name, op_type);
    order::by(&mut keys, |a, b| place(a).cmp(&place(b)));
    for (part, name, op_type, device) in keys {
        let mut rows = groups.remove(&(part, name, op_type, device)).unwrap_or_default();
        let Some(all) = ops.of_node.get(&(part, name, op_type)) else { continue };
        let is_on =
            |op: OpId| device.is_none_or(|device| trace.devices().get(trace.device_of(op)).name == device);
        let mut later = all.iter().copied().filter(|&op| is_on(op)).peekable();
        // Ops that have started and have no event yet, the last one on top.
        let mut started: Vec<OpId> = Vec::new();
        order::by_number(&mut rows, |row| (trace.ops().start(drafts[row].event).0, row as i64));
        for row in rows {
            let at = trace.ops().start(drafts[row].event);
            while let Some(op) = later.next_if(|&op| trace.ops().start(op) <= at + HostProfile::ROUNDING) {
                started.push(op);
            }
            // What has ended has no event: the next events are later.
            while started.last().is_some_and(|&op| trace.ops().end(op) < at || is_taken.contains(&op)) {
                started.pop();
            }
            if let Some(op) = started.pop() {
                is_taken.insert(op);
                drafts[row].op = Some(op);
            }
        }
    }
}

/// Of each part the run that most of its joined events belong to; of those that have equally many, the one with the lower id.
fn step_runs(drafts: &[Draft]) -> Map<PartId, i64> {
    let mut counts: Map<(PartId, i64), usize> = Map::default();
    for own in drafts {
        if let (Some(_), Some(run)) = (own.op, own.facts.run) {
            *counts.entry((own.part, run)).or_default() += 1;
        }
    }
    let mut most: Map<PartId, (usize, i64)> = Map::default();
    for ((part, run), count) in counts {
        let best = most.entry(part).or_insert((count, run));
        if (count, -i128::from(run)) > (best.0, -i128::from(best.1)) {
            *best = (count, run);
        }
    }
    most.into_iter().map(|(part, (_, run))| (part, run)).collect()
}

/// The threads of events, each with a row.
struct Threads {
    threads: Vec<HostThread>,
    /// By device, number and, where processes share the number, task.
    row_of: Map<(DeviceId, u32, Option<StringId>), u32>,
    /// The numbers that threads of several processes have.
    shared: HashSet<(DeviceId, u32)>,
    /// Of each such thread, the task whose joined op ran last before an event: (device, number) to (start, task), in order.
    tasks: Map<(DeviceId, u32), Vec<(Timestamp, Option<StringId>)>>,
}

impl Threads {
    fn of(trace: &Trace, drafts: &[Draft]) -> Self {
        let mut found = Self {
            threads: Vec::new(),
            row_of: Map::default(),
            shared: Default::default(),
            tasks: Map::default(),
        };
        for own in drafts {
            if let Some(op) = own.op {
                let task = trace.devices().get(trace.device_of(op)).task;
                let at = trace.ops().start(own.event);
                found.tasks.entry((own.device, own.thread)).or_default().push((at, task));
            }
        }
        // One thread runs one op at a time: events of two tasks that overlap are on two threads with one number.
        let mut newest: Map<(DeviceId, u32), (Timestamp, Option<StringId>)> = Map::default();
        for own in drafts {
            let Some(op) = own.op else { continue };
            let key = (own.device, own.thread);
            let task = trace.devices().get(trace.device_of(op)).task;
            let event = trace.ops().interval(own.event);
            match newest.get_mut(&key) {
                Some((end, before)) => {
                    if *before != task && event.start + HostProfile::ROUNDING < *end {
                        found.shared.insert(key);
                    }
                    if event.end > *end {
                        (*end, *before) = (event.end, task);
                    }
                }
                None => _ = newest.insert(key, (event.end, task)),
            }
        }
        // No thread has the number 0: nothing was recorded.
        for own in drafts.iter().filter(|own| own.thread != 0) {
            let key = found.key(trace, own);
            let next = found.threads.len() as u32;
            let (device, number, task) = key;
            if found.row_of.try_insert(key, next).is_ok() {
                found.threads.push(HostThread { device, number, task });
            }
        }
        found
    }

    fn key(&self, trace: &Trace, own: &Draft) -> (DeviceId, u32, Option<StringId>) {
        let thread = (own.device, own.thread);
        if !self.shared.contains(&thread) {
            return (own.device, own.thread, None);
        }
        let of_op = own.op.map(|op| trace.devices().get(trace.device_of(op)).task);
        let at = trace.ops().start(own.event);
        let before = || {
            let tasks = self.tasks.get(&thread)?;
            let count = tasks.partition_point(|&(start, _)| start <= at);
            tasks.get(count.saturating_sub(1)).map(|&(_, task)| task)
        };
        (own.device, own.thread, of_op.or_else(before).flatten())
    }

    fn row(&self, trace: &Trace, own: &Draft) -> Option<u32> {
        self.row_of.get(&self.key(trace, own)).copied()
    }
}
