//! The model: what a replay needs of the recording.
//!
//! Times are nanoseconds from the start of the step. Each node of the execution graph has a length, the nodes that it waits for,
//! and a *delay*: how long after all of them it started. A delay is kept in every replay, as Daydream and dPRO keep their gaps: it
//! stands for what was not recorded, such as dispatch, Python between operators, and the way of a request.

use super::inline::Inline;
use super::lines::Lines;
use super::timing::{NONE, Place, Timing};
use super::together::Together;
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::edge_kind::EdgeKind;
use crate::causality::graph::ExecutionGraph;
use crate::causality::nodes::is_work;
use crate::causality::observed::Observed;
use crate::causality::pools::MAX_DISPATCH;
use crate::gpu::kernels::has_kernels;
use crate::storage::ranges::range;
use crate::study::step_of_op::StepOfOp;
use crate::{Category, DeviceId, OpId, Study, Trace};
use std::collections::BTreeSet;

/// What a replay needs of the recording, by node of the execution graph.
pub(crate) struct Model {
    pub(super) start: Vec<i64>,
    /// How long a node runs when nothing makes it wait: for a transfer the time that it would take alone on its line, for a
    /// collective the time from the last arrival to its own end.
    pub(super) length: Vec<i64>,
    /// How long after everything that it waits for a node started.
    pub(super) delay: Vec<i64>,
    /// When a node that waits for nothing is there to run.
    pub(super) released: Vec<i64>,
    /// Whether the delay comes after the thread or line of the node is free, which is then occupied. Otherwise it comes before the
    /// node asks for a thread or line.
    pub(super) holds: Vec<bool>,
    pub(super) place: Vec<Place>,
    /// Whether a node runs on the thread that made it ready.
    pub(super) is_inline: Vec<bool>,
    /// The number of nodes that each node waits for.
    pub(super) waits: Vec<u32>,
    /// The nodes that wait for node `n` are `users[first_user[n] .. first_user[n + 1]]`.
    first_user: Vec<u32>,
    users: Vec<User>,
    /// The place of each node in the order of recorded starts: decides between nodes that are ready at the same time.
    pub(super) rank: Vec<u32>,
    /// The number of threads of each pool.
    pub(super) threads: Vec<u32>,
    pub(super) lines: Lines,
    pub(super) together: Together,
    took_time: Vec<bool>,
    op: Vec<OpId>,
}

/// A node that waits for another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    /// The node that waits.
    pub(super) node: u32,
    /// How much of the cause must have run: its whole length, or less where the recording shows that the node did not wait for the
    /// end (a kernel starts before the call that launched it returns).
    pub(super) after: i64,
}

impl Model {
    /// Builds the model of what `study` shows.
    pub(super) fn of(study: &Study) -> Self {
        let (trace, graph) = (study.trace(), &study.causes().graph);
        let origin = trace.span().start;
        let count = graph.nodes.len();
        let start: Vec<i64> =
            nodes(count).map(|node| (graph.nodes.interval(node).start - origin).0).collect();
        let length: Vec<i64> = nodes(count).map(|node| graph.nodes.length(node).0).collect();
        let rank = ranks(&start);
        let pools = PoolOfDevice::of(trace, graph);
        let mut place: Vec<Place> = nodes(count).map(|node| pools.place(study, graph, node)).collect();
        let waiting = Waiting::of(study, graph, &start, &length);
        let inline = Inline::of(trace, graph, &place, &waiting.last, &rank);
        let mut waiting = waiting;
        waiting.share_threads(&pools, &place, &inline, &rank, &start, &length);
        let busy = Busy::of(&pools, &place, &start, &length);
        let (mut delay, mut holds) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (node, &place) in place.iter().enumerate() {
            let mut own = waiting.delay(node, &start, place, &inline, &busy);
            if !is_work(trace, graph.nodes.op(node as u32)) {
                // A range, or what repeats the ops of others: the step does not end with it.
                (own, waiting.released[node]) = (Delay { length: 0, is_after_thread: false }, 0);
            }
            let Delay { length, is_after_thread } = own;
            delay.push(length);
            holds.push(is_after_thread);
        }
        let took_time = length.iter().map(|&length| length > 0).collect();
        let op = nodes(count).map(|node| graph.nodes.op(node)).collect();
        let mut timing = Timing { start, length, delay, holds, op };
        let lines = Lines::of(study, &mut timing, &mut place);
        let together = Together::of(study, graph, &mut timing, &mut place);
        let Timing { start, length, delay, holds, op } = timing;
        Self {
            op,
            start,
            length,
            delay,
            holds,
            is_inline: inline.is_inline,
            released: waiting.released,
            waits: waiting.count,
            first_user: waiting.first_user,
            users: waiting.users,
            rank,
            threads: pools.threads,
            lines,
            together,
            took_time,
            place,
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.start.len()
    }

    /// The op of `node`.
    pub(crate) fn op(&self, node: usize) -> OpId {
        self.op[node]
    }

    /// When `node` started, from the start of the step.
    pub(crate) fn recorded_start(&self, node: usize) -> i64 {
        self.start[node]
    }

    /// Whether `node` was recorded to take time.
    pub(crate) fn took_time(&self, node: usize) -> bool {
        self.took_time[node]
    }

    /// The nodes that wait for `node`.
    #[inline]
    pub(super) fn users(&self, node: usize) -> &[User] {
        &self.users[range(&self.first_user, node)]
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.start.capacity() + self.length.capacity() + self.delay.capacity() + self.released.capacity())
            * size_of::<i64>()
            + self.holds.capacity()
            + self.is_inline.capacity()
            + self.took_time.capacity()
            + self.place.capacity() * size_of::<Place>()
            + self.op.capacity() * size_of::<OpId>()
            + (self.waits.capacity()
                + self.first_user.capacity()
                + self.rank.capacity()
                + self.threads.capacity())
                * size_of::<u32>()
            + self.users.capacity() * size_of::<User>()
            + self.lines.heap_bytes()
            + self.together.heap_bytes()
    }
}

fn nodes(count: usize) -> impl Iterator<Item = u32> {
    0..count as u32
}

fn ranks(start: &[i64]) -> Vec<u32> {
    let mut sorted: Vec<u32> = nodes(start.len()).collect();
    order::by_number(&mut sorted, |node| (start[node as usize], 0));
    let mut rank = vec![0; start.len()];
    sorted.iter().zip(0..).for_each(|(&node, place)| rank[node as usize] = place);
    rank
}

/// The pool of each device whose ops ran on executor threads.
struct PoolOfDevice {
    pool: Vec<Option<u32>>,
    threads: Vec<u32>,
    /// For each pool whether several devices share it.
    is_shared: Vec<bool>,
}

impl PoolOfDevice {
    fn of(trace: &Trace, graph: &ExecutionGraph) -> Self {
        let pools = &graph.threads.pools;
        let mut found =
            Self { pool: vec![None; trace.devices().len()], threads: Vec::new(), is_shared: Vec::new() };
        for rule in &graph.threads.rules {
            if found.pool[rule.device.index()].is_some() {
                continue;
            }
            let pool = found.threads.len() as u32;
            // As many threads as ops ran at once: the recording does not say that there were more.
            found.threads.push(pools.around(rule.device).most.max(1));
            found.pool[rule.device.index()] = Some(pool);
            found.is_shared.push(pools.sharing_with(rule.device).len() > 1);
            for &device in pools.sharing_with(rule.device) {
                found.pool[device.index()] = Some(pool);
            }
        }
        found
    }

    fn place(&self, study: &Study, graph: &ExecutionGraph, node: u32) -> Place {
        let trace = study.trace();
        let op = graph.nodes.op(node);
        let device = trace.device_of(op);
        let runs = runs_on_threads(trace, device)
            && !matches!(trace.category(op), Category::Range | Category::Communication)
            && study.transfers().id_of_op(op).is_none();
        self.pool[device.index()].filter(|_| runs).map_or(Place::Own, Place::Pool)
    }
}

fn runs_on_threads(trace: &Trace, device: DeviceId) -> bool {
    !trace.devices().get(device).nests && !has_kernels(trace, device)
}

/// What each node waits for.
struct Waiting {
    count: Vec<u32>,
    first_user: Vec<u32>,
    users: Vec<User>,
    /// When everything that a node waits for was done, as recorded; `None` for nodes that wait for nothing.
    ready: Vec<Option<i64>>,
    /// The node that each node waited for last; [`NONE`] for nodes that wait for nothing.
    last: Vec<u32>,
    /// When a node that waits for nothing was there to run: when the executor scheduled it, or else when it started.
    released: Vec<i64>,
    /// When the op before it on its thread had ended; `None` for the first.
    thread_free: Vec<Option<i64>>,
}

/// How long after what it waited for a node started.
struct Delay {
    length: i64,
    /// Whether the node started this long after its thread became free, and not after the other nodes.
    is_after_thread: bool,
}

impl Waiting {
    fn of(study: &Study, graph: &ExecutionGraph, start: &[i64], length: &[i64]) -> Self {
        let count = start.len();
        let mut waiting = Self {
            count: vec![0; count],
            first_user: Vec::new(),
            users: Vec::new(),
            ready: vec![None; count],
            last: vec![NONE; count],
            released: start.to_vec(),
            thread_free: vec![None; count],
        };
        let end = |node: u32| start[node as usize] + length[node as usize];
        let triggers = Triggers::of(study);
        // (cause, node, how much of the cause must have run)
        let mut pairs: Vec<(u32, u32, i64)> = Vec::new();
        for node in nodes(count) {
            let row = node as usize;
            for (from, kind) in graph.causes(node) {
                if kind == EdgeKind::Thread {
                    waiting.thread_free[row] = Some(end(from));
                }
                // A cause that began after its effect cannot be one; the execution graph counts such edges as repaired.
                if kind.is_dependency() && start[from as usize] <= start[row] {
                    waiting.add(&mut pairs, from, node, start, end(from));
                }
            }
            if let Some(scheduled) = Observed::scheduled(study.edges(), graph, node) {
                waiting.released[row] = (scheduled - study.trace().span().start).0.max(0);
            }
            if let Some(from) = triggers.of_node(study, graph, node, waiting.ready[row]) {
                waiting.add(&mut pairs, from, node, start, end(from));
            }
        }
        pairs.extend(waiting.between_steps(study, graph, start, length));
        order::by_number(&mut pairs, |(from, ..)| (i64::from(from), 0));
        waiting.users = pairs.iter().map(|&(_, node, after)| User { node, after }).collect();
        waiting.first_user = first_of_each(count, pairs.iter().map(|&(from, ..)| from));
        waiting
    }

    fn add(&mut self, pairs: &mut Vec<(u32, u32, i64)>, from: u32, node: u32, start: &[i64], end: i64) {
        let row = node as usize;
        let done = end.min(start[row]);
        pairs.push((from, node, done - start[from as usize]));
        self.count[row] += 1;
        if self.ready[row].is_none_or(|ready| ready < done) {
            self.ready[row] = Some(done);
            self.last[row] = from;
        }
    }

    /// Of each step but the first, the nodes that wait for nothing wait for the end of the step before, if they started after it.
    fn between_steps(
        &mut self,
        study: &Study,
        graph: &ExecutionGraph,
        start: &[i64],
        length: &[i64],
    ) -> Vec<(u32, u32, i64)> {
        let steps = StepOfOp::indexed(study);
        if steps.is_one() {
            return Vec::new();
        }
        let step_of = |node: u32| steps.step(study, graph.nodes.op(node));
        let end = |node: u32| start[node as usize] + length[node as usize];
        let mut last = vec![NONE; steps.end()];
        for node in nodes(start.len()).filter(|&node| length[node as usize] > 0) {
            let last = &mut last[step_of(node)];
            if *last == NONE || end(*last) < end(node) {
                *last = node;
            }
        }
        let mut pairs = Vec::new();
        for node in nodes(start.len()) {
            if self.count[node as usize] > 0 {
                continue;
            }
            let before = last[..step_of(node)].iter().rev().copied().find(|&last| last != NONE);
            if let Some(before) = before.filter(|&before| end(before) <= start[node as usize]) {
                self.add(&mut pairs, before, node, start, end(before));
            }
        }
        pairs
    }

    /// Finds for each node when its thread became free, where devices share threads: the threads of one device, as the execution
    /// graph has them, do not say what the other devices ran on them. An op that ran inline stays on its thread; every other op
    /// takes the thread that became free last.
    fn share_threads(
        &mut self,
        pools: &PoolOfDevice,
        place: &[Place],
        inline: &Inline,
        rank: &[u32],
        start: &[i64],
        length: &[i64],
    ) {
        let mut by_rank = vec![NONE; rank.len()];
        rank.iter().zip(0..).for_each(|(&rank, node)| by_rank[rank as usize] = node);
        // Of each pool the free threads by when they became free, and of each thread that moment.
        let mut free: Vec<BTreeSet<(i64, u32)>> = vec![BTreeSet::new(); pools.threads.len()];
        let mut left: Vec<Vec<i64>> = vec![Vec::new(); pools.threads.len()];
        let mut thread = vec![NONE; rank.len()];
        for node in by_rank {
            let row = node as usize;
            let Place::Pool(pool) = place[row] else { continue };
            if !pools.is_shared[pool as usize] {
                continue;
            }
            let (free, left) = (&mut free[pool as usize], &mut left[pool as usize]);
            let maker = self.last[row];
            let own = Some(maker).filter(|_| inline.is_inline[row]).map(|maker| thread[maker as usize]);
            let own = own.filter(|&own| own != NONE && left[own as usize] <= start[row]);
            let taken =
                own.or_else(|| free.range(..=(start[row], NONE)).next_back().map(|&(_, thread)| thread));
            let taken = taken.unwrap_or_else(|| {
                left.push(i64::MIN);
                left.len() as u32 - 1
            });
            let before = std::mem::replace(&mut left[taken as usize], start[row] + length[row]);
            free.remove(&(before, taken));
            free.insert((start[row] + length[row], taken));
            thread[row] = taken;
            self.thread_free[row] = Some(before).filter(|&before| before != i64::MIN);
        }
    }

    /// How long after what it waited for `node` started. It waited for its thread if it ran inline, or if all threads were busy when
    /// it was ready. The ops that are there when a step begins stand in a queue before the threads have begun: they waited if all
    /// threads were busy until their own became free. Which thread that was is not known well enough where devices share threads.
    /// Otherwise an idle thread took it, whatever that thread did before.
    fn delay(&self, node: usize, start: &[i64], place: Place, inline: &Inline, busy: &Busy) -> Delay {
        let ready = self.ready[node].unwrap_or(self.released[node]);
        if let Place::Pool(pool) = place {
            let since = self.thread_free[node].unwrap_or(ready).clamp(ready.min(start[node]), start[node]);
            let is_in_first_queue = self.ready[node].is_none() && since > ready && !busy.is_shared(pool);
            let is_queued = busy.are_all(pool, ready) || (is_in_first_queue && busy.are_all(pool, since));
            if inline.is_inline[node] || is_queued {
                return Delay { length: start[node] - since, is_after_thread: true };
            }
        }
        Delay { length: start[node] - ready, is_after_thread: false }
    }
}

/// When the threads of each pool were busy.
struct Busy {
    /// For each pool the number of threads, and the sorted starts and ends of its nodes.
    pools: Vec<(usize, Vec<i64>, Vec<i64>)>,
    /// For each pool whether several devices share it.
    is_shared: Vec<bool>,
}

impl Busy {
    fn of(own: &PoolOfDevice, place: &[Place], start: &[i64], length: &[i64]) -> Self {
        let mut pools: Vec<_> =
            own.threads.iter().map(|&threads| (threads as usize, Vec::new(), Vec::new())).collect();
        for (node, place) in place.iter().enumerate() {
            if let Place::Pool(pool) = *place {
                let (_, starts, ends) = &mut pools[pool as usize];
                starts.push(start[node]);
                ends.push(start[node] + length[node]);
            }
        }
        for (_, starts, ends) in &mut pools {
            order::by_number(starts, |at| (at, 0));
            order::by_number(ends, |at| (at, 0));
        }
        Self { pools, is_shared: own.is_shared.clone() }
    }

    fn is_shared(&self, pool: u32) -> bool {
        self.is_shared[pool as usize]
    }

    /// Whether all threads of `pool` ran an op right after `at`; an op that ends then still counts.
    fn are_all(&self, pool: u32, at: i64) -> bool {
        let (threads, starts, ends) = &self.pools[pool as usize];
        let begun = starts.partition_point(|&start| start < at);
        let ended = ends.partition_point(|&end| end < at);
        begun - ended >= *threads
    }
}

/// For each of `count` rows where its items begin in a list that is sorted by row, and at last the length of the list.
pub(super) fn first_of_each(count: usize, rows: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut first = vec![0_u32; count + 1];
    rows.for_each(|row| first[row as usize + 1] += 1);
    let mut sum = 0;
    for first in &mut first {
        sum += *first;
        *first = sum;
    }
    first
}

/// Ops that made others ready although the recording has no edge between them: the executor scheduled an op long after its known
/// inputs were there, so the op that ended just before made it ready. The observed path uses the same rule.
struct Triggers {
    is_known: bool,
}

impl Triggers {
    fn of(study: &Study) -> Self {
        Self { is_known: !study.causes().graph.threads.rules.is_empty() }
    }

    fn of_node(&self, study: &Study, graph: &ExecutionGraph, node: u32, ready: Option<i64>) -> Option<u32> {
        if !self.is_known {
            return None;
        }
        let trace = study.trace();
        let scheduled = Observed::scheduled(study.edges(), graph, node)?;
        let device = trace.device_of(graph.nodes.op(node));
        let pool = graph.threads.pools.device(device);
        let is_root = pool.began.is_some_and(|began| scheduled - began <= MAX_DISPATCH);
        let at = (scheduled - trace.span().start).0;
        let is_late = ready.is_none_or(|ready| Nanos(at - ready) > MAX_DISPATCH);
        if is_root || !is_late {
            return None;
        }
        let from = graph.nodes.of_op(pool.ended_by(trace, scheduled)?)?;
        // The same moment may also be the end of the node itself, if it took no time.
        let is_before = |from: &u32| graph.nodes.interval(*from).start < graph.nodes.interval(node).start;
        Some(from).filter(|&from| from != node).filter(is_before)
    }
}
