//! Threads of programs that stood still: the system gave their core to another thread.
//!
//! An operator that makes a view of a tensor, or gets its memory from PyTorch's cache, does nothing that takes milliseconds. Where several of them took
//! that long, and many times as long as others of their name, their thread did not run; then the times in which such a thread ran no
//! operator count, too. Operators that compute do not: larger tensors may be why they take longer. Calls may wait for a GPU.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::storage::busy::Busy;
use crate::timeline::nesting::{self, Piece};
use crate::{DeviceId, OpId, StringId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// What takes this long,
const LEAST: Nanos = Nanos(5_000_000);
/// and this many times the median of its name,
const TIMES: i64 = 100;
/// of at least this many, stood still.
const LEAST_ALIKE: usize = 8;
/// At least this number of operators that do nothing stood still,
const LEAST_IDLE: usize = 5;
/// of at least this number of names,
const LEAST_NAMES: usize = 3;
/// and their threads for this part of the time, as its divisor.
const LEAST_PART: i64 = 10;
/// Operators that do nothing, without `aten::` and what makes them one in place.
const IDLE: [&str; 18] = [
    "view",
    "as_strided",
    "expand",
    "reshape",
    "_reshape_alias",
    "_unsafe_view",
    "slice",
    "select",
    "narrow",
    "t",
    "transpose",
    "permute",
    "squeeze",
    "unsqueeze",
    "detach",
    "alias",
    "empty",
    "empty_strided",
];

/// How long threads of programs stood still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoodStill {
    /// How many programs.
    pub programs: u64,
    /// How many times, and for how long, in the mean of these.
    pub count: u64,
    /// See `count`.
    pub time: Nanos,
    /// The longest operator that does nothing.
    pub op: OpId,
    /// How many of several programs stood still at once for half of the time or more.
    pub at_once: Option<u64>,
}

/// Whether and how long threads stood still in what `study` shows.
pub(super) fn stood_still(study: &Study) -> Option<StoodStill> {
    let trace = study.trace();
    let nodes = trace.nodes();
    if !nodes.ids().any(|node| is_idle(trace.text(nodes.op_type(node)))) {
        return None;
    }
    let hosts = || trace.devices().ids().filter(|&own| is_host(trace, own));
    let programs: Vec<Program> = hosts().map(|device| Program::of(trace, device)).collect();
    let mut idle: Vec<Piece> = programs.iter().flat_map(|own| own.idle.iter().copied()).collect();
    idle.sort_by_key(|own| (Reverse(own.interval.length()), own.op));
    let mut names: Vec<&str> = idle.iter().map(|own| trace.op_type(own.op)).collect();
    names.sort_unstable();
    names.dedup();
    if idle.len() < LEAST_IDLE || names.len() < LEAST_NAMES {
        return None;
    }
    let held: Vec<&Program> = programs.iter().filter(|own| !own.idle.is_empty()).collect();
    let number = held.len() as i64;
    let (count, time) =
        held.iter().fold((0, Nanos(0)), |(count, time), own| (count + own.still.len(), time + own.time()));
    let (count, time) = (count as u64 / held.len() as u64, Nanos(time.0 / number));
    let is_much = time.0.saturating_mul(LEAST_PART) >= trace.span().length().0;
    let found = StoodStill { programs: held.len() as u64, count, time, op: idle.first()?.op, at_once: None };
    is_much.then(|| StoodStill { at_once: at_once(&held, trace.span().length()), ..found })
}

fn is_host(trace: &Trace, device: DeviceId) -> bool {
    let own = trace.devices().get(device);
    own.nests && !own.is_accelerator
}

/// Whether an operator of this type does nothing.
fn is_idle(op_type: &str) -> bool {
    op_type.strip_prefix("aten::").is_some_and(|own| IDLE.contains(&own.trim_end_matches('_')))
}

/// When the thread of a program stood still that runs most of its ops.
struct Program {
    /// The pieces of operators that do nothing.
    idle: Vec<Piece>,
    /// When these ran, and when the thread ran no operator, in order.
    still: Vec<Interval>,
}

impl Program {
    fn of(trace: &Trace, device: DeviceId) -> Self {
        let mut pieces = nesting::pieces(trace, device);
        let mut number: HashMap<u32, usize, FixedState> = HashMap::default();
        pieces.iter().for_each(|own| *number.entry(trace.ops().thread(own.op)).or_default() += 1);
        let most = number.into_iter().max_by_key(|&(thread, number)| (number, Reverse(thread)));
        pieces.retain(|own| most.is_some_and(|(thread, _)| thread == trace.ops().thread(own.op)));
        let name = |own: &Piece| trace.nodes().name(trace.ops().node(own.op));
        let mut lengths: HashMap<StringId, Vec<Nanos>, FixedState> = HashMap::default();
        pieces.iter().for_each(|own| lengths.entry(name(own)).or_default().push(own.interval.length()));
        let medians: HashMap<StringId, Nanos, FixedState> = lengths
            .into_iter()
            .filter(|(_, own)| own.len() >= LEAST_ALIKE)
            .map(|(name, mut own)| {
                let middle = (own.len() - 1) / 2;
                (name, *own.select_nth_unstable(middle).1)
            })
            .collect();
        let stood = |own: &&Piece| {
            let length = own.interval.length();
            let usual = medians.get(&name(own));
            length >= LEAST && usual.is_some_and(|usual| usual.0.saturating_mul(TIMES) <= length.0)
        };
        let idle: Vec<Piece> =
            pieces.iter().filter(stood).filter(|own| is_idle(trace.op_type(own.op))).copied().collect();
        let mut still: Vec<Interval> = idle.iter().map(|own| own.interval).collect();
        let busy = Busy::of(pieces.iter().map(|own| own.interval));
        let rests = busy.intervals().windows(2).map(|own| Interval { start: own[0].end, end: own[1].start });
        still.extend(rests.filter(|own| own.length() >= LEAST));
        order::by_number(&mut still, |own| (own.start.0, own.end.0));
        Self { idle, still }
    }

    fn time(&self) -> Nanos {
        self.still.iter().fold(Nanos(0), |sum, own| sum + own.length())
    }
}

/// How many of `programs` stood still at once for most of the time, if that is half of `whole`, and not all of them.
fn at_once(programs: &[&Program], whole: Nanos) -> Option<u64> {
    let all = programs.iter().flat_map(|own| &own.still);
    let mut changes: Vec<(i64, i64)> = all.flat_map(|own| [(own.start.0, 1), (own.end.0, -1)]).collect();
    changes.sort_unstable();
    let mut times = vec![0_i64; programs.len() + 1];
    let (mut now, mut since) = (0_i64, 0_i64);
    for (at, change) in changes {
        if let Some(time) = times.get_mut(now as usize) {
            *time += if now > 0 { at - since } else { 0 };
        }
        (now, since) = (now + change, at);
    }
    let (number, time) = times.into_iter().enumerate().max_by_key(|&(_, time)| time)?;
    let is_most = time.saturating_mul(2) >= whole.0;
    (is_most && number > 0 && number < programs.len()).then_some(number as u64)
}
