//! What each node waits for in a replay: its dependencies, and where none is known, what ran before it.

use super::executors::Executors;
use super::timing::{NONE, Place, Ran};
use super::users::{User, first_of_each};
use crate::base::order;
use crate::base::units::Nanos;
use crate::causality::graph::ExecutionGraph;
use crate::causality::observed::{MAX_LAUNCH, Observed};
use crate::causality::pools::MAX_DISPATCH;
use crate::causality::threads::Turn;
use crate::gpu::kernels::has_kernels;
use crate::model::category::SOURCE;
use crate::model::device::task_of;
use crate::study::step_of_op::StepOfOp;
use crate::{Category, DeviceId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What each node waits for.
pub(super) struct Waiting {
    pub(super) count: Vec<u32>,
    pub(super) first_user: Vec<u32>,
    pub(super) users: Vec<User>,
    /// When everything that a node waits for was done, as recorded; `None` for nodes that wait for nothing.
    pub(super) ready: Vec<Option<i64>>,
    /// The node that each node waited for last; [`NONE`] for nodes that wait for nothing.
    pub(super) last: Vec<u32>,
    /// When a node that waits for nothing was there to run: when the executor scheduled it, or else when it started.
    pub(super) released: Vec<i64>,
    /// (cause, node, how much of the cause must have run)
    pairs: Vec<(u32, u32, i64)>,
}

impl Waiting {
    pub(super) fn of(
        study: &Study,
        graph: &ExecutionGraph,
        executors: &Executors,
        place: &[Place],
        by_rank: &[u32],
        ran: Ran<'_>,
    ) -> Self {
        let count = ran.start.len();
        let mut waiting = Self {
            count: vec![0; count],
            first_user: Vec::new(),
            users: Vec::new(),
            ready: vec![None; count],
            last: vec![NONE; count],
            released: ran.start.to_vec(),
            pairs: Vec::new(),
        };
        for node in ran.nodes() {
            for (from, kind) in graph.causes(node) {
                // A cause that began after its effect cannot be one; the execution graph counts such edges as repaired.
                if kind.is_dependency() && ran.start(from) <= ran.start(node) {
                    waiting.add(from, node, ran);
                }
            }
            if let Some(scheduled) = Observed::scheduled(study.edges(), graph, node) {
                waiting.released[node as usize] = (scheduled - study.trace().span().start).0.max(0);
            }
        }
        waiting.on_threads(study, graph, executors, place, ran);
        waiting.first_on_threads(study, graph, place, by_rank, ran);
        waiting.after_long_waits(study, graph, place, by_rank, ran);
        waiting.after_other_threads(study, graph, place, by_rank, ran);
        waiting.between_steps(study, graph, ran);
        order::by_number(&mut waiting.pairs, |(from, ..)| (i64::from(from), 0));
        waiting.users = waiting.pairs.iter().map(|&(_, node, after)| User { node, after }).collect();
        waiting.first_user = first_of_each(count, waiting.pairs.iter().map(|&(from, ..)| from));
        waiting.pairs = Vec::new();
        waiting
    }

    fn add(&mut self, from: u32, node: u32, ran: Ran<'_>) {
        let row = node as usize;
        let done = ran.end(from).min(ran.start(node));
        self.pairs.push((from, node, done - ran.start(from)));
        self.count[row] += 1;
        if self.ready[row].is_none_or(|ready| ready < done) {
            self.ready[row] = Some(done);
            self.last[row] = from;
        }
    }

    /// Adds what ops of executors waited for although no edge says so.
    fn on_threads(
        &mut self,
        study: &Study,
        graph: &ExecutionGraph,
        executors: &Executors,
        place: &[Place],
        ran: Ran<'_>,
    ) {
        let sources = Sources::of(study, graph, place, &self.count);
        let thread = |node: u32| graph.threads.thread(graph.nodes.op(node));
        for node in ran.nodes() {
            let row = node as usize;
            let Place::Pool(pool) = place[row] else { continue };
            let before = executors.before[row];
            let before = Some(before).filter(|&before| before != NONE && ran.end(before) <= ran.start(node));
            let turn = graph.threads.turn(graph.nodes.op(node));
            let is_stamped = Observed::scheduled(study.edges(), graph, node).is_some();
            if !is_stamped {
                // The thread of an op with causes is what it waited for only if another thread could have run it.
                let waited = |before: &u32| match self.ready[row] {
                    None => true,
                    Some(ready) => ready < ran.end(*before) && !executors.are_all_busy(pool, ready),
                };
                before.filter(waited).into_iter().for_each(|before| self.add(before, node, ran));
            } else if self.count[row] == 0
                && let Some(source) = sources.before(study, graph, node, ran)
            {
                self.add(source, node, ran);
            } else if turn == Turn::Kept || turn == Turn::Left {
                // The thread kept it because of an op that it ran.
                let is_of_thread = self.last[row] != NONE && thread(self.last[row]) == thread(node);
                before.filter(|_| !is_of_thread).into_iter().for_each(|before| self.add(before, node, ran));
            } else if let Some(from) = trigger(study, graph, node, self.ready[row]) {
                self.add(from, node, ran);
            }
        }
    }

    /// What begins a thread of a program or a stream, and waits for nothing that is known, follows what its process ran when it began:
    /// as much of that must have run. `by_rank` are the nodes in order of start.
    fn first_on_threads(
        &mut self,
        study: &Study,
        graph: &ExecutionGraph,
        place: &[Place],
        by_rank: &[u32],
        ran: Ran<'_>,
    ) {
        let trace = study.trace();
        let is_serial = |device| trace.devices().get(device).nests || has_kernels(trace, device);
        let serial: Vec<bool> = trace.devices().ids().map(is_serial).collect();
        let process = processes(trace);
        let mut last = vec![NONE; trace.devices().len()];
        for &node in by_rank.iter().filter(|&&node| ran.length[node as usize] > 0) {
            let device = trace.device_of(graph.nodes.op(node)).index();
            let before = std::mem::replace(&mut last[process[device]], node);
            let is_first = self.count[node as usize] == 0 && place[node as usize] == Place::Own;
            if is_first && serial[device] && before != NONE {
                self.add(before, node, ran);
            }
        }
    }

    /// What an executor or a GPU of TensorFlow started long after all that it is known to have waited for, and of which no stamp says when it
    /// was ready, waited for the node of its process that ended just before.
    fn after_long_waits(
        &mut self,
        study: &Study,
        graph: &ExecutionGraph,
        place: &[Place],
        by_rank: &[u32],
        ran: Ran<'_>,
    ) {
        let trace = study.trace();
        if graph.threads.rules.is_empty() || trace.devices().ids().any(|id| trace.devices().get(id).nests) {
            return;
        }
        let process = processes(trace);
        let process_of = |node: u32| process[trace.device_of(graph.nodes.op(node)).index()];
        let kernels: Vec<bool> = trace.devices().ids().map(|device| has_kernels(trace, device)).collect();
        let mut by_end: Vec<u32> =
            by_rank.iter().copied().filter(|&node| ran.length[node as usize] > 0).collect();
        order::by_number(&mut by_end, |node| (ran.end(node), 0));
        let mut by_end = by_end.into_iter().peekable();
        let mut last = vec![NONE; trace.devices().len()];
        for &node in by_rank {
            while let Some(ended) = by_end.next_if(|&ended| ran.end(ended) <= ran.start(node)) {
                last[process_of(ended)] = ended;
            }
            let most = match place[node as usize] {
                Place::Pool(_) if Observed::scheduled(study.edges(), graph, node).is_none() => MAX_DISPATCH,
                Place::Own if kernels[trace.device_of(graph.nodes.op(node)).index()] => MAX_LAUNCH,
                _ => continue,
            };
            let before = last[process_of(node)];
            let (Some(ready), true) = (self.ready[node as usize], before != NONE) else { continue };
            let is_later = ran.end(before) > ready && ran.start(before) < ran.start(node);
            if is_later && Nanos(ran.start(node) - ready) > most {
                self.add(before, node, ran);
            }
        }
    }

    /// A thread of PyTorch's program that ran nothing while another thread of it worked, and goes on just when that one has ended an op, waited for
    /// that: the engine of `autograd` for the program that calls `backward`, and the program for the engine. One that goes on while another one waits
    /// for a batch waited for as much of that loading.
    fn after_other_threads(
        &mut self,
        study: &Study,
        graph: &ExecutionGraph,
        place: &[Place],
        by_rank: &[u32],
        ran: Ran<'_>,
    ) {
        let trace = study.trace();
        let nodes = trace.nodes();
        if !nodes.ids().any(|node| trace.text(nodes.name(node)).starts_with("aten::")) {
            return;
        }
        let thread = |node: u32| trace.ops().thread(graph.nodes.op(node));
        let device = |node: u32| trace.device_of(graph.nodes.op(node));
        let counts = |&node: &u32| {
            ran.length[node as usize] > 0
                && place[node as usize] == Place::Own
                && trace.devices().get(device(node)).nests
        };
        let own: Vec<u32> = by_rank.iter().copied().filter(counts).collect();
        let mut by_end = own.clone();
        order::by_number(&mut by_end, |node| (ran.end(node), 0));
        let mut by_end = by_end.into_iter().peekable();
        // Of each process the op that ended last, and the last one of any other thread.
        let mut last = vec![[NONE; 2]; trace.devices().len()];
        // Of each process the loading of a batch that began last and has not ended.
        let mut loading = vec![NONE; trace.devices().len()];
        // Until when each thread runs what it has begun.
        let mut until: HashMap<(DeviceId, u32), i64, FixedState> = HashMap::default();
        for &node in &own {
            let end = until.entry((device(node), thread(node))).or_insert(i64::MIN);
            *end = ran.end(node).max(*end);
            while let Some(ended) = by_end.next_if(|&ended| ran.end(ended) <= ran.start(node)) {
                let [newest, other] = &mut last[device(ended).index()];
                if *newest != NONE && thread(*newest) != thread(ended) {
                    *other = *newest;
                }
                *newest = ended;
            }
            let loads = std::mem::replace(&mut loading[device(node).index()], NONE);
            let is_loading = |own: u32| own != NONE && ran.end(own) > ran.start(node);
            let is_load = trace.category(graph.nodes.op(node)) == Category::Input;
            let kept = if is_loading(loads) { loads } else { NONE };
            loading[device(node).index()] = if is_load && kept == NONE { node } else { kept };
            let is_of_other = |&ended: &u32| ended != NONE && thread(ended) != thread(node);
            let before = last[device(node).index()].into_iter().find(is_of_other);
            let Some(ready) = self.ready[node as usize] else { continue };
            let start = ran.start(node);
            let waited = start.saturating_sub(ready);
            // A thread that pins batches gets the next one while the program waits for it.
            let is_within = is_of_other(&kept) && ran.start(kept) > ready;
            if Nanos(waited) > MAX_DISPATCH && is_within {
                self.add(kept, node, ran);
                continue;
            }
            let Some(before) = before else { continue };
            // A thread that works on has handed nothing over.
            let rests = |&end: &i64| end <= start;
            if !until.get(&(device(before), thread(before))).is_some_and(rests) {
                continue;
            }
            let ended = ran.end(before);
            let returns = start.saturating_sub(ended);
            let is_just = returns <= MAX_DISPATCH.0.max(waited / LEAST_RETURN);
            if Nanos(waited) > MAX_DISPATCH && ended > ready && is_just && ran.start(before) < start {
                self.add(before, node, ran);
            }
        }
    }

    /// Of each step but the first, the nodes that wait for nothing wait for the end of the step before, if they started after it.
    fn between_steps(&mut self, study: &Study, graph: &ExecutionGraph, ran: Ran<'_>) {
        let steps = StepOfOp::indexed(study);
        if steps.is_one() {
            return;
        }
        let step_of = |node: u32| steps.step(study, graph.nodes.op(node));
        // Of each step the node that ended last; of a step without nodes, that of the step before.
        let mut last = vec![NONE; steps.end()];
        for node in ran.nodes().filter(|&node| ran.length[node as usize] > 0) {
            let last = &mut last[step_of(node)];
            if *last == NONE || ran.end(*last) < ran.end(node) {
                *last = node;
            }
        }
        for step in 1..last.len() {
            if last[step] == NONE {
                last[step] = last[step - 1];
            }
        }
        for node in ran.nodes().filter(|&node| self.count[node as usize] == 0).collect::<Vec<u32>>() {
            let before = step_of(node).checked_sub(1).map_or(NONE, |before| last[before]);
            if before != NONE && ran.end(before) <= ran.start(node) {
                self.add(before, node, ran);
            }
        }
    }
}

/// A thread that waited for another one goes on within this part of its wait, as its divisor, where that is longer than a dispatch.
const LEAST_RETURN: i64 = 10;

/// For each device the first device of its process: of its task, and of all devices without one if there is one task at most and no
/// program, whose threads would name it.
fn processes(trace: &Trace) -> Vec<usize> {
    let name = |device| trace.text(trace.devices().get(device).name);
    let mut first: HashMap<&str, usize, FixedState> = HashMap::default();
    let mut tasks: Vec<Option<&str>> = trace.devices().ids().map(|device| task_of(name(device))).collect();
    let mut known: Vec<&str> = tasks.iter().copied().flatten().collect();
    known.sort_unstable();
    known.dedup();
    if let ([only], false) = (known.as_slice(), trace.devices().ids().any(|id| trace.devices().get(id).nests))
    {
        tasks.iter_mut().for_each(|task| *task = Some(*only));
    }
    let key = |device: DeviceId| tasks[device.index()].unwrap_or(name(device));
    trace.devices().ids().map(|device| *first.entry(key(device)).or_insert(device.index())).collect()
}

/// The ops with which executors began, where graphs say what else waits for nothing.
struct Sources {
    /// (device, start, node), sorted; of devices whose graph is known.
    rows: Vec<(DeviceId, i64, u32)>,
}

impl Sources {
    fn of(study: &Study, graph: &ExecutionGraph, place: &[Place], count: &[u32]) -> Self {
        let trace = study.trace();
        let mut rows = Vec::new();
        let Some(name) = trace.strings().find(SOURCE) else { return Self { rows } };
        for device in trace.devices().ids() {
            let nodes = || graph.nodes.of_device(trace, device);
            let on_threads = || nodes().filter(|&node| matches!(place[node as usize], Place::Pool(_)));
            let with_causes = on_threads().filter(|&node| count[node as usize] > 0).count();
            if with_causes * 2 < on_threads().count() {
                continue;
            }
            let is_source = |node: &u32| trace.nodes().name(trace.ops().node(graph.nodes.op(*node))) == name;
            let start = |node: u32| (graph.nodes.interval(node).start - trace.span().start).0;
            rows.extend(on_threads().filter(is_source).map(|node| (device, start(node), node)));
        }
        rows.sort_unstable();
        Self { rows }
    }

    /// The source of the run that `node` is in.
    fn before(&self, study: &Study, graph: &ExecutionGraph, node: u32, ran: Ran<'_>) -> Option<u32> {
        let device = study.trace().device_of(graph.nodes.op(node));
        let count = self.rows.partition_point(|&(own, start, _)| (own, start) < (device, ran.start(node)));
        let &(own, _, source) = self.rows.get(count.checked_sub(1)?)?;
        Some(source).filter(|&source| own == device && source != node && ran.end(source) <= ran.start(node))
    }
}

/// What made `node` ready although the recording has no edge between them: the executor scheduled it long after its known inputs were
/// there, so the op that ended just before did. The observed path uses the same rule.
fn trigger(study: &Study, graph: &ExecutionGraph, node: u32, ready: Option<i64>) -> Option<u32> {
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
