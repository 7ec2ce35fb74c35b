//! The model: what a replay needs of the recording.
//!
//! Times are nanoseconds from the start of the step. Each node of the execution graph has a length, the nodes that it waits for,
//! and a *delay*: how long after all of them it started. A delay is kept in every replay, as Daydream and dPRO keep their gaps: it
//! stands for what was not recorded, such as dispatch, Python between operators, and the way of a request.

use super::bounds::Bounds;
use super::executors::{self, Executors, Ready, Turns};
use super::lines::Lines;
use super::timing::{NONE, Place, Ran, Timing};
use super::together::Together;
use super::users::User;
use super::waiting::Waiting;
use crate::base::order;
use crate::causality::nodes::is_work;
use crate::causality::pools::MAX_DISPATCH;
use crate::storage::ranges::range;
use crate::{OpId, Study};

/// What a replay needs of the recording, by node of the execution graph.
pub(crate) struct Model {
    pub(super) start: Vec<i64>,
    end: Vec<i64>,
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
    /// How each node gets its thread.
    pub(super) turns: Turns,
    /// Whether the thread of a node goes on before the node has ended.
    pub(super) leaves: Vec<bool>,
    /// The number of nodes that each node waits for.
    pub(super) waits: Vec<u32>,
    /// The nodes that wait for node `n` are `users[first_user[n] .. first_user[n + 1]]`.
    first_user: Vec<u32>,
    users: Vec<User>,
    /// The place of each node in the order of recorded starts: decides between nodes that are ready at the same time.
    pub(super) rank: Vec<u32>,
    pub(super) bounds: Bounds,
    /// Of nodes of pools the delay after all that they wait for and the node before on their thread.
    on_threads: Vec<(u32, i64)>,
    /// The node before each node on its thread.
    pub(super) before: Vec<u32>,
    /// Where each node stays on its recorded thread: the delays for threads that take what the pool gives them.
    given: Option<Vec<i64>>,
    /// The number of threads of each pool.
    pub(super) threads: Vec<u32>,
    pub(super) lines: Lines,
    pub(super) together: Together,
    took_time: Vec<bool>,
    /// The nodes of threads that only ask a driver, until they see what they ask for: a step does not wait for them.
    pub(super) watching: Vec<u32>,
    /// When everything else had ended.
    pub(super) program_end: i64,
    op: Vec<OpId>,
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
        let mut by_rank = vec![NONE; count];
        rank.iter().zip(0..).for_each(|(&rank, node)| by_rank[rank as usize] = node);
        let mut executors = Executors::of(trace, graph);
        let mut place: Vec<Place> = nodes(count).map(|node| executors.place(study, graph, node)).collect();
        executors.follow(graph, &place, &by_rank, &start, &length);
        let ran = Ran { start: &start, length: &length };
        let mut waiting = Waiting::of(study, graph, &executors, &place, &by_rank, ran);
        let ready = Ready { at: &waiting.ready, last: &waiting.last };
        let is_kept = executors::kept(study, &place, &executors, ready, &by_rank, ran);
        let (mut delay, mut holds) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut on_threads = Vec::new();
        for row in 0..count {
            if !is_work(trace, graph.nodes.op(row as u32)) {
                // A range, or what repeats the ops of others: the step does not end with it.
                waiting.released[row] = 0;
                delay.push(0);
                holds.push(false);
                continue;
            }
            let ready = waiting.ready[row].unwrap_or(waiting.released[row]);
            // Another thread would have taken it earlier if one had been free.
            let is_on_thread = matches!(place[row], Place::Pool(_));
            let free =
                Some(row).filter(|_| is_on_thread).and_then(|row| executors.free(row, &start, &length));
            let free = free.map_or(ready, |free| free.clamp(ready.min(start[row]), start[row]));
            let waited =
                is_on_thread && (is_kept[row] || (free > ready && start[row] - free <= MAX_DISPATCH.0));
            delay.push(start[row] - if waited { free } else { ready });
            holds.push(waited);
            if is_on_thread {
                on_threads.push((row as u32, start[row] - free.max(ready).min(start[row])));
            }
        }
        let asks = executors::asking(graph, &place, &is_kept, &waiting.last, &rank, &by_rank);
        let pools = executors.threads.len();
        let (wake, turn) = executors::typical(graph, &place, &is_kept, &waiting.last, &delay, &holds, pools);
        let turns = Turns { is_kept, asks, wake, turn };
        let bounds = Bounds::of(study, graph, &place, &by_rank, pools);
        let end = start.iter().zip(&length).map(|(start, length)| start + length).collect();
        let took_time = length.iter().map(|&length| length > 0).collect();
        let op = nodes(count).map(|node| graph.nodes.op(node)).collect();
        let is_watching = |&node: &u32| {
            let op = graph.nodes.op(node);
            graph.watchers.contains(&(trace.device_of(op), trace.ops().thread(op)))
        };
        let watching = match graph.watchers.is_empty() {
            true => Vec::new(),
            false => nodes(count).filter(is_watching).collect(),
        };
        let is_program = |&node: &u32| is_work(trace, graph.nodes.op(node)) && !is_watching(&node);
        let program_end = match watching.is_empty() {
            true => 0,
            false => {
                let ends = nodes(count).filter(is_program);
                ends.map(|node| start[node as usize] + length[node as usize]).max().unwrap_or(0)
            }
        };
        let mut timing = Timing { start, length, delay, holds, op };
        let lines = Lines::of(study, &mut timing, &mut place);
        let together = Together::of(study, graph, &mut timing, &mut place);
        let Timing { start, length, delay, holds, op } = timing;
        Self {
            op,
            start,
            end,
            length,
            delay,
            holds,
            turns,
            bounds,
            on_threads,
            before: executors.before,
            given: None,
            leaves: executors.leaves,
            released: waiting.released,
            waits: waiting.count,
            first_user: waiting.first_user,
            users: waiting.users,
            rank,
            threads: executors.threads,
            lines,
            together,
            took_time,
            watching,
            program_end,
            place,
        }
    }

    /// From now on, each op of an executor stays on its thread, after the op before.
    pub(super) fn stay_on_threads(&mut self) {
        let given = self.delay.clone();
        for &(node, delay) in &self.on_threads {
            self.delay[node as usize] = delay;
        }
        self.given = Some(given);
    }

    /// Threads take the ops that the pool gives them.
    pub(super) fn give(&mut self) {
        if let Some(given) = self.given.take() {
            self.delay = given;
        }
    }

    /// The delays for threads that take what the pool gives them, where ops otherwise stay on their threads.
    pub(super) fn given(&self) -> Option<&[i64]> {
        self.given.as_deref()
    }

    /// Of nodes of pools the delay after all that they wait for and the node before on their thread.
    pub(super) fn on_threads(&self) -> &[(u32, i64)] {
        &self.on_threads
    }

    /// Whether ops stay on their threads when there are as many as were recorded.
    pub(super) fn are_on_threads(&self) -> bool {
        self.given.is_some()
    }

    /// When `node` ended, from the start of the step.
    pub(super) fn recorded_end(&self, node: usize) -> i64 {
        self.end[node]
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
            + self.turns.is_kept.capacity()
            + self.leaves.capacity()
            + self.took_time.capacity()
            + self.place.capacity() * size_of::<Place>()
            + self.op.capacity() * size_of::<OpId>()
            + (self.waits.capacity()
                + self.turns.asks.capacity()
                + self.first_user.capacity()
                + self.rank.capacity()
                + self.watching.capacity()
                + self.threads.capacity())
                * size_of::<u32>()
            + self.users.capacity() * size_of::<User>()
            + self.end.capacity() * size_of::<i64>()
            + self.bounds.heap_bytes()
            + self.on_threads.capacity() * size_of::<(u32, i64)>()
            + self.before.capacity() * size_of::<u32>()
            + self.given.as_ref().map_or(0, Vec::capacity) * size_of::<i64>()
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
