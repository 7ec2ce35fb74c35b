//! Ranks that negotiate a tensor: which was ready last, and how much later than the one before it.
//!
//! Horovod's coordinator writes, for each tensor, a phase `NEGOTIATE_…`, and in it for each rank a tick called by its number when
//! that rank said that it was ready. All others wait for the last one.
//!
//! A tick says when the coordinator read that message. Horovod's background thread reads messages once in a cycle, and not while it carries out
//! a response (`RunLoopOnce` in `operations.cc`): of a rank whose message was read first after that, nobody knows since when it was ready. NCCL
//! runs by itself once it was called; until then the thread makes its communicator and buffers.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::{DeviceId, NodeId, OpId, Study, Timestamp, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The beginning of the name of a negotiation.
const NEGOTIATION: &str = "NEGOTIATE_";
/// The beginning of the name of a phase that runs on a GPU while the thread reads on; those that it does itself are called `INIT_…`.
const ON_GPU: &str = "NCCL_";
const BY_ITSELF: &str = "INIT_";
/// The thread reads messages about this often (`HOROVOD_CYCLE_TIME`: 1 ms, 5 ms before version 0.19). What keeps it for less hides nothing, and what
/// it reads so soon after that may have waited.
const CYCLE: Nanos = Nanos(5_000_000);

/// How often each rank was ready last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The number of negotiations with ticks of two ranks or more that say which was last.
    pub negotiations: u64,
    /// The ranks that were last, the one with most of the others' time first.
    pub ranks: Vec<LastRank>,
    /// The tensors, those that waited longest for their last rank first.
    pub tensors: Vec<NegotiatedTensor>,
}

/// A rank that was ready last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRank {
    /// Its number.
    pub rank: u32,
    /// How often it was last.
    pub times: u64,
    /// How much later than the rank before it, summed.
    pub late: Nanos,
    /// The most of these.
    pub most: Nanos,
    /// For how long others waited for it alone: of tensors that waited at the same time, once.
    pub together: Nanos,
}

/// A tensor that ranks negotiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegotiatedTensor {
    /// The device of its thread.
    pub device: DeviceId,
    /// Its thread, whose name is that of the tensor.
    pub thread: u32,
    /// How often it was negotiated by two ranks or more.
    pub negotiations: u64,
    /// How much later its last rank was than the one before, summed.
    pub late: Nanos,
    /// The rank that was last most often, and how often.
    pub last: (u32, u64),
}

/// The negotiations that `study` shows; `None` if there is none with two ranks.
pub fn ready(study: &Study) -> Option<Ready> {
    ready_within(study, study.trace().span())
}

/// Those that begin within `window`.
pub fn ready_within(study: &Study, window: Interval) -> Option<Ready> {
    let trace = study.trace();
    let is_within = |op: OpId| {
        let start = trace.ops().start(op);
        window.start <= start && start < window.end
    };
    let kinds: Vec<Kind> = trace.nodes().ids().map(|node| kind(trace, node)).collect();
    if !kinds.contains(&Kind::Negotiation) {
        return None;
    }
    let mut found = Ready::default();
    let mut ranks: HashMap<u32, LastRank, FixedState> = HashMap::default();
    let mut waits: HashMap<u32, Vec<Interval>, FixedState> = HashMap::default();
    for device in trace.devices().ids() {
        let mut threads: HashMap<u32, Thread, FixedState> = HashMap::default();
        let unread = unread(trace, device, &kinds);
        for op in trace.ops_of(device) {
            let kind = kinds[trace.ops().node(op).index()];
            if kind != Kind::Other && (kind != Kind::Negotiation || is_within(op)) {
                threads.entry(trace.ops().thread(op)).or_default().add(trace, op, kind);
            }
        }
        let mut threads: Vec<(u32, Thread)> = threads.into_iter().collect();
        threads.sort_by_key(|(thread, _)| *thread);
        for (thread, own) in threads {
            let last = own.last_ranks(&unread);
            let Some(&(first, _)) = last.first() else { continue };
            let mut often: HashMap<u32, u64, FixedState> = HashMap::default();
            for &(rank, wait) in &last {
                let late = wait.length();
                waits.entry(rank).or_default().push(wait);
                *often.entry(rank).or_insert(0) += 1;
                let own = ranks.entry(rank).or_insert(LastRank {
                    rank,
                    times: 0,
                    late: Nanos(0),
                    most: Nanos(0),
                    together: Nanos(0),
                });
                (own.times, own.late, own.most) = (own.times + 1, own.late + late, own.most.max(late));
            }
            let most =
                often.into_iter().max_by_key(|&(rank, times)| (times, Reverse(rank))).unwrap_or((first, 1));
            found.negotiations += last.len() as u64;
            found.tensors.push(NegotiatedTensor {
                device,
                thread,
                negotiations: last.len() as u64,
                late: last.iter().fold(Nanos(0), |sum, &(_, wait)| sum + wait.length()),
                last: most,
            });
        }
    }
    for (rank, waits) in waits {
        if let Some(own) = ranks.get_mut(&rank) {
            own.together = together(waits);
        }
    }
    found.ranks = ranks.into_values().collect();
    found.ranks.sort_by_key(|own| (Reverse(own.late), Reverse(own.times), own.rank));
    found.tensors.sort_by_key(|own| (Reverse(own.late), own.device, own.thread));
    (found.negotiations > 0).then_some(found)
}

/// When the thread that reads the messages carried out responses of `device`, in order, for longer than a cycle at once.
fn unread(trace: &Trace, device: DeviceId, kinds: &[Kind]) -> Vec<Interval> {
    let ops = trace.ops();
    let phases = || trace.ops_of(device).filter(|&op| kinds[ops.node(op).index()] == Kind::Other);
    let is_on_gpu = |op: &OpId| trace.op_name(*op).starts_with(ON_GPU);
    let mut on_gpu: HashMap<u32, Vec<Timestamp>, FixedState> = HashMap::default();
    phases().filter(is_on_gpu).for_each(|op| on_gpu.entry(ops.thread(op)).or_default().push(ops.start(op)));
    on_gpu.values_mut().for_each(|starts| starts.sort_unstable());
    let mut outer: HashMap<u32, Interval, FixedState> = HashMap::default();
    let mut kept: Vec<Interval> = Vec::new();
    for op in phases() {
        let (own, thread) = (ops.interval(op), ops.thread(op));
        let response = outer.entry(thread).or_insert(own);
        if own.start >= response.end {
            *response = own;
        }
        if trace.op_name(op).starts_with(BY_ITSELF) {
            // It is kept until NCCL runs: the first call of a communicator takes time, too.
            let starts = on_gpu.get(&thread).map_or(&[][..], Vec::as_slice);
            let runs = starts.get(starts.partition_point(|&at| at < own.end));
            let end = runs.filter(|&&at| at <= response.end).map_or(own.end, |&at| at);
            kept.push(Interval { start: response.start.min(own.start), end });
        } else if !on_gpu.contains_key(&thread) {
            kept.push(own);
        }
    }
    order::by_number(&mut kept, |own| (own.start.0, own.end.0));
    let mut found: Vec<Interval> = Vec::new();
    for own in kept {
        match found.last_mut().filter(|last| own.start <= last.end) {
            Some(last) => last.end = last.end.max(own.end),
            None => found.push(own),
        }
    }
    found.retain(|own| own.length() > CYCLE);
    found
}

/// What of `wait` for a last rank is known, if half of it is: until the thread that reads stopped to read.
fn known(wait: Interval, unread: &[Interval]) -> Option<Interval> {
    let last = unread.partition_point(|own| own.start < wait.end).checked_sub(1).map(|last| unread[last]);
    let Some(last) = last.filter(|last| wait.end <= last.end + CYCLE) else { return Some(wait) };
    let own = Interval { start: wait.start, end: last.start.clamp(wait.start, wait.end) };
    (own.length().0.saturating_mul(2) >= wait.length().0 && own.length() > Nanos(0)).then_some(own)
}

/// How long at least one of `waits` lasted.
fn together(mut waits: Vec<Interval>) -> Nanos {
    order::by_number(&mut waits, |own| (own.start.0, own.end.0));
    let (mut sum, mut reached) = (Nanos(0), Timestamp(i64::MIN));
    for own in waits {
        sum += own.end.max(reached) - own.start.max(reached);
        reached = reached.max(own.end);
    }
    sum
}

/// What a node is here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Negotiation,
    Tick(u32),
    Other,
}

fn kind(trace: &Trace, node: NodeId) -> Kind {
    let name = trace.text(trace.nodes().name(node));
    let is_rank = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    match name.parse() {
        Ok(rank) if is_rank => Kind::Tick(rank),
        _ if name.starts_with(NEGOTIATION) => Kind::Negotiation,
        _ => Kind::Other,
    }
}

/// What a thread has of one tensor.
#[derive(Default)]
struct Thread {
    negotiations: Vec<Interval>,
    ticks: Vec<(Timestamp, u32)>,
}

impl Thread {
    fn add(&mut self, trace: &Trace, op: OpId, kind: Kind) {
        let own = trace.ops().interval(op);
        match kind {
            Kind::Negotiation => self.negotiations.push(own),
            Kind::Tick(rank) if own.length() == Nanos(0) => self.ticks.push((own.start, rank)),
            Kind::Tick(_) | Kind::Other => {}
        }
    }

    /// For each negotiation of two ranks or more the last rank, and the time from when the one before was ready until it was. Those of which it
    /// is not known are left out: their messages were not read in the times `unread`.
    fn last_ranks(mut self, unread: &[Interval]) -> Vec<(u32, Interval)> {
        order::by_number(&mut self.ticks, |(at, rank)| (at.0, i64::from(rank)));
        let mut ticks = self.ticks.iter().peekable();
        let mut found = Vec::new();
        for negotiation in &self.negotiations {
            while ticks.next_if(|(at, _)| *at < negotiation.start).is_some() {}
            let mut before = None;
            let mut last: Option<&(Timestamp, u32)> = None;
            while let Some(tick) = ticks.next_if(|(at, _)| *at <= negotiation.end) {
                (before, last) = (last, Some(tick));
            }
            if let (Some(before), Some(last)) = (before, last) {
                let wait = known(Interval { start: before.0, end: last.0 }, unread);
                found.extend(wait.map(|wait| (last.1, wait)));
            }
        }
        found
    }
}
