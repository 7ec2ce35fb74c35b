//! The simulation: runs every node once, event by event, in time (nodes + edges) log nodes.
//!
//! A node is *ready* when everything that it waits for is done. Then it starts after its delay, on the thread or line that it
//! needs. Threads take ops as [`executors`](super::executors) says; an op that no thread of its pool made ready stands in a queue of
//! all threads, of which the one comes first that was recorded to start first. At one moment, nodes become ready before threads take the
//! next op.

use super::lines::Sharing;
use super::model::Model;
use super::scenario::Scenario;
use super::schedule::Schedule;
use super::timing::{NONE, Place};
use crate::causality::pools::MAX_DISPATCH;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// Something that happens at a moment. Of several at one moment, the first in this order happens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The node with this place in the recorded order asks for its thread, line or collective.
    Asks(u32),
    /// A thread (pool, thread) has ended its op.
    Ended(u32, u32),
    /// A thread (pool, thread) has woken up.
    Wakes(u32, u32),
    /// This line has ended a transfer. The second number is that of the line's state for which the event was planned.
    Arrived(u32, u32),
    /// This line may begin: all transfers that ask at this moment have asked.
    Begins(u32),
}

pub(super) fn run(model: &Model, scenario: &Scenario) -> Schedule {
    let mut run = Run::new(model, scenario);
    run.roots();
    loop {
        while let Some(Reverse((at, event))) = run.events.pop() {
            run.now = at;
            match event {
                Event::Asks(rank) => run.asks(run.node_that_asks[rank as usize] as usize, at),
                Event::Ended(pool, thread) => run.take(pool, thread, at, false),
                Event::Wakes(pool, thread) => run.take(pool, thread, at, true),
                Event::Arrived(line, version) => run.arrived(line, version, at),
                Event::Begins(line) if run.lines[line as usize].running.is_none() => run.next_on(line, at),
                Event::Begins(_) => {}
            }
            run.settle();
        }
        // Participants of different collectives that wait for one another: the recording joined them wrongly. Or transfers that
        // cannot go as one, because one of them is needed for another.
        if !run.release_stuck() && !run.divide_stuck() {
            let end = |node| model.recorded_end(node);
            let length = |node| scenario.length(node);
            let threads: Vec<u32> =
                model.threads.iter().map(|&own| scenario.threads.unwrap_or(own)).collect();
            let (place, leaves) = (&model.place, &model.leaves);
            run.done.end_watching(model);
            run.done.at_least(model.bounds.busiest(length, place, leaves, &threads, &model.start, end));
            return run.done;
        }
    }
}

struct Run<'a> {
    model: &'a Model,
    scenario: &'a Scenario,
    done: Schedule,
    /// The moment of the event that is handled.
    now: i64,
    events: BinaryHeap<Reverse<(i64, Event)>>,
    node_of_rank: Vec<u32>,
    /// The nodes by their places among those that ask at one moment.
    node_that_asks: Vec<u32>,
    /// The number of nodes that each node still waits for.
    waits: Vec<u32>,
    /// Nodes that became ready and were not handled yet, with the moment.
    ready: Vec<(u32, i64)>,
    /// Whether ops of executors stay on their threads, and for each the next on its thread.
    on_threads: bool,
    next: Vec<u32>,
    pools: Vec<Pool>,
    /// The thread on which each node ran.
    thread: Vec<u32>,
    lines: Vec<Line>,
    /// For each collective the number of participants that have not arrived, and those that have.
    missing: Vec<(u32, Vec<u32>)>,
    /// The same for groups of transfers that go as one.
    merged: Vec<(u32, Vec<u32>)>,
    /// For each of these groups whether its transfers go one by one after all.
    is_divided: Vec<bool>,
}

/// Places in the recorded order; the first comes first.
type Queue = BinaryHeap<Reverse<u32>>;

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Waking,
    Busy,
}

/// A pool of threads.
struct Pool {
    /// The places of nodes in the recorded order that no thread of the pool made ready.
    queue: Queue,
    /// The nodes that each thread kept.
    kept: Vec<VecDeque<u32>>,
    /// The nodes that each thread gave to the pool, the next one that it takes itself first.
    sent: Vec<VecDeque<u32>>,
    /// The threads with such nodes.
    with_sent: BTreeSet<u32>,
    state: Vec<State>,
    /// The node that ran last on each thread.
    last: Vec<u32>,
    /// Threads that became idle, the last one last. Some have work again.
    idle: Vec<u32>,
}

impl Pool {
    fn new(threads: usize) -> Self {
        Self {
            queue: Queue::new(),
            kept: vec![VecDeque::new(); threads],
            sent: vec![VecDeque::new(); threads],
            with_sent: BTreeSet::new(),
            state: vec![State::Idle; threads],
            last: vec![NONE; threads],
            idle: (0..threads as u32).rev().collect(),
        }
    }

    /// An idle thread, which is to wake up.
    fn wake(&mut self) -> Option<u32> {
        while let Some(thread) = self.idle.pop() {
            let state = &mut self.state[thread as usize];
            if *state == State::Idle {
                *state = State::Waking;
                return Some(thread);
            }
        }
        None
    }

    /// The first node that `thread` gave to the pool: the newest.
    fn newest_of(&mut self, thread: u32) -> Option<u32> {
        let node = self.sent[thread as usize].pop_front();
        self.forget_empty(thread);
        node
    }

    /// The oldest node of another thread: the next one that has any.
    fn stolen_by(&mut self, thread: u32) -> Option<u32> {
        let other = self.with_sent.range(thread..).next().or_else(|| self.with_sent.first()).copied()?;
        let node = self.sent[other as usize].pop_back();
        self.forget_empty(other);
        node
    }

    fn forget_empty(&mut self, thread: u32) {
        if self.sent[thread as usize].is_empty() {
            self.with_sent.remove(&thread);
        }
    }
}

/// A line with the transfers on it.
#[derive(Default)]
struct Line {
    /// Transfers that wait for the line, by priority and moment of sending.
    queue: BinaryHeap<Reverse<(u32, i64, u32)>>,
    /// The transfer that has the line, where transfers go one after the other.
    running: Option<u32>,
    last: Option<u32>,
    /// Where transfers share the line: each by how far a transfer that began at 0 will have got when it ends.
    shared: BinaryHeap<Reverse<(Progress, u32)>>,
    got: f64,
    now: i64,
    version: u32,
}

/// A progress that can be compared: never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Progress(f64);

impl Eq for Progress {}

impl PartialOrd for Progress {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Progress {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Line {
    fn advance(&mut self, at: i64) {
        if !self.shared.is_empty() {
            self.got += (at - self.now) as f64 / self.shared.len() as f64;
        }
        self.now = at;
    }

    /// When the next transfer will have arrived, if none is sent before.
    fn next_end(&self) -> Option<i64> {
        let &Reverse((Progress(end), _)) = self.shared.peek()?;
        let left = ((end - self.got) * self.shared.len() as f64).max(0.0);
        Some(self.now.saturating_add(left.round() as i64))
    }
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, scenario: &'a Scenario) -> Self {
        let count = model.len();
        let mut node_of_rank = vec![0; count];
        model.rank.iter().zip(0..).for_each(|(&rank, node)| node_of_rank[rank as usize] = node);
        let mut node_that_asks = vec![0; count];
        model.turns.asks.iter().zip(0..).for_each(|(&place, node)| node_that_asks[place as usize] = node);
        let on_threads = (model.are_on_threads() || scenario.stays) && scenario.threads.is_none();
        let (mut waits, mut next) = (model.waits.clone(), Vec::new());
        if on_threads {
            next = vec![NONE; count];
            // Of two that start at one moment, either may wait for the other.
            let is_earlier = |&(node, &before): &(usize, &u32)| {
                before != NONE && model.start[before as usize] < model.start[node]
            };
            for (node, &before) in model.before.iter().enumerate().filter(is_earlier) {
                next[before as usize] = node as u32;
                waits[node] += 1;
            }
        }
        let threads = |&recorded: &u32| scenario.threads.unwrap_or(recorded).max(1) as usize;
        Self {
            model,
            scenario,
            done: Schedule::new(count),
            now: 0,
            events: BinaryHeap::with_capacity(count / 4),
            node_of_rank,
            node_that_asks,
            waits,
            on_threads,
            next,
            ready: Vec::new(),
            pools: model.threads.iter().map(|recorded| Pool::new(threads(recorded))).collect(),
            thread: vec![NONE; count],
            lines: (0..model.lines.count()).map(|_| Line::default()).collect(),
            missing: model.together.participants.iter().map(|&count| (count, Vec::new())).collect(),
            merged: scenario.groups.iter().map(|group| (group.transfers, Vec::new())).collect(),
            is_divided: vec![false; scenario.groups.len()],
        }
    }

    /// Nodes that wait for nothing are ready when the recording has them ready.
    fn roots(&mut self) {
        for node in 0..self.model.len() {
            if self.waits[node] == 0 {
                let at = self.model.released[node];
                self.done.released(node, at);
                self.ready.push((node as u32, at));
            }
        }
        self.settle();
    }

    /// Where `node` runs: a node that stays on its thread waits for the one before, and needs nothing else.
    fn place(&self, node: usize) -> Place {
        match self.model.place[node] {
            Place::Pool(_) if self.on_threads => Place::Own,
            place => place,
        }
    }

    /// Handles all nodes that became ready.
    fn settle(&mut self) {
        while let Some((node, at)) = self.ready.pop() {
            let node = node as usize;
            let before_asking = match self.place(node) {
                Place::Own => self.scenario.delay[node],
                _ if self.model.holds[node] => 0,
                // Nothing says why a thread took longer than it may take to wake up.
                Place::Pool(_) => self.scenario.delay[node].saturating_sub(MAX_DISPATCH.0).max(0),
                _ => self.scenario.delay[node],
            };
            let asks = at.saturating_add(before_asking);
            match self.place(node) {
                Place::Own => self.start(node, asks),
                _ => self.events.push(Reverse((asks, Event::Asks(self.model.turns.asks[node])))),
            }
        }
    }

    /// `node` runs from `start` on.
    fn start(&mut self, node: usize, start: i64) {
        let end = start.saturating_add(self.scenario.length(node));
        self.ran(node, start, end);
        let whole = self.model.length[node];
        for index in 0..self.model.users(node).len() {
            let user = self.model.users(node)[index];
            let at = match user.after {
                after if after >= whole => end,
                // A part of the length: a change stretches it like the whole.
                after => {
                    start + (i128::from(after) * i128::from(end - start) / i128::from(whole.max(1))) as i64
                }
            };
            self.tell(user.node, node, at);
        }
        if let Some(&next) = self.next.get(node).filter(|&&next| next != NONE) {
            self.tell(next, node, if self.model.leaves[node] { start } else { end });
        }
    }

    fn ran(&mut self, node: usize, start: i64, end: i64) {
        self.done.set(node, start, end);
    }

    /// `node` no longer waits for `cause` from `at` on.
    fn tell(&mut self, node: u32, cause: usize, at: i64) {
        let row = node as usize;
        // What waits for nothing but its thread is not there earlier than it was recorded to be.
        match self.model.released[row] {
            released if self.model.waits[row] == 0 && at <= released => self.done.released(row, released),
            _ => self.done.waited(row, cause as u32, at),
        }
        self.waits[row] -= 1;
        if self.waits[row] == 0 {
            self.ready.push((node, self.done.ready(row)));
        }
    }

    /// All users of a node whose end is known only now.
    fn tell_users(&mut self, node: usize, at: i64) {
        for index in 0..self.model.users(node).len() {
            self.tell(self.model.users(node)[index].node, node, at);
        }
    }

    fn asks(&mut self, node: usize, at: i64) {
        match self.place(node) {
            Place::Own => self.start(node, at),
            Place::Pool(pool) => self.asks_thread(node, pool, at),
            Place::Line(line) => self.send(node, line, at),
            Place::Collective(row) => self.arrives(node, row, at),
        }
    }

    fn asks_thread(&mut self, node: usize, pool: u32, at: i64) {
        let by = self.done.by(node);
        let own = Some(by)
            .filter(|&by| by != NONE && self.model.place[by as usize] == Place::Pool(pool))
            .map(|by| self.thread[by as usize])
            .filter(|&thread| thread != NONE);
        let state = &mut self.pools[pool as usize];
        match own {
            Some(thread) if self.model.turns.is_kept[node] => {
                if state.state[thread as usize] == State::Idle {
                    return self.run_on(node, pool, thread, at, self.scenario.delay[node]);
                }
                return state.kept[thread as usize].push_back(node as u32);
            }
            Some(thread) => {
                let own = &mut state.sent[thread as usize];
                own.insert(self.scenario.turn(node, own.len()), node as u32);
                state.with_sent.insert(thread);
            }
            None => state.queue.push(Reverse(self.model.rank[node])),
        }
        if let Some(thread) = self.pools[pool as usize].wake() {
            let wakes = at.saturating_add(self.wake(node, pool));
            self.events.push(Reverse((wakes, Event::Wakes(pool, thread))));
        }
    }

    /// How long an idle thread takes to start `node`.
    fn wake(&self, node: usize, pool: u32) -> i64 {
        match self.model.holds[node] {
            true => self.scenario.wake(node, self.model.turns.wake[pool as usize]),
            false => self.scenario.delay[node].min(MAX_DISPATCH.0),
        }
    }

    /// `thread` takes the next op, if there is one.
    fn take(&mut self, pool: u32, thread: u32, at: i64, has_woken: bool) {
        let state = &mut self.pools[pool as usize];
        let of_queue = |Reverse(rank): Reverse<u32>| self.node_of_rank[rank as usize];
        let next = state.kept[thread as usize]
            .pop_front()
            .or_else(|| state.newest_of(thread))
            .or_else(|| state.queue.pop().map(of_queue))
            .or_else(|| state.stolen_by(thread));
        let Some(node) = next else {
            state.state[thread as usize] = State::Idle;
            return state.idle.push(thread);
        };
        let node = node as usize;
        let delay = match self.model.holds[node] {
            true => self.scenario.delay[node],
            false if has_woken => 0,
            false => self.scenario.delay[node].min(self.model.turns.turn[pool as usize]),
        };
        let before = self.pools[pool as usize].last[thread as usize];
        if !has_woken && before != NONE && at > self.done.ready(node) {
            self.done.blame(node, before, at);
        }
        self.run_on(node, pool, thread, at, delay);
    }

    /// `node` has `thread` from `at` on, and starts after `delay`.
    fn run_on(&mut self, node: usize, pool: u32, thread: u32, at: i64, delay: i64) {
        let state = &mut self.pools[pool as usize];
        state.last[thread as usize] = node as u32;
        state.state[thread as usize] = State::Busy;
        self.thread[node] = thread;
        self.start(node, at.saturating_add(delay));
        let free = if self.model.leaves[node] { self.done.start(node) } else { self.done.end(node) };
        self.events.push(Reverse((free, Event::Ended(pool, thread))));
    }

    fn send(&mut self, node: usize, line: u32, at: i64) {
        let goes_alone = self.model.lines.sharing() == Sharing::InOrder || self.scenario.priority.is_some();
        let row = self.model.lines.row(node).unwrap_or(0);
        if let Some(group) = self.group(node) {
            self.ran(node, at, at);
            let (missing, members) = &mut self.merged[group];
            members.push(node as u32);
            *missing -= 1;
            // The last one carries all.
            if *missing > 0 {
                return;
            }
        } else if self.scenario.length(node) == 0 {
            return self.start(node, at);
        }
        let length = self.length_on_line(node);
        let state = &mut self.lines[line as usize];
        if goes_alone {
            let priority = self.scenario.priority.as_ref().map_or(0, |priority| priority[row]);
            state.queue.push(Reverse((priority, at, self.model.rank[node])));
            if state.running.is_none() {
                self.events.push(Reverse((at, Event::Begins(line))));
            }
            return;
        }
        state.advance(at);
        let end = state.got + length as f64;
        state.shared.push(Reverse((Progress(end), node as u32)));
        self.ran(node, at, at);
        self.plan(line);
    }

    /// Plans the next arrival on a shared line; plans made before no longer count.
    fn plan(&mut self, line: u32) {
        let state = &mut self.lines[line as usize];
        state.version += 1;
        if let Some(end) = state.next_end() {
            self.events.push(Reverse((end, Event::Arrived(line, state.version))));
        }
    }

    fn next_on(&mut self, line: u32, at: i64) {
        let state = &mut self.lines[line as usize];
        let Some(Reverse((_, sent, rank))) = state.queue.pop() else { return };
        let node = self.node_of_rank[rank as usize] as usize;
        state.running = Some(node as u32);
        state.version += 1;
        let before = state.last.replace(node as u32);
        let holds = self.model.holds[node];
        let begin = at.saturating_add(if holds { self.scenario.delay[node] } else { 0 });
        let end = begin.saturating_add(self.length_on_line(node));
        let row = self.model.lines.row(node);
        let is_since_sent = row.is_some_and(|row| self.model.lines.starts_when_sent[row]);
        self.ran(node, if is_since_sent { sent } else { begin }, end);
        if let Some(before) = before.filter(|_| at > sent) {
            self.done.waited_after_start(node, before, at, begin);
        }
        self.events.push(Reverse((end, Event::Arrived(line, self.lines[line as usize].version))));
    }

    fn arrived(&mut self, line: u32, version: u32, at: i64) {
        let state = &mut self.lines[line as usize];
        if state.version != version {
            return;
        }
        if let Some(node) = state.running.take() {
            self.received(node as usize, at);
            self.next_on(line, at);
            return;
        }
        state.advance(at);
        if let Some(Reverse((Progress(end), node))) = state.shared.pop() {
            state.got = state.got.max(end);
            self.done.ends(node as usize, at);
            self.received(node as usize, at);
        }
        self.plan(line);
    }

    /// The group of transfers that go as one with `node`.
    fn group(&self, node: usize) -> Option<usize> {
        self.scenario.group(node).filter(|&group| !self.is_divided[group])
    }

    fn length_on_line(&self, node: usize) -> i64 {
        let group = self.group(node).map(|group| self.scenario.groups[group].length);
        group.unwrap_or(self.scenario.length(node))
    }

    /// The tensor of `node` has arrived, and with it those that went with it.
    fn received(&mut self, node: usize, at: i64) {
        let group = self.group(node);
        let members = group.map(|group| std::mem::take(&mut self.merged[group].1)).unwrap_or_default();
        for member in members.into_iter().filter(|&member| member as usize != node) {
            self.done.ends(member as usize, at);
            self.done.waited_after_start(member as usize, node as u32, at, at);
            self.tell_users(member as usize, at);
        }
        self.tell_users(node, at);
    }

    fn arrives(&mut self, node: usize, row: u32, at: i64) {
        self.ran(node, at, at);
        let (missing, arrived) = &mut self.missing[row as usize];
        arrived.push(node as u32);
        *missing = missing.saturating_sub(1);
        if *missing == 0 {
            let arrived = std::mem::take(arrived);
            self.end_together(&arrived, node as u32, at);
        }
    }

    /// All participants have arrived; the last one was `last`, at `at`.
    fn end_together(&mut self, arrived: &[u32], last: u32, at: i64) {
        for &node in arrived {
            let row = node as usize;
            let end = at.saturating_add(self.scenario.length(row));
            self.done.ends(row, end);
            if node != last {
                self.done.waited_after_start(row, last, at, at);
            }
            self.tell_users(row, end);
        }
    }

    /// Ends the first collective that some participants have reached. Returns whether there was one.
    fn release_stuck(&mut self) -> bool {
        let stuck = self.missing.iter().position(|(missing, arrived)| *missing > 0 && !arrived.is_empty());
        let Some(row) = stuck else { return false };
        let (missing, arrived) = std::mem::take(&mut self.missing[row]);
        let at = self.now;
        self.done.stuck += u64::from(missing);
        if let Some(&last) = arrived.last() {
            self.end_together(&arrived, last, at);
        }
        self.settle();
        true
    }

    /// Sends the transfers of the first group of which some wait for the others, one by one. Returns whether there was one.
    fn divide_stuck(&mut self) -> bool {
        let stuck = self.merged.iter().position(|(missing, members)| *missing > 0 && !members.is_empty());
        let Some(group) = stuck else { return false };
        let (missing, members) = std::mem::take(&mut self.merged[group]);
        self.done.stuck += u64::from(missing);
        self.is_divided[group] = true;
        for node in members {
            if let Place::Line(line) = self.model.place[node as usize] {
                self.send(node as usize, line, self.now);
            }
        }
        self.settle();
        true
    }
}
