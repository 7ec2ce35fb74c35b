//! Stragglers: which task of a step finished last among its peers, by how much, and the root cause along the chain that led there.
//!
//! Peers are the tasks of one job: a parameter server always ends after its workers, so it is no peer of theirs. `chief` and
//! `master` do the work of a worker. If every job has one task, all tasks except parameter servers are peers; if there is only one
//! task, its devices of one kind are peers. Ranks of PyTorch in different teams of process groups are none.
//!
//! Where ranks wait for each other in collectives, all of them end a step at nearly one time: there the straggler is the one for which the others
//! waited most, and its chain ends with what it waited for before the collective in which they waited longest.
//!
//! Each op of the chain on the straggler is compared with the ops of the same [role](crate::collectives::roles) on its peers. The lag
//! of an op is how much later it ended than the median of these. The root cause is where the lag first grows by at least half of
//! its final value; if it only grows little by little, where it grows most. First of all comes the start of the task: where it began
//! later than the median of its peers by half of that value, nothing that follows needs another cause.

use crate::base::order;
use crate::base::pace::{Pace, at_once};
use crate::base::units::{Nanos, Timestamp};
use crate::collectives::process_groups::teams;
use crate::collectives::roles::{Roles, runs};
use crate::makers::Makers;
use crate::model::device::{DeviceKind, JobRole};
use crate::network::bound::Bound;
use crate::network::chain::{ChainTimes, Chains, Link};
use crate::study::step_of_op::StepOfOp;
use crate::{Category, OpId, StringId, Study};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// How many tasks are searched for peers, per op that is compared and in addition. Keeps files with thousands of jobs from costing
/// n². At the bound an op is compared only with the first peers: see [`Straggler::is_cut`].
const VISITS_PER_OP: usize = 8;
const MORE_VISITS: usize = 1 << 20;

/// A task, or a device if there is only one task.
struct Unit {
    name: StringId,
    group: u32,
}

/// When a task ended in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The name of the task, or of the device if there is only one task.
    pub unit: StringId,
    /// Its last op; before a collective the op that it waited for.
    pub op: OpId,
    /// That op's end, or the arrival at the collective.
    pub at: Timestamp,
}

/// The task that finished last in a step among its peers, or that came last to the collectives in which they wait for each other.
#[derive(Clone, Debug)]
pub struct Straggler {
    /// The step.
    pub step: usize,
    /// The ends of all peers, the last one first.
    pub ended: Vec<Ended>,
    /// How much later it ended than the one before it.
    pub after_next: Nanos,
    /// How much later it ended than the median of its peers.
    pub behind: Nanos,
    /// The number of ops in the chain to its end.
    pub links: usize,
    /// How the time of this chain divides.
    pub times: ChainTimes,
    /// Whether the peers waited for it in collectives: then the ends are arrivals, at the collective in which they waited longest for it.
    pub in_collective: bool,
    /// The root cause.
    pub cause: Option<Cause>,
    /// Whether the chain, its inputs or the peers were cut at a bound.
    pub is_cut: bool,
}

/// What delayed a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// An op did not run for some time although its inputs were ready.
    RanLate,
    /// An op took long.
    TookLong,
    /// An op's last input arrived late.
    InputLate,
    /// The task's first op was scheduled late.
    StartedLate,
}

impl CauseKind {
    /// The word for this value in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::RanLate => "ran-late",
            Self::TookLong => "took-long",
            Self::InputLate => "input-late",
            Self::StartedLate => "started-late",
        }
    }
}

/// The root cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The kind of delay.
    pub kind: CauseKind,
    /// The delayed op of the chain.
    pub op: OpId,
    /// The input of this op that was ready last.
    pub input: Option<OpId>,
    /// How long the op waited to run, or ran; or when its last input was ready or when it was scheduled, counted from the step's
    /// start.
    pub own: Nanos,
    /// The same value for its peers, as their median; `None` if the op has no peers to compare with.
    pub usual: Option<Nanos>,
}

/// An op on a task, with the keys by which it is sorted.
#[derive(Clone, Copy)]
struct Member {
    step_and_class: i64,
    unit_and_place: i64,
    op: OpId,
}

/// The stragglers of every step, in order of step and job. `makers` must be the makers of all ops.
pub fn stragglers(study: &Study, steps: &StepOfOp, makers: &Makers) -> Vec<Straggler> {
    at_once(async |pace: &Pace| stragglers_paced(study, steps, makers, pace).await)
}

/// Like `stragglers`, but in pieces, so that the caller can do other work between them.
pub async fn stragglers_paced(
    study: &Study,
    steps: &StepOfOp,
    makers: &Makers,
    pace: &Pace,
) -> Vec<Straggler> {
    let trace = study.trace();
    let (units, unit_of_device) = units(study);
    // A host that waits for its GPU at the end has no part in when the task ends.
    let counts = |op: OpId| {
        trace.ops().interval(op).length() > Nanos(0)
            && !matches!(trace.category(op), Category::Range | Category::Waiting)
    };
    let unit_of = |op: OpId| unit_of_device[trace.device_of(op).index()];
    let ended = ended(study, steps, &units, &unit_of_device, &counts, pace).await;
    let mut chains = Chains::new(study, steps, makers);
    let bound = Bound::found(study, &unit_of_device);
    let mut found: Vec<(Straggler, Vec<Link>, u32)> = Vec::new();
    let mut is_compared = vec![false; trace.nodes().len()];
    for peers in runs(&ended, |own| (own.step as i64, i64::from(units[own.unit as usize].group))) {
        if peers.len() < 2 {
            continue;
        }
        let peers = &ended[peers];
        let ran = peers.iter().map(|own| (own.step, own.unit));
        let arrivals = bound.longest(ran).map(|at| bound.arrivals(study, at));
        let in_collective = arrivals.is_some();
        let mut members: Vec<(Ran, Ended)> = peers
            .iter()
            .filter_map(|&own| {
                let unit = units[own.unit as usize].name;
                let Some(arrivals) = &arrivals else {
                    return Some((own, Ended { unit, op: own.last, at: trace.ops().end(own.last) }));
                };
                let row = arrivals.binary_search_by_key(&own.unit, |arrival| arrival.0).ok()?;
                let (_, op, at) = arrivals[row];
                Some((own, Ended { unit, op, at }))
            })
            .collect();
        if members.len() < 2 {
            continue;
        }
        order::by_number(&mut members, |(_, ended)| (ended.at.0.saturating_neg(), 0));
        let (own, last) = members[0];
        let unit = own.unit;
        if last.at == members[1].1.at {
            // Two ended last at once: nobody waited for one of them.
            continue;
        }
        let links = chains.back_from(last.op);
        pace.worked(links.len()).await;
        let is_cut = chains.is_cut();
        for link in links.iter().filter(|link| unit_of(link.op) == Some(unit)) {
            is_compared[trace.ops().node(link.op).index()] = true;
        }
        // With an even number of peers, take the later of the two in the middle, so that the usual end does not look too early.
        let behind = last.at - members[1 + (members.len() - 2) / 2].1.at;
        let began = steps.span(own.step).start;
        let straggler = Straggler {
            step: own.step,
            after_next: last.at - members[1].1.at,
            behind,
            ended: members.iter().map(|&(_, ended)| ended).collect(),
            links: links.len(),
            times: chains.times(&links),
            in_collective,
            cause: began_late(study, &mut chains, own, peers, (began, behind)),
            is_cut,
        };
        found.push((straggler, links, unit));
    }
    pace.worked(trace.nodes().len()).await;
    let roles = Roles::matched(trace, |node| trace.nodes().category(node) != Category::Communication);
    let mut is_class_compared = vec![false; roles.classes()];
    for node in trace.nodes().ids().filter(|node| is_compared[node.index()]) {
        if let Some(is_compared) = is_class_compared.get_mut(roles.class(node) as usize) {
            *is_compared = true;
        }
    }
    let mut members = Vec::new();
    for device in trace.devices().ids() {
        let Some(unit) = unit_of_device[device.index()].filter(|_| !found.is_empty()) else { continue };
        for op in trace.ops_of(device) {
            let node = trace.ops().node(op);
            if is_class_compared.get(roles.class(node) as usize) == Some(&true) {
                members.push(Member {
                    step_and_class: pair(steps.step(study, op) as u32, roles.class(node)),
                    unit_and_place: pair(unit, roles.place(node)),
                    op,
                });
            }
        }
        pace.worked(trace.ops_of(device).len()).await;
    }
    order::by_number(&mut members, |member| (member.step_and_class, member.unit_and_place));
    let visits_left = members.len() * VISITS_PER_OP + MORE_VISITS;
    let mut peers =
        Peers { study, steps, roles: &roles, members: &members, alike: HashMap::default(), visits_left };
    pace.worked(peers.members.len()).await;
    let mut with_cause = Vec::with_capacity(found.len());
    for (straggler, links, unit) in found {
        let links_of_unit: Vec<Link> =
            links.iter().copied().filter(|link| unit_of(link.op) == Some(unit)).collect();
        let started = straggler.cause;
        let compared = started.or_else(|| peers.first_cause(&mut chains, &straggler, unit, &links_of_unit));
        let is_cut = straggler.is_cut || chains.is_cut() || peers.visits_left == 0;
        with_cause.push(Straggler {
            cause: compared.or_else(|| longest(study, &links_of_unit)),
            is_cut,
            ..straggler
        });
        pace.worked(links_of_unit.len()).await;
    }
    with_cause
}

/// Whether there may be too many chains or peers to follow, or too many tasks to analyse the order of their parameters. With few
/// jobs and tasks there are not, because every op is in at most one chain per job, and is compared at most once for each.
pub(crate) fn may_be_too_many(study: &Study) -> bool {
    let mut groups: Vec<u32> = units(study).0.iter().map(|unit| unit.group).collect();
    let tasks = groups.len();
    order::by_number(&mut groups, |group| (i64::from(group), 0));
    groups.dedup();
    groups.len() > VISITS_PER_OP / 2 || tasks > 1_000
}

/// What a task ran in a step.
#[derive(Clone, Copy)]
struct Ran {
    step: usize,
    unit: u32,
    /// The op that started first.
    first: OpId,
    /// The op that ended last.
    last: OpId,
}

/// What every unit ran in every step, in order of step and group.
async fn ended(
    study: &Study,
    steps: &StepOfOp,
    units: &[Unit],
    unit_of_device: &[Option<u32>],
    counts: &dyn Fn(OpId) -> bool,
    pace: &Pace,
) -> Vec<Ran> {
    let trace = study.trace();
    let mut ran: Vec<Option<(OpId, OpId)>> = vec![None; steps.end()];
    let mut touched = Vec::new();
    let mut ended = Vec::new();
    let mut devices = trace.devices().ids().peekable();
    while let Some(device) = devices.next() {
        let Some(unit) = unit_of_device[device.index()] else { continue };
        for op in trace.ops_of(device).filter(|&op| counts(op)) {
            let step = steps.step(study, op);
            let Some(ran) = ran.get_mut(step) else { continue };
            let Some((first, last)) = ran else {
                touched.push(step);
                *ran = Some((op, op));
                continue;
            };
            if trace.ops().start(op) < trace.ops().start(*first) {
                *first = op;
            }
            if trace.ops().end(op) > trace.ops().end(*last) {
                *last = op;
            }
        }
        // The devices of a task follow one another.
        if devices.peek().and_then(|next| unit_of_device[next.index()]) != Some(unit) {
            let of_step = touched.drain(..).filter_map(|step| {
                let (first, last) = ran[step].take()?;
                Some(Ran { step, unit, first, last })
            });
            ended.extend(of_step);
        }
        pace.worked(trace.ops_of(device).len()).await;
    }
    let group = |unit: u32| i64::from(units[unit as usize].group);
    order::by_number(&mut ended, |own: Ran| (own.step as i64, group(own.unit) << 32 | i64::from(own.unit)));
    ended
}

/// That a task began late, if that is at least half of how far it is `behind`: at its first op, which waited for no other op.
fn began_late(
    study: &Study,
    chains: &mut Chains<'_>,
    own: Ran,
    peers: &[Ran],
    (began, behind): (Timestamp, Nanos),
) -> Option<Cause> {
    let ops = study.trace().ops();
    let others = peers.iter().filter(|other| other.unit != own.unit);
    let usual = Timestamp(median(others.map(|other| ops.start(other.first).0))?);
    let start = ops.start(own.first);
    let is_root = chains.link(own.first, own.step).input.is_none();
    (is_root && (start - usual).0 >= (behind.0 / 2).max(1)).then_some(Cause {
        kind: CauseKind::StartedLate,
        op: own.first,
        input: None,
        own: start - began,
        usual: Some(usual - began),
    })
}

/// Where the ops of units begin that have as many of them as the unit that is compared.
#[derive(Clone, Default)]
struct Alike {
    first: Vec<u32>,
    /// Whether another unit has such ops, in whatever number.
    is_anywhere: bool,
}

/// The ops of peers, by step and role.
struct Peers<'a> {
    study: &'a Study,
    steps: &'a StepOfOp,
    roles: &'a Roles,
    members: &'a [Member],
    /// (where the ops of a class in a step begin, unit, place of a node or none): where the ops of each unit begin that has equally many.
    alike: HashMap<(usize, u32, Option<u32>), Alike, FixedState>,
    visits_left: usize,
}

impl Peers<'_> {
    /// The ops on the peers of `unit` with the same role as `op`, which is on `unit`: those of the very same name, if peers have any.
    fn of(&mut self, op: OpId, step: usize, unit: u32) -> Vec<OpId> {
        let node = self.study.trace().ops().node(op);
        let class = pair(step as u32, self.roles.class(node));
        let first = self.members.partition_point(|member| member.step_and_class < class);
        let count = self.members[first..].partition_point(|member| member.step_and_class == class);
        let class = &self.members[first..first + count];
        let place = self.roles.place(node);
        let named = self.equally_many(class, (first, unit, Some(place)), op);
        match named {
            Some((alike, at)) if alike.is_anywhere => {
                alike.first.iter().map(|&theirs| class[theirs as usize + at].op).collect()
            }
            _ => {
                let Some((alike, at)) = self.equally_many(class, (first, unit, None), op) else {
                    return Vec::new();
                };
                alike.first.iter().map(|&theirs| class[theirs as usize + at].op).collect()
            }
        }
    }

    /// The units that have as many ops of `class` as `unit`, or of them as many of one name; and which of these `op` is on `unit`.
    fn equally_many(
        &mut self,
        class: &[Member],
        key: (usize, u32, Option<u32>),
        op: OpId,
    ) -> Option<(Alike, usize)> {
        let (_, unit, name) = key;
        let of_unit = |unit: u32| {
            let (least, most) = name.map_or((0, u32::MAX), |place| (place, place));
            let first = class.partition_point(|member| member.unit_and_place < pair(unit, least));
            let count = class[first..].partition_point(|member| member.unit_and_place <= pair(unit, most));
            (first, count)
        };
        let (first, count) = of_unit(unit);
        let ours = &class[first..first + count];
        let node = self.study.trace().ops().node(op);
        let sought = (pair(unit, self.roles.place(node)), op);
        let at = ours.binary_search_by_key(&sought, |member| (member.unit_and_place, member.op)).ok()?;
        let visits_left = &mut self.visits_left;
        let alike = self.alike.entry(key).or_insert_with(|| {
            let (mut alike, mut next) = (Alike::default(), 0);
            while let Some(member) = class.get(next).filter(|_| *visits_left > 0) {
                *visits_left -= 1;
                let other = (member.unit_and_place >> 32) as u32;
                let (first, theirs) = of_unit(other);
                if other != unit && theirs > 0 {
                    alike.is_anywhere = true;
                    if theirs == count {
                        alike.first.push(first as u32);
                    }
                }
                next = class.partition_point(|own| own.unit_and_place <= pair(other, u32::MAX));
            }
            alike
        });
        Some((alike.clone(), at))
    }

    /// Whether it is not known what `link`, a kernel, waited for after its launch: it may have queued behind others, for longer than it is late.
    fn queues(&self, link: &Link) -> bool {
        let trace = self.study.trace();
        link.input.is_none() && trace.devices().get(trace.device_of(link.op)).is_accelerator
    }

    /// Where along `links` the lag first grows by half of its final value. `links` are on `unit`, the last one first.
    fn first_cause(
        &mut self,
        chains: &mut Chains<'_>,
        straggler: &Straggler,
        unit: u32,
        links: &[Link],
    ) -> Option<Cause> {
        let ops = self.study.trace().ops();
        let mut lag_before = Nanos(0);
        let mut found: Option<(Nanos, Nanos, Link, Vec<OpId>)> = None;
        for &link in links.iter().rev() {
            let peers = self.of(link.op, straggler.step, unit);
            let Some(usual) = median(peers.iter().map(|&peer| ops.end(peer).0)) else { continue };
            let lag = Nanos(ops.end(link.op).0.saturating_sub(usual));
            let growth = lag - lag_before;
            // Of kernels without a known input only their order says which is which: much later than the task itself was another one.
            if self.queues(&link) && growth.0 > straggler.behind.0.saturating_mul(2) {
                continue;
            }
            if found.as_ref().is_none_or(|&(most, ..)| growth > most) {
                found = Some((growth, lag_before, link, peers));
            }
            if growth.0 >= (straggler.behind.0 / 2).max(1) {
                break;
            }
            lag_before = lag;
        }
        let (growth, lag_before, link, peers) = found?;
        if growth <= Nanos(0) {
            return None;
        }
        let began = self.steps.span(straggler.step).start;
        let theirs: Vec<Link> = peers.iter().map(|&peer| chains.link(peer, straggler.step)).collect();
        let of = |figure: &dyn Fn(&Link) -> Nanos| {
            let usual = median(theirs.iter().map(|link| figure(link).0)).map(Nanos);
            (figure(&link), usual)
        };
        let (ran, usually_ran) = of(&|link| ops.interval(link.op).length());
        let ready_at = |link: &Link| {
            if self.queues(link) { ops.start(link.op) } else { link.ready }
        };
        let (waited, usually_waited) = of(&|link| ops.start(link.op) - ready_at(link));
        let (ready, usually_ready) = of(&|link| ready_at(link) - began);
        let more = |own: Nanos, usual: Option<Nanos>| own - usual.unwrap_or_default();
        let [late, long] = [more(waited, usually_waited), more(ran, usually_ran)];
        let input = more(ready, usually_ready) - lag_before;
        let (kind, own, usual) = if late >= long && late >= input {
            (CauseKind::RanLate, waited, usually_waited)
        } else if long >= input {
            (CauseKind::TookLong, ran, usually_ran)
        } else if link.input.is_some() {
            (CauseKind::InputLate, ready, usually_ready)
        } else {
            (CauseKind::StartedLate, ready, usually_ready)
        };
        Some(Cause { kind, op: link.op, input: link.input, own, usual })
    }
}

/// The longest wait or op of a chain that cannot be compared with peers.
fn longest(study: &Study, links: &[Link]) -> Option<Cause> {
    let ops = study.trace().ops();
    let of_link = |link: &Link| {
        let waited = ops.start(link.op) - link.ready;
        let ran = ops.interval(link.op).length();
        let (kind, own) =
            if waited >= ran { (CauseKind::RanLate, waited) } else { (CauseKind::TookLong, ran) };
        Cause { kind, op: link.op, input: link.input, own, usual: None }
    };
    // How long a kernel queued behind others is not known.
    let is_known = |link: &&Link| {
        let device = study.trace().device_of(link.op);
        link.input.is_some() || !study.trace().devices().get(device).is_accelerator
    };
    let known = links.iter().filter(is_known).map(of_link);
    known.max_by_key(|cause| (cause.own, std::cmp::Reverse(cause.op)))
}

/// The tasks that may have peers, and the task of each device.
fn units(study: &Study) -> (Vec<Unit>, Vec<Option<u32>>) {
    let trace = study.trace();
    let devices = || trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device));
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of_device = vec![None; trace.devices().len()];
    let job = |unit: StringId| trace.text(unit).split('/').nth(1).unwrap_or_default();
    for device in devices() {
        let Some(task) = trace.devices().get(device).task else { continue };
        if units.last().is_none_or(|last| last.name != task) {
            let is_next = units.last().is_some_and(|last| job(last.name) != job(task));
            let group = units.last().map_or(0, |last| last.group + u32::from(is_next));
            units.push(Unit { name: task, group });
        }
        unit_of_device[device.index()] = Some(units.len() as u32 - 1);
    }
    if let [only] = units.as_slice() {
        // The devices of one task: each kind of device is a group.
        let task = only.name;
        units.clear();
        for device in devices() {
            let described = trace.devices().get(device);
            let is_own = described.task == Some(task)
                && matches!(described.kind, DeviceKind::Cpu | DeviceKind::Gpu | DeviceKind::Tpu);
            unit_of_device[device.index()] = is_own.then_some(units.len() as u32);
            if is_own {
                units.push(Unit { name: described.name, group: described.kind as u32 });
            }
        }
        return (units, unit_of_device);
    }
    let role = |unit: &Unit| JobRole::of_task(trace.text(unit.name));
    let worker = units.iter().find(|unit| role(unit) == Some(JobRole::Worker)).map(|unit| unit.group);
    for unit in &mut units {
        if let (Some(worker), Some(JobRole::Chief)) = (worker, role(unit)) {
            unit.group = worker;
        }
    }
    let mut groups: Vec<u32> = units.iter().map(|unit| unit.group).collect();
    order::by_number(&mut groups, |group| (i64::from(group), 0));
    if groups.windows(2).all(|pair| pair[0] != pair[1]) {
        // No job has two tasks.
        units.iter_mut().for_each(|unit| unit.group = u32::from(role(unit) == Some(JobRole::Server)));
    }
    if let Some(team) = teams(trace, study.kernels()) {
        // Stages of a pipeline are no peers: of each task the team of its first accelerator.
        let count = team.len() as u32;
        let mut own: Vec<Option<u32>> = vec![None; units.len()];
        for device in devices().filter(|&device| trace.devices().get(device).is_accelerator) {
            if let Some(unit) = unit_of_device[device.index()] {
                own[unit as usize].get_or_insert(team[device.index()]);
            }
        }
        for (unit, team) in units.iter_mut().zip(own) {
            unit.group = unit.group.saturating_mul(count).saturating_add(team.unwrap_or(0));
        }
    }
    (units, unit_of_device)
}

/// The median of `values`; for an even number the larger of the two in the middle.
fn median(values: impl Iterator<Item = i64>) -> Option<i64> {
    let mut sorted: Vec<i64> = values.collect();
    order::by_number(&mut sorted, |value| (value, 0));
    sorted.get(sorted.len() / 2).copied()
}

/// Packs two row numbers into one number that sorts like the pair.
fn pair(first: u32, second: u32) -> i64 {
    i64::from(first) << 32 | i64::from(second)
}
