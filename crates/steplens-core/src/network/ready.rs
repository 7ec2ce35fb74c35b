//! Ranks that negotiate a tensor: which was ready last, and how much later than the one before it.
//!
//! Horovod's coordinator writes, for each tensor, a phase `NEGOTIATE_…`, and in it for each rank a tick called by its number when
//! that rank said that it was ready. All others wait for the last one.

use crate::base::order;
use crate::base::units::{Interval, Nanos};
use crate::{DeviceId, NodeId, OpId, Study, Timestamp, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The beginning of the name of a negotiation.
const NEGOTIATION: &str = "NEGOTIATE_";

/// How often each rank was ready last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The number of negotiations with ticks of two ranks or more.
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
    let trace = study.trace();
    let kinds: Vec<Kind> = trace.nodes().ids().map(|node| kind(trace, node)).collect();
    if !kinds.contains(&Kind::Negotiation) {
        return None;
    }
    let mut found = Ready::default();
    let mut ranks: HashMap<u32, LastRank, FixedState> = HashMap::default();
    let mut waits: HashMap<u32, Vec<Interval>, FixedState> = HashMap::default();
    for device in trace.devices().ids() {
        let mut threads: HashMap<u32, Thread, FixedState> = HashMap::default();
        for op in trace.ops_of(device) {
            let kind = kinds[trace.ops().node(op).index()];
            if kind != Kind::Other {
                threads.entry(trace.ops().thread(op)).or_default().add(trace, op, kind);
            }
        }
        let mut threads: Vec<(u32, Thread)> = threads.into_iter().collect();
        threads.sort_by_key(|(thread, _)| *thread);
        for (thread, own) in threads {
            let last = own.last_ranks();
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

    /// For each negotiation of two ranks or more the last rank, and the time from when the one before was ready until it was.
    fn last_ranks(mut self) -> Vec<(u32, Interval)> {
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
                found.push((last.1, Interval { start: before.0, end: last.0 }));
            }
        }
        found
    }
}
