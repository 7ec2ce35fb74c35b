//! Pools of executor threads: where each op ran, after which op, and how it got its thread.
//!
//! An executor of TensorFlow keeps cheap ops on the thread that made them ready, in a queue of that thread, first in, first out. It
//! gives the others to the pool: each to the front of the deque of the thread that made it ready. A thread that is free takes from its own
//! queue, then from the front of its own deque, then from the back of the deque of another; one that sleeps must wake up first
//! (`ScheduleReady` in `executor.cc`; Eigen's `NonBlockingThreadPool`).

use super::timing::{NONE, Place, Ran};
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::graph::ExecutionGraph;
use crate::causality::pools::MAX_DISPATCH;
use crate::causality::threads::Turn;
use crate::gpu::kernels::has_kernels;
use crate::{Category, DeviceId, Study, Trace};

/// How long an idle thread takes to wake up and to start an op, where no recorded op shows it. Futexes take 5 to 50 us on the machines of
/// our recordings.
const WAKE: i64 = 40_000;

/// How long a thread takes from the end of an op to the start of the next one that it takes from the pool, where no op shows it.
const TURN: i64 = 2_000;

/// TensorFlow takes an op for cheap that needs less than 5,000 ticks of the processor's clock, 1.5 to 2.5 us (`kOpIsExpensiveThresholdCycles`);
/// what is recorded of an op is a little longer.
const CHEAP: i64 = 5_000;

/// The number of recorded ops that shows how long threads take.
const ENOUGH: usize = 5;

/// The pools of a trace.
pub(super) struct Executors {
    pool: Vec<Option<u32>>,
    /// The number of threads of each pool.
    pub(super) threads: Vec<u32>,
    /// The node before each node on its thread.
    pub(super) before: Vec<u32>,
    /// Whether the thread went on before the node had ended.
    pub(super) leaves: Vec<bool>,
    /// For each pool the sorted starts and ends of its nodes.
    moments: Vec<(Vec<i64>, Vec<i64>)>,
}

impl Executors {
    pub(super) fn of(trace: &Trace, graph: &ExecutionGraph) -> Self {
        let pools = &graph.threads.pools;
        let mut found = Self {
            pool: vec![None; trace.devices().len()],
            threads: Vec::new(),
            before: Vec::new(),
            leaves: Vec::new(),
            moments: Vec::new(),
        };
        for rule in &graph.threads.rules {
            if found.pool[rule.device.index()].is_some() {
                continue;
            }
            let pool = found.threads.len() as u32;
            // As many threads as ops ran at once: the recording does not say that there were more.
            found.threads.push(pools.around(rule.device).most.max(1));
            found.pool[rule.device.index()] = Some(pool);
            for &device in pools.sharing_with(rule.device) {
                found.pool[device.index()] = Some(pool);
            }
        }
        found
    }

    /// Where `node` runs.
    pub(super) fn place(&self, study: &Study, graph: &ExecutionGraph, node: u32) -> Place {
        let trace = study.trace();
        let op = graph.nodes.op(node);
        let device = trace.device_of(op);
        let runs = runs_on_threads(trace, device)
            && !matches!(trace.category(op), Category::Range | Category::Communication)
            && study.transfers().id_of_op(op).is_none();
        self.pool[device.index()].filter(|_| runs).map_or(Place::Own, Place::Pool)
    }

    /// Follows each thread. `by_rank` are the nodes in order of start.
    pub(super) fn follow(
        &mut self,
        graph: &ExecutionGraph,
        place: &[Place],
        by_rank: &[u32],
        start: &[i64],
        length: &[i64],
    ) {
        self.before = vec![NONE; place.len()];
        self.leaves = vec![false; place.len()];
        self.moments = vec![(Vec::new(), Vec::new()); self.threads.len()];
        let mut last: Vec<Vec<u32>> = vec![Vec::new(); self.threads.len()];
        for &node in by_rank {
            let row = node as usize;
            let Place::Pool(pool) = place[row] else { continue };
            let (pool, op) = (pool as usize, graph.nodes.op(node));
            let thread = graph.threads.thread(op) as usize;
            let own = &mut last[pool];
            if own.len() <= thread {
                own.resize(thread + 1, NONE);
            }
            let before = std::mem::replace(&mut own[thread], node);
            self.before[row] = before;
            if before != NONE && start[before as usize] + length[before as usize] > start[row] {
                self.leaves[before as usize] = true;
            }
            let end = start[row] + length[row];
            self.moments[pool].0.push(start[row]);
            self.moments[pool].1.push(end);
        }
        for (starts, ends) in &mut self.moments {
            order::by_number(starts, |at| (at, 0));
            order::by_number(ends, |at| (at, 0));
        }
    }

    /// When the thread of `node` was free for it.
    pub(super) fn free(&self, node: usize, start: &[i64], length: &[i64]) -> Option<i64> {
        let before = Some(self.before[node]).filter(|&before| before != NONE)? as usize;
        Some(start[before] + if self.leaves[before] { 0 } else { length[before] })
    }

    /// Whether as many ops as ever ran in `pool` right after `at`; an op that ends then still counts.
    pub(super) fn are_all_busy(&self, pool: u32, at: i64) -> bool {
        let (starts, ends) = &self.moments[pool as usize];
        let begun = starts.partition_point(|&start| start < at);
        let ended = ends.partition_point(|&end| end < at);
        begun - ended >= self.threads[pool as usize] as usize
    }
}

fn runs_on_threads(trace: &Trace, device: DeviceId) -> bool {
    !trace.devices().get(device).nests && !has_kernels(trace, device)
}

/// What a simulation of threads needs of each node.
pub(super) struct Turns {
    /// Whether a node stays on the thread that made it ready.
    pub(super) is_kept: Vec<bool>,
    /// The place of each node among those that ask for something at one moment.
    pub(super) asks: Vec<u32>,
    /// For each pool how long an idle thread takes to start an op.
    pub(super) wake: Vec<i64>,
    /// For each pool how long a thread takes from the end of an op to the next one that it takes from the pool.
    pub(super) turn: Vec<i64>,
}

/// When a node was ready, and the node that it waited for last.
#[derive(Clone, Copy)]
pub(super) struct Ready<'a> {
    pub(super) at: &'a [Option<i64>],
    pub(super) last: &'a [u32],
}

/// Which nodes stay on the thread that made them ready. Without stamps that tell, a node was kept if it ran on the thread of the node that
/// it waited for last, and since then this thread ran only nodes that it kept, too, and that were ready no later: its queue is first in,
/// first out.
pub(super) fn kept(
    study: &Study,
    place: &[Place],
    executors: &Executors,
    ready: Ready<'_>,
    by_rank: &[u32],
    Ran { start, length }: Ran<'_>,
) -> Vec<bool> {
    let (trace, graph) = (study.trace(), &study.causes().graph);
    let mut is_kept = vec![false; place.len()];
    let end = |node: usize| start[node] + length[node];
    for &node in by_rank {
        let row = node as usize;
        let maker = ready.last[row];
        if maker == NONE || !matches!(place[row], Place::Pool(_)) || place[row] != place[maker as usize] {
            continue;
        }
        let thread = |node: u32| graph.threads.thread(graph.nodes.op(node));
        if thread(node) != thread(maker) {
            continue;
        }
        is_kept[row] = match graph.threads.turn(graph.nodes.op(node)) {
            Turn::Kept | Turn::Left => true,
            Turn::Sent => false,
            Turn::Unknown => {
                let before = Some(executors.before[row]).filter(|&before| before != NONE).unwrap_or(maker);
                let is_next = before == maker
                    || (is_kept[before as usize] && ready.at[before as usize] <= ready.at[row]);
                let free = end(before as usize).max(end(maker as usize));
                is_next && Nanos(start[row] - free) <= MAX_DISPATCH
            }
        };
    }
    // The last op that becomes ready stays, whatever it costs, if nothing else waits on the thread. Such an op is given to the pool like
    // others: its own thread takes the newest first.
    let mut with = vec![0_u32; place.len()];
    let kept = || by_rank.iter().map(|&node| node as usize);
    kept().filter(|&row| is_kept[row]).for_each(|row| with[ready.last[row] as usize] += 1);
    for row in kept() {
        // Threads that were recorded are no executor's: without stamps, each goes on with its own.
        let is_stamped = trace.ops().scheduled(graph.nodes.op(row as u32)).is_some();
        let is_only = is_kept[row]
            && is_stamped
            && executors.before[row] == ready.last[row]
            && with[ready.last[row] as usize] == 1;
        if is_only && length[row] > CHEAP {
            is_kept[row] = false;
        }
    }
    is_kept
}

/// The place of each node among those that ask at one moment. Of the nodes that one op gave to the pool, another thread takes the first
/// from the back of the deque, and its own thread the last from the front.
pub(super) fn asking(
    graph: &ExecutionGraph,
    place: &[Place],
    is_kept: &[bool],
    last: &[u32],
    rank: &[u32],
    by_rank: &[u32],
) -> Vec<u32> {
    let mut asks = rank.to_vec();
    let is_sent = |node: u32| {
        let (row, maker) = (node as usize, last[node as usize]);
        matches!(place[row], Place::Pool(_))
            && !is_kept[row]
            && maker != NONE
            && place[row] == place[maker as usize]
    };
    let mut sent: Vec<u32> = by_rank.iter().copied().filter(|&node| is_sent(node)).collect();
    order::by_number(&mut sent, |node| (i64::from(last[node as usize]), 0));
    let thread = |node: u32| graph.threads.thread(graph.nodes.op(node));
    let mut pushed: Vec<u32> = Vec::new();
    for own in sent.chunk_by(|&a, &b| last[a as usize] == last[b as usize]).filter(|own| own.len() > 1) {
        let home = thread(last[own[0] as usize]);
        pushed.clear();
        pushed.extend(own.iter().filter(|&&node| thread(node) != home));
        pushed.extend(own.iter().rev().filter(|&&node| thread(node) == home));
        // `own` is in order of rank: its places go to the nodes in the order in which they were given.
        pushed.iter().zip(own).for_each(|(&node, &place)| asks[node as usize] = rank[place as usize]);
    }
    asks
}

/// How long idle threads take to start an op, and busy ones to go on, in each pool: medians of what was recorded.
pub(super) fn typical(
    graph: &ExecutionGraph,
    place: &[Place],
    is_kept: &[bool],
    last: &[u32],
    delay: &[i64],
    holds: &[bool],
    pools: usize,
) -> (Vec<i64>, Vec<i64>) {
    let mut found: Vec<(Vec<i64>, Vec<i64>)> = vec![(Vec::new(), Vec::new()); pools];
    let thread = |node: u32| graph.threads.thread(graph.nodes.op(node));
    for node in 0..place.len() as u32 {
        let (row, maker) = (node as usize, last[node as usize]);
        let Place::Pool(pool) = place[row] else { continue };
        if is_kept[row] || maker == NONE || place[maker as usize] != place[row] || delay[row] > MAX_DISPATCH.0
        {
            continue;
        }
        let (wakes, turns) = &mut found[pool as usize];
        if holds[row] {
            turns.push(delay[row]);
        } else if thread(node) != thread(maker) {
            wakes.push(delay[row]);
        }
    }
    let median = |values: &mut Vec<i64>, otherwise: i64| {
        values.sort_unstable();
        if values.len() < ENOUGH { otherwise } else { values[values.len() / 2] }
    };
    found.iter_mut().map(|(wakes, turns)| (median(wakes, WAKE), median(turns, TURN))).unzip()
}
