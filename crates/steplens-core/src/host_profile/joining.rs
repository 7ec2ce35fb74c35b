//! Joins each event to the executor's op that it repeats, and finds its run and its thread.
//!
//! An event and its op have the same node name and op type, the same device if the event has one, and the event starts within the
//! op. Of several such ops it is the one that started last: the executor stamps an op's start just before it calls the kernel. So a
//! loop is joined run by run.
//!
//! Events of other runs of sessions may be of the same nodes at the same time. So it is decided first which runs belong to the
//! step; only their events are joined.

use super::event::{Label, Named, is_transfer_node};
use super::{EventKind, HostEvent, HostProfile, HostThread};
use crate::base::ids::{DeviceId, NodeId, OpId, PartId, StringId};
use crate::base::order;
use crate::base::units::Timestamp;
use crate::model::device::DeviceKind;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

type Map<K, V> = HashMap<K, V, FixedState>;
type HashSet<T> = hashbrown::HashSet<T, FixedState>;

/// The content of the name and label of an event's node, with names as ids.
#[derive(Clone, Copy)]
struct Facts {
    kind: Kind,
    run: Option<i64>,
    device: Option<StringId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An op of a node in the trace: (name, op type).
    Op(StringId, StringId),
    /// An event with a name like an op, but the executor has no op of this node.
    UnknownOp,
    TransferNode,
    Process,
    Range,
}

/// An event before it is joined.
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
    let ops = Ops::indexed(trace, &drafts);
    let mut is_taken = HashSet::default();
    let (first, others) = fitting_runs(trace, &ops, &drafts);
    let rows_of = |drafts: &[Draft], runs: &dyn Fn(PartId, i64) -> bool| -> Vec<usize> {
        let is_of = |draft: &Draft| draft.facts.run.is_some_and(|run| runs(draft.part, run));
        (0..drafts.len()).filter(|&row| is_of(&drafts[row])).collect()
    };
    let rows = rows_of(&drafts, &|part, run| first.get(&part) == Some(&run));
    join(trace, &ops, &mut drafts, &mut is_taken, &rows);
    let mut own_runs: HashSet<(PartId, i64)> = first.iter().map(|(&part, &run)| (part, run)).collect();
    if !others.is_empty() {
        // If another run belongs to the step, most of its events are ops that are left. Otherwise it runs the same nodes elsewhere.
        let rows = rows_of(&drafts, &|part, run| others.contains_key(&(part, run)));
        let mut tried = is_taken.clone();
        join(trace, &ops, &mut drafts, &mut tried, &rows);
        let mut joined: Map<(PartId, i64), usize> = Map::default();
        for &row in &rows {
            let draft = &mut drafts[row];
            if let (Some(_), Some(run)) = (draft.op.take(), draft.facts.run) {
                *joined.entry((draft.part, run)).or_default() += 1;
            }
        }
        let fits = |key: &(PartId, i64)| joined.get(key).is_some_and(|&joined| joined * 2 > others[key]);
        own_runs.extend(others.keys().filter(|key| fits(key)));
        let rows = rows_of(&drafts, &|part, run| {
            others.contains_key(&(part, run)) && own_runs.contains(&(part, run))
        });
        join(trace, &ops, &mut drafts, &mut is_taken, &rows);
    }
    let has_own = |draft: &Draft| first.contains_key(&draft.part);
    let is_other = |draft: &Draft| {
        has_own(draft) && draft.facts.run.is_some_and(|run| !own_runs.contains(&(draft.part, run)))
    };
    // A range that began before the profiler is not recorded. The run of events inside it is not known, and they take the ops that
    // are left.
    let says_none = |draft: &Draft| has_own(draft) && draft.facts.run.is_none();
    let of_none: Vec<usize> = (0..drafts.len()).filter(|&row| drafts[row].facts.run.is_none()).collect();
    join(trace, &ops, &mut drafts, &mut is_taken, &of_none);
    let mut profile = HostProfile::default();
    let rows = Threads::indexed(trace, &drafts);
    for draft in &drafts {
        let kind = match (draft.op, draft.facts.kind) {
            _ if is_other(draft) => EventKind::OtherRun,
            (Some(op), _) => {
                profile.of_op.push((op, profile.events.len() as u32));
                EventKind::Joined(op)
            }
            (None, Kind::TransferNode) => EventKind::TransferNode,
            (None, Kind::Op(..) | Kind::UnknownOp) if says_none(draft) => EventKind::OtherRun,
            (None, Kind::Op(..) | Kind::UnknownOp) => EventKind::Unjoined,
            (None, Kind::Process | Kind::Range) => EventKind::Range,
        };
        profile.events.push(HostEvent { event: draft.event, kind, thread: rows.row(trace, draft) });
    }
    profile.threads = rows.threads;
    order::by_number(&mut profile.of_op, |(op, _)| (i64::from(op.get()), 0));
    profile
}

/// All events, in the order of the trace's ops.
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

/// Gives events without a run the run of the `ExecutorState::Process` around them on their thread.
fn give_runs(trace: &Trace, drafts: &mut [Draft]) {
    let ops = trace.ops();
    // For each thread the range that began last: (end, run). Events come in order of start.
    let mut around: Map<(DeviceId, u32), (Timestamp, i64)> = Map::default();
    for draft in drafts {
        let thread = (draft.device, draft.thread);
        match (draft.facts.kind, draft.facts.run) {
            (Kind::Process, Some(run)) => {
                around.insert(thread, (ops.end(draft.event), run));
            }
            (_, None) => {
                let run = around.get(&thread).filter(|&&(end, _)| ops.start(draft.event) <= end);
                draft.facts.run = run.map(|&(_, run)| run);
            }
            _ => {}
        }
    }
}

/// The ops of executors that have names of events.
struct Ops {
    /// By part, name and op type; each list in order of start.
    of_node: Map<(PartId, StringId, StringId), Vec<OpId>>,
    /// For each op in these lists its start, and the last end of the ops up to it.
    around: Map<(PartId, StringId, StringId), Vec<(Timestamp, Timestamp)>>,
}

impl Ops {
    fn indexed(trace: &Trace, drafts: &[Draft]) -> Self {
        let (ops, nodes) = (trace.ops(), trace.nodes());
        let mut of_node: Map<_, Vec<OpId>> = Map::default();
        for draft in drafts {
            if let Kind::Op(name, op_type) = draft.facts.kind {
                of_node.entry((draft.part, name, op_type)).or_default();
            }
        }
        // A node runs many times, so its name is looked up only once.
        let named: HashSet<(StringId, StringId)> =
            of_node.keys().map(|&(_, name, op_type)| (name, op_type)).collect();
        let is_named = |id: NodeId| named.contains(&(nodes.name(id), nodes.op_type(id)));
        let is_named: Vec<bool> = nodes.ids().map(is_named).collect();
        for device in trace.devices().ids().filter(|&device| is_executor(trace, device)) {
            for op in trace.ops_of(device) {
                let node = ops.node(op);
                if is_named[node.index()] && trace.category(op) != Category::Range {
                    let key = (ops.part(op), nodes.name(node), nodes.op_type(node));
                    of_node.get_mut(&key).into_iter().for_each(|runs_of_key| runs_of_key.push(op));
                }
            }
        }
        // The ops were added device by device.
        of_node.values_mut().for_each(|runs_of_key| {
            order::by_number(runs_of_key, |op| (ops.start(op).0, i64::from(op.get())))
        });
        let around = of_node.iter().map(|(&key, runs_of_key)| {
            let mut last = Timestamp(i64::MIN);
            let mut up_to = |op: &OpId| {
                last = last.max(ops.end(*op));
                (ops.start(*op), last)
            };
            (key, runs_of_key.iter().map(&mut up_to).collect())
        });
        Self { around: around.collect(), of_node }
    }

    /// Whether the event `draft`, which begins at `at`, begins within an op with the same name and type, on any device.
    fn has_around(&self, draft: &Draft, at: Timestamp) -> bool {
        let Kind::Op(name, op_type) = draft.facts.kind else { return false };
        let Some(around) = self.around.get(&(draft.part, name, op_type)) else { return false };
        let begun = around.partition_point(|&(start, _)| start <= at + HostProfile::ROUNDING);
        begun.checked_sub(1).is_some_and(|last| around[last].1 >= at)
    }
}

/// Whether an executor ran the ops of `device`.
fn is_executor(trace: &Trace, device: DeviceId) -> bool {
    let row = trace.devices().get(device);
    !row.nests
        && !row.is_accelerator
        && matches!(row.kind, DeviceKind::Cpu | DeviceKind::Gpu | DeviceKind::Tpu)
}

/// The key that groups events: part, node name, op type, and the device if the label has one.
type GroupKey = (PartId, StringId, StringId, Option<StringId>);

/// Joins the drafts of `rows`, each to an op that is not taken yet; returns how many were joined.
fn join(
    trace: &Trace,
    ops: &Ops,
    drafts: &mut [Draft],
    is_taken: &mut HashSet<OpId>,
    rows: &[usize],
) -> usize {
    let mut groups: Map<GroupKey, Vec<usize>> = Map::default();
    for &row in rows {
        let draft = &drafts[row];
        if let Kind::Op(name, op_type) = draft.facts.kind {
            groups.entry((draft.part, name, op_type, draft.facts.device)).or_default().push(row);
        }
    }
    // Events with a device come first: the others take the ops that are left.
    let mut keys: Vec<GroupKey> = groups.keys().copied().collect();
    let place = |(part, name, op_type, device): GroupKey| (device.is_none(), device, part, name, op_type);
    keys.sort_by_key(|&a| place(a));
    let mut joined = 0;
    for (part, name, op_type, device) in keys {
        let mut rows = groups.remove(&(part, name, op_type, device)).unwrap_or_default();
        let Some(all) = ops.of_node.get(&(part, name, op_type)) else { continue };
        let is_on =
            |op: OpId| device.is_none_or(|device| trace.devices().get(trace.device_of(op)).name == device);
        let mut later = all.iter().copied().filter(|&op| is_on(op)).peekable();
        // The ops that have started and have no event yet, the last one on top.
        let mut started: Vec<OpId> = Vec::new();
        order::by_number(&mut rows, |row| (trace.ops().start(drafts[row].event).0, row as i64));
        for row in rows {
            let at = trace.ops().start(drafts[row].event);
            while let Some(op) = later.next_if(|&op| trace.ops().start(op) <= at + HostProfile::ROUNDING) {
                started.push(op);
            }
            // Ops that have ended get no event, because the next events are later.
            while started.last().is_some_and(|&op| trace.ops().end(op) < at || is_taken.contains(&op)) {
                started.pop();
            }
            if let Some(op) = started.pop() {
                is_taken.insert(op);
                drafts[row].op = Some(op);
                joined += 1;
            }
        }
    }
    joined
}

/// The runs that may belong to the step of their part. First, for each part, the run that fits the most events; of equal ones the
/// lower. Second, all other runs with more than half of their op-like events beginning within an op of that name; each with the
/// number of its op-like events. A function that is not inlined is a separate run within the step; other sessions run other nodes,
/// or the same nodes at other times.
fn fitting_runs(trace: &Trace, ops: &Ops, drafts: &[Draft]) -> (Map<PartId, i64>, Map<(PartId, i64), usize>) {
    // For each run: the number of events with names like ops, and how many of these begin within such an op.
    let mut fits: Map<(PartId, i64), (usize, usize)> = Map::default();
    for draft in drafts {
        let (Some(run), Kind::Op(..) | Kind::UnknownOp) = (draft.facts.run, draft.facts.kind) else {
            continue;
        };
        let fit = fits.entry((draft.part, run)).or_default();
        fit.0 += 1;
        fit.1 += usize::from(ops.has_around(draft, trace.ops().start(draft.event)));
    }
    let mut most: Map<PartId, (usize, Reverse<i64>)> = Map::default();
    for (&(part, run), &(_, within)) in fits.iter().filter(|(_, fit)| fit.1 > 0) {
        let best = most.entry(part).or_insert((within, Reverse(run)));
        *best = (*best).max((within, Reverse(run)));
    }
    let first: Map<PartId, i64> = most.into_iter().map(|(part, (_, Reverse(run)))| (part, run)).collect();
    let others =
        fits.into_iter().filter(|&((part, run), (named, within))| within * 2 > named && first[&part] != run);
    (first.clone(), others.map(|(key, (named, _))| (key, named)).collect())
}

/// (since when a thread runs ops of this task, task).
type TaskFrom = (Timestamp, Option<StringId>);

/// The threads of events, as rows.
struct Threads {
    threads: Vec<HostThread>,
    /// The row by device, number and, if processes share the number, task.
    row_of: Map<(DeviceId, u32, Option<StringId>), u32>,
    /// The (device, number) pairs that threads of several processes share.
    shared: HashSet<(DeviceId, u32)>,
    /// For each such pair the starts of joined ops and their tasks, in order. The task of an event is that of the last op before
    /// it.
    tasks: Map<(DeviceId, u32), Vec<TaskFrom>>,
}

impl Threads {
    fn indexed(trace: &Trace, drafts: &[Draft]) -> Self {
        let mut found = Self {
            threads: Vec::new(),
            row_of: Map::default(),
            shared: Default::default(),
            tasks: Map::default(),
        };
        for draft in drafts {
            if let Some(op) = draft.op {
                let task = trace.devices().get(trace.device_of(op)).task;
                let at = trace.ops().start(draft.event);
                found.tasks.entry((draft.device, draft.thread)).or_default().push((at, task));
            }
        }
        // A thread runs one op at a time: if events of two tasks overlap, they are on two threads with the same number.
        let mut newest: Map<(DeviceId, u32), (Timestamp, Option<StringId>)> = Map::default();
        for draft in drafts {
            let Some(op) = draft.op else { continue };
            let key = (draft.device, draft.thread);
            let task = trace.devices().get(trace.device_of(op)).task;
            let event = trace.ops().interval(draft.event);
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
        // No thread has the number 0: it means that no thread was recorded.
        for draft in drafts.iter().filter(|draft| draft.thread != 0) {
            let key = found.key(trace, draft);
            let next = found.threads.len() as u32;
            let (device, number, task) = key;
            if found.row_of.try_insert(key, next).is_ok() {
                found.threads.push(HostThread { device, number, task });
            }
        }
        found
    }

    fn key(&self, trace: &Trace, draft: &Draft) -> (DeviceId, u32, Option<StringId>) {
        let thread = (draft.device, draft.thread);
        if !self.shared.contains(&thread) {
            return (draft.device, draft.thread, None);
        }
        let of_op = draft.op.map(|op| trace.devices().get(trace.device_of(op)).task);
        let at = trace.ops().start(draft.event);
        let before = || {
            let tasks = self.tasks.get(&thread)?;
            let count = tasks.partition_point(|&(start, _)| start <= at);
            tasks.get(count.saturating_sub(1)).map(|&(_, task)| task)
        };
        (draft.device, draft.thread, of_op.or_else(before).flatten())
    }

    fn row(&self, trace: &Trace, draft: &Draft) -> Option<u32> {
        self.row_of.get(&self.key(trace, draft)).copied()
    }
}
