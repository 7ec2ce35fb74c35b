//! Grouping: which ops of a device are shown together when its lanes are arranged by thread, op type or name scope.

use super::threads::{self, OTHER_RUNS, Role, cut};
use crate::base::ids::{DeviceId, NodeId, OpId, StringId};
use crate::base::natural;
use crate::base::units::Nanos;
use crate::host_profile::{EventKind, HostEvent, HostProfile};
use crate::storage::strings::StringTable;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_messages::say;

/// The most threads of a device with separate lanes: more than the cores that one executor uses.
const MAX_THREADS: usize = 128;
/// The most op types or scopes of a device with separate lanes: as many as one can distinguish.
const MAX_NAMES: usize = 24;

/// The group of ops beyond these bounds.
const OTHER: &str = "other";
/// The group of ops whose name has no `/`.
fn no_scope() -> &'static str {
    say!("no-scope")
}
/// The group of transfers and collectives, whose names say nothing about scopes; also the lower lanes of a packed device.
pub(crate) const COMMUNICATION: &str = "communication";

/// How the lanes of every device are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// The fewest lanes in which the ops of the device fit, and below them the fewest in which its communication fits.
    #[default]
    Packed,
    /// Separate lanes for each thread.
    Thread,
    /// Separate lanes for each op type.
    OpType,
    /// Separate lanes for each name scope: the first part of a name before a `/`, or more parts if all scoped names of the device
    /// share them.
    Scope,
}

impl Arrangement {
    /// The arrangement that `word` stands for in the page's contract.
    pub fn by_word(word: &str) -> Option<Self> {
        Some(match word {
            "packed" => Self::Packed,
            "thread" => Self::Thread,
            "op_type" => Self::OpType,
            "scope" => Self::Scope,
            _ => return None,
        })
    }
}

/// The arrangement of `device` if `by` is wanted. Packed lanes would make no picture for the streams of a GPU, for threads of a
/// host whose ops contain one another, and for threads that a host profiler recorded: each of these gets separate lanes.
pub(crate) fn effective(trace: &Trace, device: DeviceId, by: Arrangement) -> Arrangement {
    let row = trace.devices().get(device);
    match by {
        Arrangement::Packed if row.nests || row.is_accelerator => Arrangement::Thread,
        Arrangement::Packed if trace.devices().is_host_profiler(device) => Arrangement::Thread,
        _ => by,
    }
}

/// What most ops of a group do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKind {
    /// They compute or copy.
    Ops,
    /// They communicate.
    Communication,
}

impl GroupKind {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Communication => COMMUNICATION,
        }
    }
}

/// Lanes of one device that belong together and are next to one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneGroup {
    /// Empty for packed ops; otherwise a thread, an op type or a scope.
    pub name: String,
    /// How many lanes.
    pub lanes: usize,
    /// What most of its ops do.
    pub kind: GroupKind,
}

/// The groups of one device, in the order in which they are shown.
pub(crate) struct Groups {
    pub(crate) names: Vec<(String, GroupKind)>,
    /// The group of each op of the device.
    of_op: Vec<u8>,
}

impl Groups {
    /// The groups of `device`: ops before communication; threads by name, everything else by summed time.
    pub(crate) fn divided(trace: &Trace, host: &HostProfile, device: DeviceId, by: Arrangement) -> Self {
        if by == Arrangement::Packed {
            let of_op =
                trace.ops_of(device).map(|op| u8::from(trace.category(op) == Category::Communication));
            let names =
                vec![(String::new(), GroupKind::Ops), (COMMUNICATION.to_owned(), GroupKind::Communication)];
            return Self { names, of_op: of_op.collect() };
        }
        let keys = Keys::new(trace, host, device, by);
        let mut parts = Members::grouped(trace, device, &keys);
        let mut names = StringTable::default();
        let mut totals: Vec<Total> = Vec::new();
        let shared_names = threads::shared_names(trace, device);
        let shared = if by == Arrangement::Scope { shared_scope(trace, &parts.rows) } else { "" };
        let roles =
            if by == Arrangement::Thread { threads::roles(trace, device) } else { HashMap::default() };
        for part in &mut parts.rows {
            let role = roles.get(&part.key).copied();
            let name = match by {
                Arrangement::Thread => match keys {
                    Keys::HostThread(host) => threads::name_on_host(trace, host, part.key),
                    _ => threads::name(trace, device, part.key, role, shared_names.as_ref()),
                },
                Arrangement::Scope if part.total.kind() == GroupKind::Communication => {
                    COMMUNICATION.to_owned()
                }
                Arrangement::Scope => scope(name_of(trace, part.key), shared).to_owned(),
                _ => cut(trace.text(trace.nodes().op_type(NodeId::new(part.key)))).to_owned(),
            };
            part.group = names.intern(name.as_bytes()).get();
            totals.resize(names.len(), Total::default());
            totals[part.group as usize].add(Total { role, ..part.total });
        }
        let text = |group: usize| names.get(StringId::from_usize(group));
        // Lines of an accelerator that only repeat others are below the others.
        let is_last = |total: &Total| trace.devices().get(device).is_accelerator && total.ranges == total.ops;
        let (kept, place_of) = arrange(&totals, by, text, is_last);
        let of_op = trace.ops_of(device).map(|op| {
            let part = &parts.rows[parts.row_of(trace, op, &keys)];
            place_of[part.group as usize]
        });
        Self { of_op: of_op.collect(), names: kept }
    }

    /// The group of op number `place` of the device.
    #[inline]
    pub(crate) fn of_op(&self, place: usize) -> usize {
        self.of_op.get(place).copied().unwrap_or(0).into()
    }
}

/// The sums from which groups are chosen.
#[derive(Clone, Copy, Default)]
struct Total {
    time: Nanos,
    ops: u64,
    communication: u64,
    ranges: u64,
    role: Option<Role>,
}

impl Total {
    fn add(&mut self, other: Self) {
        self.role = self.role.or(other.role);
        self.time += other.time;
        self.ranges += other.ranges;
        self.ops += other.ops;
        self.communication += other.communication;
    }

    fn kind(self) -> GroupKind {
        if self.communication * 2 > self.ops { GroupKind::Communication } else { GroupKind::Ops }
    }
}

/// The ops of one thread or of one node, which are always in the same group.
struct Member {
    key: u32,
    group: u32,
    total: Total,
}

struct Members {
    rows: Vec<Member>,
    row_of_key: HashMap<u32, u32, FixedState>,
}

impl Members {
    fn grouped(trace: &Trace, device: DeviceId, keys: &Keys<'_>) -> Self {
        let mut parts = Self { rows: Vec::new(), row_of_key: HashMap::default() };
        for op in trace.ops_of(device) {
            let key = keys.key(trace, op);
            let row = *parts.row_of_key.entry(key).or_insert_with(|| {
                parts.rows.push(Member { key, group: 0, total: Total::default() });
                parts.rows.len() as u32 - 1
            });
            let communicates = trace.category(op) == Category::Communication;
            let time = trace.ops().interval(op).length();
            let is_range = trace.category(op) == Category::Range;
            let counted = Total {
                time,
                ops: 1,
                communication: communicates.into(),
                ranges: is_range.into(),
                role: None,
            };
            parts.rows[row as usize].total.add(counted);
        }
        parts
    }

    fn row_of(&self, trace: &Trace, op: OpId, keys: &Keys<'_>) -> usize {
        self.row_of_key.get(&keys.key(trace, op)).map_or(0, |&row| row as usize)
    }
}

/// The keys of ops that are always in the same group.
enum Keys<'a> {
    /// The thread as the format has it.
    Thread,
    /// The thread that a host profiler recorded, as a row of its threads; or one of the two constants below.
    HostThread(&'a HostProfile),
    /// The node.
    Node,
}

/// For an executor's op that the host profiler did not record.
const NO_THREAD: u32 = u32::MAX;

impl<'a> Keys<'a> {
    fn new(trace: &Trace, host: &'a HostProfile, device: DeviceId, by: Arrangement) -> Self {
        let row = trace.devices().get(device);
        match by {
            Arrangement::Thread if host.is_empty() || row.nests || row.is_accelerator => Self::Thread,
            Arrangement::Thread => Self::HostThread(host),
            _ => Self::Node,
        }
    }

    #[inline]
    fn key(&self, trace: &Trace, op: OpId) -> u32 {
        match self {
            Self::Thread => trace.ops().thread(op),
            Self::HostThread(host) => match host.event(op).or_else(|| host.of_op(op)) {
                Some(HostEvent { kind: EventKind::OtherRun, .. }) => OTHER_RUNS,
                Some(HostEvent { thread: Some(thread), .. }) => *thread,
                _ => NO_THREAD,
            },
            Self::Node => trace.ops().node(op).get(),
        }
    }
}

/// The groups that are shown, in order; and for each group of `totals` its place among them.
fn arrange<'a>(
    totals: &[Total],
    by: Arrangement,
    name: impl Fn(usize) -> &'a str,
    is_last: impl Fn(&Total) -> bool,
) -> (Vec<(String, GroupKind)>, Vec<u8>) {
    let most = if by == Arrangement::Thread { MAX_THREADS } else { MAX_NAMES };
    let by_name = |a: usize, b: usize| natural::compare(name(a), name(b));
    let mut order: Vec<usize> = (0..totals.len()).collect();
    order.sort_by(|&a, &b| totals[b].time.cmp(&totals[a].time).then_with(|| by_name(a, b)));
    let rest = if order.len() > most { order.split_off(most - 1) } else { Vec::new() };
    if by == Arrangement::Thread {
        let place = |group: usize| totals[group].role.map_or(u8::MAX, |role| role as u8);
        order.sort_by(|&a, &b| place(a).cmp(&place(b)).then_with(|| by_name(a, b)));
        order.sort_by(|&a, &b| is_last(&totals[a]).cmp(&is_last(&totals[b])));
    }
    order.sort_by(|&a, &b| totals[a].kind().cmp(&totals[b].kind()));

    let mut other = Total::default();
    rest.iter().for_each(|&group| other.add(totals[group]));
    let ops = order.iter().filter(|&&group| totals[group].kind() == GroupKind::Ops).count();
    let other_place = if other.kind() == GroupKind::Ops { ops } else { order.len() };
    let mut kept: Vec<_> =
        order.iter().map(|&group| (name(group).to_owned(), totals[group].kind())).collect();
    // Groups that are not kept are in the rest.
    let mut place_of = vec![other_place as u8; totals.len()];
    for (place, &group) in order.iter().enumerate() {
        let after_other = !rest.is_empty() && place >= other_place;
        place_of[group] = (place + usize::from(after_other)) as u8;
    }
    if !rest.is_empty() {
        kept.insert(other_place, (OTHER.to_owned(), other.kind()));
    }
    (kept, place_of)
}

fn name_of(trace: &Trace, node: u32) -> &str {
    cut(trace.text(trace.nodes().name(NodeId::new(node))))
}

/// The part of a name up to and including its last `/`.
fn folders(name: &str) -> &str {
    &name[..name.rfind('/').map_or(0, |slash| slash + 1)]
}

/// The folders that the names of all nodes with folders share.
fn shared_scope<'a>(trace: &'a Trace, nodes: &[Member]) -> &'a str {
    let ops = nodes.iter().filter(|node| node.total.kind() == GroupKind::Ops);
    shared_folders(ops.map(|node| name_of(trace, node.key)))
}

fn shared_folders<'a>(names: impl Iterator<Item = &'a str>) -> &'a str {
    let mut names = names.map(folders).filter(|folders| !folders.is_empty());
    let first = names.next().unwrap_or_default();
    names.fold(first, |shared, other| {
        let same = shared.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        &shared
            [..shared.as_bytes()[..same].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)]
    })
}

/// For each node its scope: one part more than the folders that the nodes of all devices share. Communicating nodes have one common
/// name, because their names say nothing about scopes.
pub fn scopes(trace: &Trace) -> Vec<&str> {
    let nodes = trace.nodes();
    let communicates = |node: NodeId| nodes.category(node) == Category::Communication;
    let ops = nodes.ids().filter(|&node| !communicates(node));
    let shared = shared_folders(ops.map(|node| name_of(trace, node.get())));
    let of_node = |node: NodeId| match communicates(node) {
        true => COMMUNICATION,
        false => scope(name_of(trace, node.get()), shared),
    };
    nodes.ids().map(of_node).collect()
}

/// The scope of `name`: one part more than `shared`.
fn scope<'a>(name: &'a str, shared: &str) -> &'a str {
    let folders = folders(name);
    let shared_length =
        folders.strip_prefix(shared).map_or(0, |shared_length| folders.len() - shared_length.len());
    let end = folders[shared_length..].find('/').map_or(shared_length, |slash| shared_length + slash + 1);
    match folders[..end].trim_end_matches('/') {
        "" => no_scope(),
        scope => scope,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;
    use crate::{Hint, Says};

    #[test]
    fn a_scope_hin_one_part_more_than_all_share() {
        assert_eq!(
            ["net/w/read", "net", "/x", "é/y"].map(|name| scope(name, "")),
            ["net", no_scope(), no_scope(), "é"]
        );
        let under = |name| scope(name, "tower/");
        assert_eq!(["tower/a/x/y", "tower/b", "loss"].map(under), ["tower/a", "tower", no_scope()]);
    }

    #[test]
    fn groups_beyond_the_bound_are_together() {
        let total = |time: i64, communication: u64| Total {
            time: Nanos(time),
            ops: 1,
            communication,
            ..Total::default()
        };
        let mut totals: Vec<Total> = (0..40).map(|time| total(time, 0)).collect();
        totals[39].communication = 1;
        let names: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let (kept, place_of) = arrange(&totals, Arrangement::OpType, |group| &names[group], |_| false);
        assert_eq!(kept.len(), MAX_NAMES);
        assert_eq!((kept[0].0.as_str(), kept[22].0.as_str(), kept[23].0.as_str()), ("n38", OTHER, "n39"));
        assert_eq!((place_of[38], place_of[0], place_of[39]), (0, 22, 23));
    }

    #[test]
    fn streams_are_called_by_their_names_and_what_repeats_them_stands_below() {
        let mut builder = TraceBuilder::default();
        let slot = builder.begin_device();
        builder.name_device(slot, b"/device:GPU:0");
        builder.mark_accelerator(slot);
        let range = builder.hint(Says::Is(Category::Range), b"a line");
        for (thread, name, hint) in [
            (1, &b"Steps"[..], range),
            (7, b"stream 7 ", Hint::default()),
            (8, b"same", Hint::default()),
            (9, b"same", Hint::default()),
            (0, b"", Hint::default()),
        ] {
            let times = OpTimes { length_ns: 1, thread, ..OpTimes::default() };
            builder.hinted_op(slot, &OpRecord { name: b"a", label: b"", times }, hint).unwrap();
            builder.name_thread(slot, thread, name);
        }
        let trace = builder.finish(&Default::default());
        let groups = Groups::divided(&trace, &HostProfile::default(), DeviceId::new(0), Arrangement::Thread);
        let names: Vec<_> = groups.names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["same (8)", "same (9)", "stream 0", "stream 7", "Steps"]);
    }

    const MAIN: u32 = 900;
    const ENGINE: u32 = 30;
    const POOL: u32 = 7;

    /// The names of the threads of a host with ops on these threads.
    fn names(ops: &[(u32, &str)]) -> Vec<String> {
        let mut builder = TraceBuilder::default();
        let slot = builder.begin_device();
        builder.name_device(slot, b"python CPU");
        builder.mark_nesting(slot);
        for (start, &(thread, name)) in ops.iter().enumerate() {
            let times =
                OpTimes { start_unix_ns: start as i64 * 10, length_ns: 5, thread, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: name.as_bytes(), label: b"", times }).unwrap();
        }
        for thread in [MAIN, ENGINE] {
            builder.name_thread(slot, thread, format!("thread {thread} (python)").as_bytes());
        }
        builder.name_thread(slot, POOL, b"-71");
        let trace = builder.finish(&Default::default());
        let groups = Groups::divided(&trace, &HostProfile::default(), DeviceId::new(0), Arrangement::Thread);
        groups.names.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_thread_that_marks_the_steps_is_the_main_one_and_stands_first() {
        let of_engine = [
            (POOL, "aten::add"),
            (ENGINE, "autograd::engine::evaluate_function: AddBackward0"),
            (MAIN, "ProfilerStep#5"),
            (MAIN, "Optimizer.step#Adam.step"),
        ];
        assert_eq!(names(&of_engine), ["main (900)", "backward (30)", "thread -71"]);
    }

    #[test]
    fn what_a_recording_does_not_say_of_a_thread_is_not_said() {
        // Two threads mark steps; and one runs more than the backward pass.
        let two = [(MAIN, "ProfilerStep#5"), (POOL, "ProfilerStep#5"), (ENGINE, "AddBackward0")];
        assert_eq!(names(&two), ["python (30)", "python (900)", "thread -71"]);
        let both = [(MAIN, "ProfilerStep#5"), (ENGINE, "AddBackward0"), (ENGINE, "Optimizer.step#Adam.step")];
        assert_eq!(names(&both), ["main (900)", "python (30)"]);
    }
}
