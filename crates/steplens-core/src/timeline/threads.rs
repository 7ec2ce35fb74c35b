//! What threads are called, and what the threads of a host are for, where the recording says so.

use crate::base::ids::{DeviceId, StringId};
use crate::host_profile::HostProfile;
use crate::model::phase::Phase;
use crate::{Category, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use steplens_messages::say;

/// How many bytes of a name are read. Bounds the cost of long hostile names that many devices share.
const MAX_NAME_BYTES: usize = 256;
/// For host events of other runs.
pub(super) const OTHER_RUNS: u32 = u32::MAX - 1;

/// What a thread of a host is for, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The program: the thread that marks the steps.
    Main,
    /// It runs the backward pass and nothing else that has a phase, as the threads of PyTorch's autograd engine do.
    Backward,
}

impl Role {
    fn words(self) -> &'static str {
        match self {
            Self::Main => say!("thread-main"),
            Self::Backward => say!("phase-backward"),
        }
    }
}

/// The beginning of the names of the ranges with which PyTorch marks steps.
const STEP_MARK: &str = "ProfilerStep#";

/// What is seen of a node, or of a thread.
#[derive(Clone, Copy, Default)]
struct Signs {
    marks_steps: bool,
    backward: bool,
    another_phase: bool,
}

/// The roles of the threads of a host; none where no thread, or more than one, marks the steps.
pub(super) fn roles(trace: &Trace, device: DeviceId) -> HashMap<u32, Role, FixedState> {
    let row = trace.devices().get(device);
    if !row.nests || row.is_accelerator {
        return HashMap::default();
    }
    let nodes = trace.nodes();
    let mut of_node: HashMap<u32, Signs, FixedState> = HashMap::default();
    let mut of_thread: HashMap<u32, Signs, FixedState> = HashMap::default();
    for op in trace.ops_of(device) {
        let node = trace.ops().node(op);
        let signs = *of_node.entry(node.get()).or_insert_with(|| {
            let (name, op_type) = (trace.text(nodes.name(node)), trace.text(nodes.op_type(node)));
            let phase = Phase::of_name(name, op_type, nodes.category(node) == Category::Range);
            Signs {
                marks_steps: name.starts_with(STEP_MARK),
                backward: phase == Some(Phase::Backward),
                another_phase: phase.is_some_and(|phase| phase != Phase::Backward),
            }
        });
        let own = of_thread.entry(trace.ops().thread(op)).or_default();
        own.marks_steps |= signs.marks_steps;
        own.backward |= signs.backward;
        own.another_phase |= signs.another_phase;
    }
    if of_thread.values().filter(|own| own.marks_steps).count() != 1 {
        return HashMap::default();
    }
    let role = |own: &Signs| match own {
        Signs { marks_steps: true, .. } => Some(Role::Main),
        Signs { backward: true, another_phase: false, .. } => Some(Role::Backward),
        _ => None,
    };
    of_thread.iter().filter_map(|(&thread, own)| Some((thread, role(own)?))).collect()
}

/// `thread 7 (pool)`, as PyTorch calls thread 7, is `pool`.
fn without_number(name: &str, thread: u32) -> &str {
    let rest = name.strip_prefix("thread ").and_then(|rest| rest.strip_prefix(&thread.to_string()));
    rest.and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')')).unwrap_or(name)
}

/// The name of the host profiler's thread with this key.
pub(super) fn name_on_host(trace: &Trace, host: &HostProfile, key: u32) -> String {
    match host.threads().get(key as usize) {
        Some(own) => match trace.thread_name(own.device, own.number) {
            Some(name) => format!("{} ({})", cut(name), own.number),
            None => say!("thread-number", number = own.number),
        },
        None if key == OTHER_RUNS => say!("thread-other-runs").to_owned(),
        None => say!("thread-not-recorded").to_owned(),
    }
}

/// The names that several streams of an accelerator share; `None` if the device is no accelerator.
pub(super) fn shared_names(trace: &Trace, device: DeviceId) -> Option<HashSet<StringId, FixedState>> {
    if !trace.devices().get(device).is_accelerator {
        return None;
    }
    let threads = trace.threads();
    let first = threads.partition_point(|&(of, ..)| of < device);
    let threads_here = threads[first..].iter().take_while(|&&(of, ..)| of == device);
    let mut known: HashSet<StringId, FixedState> = HashSet::default();
    let mut shared: HashSet<StringId, FixedState> = HashSet::default();
    threads_here.for_each(|&(.., name)| {
        if !known.insert(name) {
            shared.insert(name);
        }
    });
    Some(shared)
}

/// The name of a thread. Threads of one pool have the same name, so the number is added. Streams have unique names, except those in
/// `shared`.
pub(super) fn name(
    trace: &Trace,
    device: DeviceId,
    thread: u32,
    role: Option<Role>,
    shared: Option<&HashSet<StringId, FixedState>>,
) -> String {
    if let Some(role) = role {
        return format!("{} ({thread})", role.words());
    }
    let name = trace.thread_name(device, thread).filter(|name| !name.is_empty());
    let is_own = |name: &str| {
        shared.is_some_and(|shared| trace.strings().find(name).is_some_and(|name| !shared.contains(&name)))
    };
    match name {
        Some(name) if is_own(name) => cut(name).trim_end().to_owned(),
        // A file may call a thread by nothing but a number of its own.
        Some(name) if shared.is_none() && name.parse::<i64>().is_ok() => say!("thread-number", number = name),
        Some(name) => format!("{} ({thread})", cut(without_number(name, thread))),
        None if shared.is_some() => say!("stream-number", number = thread),
        None if thread == 0 => say!("thread-unknown").to_owned(),
        None => say!("thread-number", number = thread),
    }
}

/// The beginning of a name that is read.
pub(super) fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
}
