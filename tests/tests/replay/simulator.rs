//! A plain simulator of a cluster: at every moment it looks at everything. It shares no code with the replay.

use std::collections::{BTreeMap, VecDeque};
use steplens_core::Study;
use steplens_core::replay::{Sharing, Spread};
use steplens_tests::proto::NodeExecStats;
use steplens_tests::writer::{BASE_UNIX_NS, Scenario, op, recv};

/// Something that takes time.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) name: String,
    pub(super) what: What,
    pub(super) needs: Vec<usize>,
    /// When it is there to run, if it needs nothing.
    pub(super) released: i64,
    /// How long it takes alone.
    pub(super) length: i64,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// An op on a task. It runs on the thread that made it ready if it is cheap.
    Op { task: String, op_type: &'static str, is_cheap: bool },
    /// A transfer from one task to another.
    Transfer { from: String, to: String, bytes: i64 },
}

/// How transfers share, and how many threads each task has.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) sharing: Sharing,
    pub(super) spread: Spread,
    pub(super) threads: usize,
    /// How long an idle thread takes to wake up.
    pub(super) wake: i64,
    /// For each transfer its place: of those that wait for a line, the first comes first. `None`: who waited longest.
    pub(super) order: Option<Vec<usize>>,
    /// For each work its place in a better order of transfers, which then go one after the other.
    pub(super) priority: Option<Vec<usize>>,
    /// Lists of transfers that go as one once the last of them is sent, with the time that they take together.
    pub(super) merged: Vec<(Vec<usize>, i64)>,
}

/// When each work was ready, started and ended, and on which thread it ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub(super) ready: Vec<i64>,
    pub(super) start: Vec<i64>,
    pub(super) end: Vec<i64>,
    pub(super) thread: Vec<usize>,
}

impl Run {
    /// From the first start to the last end: what a recording shows of it.
    pub(super) fn length(&self) -> i64 {
        let first = self.start.iter().copied().min().unwrap_or(0);
        self.end.iter().copied().max().unwrap_or(0) - first
    }

    /// The works in the order of their starts, as a place for each.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut sorted: Vec<usize> = (0..self.start.len()).collect();
        sorted.sort_by_key(|&own| (self.start[own], own));
        let mut place = vec![0; sorted.len()];
        sorted.iter().enumerate().for_each(|(at, &own)| place[own] = at);
        place
    }
}

const NEVER: i64 = i64::MAX;

/// The time between two readings of the clock by an executor: an op that a thread keeps is stamped so long before the end of the op before,
/// one that it sends so long after.
pub(super) const STAMP: i64 = 100;

/// Runs everything.
pub(super) fn simulate(works: &[Work], world: &World) -> Run {
    let count = works.len();
    let mut run = Run {
        ready: vec![NEVER; count],
        start: vec![NEVER; count],
        end: vec![NEVER; count],
        thread: vec![usize::MAX; count],
    };
    let mut left: Vec<f64> = works.iter().map(|own| own.length as f64).collect();
    let mut pools = BTreeMap::new();
    let mut now = 0;
    loop {
        // Whatever becomes ready now may make nothing else ready: every length is positive, or the loop comes back.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (own, work) in works.iter().enumerate() {
                let is_there =
                    work.needs.iter().all(|&need| run.end[need] <= now - sending(works, own, need))
                        && (!work.needs.is_empty() || work.released <= now);
                if run.ready[own] == NEVER && is_there {
                    run.ready[own] = now;
                    is_changed = true;
                    if let What::Op { task, is_cheap, .. } = &work.what {
                        let maker = maker(works, &run, own).filter(|&maker| is_of_task(works, maker, own));
                        let pool = pools.entry(task.clone()).or_insert_with(|| Pool::new(world.threads));
                        pool.add(own, maker.map(|maker| run.thread[maker]), *is_cheap, now + world.wake);
                    }
                }
            }
            is_changed |= take_threads(works, &mut run, &mut pools, now);
            is_changed |= send(works, world, &mut run, &mut left, now);
        }
        let Some(next) = next_moment(works, world, &run, &pools, &left, now) else { return run };
        advance(works, world, &mut run, &mut left, now, next);
        now = next;
    }
}

/// How long after the end of `need` the executor hands `own` to the pool: it notes that end first. What a thread keeps is there at once.
fn sending(works: &[Work], own: usize, need: usize) -> i64 {
    let are_ops = is_of_task(works, need, own);
    let is_kept = matches!(works[own].what, What::Op { is_cheap: true, .. });
    if are_ops && !is_kept { STAMP } else { 0 }
}

fn task_of(work: &Work) -> Option<&str> {
    match &work.what {
        What::Op { task, .. } => Some(task),
        What::Transfer { .. } => None,
    }
}

/// The work that made `own` ready: the need that ended last.
fn maker(works: &[Work], run: &Run, own: usize) -> Option<usize> {
    works[own].needs.iter().copied().max_by_key(|&need| run.end[need])
}

/// What a thread does, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Waking(i64),
    Busy(i64),
}

/// The threads of a task, as Eigen's pool has them, into which TensorFlow's executor sends its ops.
struct Pool {
    states: Vec<State>,
    /// Those that became idle, the last one last: it is the first to wake up.
    idle: Vec<usize>,
    /// What each thread keeps, the oldest first, and what it sent, the newest first.
    kept: Vec<VecDeque<usize>>,
    sent: Vec<VecDeque<usize>>,
    /// What no thread of the task made ready.
    outside: VecDeque<usize>,
}

impl Pool {
    fn new(threads: usize) -> Self {
        Self {
            states: vec![State::Idle; threads],
            idle: (0..threads).rev().collect(),
            kept: vec![VecDeque::new(); threads],
            sent: vec![VecDeque::new(); threads],
            outside: VecDeque::new(),
        }
    }

    /// An op is there to run. `maker` is the thread that made it ready.
    fn add(&mut self, own: usize, maker: Option<usize>, is_cheap: bool, wakes: i64) {
        match maker {
            Some(thread) if is_cheap => return self.kept[thread].push_back(own),
            Some(thread) => self.sent[thread].push_front(own),
            None => self.outside.push_back(own),
        }
        if let Some(thread) = self.idle.pop() {
            self.states[thread] = State::Waking(wakes);
        }
    }

    /// What `thread` runs next: what it kept, what it sent last, what came from elsewhere, or what the next thread sent first.
    fn next_of(&mut self, thread: usize) -> Option<usize> {
        let threads = self.states.len();
        let of_itself = self.kept[thread].pop_front().or_else(|| self.sent[thread].pop_front());
        of_itself.or_else(|| self.outside.pop_front()).or_else(|| {
            let others = (0..threads).map(|far| (thread + far) % threads);
            let other = others.into_iter().find(|&other| !self.sent[other].is_empty());
            other.and_then(|other| self.sent[other].pop_back())
        })
    }
}

/// Lets all threads that have nothing to do take what there is.
fn take_threads(works: &[Work], run: &mut Run, pools: &mut BTreeMap<String, Pool>, now: i64) -> bool {
    let mut is_changed = false;
    for pool in pools.values_mut() {
        for thread in 0..pool.states.len() {
            match pool.states[thread] {
                State::Waking(at) | State::Busy(at) if at <= now => {}
                _ => continue,
            }
            is_changed = true;
            match pool.next_of(thread) {
                Some(own) => {
                    let end = now + works[own].length;
                    (run.start[own], run.end[own], run.thread[own]) = (now, end, thread);
                    pool.states[thread] = State::Busy(end + STAMP);
                }
                None => {
                    pool.states[thread] = State::Idle;
                    pool.idle.push(thread);
                }
            }
        }
    }
    is_changed
}

/// Whether both are ops of one task.
fn is_of_task(works: &[Work], a: usize, b: usize) -> bool {
    task_of(&works[a]).is_some() && task_of(&works[a]) == task_of(&works[b])
}

fn line(work: &Work, world: &World) -> Option<(String, String)> {
    let What::Transfer { from, to, .. } = &work.what else { return None };
    Some(match world.spread {
        Spread::Link => (from.clone(), to.clone()),
        Spread::Sender => (from.clone(), String::new()),
        Spread::Receiver => (String::new(), to.clone()),
    })
}

/// The list of transfers that `own` goes with.
fn group(world: &World, own: usize) -> Option<&(Vec<usize>, i64)> {
    world.merged.iter().find(|(members, _)| members.contains(&own))
}

fn send(works: &[Work], world: &World, run: &mut Run, left: &mut [f64], now: i64) -> bool {
    let mut is_changed = false;
    for own in 0..works.len() {
        if line(&works[own], world).is_none() || run.ready[own] != now || run.start[own] != NEVER {
            continue;
        }
        is_changed = true;
        run.start[own] = now;
        match group(world, own) {
            Some((members, length)) => {
                // The last one carries all; the others have nothing left to do but to wait for it.
                let is_last = members.iter().all(|&member| run.start[member] != NEVER);
                left[own] = if is_last { *length as f64 } else { f64::INFINITY };
            }
            None if works[own].length == 0 => run.end[own] = now,
            None => {}
        }
    }
    is_changed
}

/// The transfers that have `own`'s line now.
fn on_line(works: &[Work], world: &World, run: &Run, left: &[f64], now: i64) -> Vec<Vec<usize>> {
    let mut lines: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for own in 0..works.len() {
        if let Some(line) = line(&works[own], world)
            && run.start[own] <= now
            && run.end[own] == NEVER
            && left[own].is_finite()
        {
            lines.entry(line).or_default().push(own);
        }
    }
    let goes_alone = world.sharing == Sharing::InOrder || world.priority.is_some();
    let mut lines: Vec<Vec<usize>> = lines.into_values().collect();
    if goes_alone {
        for own in &mut lines {
            let whole =
                |own: usize| group(world, own).map_or(works[own].length, |(_, length)| *length) as f64;
            let place = |own: usize| world.priority.as_ref().map_or(0, |priority| priority[own]);
            let recorded = |own: usize| world.order.as_ref().map_or(own, |order| order[own]);
            // Who has begun goes on.
            own.sort_by_key(|&own| (left[own] >= whole(own), place(own), run.ready[own], recorded(own)));
            own.truncate(1);
        }
    }
    lines
}

fn next_moment(
    works: &[Work],
    world: &World,
    run: &Run,
    pools: &BTreeMap<String, Pool>,
    left: &[f64],
    now: i64,
) -> Option<i64> {
    let wakes = pools.values().flat_map(|pool| &pool.states).filter_map(|state| match state {
        State::Waking(at) if *at > now => Some(*at),
        _ => None,
    });
    let ends = run.end.iter().filter(|&&end| end != NEVER).flat_map(|&end| [end, end + STAMP]);
    let ends = ends.filter(|&end| end > now);
    let releases = works.iter().map(|own| own.released).filter(|&at| at > now);
    let lines = on_line(works, world, run, left, now);
    let arrivals = lines.iter().flat_map(|own| {
        let share = own.len() as f64;
        own.iter().map(move |&own| now + (left[own] * share).round() as i64)
    });
    ends.chain(wakes).chain(releases).chain(arrivals).min()
}

fn advance(works: &[Work], world: &World, run: &mut Run, left: &mut [f64], now: i64, next: i64) {
    for own in on_line(works, world, run, left, now) {
        let share = own.len() as f64;
        for own in own {
            let is_there = now + (left[own] * share).round() as i64 <= next;
            left[own] -= (next - now) as f64 / share;
            if is_there {
                run.end[own] = next;
                let others = group(world, own).map(|(members, _)| members.clone()).unwrap_or_default();
                others.into_iter().for_each(|member| run.end[member] = next);
            }
        }
    }
}

/// What TensorFlow would have recorded of `run`.
pub(super) fn recorded(works: &[Work], run: &Run) -> Study {
    let mut devices: BTreeMap<String, Vec<NodeExecStats>> = BTreeMap::new();
    let device = |task: &str| format!("{task}/device:CPU:0");
    for (own, work) in works.iter().enumerate() {
        let (start, end) = (run.start[own], run.end[own]);
        match &work.what {
            What::Op { task, op_type, .. } => {
                let inputs = work.needs.iter().map(|&need| match works[need].what {
                    What::Op { .. } => works[need].name.clone(),
                    What::Transfer { .. } => format!("{}/_{need}", works[need].name),
                });
                let label = format!("{} = {op_type}({})", work.name, inputs.collect::<Vec<_>>().join(", "));
                let kept = matches!(work.what, What::Op { is_cheap: true, .. })
                    && maker(works, run, own).is_some_and(|maker| is_of_task(works, maker, own));
                let stamp = if kept { STAMP } else { 0 };
                let stats = op(&label, start, end - start)
                    .scheduled(run.ready[own] - stamp)
                    .thread(run.thread[own] as u32 + 1);
                devices.entry(device(task)).or_default().push(stats);
            }
            What::Transfer { from, to, bytes } => {
                let key = format!("edge_{own}_{}", work.name);
                let mut stats = recv(&key, &device(from), &device(to), *bytes, 0, 0).at(start, end - start);
                (stats.scheduled_micros, stats.scheduled_nanos) = (0, 0);
                debug_assert!(stats.all_start_nanos >= BASE_UNIX_NS);
                devices.entry(device(to)).or_default().push(stats);
            }
        }
    }
    let mut scenario = Scenario::new();
    for (device, ops) in devices {
        scenario = scenario.device(&device, ops);
    }
    scenario.study()
}
