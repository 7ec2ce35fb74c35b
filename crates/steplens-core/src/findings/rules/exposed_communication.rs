//! Communication of ranks that no compute hides, from the split: the mean over the accelerators, or over the devices of a program
//! without any, as the step bar has it. It says which
//! collective and group has most of it, how many bytes it moves, and how much is waiting.
//!
//! Where the participants of collectives are known, what they wait for the last one is not counted here: `collective-wait` has it.
//! Where the files of some ranks of a group are missing, nobody knows when these came: what is longer than the quickest collective of the same
//! operation and group that moves as many bytes or more is probably waiting for them (or a network that was busy; the quickest may have waited,
//! too). What has a few bytes takes no longer than it takes to start. Without sizes, one that is longer than others may also send more.
//! Only of collectives whose participants are all known the rest is data on its way. Ascend's HCCL names the rank for which it waits.
//!
//! XProf calls communication of 3 % of a step moderate, of 15 % high.

use super::super::context::Context;
use super::super::finding::{Exchange, FactPart, Facts, LateRank, Needs, OfRounds, Rule, Ruling};
use super::super::framework::{Framework, only_broadcasts, starts_until};
use super::super::rounds::Rounds;
use super::first_step::first_step;
use super::last_rank;
use super::which_collectives::which_collectives;
use crate::base::order;
use crate::base::units::{Bytes, Interval, Nanos};
use crate::collectives::Collective;
use crate::collectives::notified::Notifications;
use crate::gpu::accelerators::{accelerators, has_any};
use crate::storage::busy::Busy;
use crate::{Category, DeviceId, OpId, Trace};
use std::collections::BTreeMap;

/// Of fewer collectives of one kind and size the quickest says nothing.
const LEAST_ALIKE: usize = 3;

/// Timelines whose rows are tensors have nothing but communication: how long any tensor was reduced, and how long tensors did nothing but wait
/// besides, without what only a first step does; nothing where a model computes, too. Of rounds only the time counts in which a step waits for its tensors.
fn of_tensors(context: &Context<'_>) -> Option<Ruling> {
    let trace = context.trace();
    // What is sent once, as a program begins, is no habit of its steps.
    if only_broadcasts(trace).is_some() {
        return Some(Ruling::Nothing);
    }
    // What others wait for the last rank is a finding of its own, and comes before.
    let late = match last_rank::judge(context) {
        Ruling::Found(own) if !own.facts.is_cold => own.saving.unwrap_or_default(),
        Ruling::Found(_) | Ruling::Nothing | Ruling::Lacks(_) => Nanos(0),
    };
    let left = |time: Nanos| Nanos((time - first_step(context).time - late).0.max(0));
    let mut evidence: Vec<OpId> =
        trace.ops().ids().filter(|&op| trace.category(op) == Category::Communication).collect();
    let rounds = Rounds::of(trace);
    if !rounds.as_slice().is_empty() {
        let facts = of_rounds(trace, &rounds);
        let facts = Facts { usual: left(facts.usual), ..facts };
        let saving = facts.time + facts.usual;
        // What a step waited for, in the longest wait first.
        let longest = rounds.tails().max_by_key(|own| own.length()).unwrap_or_default();
        let within = |op: OpId| trace.ops().interval(op).clamp_to(longest).length();
        evidence.sort_by_key(|&op| (std::cmp::Reverse(within(op)), op));
        return Some(context.measured(Rule::ExposedCommunication, saving, facts, evidence, None));
    }
    if context.has(Category::Compute) {
        return None;
    }
    // What programs broadcast as they start, is done once.
    let start = starts_until(trace).unwrap_or(trace.span().start);
    let split = context.study.step_split(Interval::new(start, trace.span().end));
    let (waiting, time) = (left(split.exposed_waiting), split.exposed_communication);
    evidence.retain(|&op| trace.ops().end(op) > start);
    let negotiates = |op: OpId| trace.op_type(op).starts_with("NEGOTIATE_");
    let facts = Facts {
        time,
        usual: waiting,
        ranks: 1,
        count: u64::from(trace.ops().ids().any(negotiates)),
        ..Facts::default()
    };
    evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    Some(context.measured(Rule::ExposedCommunication, time + waiting, facts, evidence, None))
}

/// The most stages of tensors that are named.
const MOST_STAGES: usize = 3;

/// What steps wait for at the end of each round: how long anything is done with a tensor then, and how long tensors only wait.
fn of_rounds(trace: &Trace, rounds: &Rounds) -> Facts {
    let ops = trace.ops();
    let tails = Busy::of(rounds.tails());
    let all = rounds.tails().fold(Nanos(0), |sum, own| sum + own.length());
    let is_done = |op: &OpId| {
        let own = ops.interval(*op);
        let counts = matches!(trace.category(*op), Category::Communication | Category::Compute);
        counts && own.length() > Nanos(0) && tails.within(own) > Nanos(0)
    };
    let mut done: Vec<OpId> = ops.ids().filter(is_done).collect();
    order::by_number(&mut done, |op| (ops.start(op).0, i64::from(op.get())));
    let union = |own: &mut dyn Iterator<Item = OpId>| {
        let busy = Busy::of(own.map(|op| ops.interval(op)));
        rounds.tails().fold(Nanos(0), |sum, tail| sum + busy.within(tail))
    };
    let stage = |op: OpId| trace.op_type(op).rsplit('.').next().unwrap_or_default();
    let mut of_stage: BTreeMap<&str, Vec<OpId>> = BTreeMap::new();
    done.iter().for_each(|&op| of_stage.entry(stage(op)).or_default().push(op));
    let mut names: Vec<(String, Nanos)> =
        of_stage.iter().map(|(name, own)| ((*name).to_owned(), union(&mut own.iter().copied()))).collect();
    let of = |name: &str| names.iter().find(|own| own.0 == name).map_or(Nanos(0), |own| own.1);
    let compresses = of("COMPRESS") + of("DECOMPRESS") > of("PUSH") && of("COMPRESS") > Nanos(0);
    let has = |what: &str| ops.ids().any(|op| stage(op).starts_with(what));
    let is_without_root = has("COORDINATE_") && !has("PUSH") && !has("PULL");
    names.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    names.truncate(MOST_STAGES);
    let time = union(&mut done.iter().copied());
    let mut waits: Vec<Nanos> = rounds.tails().map(|own| own.length()).collect();
    waits.sort_unstable();
    let waits = [waits.last(), waits.get(waits.len() / 2)].map(|own| own.copied().unwrap_or_default());
    let count = rounds.as_slice().len() as u64;
    let rounds = OfRounds { count, median: rounds.median(), waits, is_without_root, compresses };
    let device = done.first().map(|&op| trace.text(trace.devices().get(trace.device_of(op)).name));
    let other = device.unwrap_or_default().to_owned();
    Facts { time, usual: all - time, ranks: 1, names, other, rounds: Some(rounds), ..Facts::default() }
}

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let trace = context.trace();
    let is_of_tensors = Framework::of_trace(trace) == Framework::Horovod;
    if let Some(ruling) = is_of_tensors.then(|| of_tensors(context)).flatten() {
        return ruling;
    }
    // Tensors between executors have a rule of their own.
    let has_ranks = has_any(trace) || Framework::of_trace(trace) == Framework::PyTorch;
    if !has_ranks || !context.has(Category::Communication) {
        return Ruling::Lacks(Needs::Transfers);
    }
    // An executor reduces between the GPUs of its process: alone, a GPU copies.
    let is_of_process = |op: OpId| trace.op_type(op).starts_with("Nccl");
    let communicates = |&op: &OpId| trace.category(op) == Category::Communication;
    if accelerators(trace).len() == 1 && trace.ops().ids().filter(communicates).all(is_of_process) {
        return Ruling::Nothing;
    }
    let exposed = context.exposed_communication();
    let collectives = context.collectives();
    let all = collectives.rows.iter().fold(Nanos(0), |sum, own| sum + own.time);
    let known = context.compares && collectives.rows.iter().any(|own| own.last.is_some());
    let waiting = collectives.rows.iter().fold(Nanos(0), |sum, own| sum + own.waiting);
    let is_unopened =
        accelerators(trace).len() < 2 || collectives.rows.iter().any(|own| own.without_files > 0);
    let others = if is_unopened { FactPart::WaitingForUnopened } else { FactPart::Waiting };
    let (part, guess, late) = match notified(context) {
        (Nanos(0), _) => match waiting_by_the_quickest(context, known) {
            Nanos(0) => (FactPart::MoreOrWaiting, longer_than_usual(context, known), Vec::new()),
            guess => (others, guess, Vec::new()),
        },
        (guess, late) => (others, guess, late),
    };
    let of_exposed = part_of(exposed, waiting, all);
    // What one rank waited in the mean, and nothing that its host ran.
    let guessed = match late.is_empty() {
        true => part_of(exposed, guess, all),
        false => exposed.min(guess),
    };
    let saving = if known { exposed - of_exposed } else { exposed };
    let are_known = known && collectives.rows.iter().all(|own| own.last.is_some() || own.without_files == 0);
    let mut parts = Vec::new();
    if waiting > Nanos(0) && known {
        if are_known && guessed == Nanos(0) {
            parts.push((FactPart::Transfer, exposed - of_exposed));
        }
        parts.push((FactPart::Waiting, of_exposed));
    }
    let guesses = Some((part, guessed)).filter(|own| own.1 > Nanos(0));
    let (largest, evidence) = largest(context);
    let bytes = collectives.rows.iter().filter_map(|own| own.bytes);
    let sized = bytes.clone().count();
    let exchange = exchange(context);
    let groups = &collectives.groups;
    let operation = largest.and_then(|own| Some(groups.operations.get(own.operation? as usize)?.clone()));
    let group = largest.and_then(|own| groups.groups.get(own.group? as usize));
    let group = group.map(|own| match own.description.is_empty() {
        true => own.name.clone(),
        false => own.description.clone(),
    });
    let by_name = || evidence.first().map(|&op| trace.op_name(op).to_owned());
    let facts = Facts {
        name: operation.or_else(by_name).unwrap_or_default(),
        other: group.unwrap_or_default(),
        count: collectives.rows.len() as u64,
        of: u64::from(known),
        time: exposed,
        bytes: bytes.fold(Bytes(0), |sum, own| Bytes(sum.0.saturating_add(own.0))),
        parts,
        guess: guesses,
        sized: sized as u64,
        few_bits: exchange.is_some_and(|own| own.item.is_some_and(|item| item <= 2)),
        exchange: exchange.filter(|_| guessed.0.saturating_mul(2) < exposed.0).map(|own| own.said),
        late,
        which: which_collectives(context),
        ..Facts::default()
    };
    match known {
        true => context.measured(Rule::ExposedCommunication, saving, facts, evidence, None),
        false => context.exposed(Rule::ExposedCommunication, saving, facts, evidence),
    }
}

/// How much of the exposed communication is waiting for the last participant, where all are known.
pub(super) fn known_waiting(context: &Context<'_>) -> Nanos {
    let rows = &context.collectives().rows;
    let sum = |of: fn(&Collective) -> Nanos| rows.iter().map(of).fold(Nanos(0), |sum, own| sum + own);
    let exposed = context.exposed_communication();
    part_of(exposed, sum(|own| own.waiting), sum(|own| own.time))
}

/// `part / whole` of `time`.
fn part_of(time: Nanos, part: Nanos, whole: Nanos) -> Nanos {
    match whole.0 {
        ..=0 => Nanos(0),
        whole => Nanos((i128::from(time.0) * i128::from(part.0.clamp(0, whole)) / i128::from(whole)) as i64),
    }
}

/// How long an opened rank waited, in the mean, for ranks that Ascend's HCCL names; and those of these ranks that were not opened.
fn notified(context: &Context<'_>) -> (Nanos, Vec<LateRank>) {
    let (trace, collectives) = (context.trace(), context.collectives());
    let all = Notifications::found(trace);
    let mut of_rank: BTreeMap<u64, (u64, Nanos)> = BTreeMap::new();
    let mut whole = Nanos(0);
    for own in collectives.rows.iter().filter(|own| own.last.is_none()) {
        let participants = collectives.participants.get(own.participants.clone()).unwrap_or_default();
        for (rank, time) in participants.iter().filter_map(|own| all.longest(trace, own.op)) {
            whole += time;
            let (times, sum) = of_rank.entry(rank).or_default();
            (*times, *sum) = (*times + 1, *sum + time);
        }
    }
    // In the mean over the ranks that were opened.
    let ranks = all.opened().max(1);
    let mean = |(times, time): (u64, Nanos)| (times.div_ceil(ranks as u64), Nanos(time.0 / ranks as i64));
    let mut late: Vec<LateRank> = of_rank
        .into_iter()
        .filter(|&(rank, _)| !all.is_opened(rank))
        .map(|(rank, waited)| (rank, mean(waited)))
        .map(|(rank, (count, waiting))| LateRank { name: rank.to_string(), count, waiting })
        .collect();
    late.sort_by_key(|own| std::cmp::Reverse(own.waiting));
    late.truncate(MOST_LATE);
    (Nanos(whole.0 / ranks as i64), late)
}

/// The most ranks that are named.
const MOST_LATE: usize = 3;

/// Collectives of one kind: group and operation.
type Kind = (Option<u32>, Option<u32>);

/// How long each participant took in the mean, by kind and bytes.
fn by_kind(rows: &[&Collective]) -> BTreeMap<Kind, Vec<(Bytes, Nanos, u64)>> {
    let mut alike: BTreeMap<Kind, Vec<(Bytes, Nanos, u64)>> = BTreeMap::new();
    for own in rows {
        // Without a size, large ones cannot be told from small ones.
        let Some(bytes) = own.bytes.filter(|&bytes| bytes > Bytes(0)) else { continue };
        let count = own.participants.len().max(1);
        let each = Nanos(own.time.0 / count as i64);
        alike.entry((own.group, own.operation)).or_default().push((bytes, each, count as u64));
    }
    alike
}

/// How much longer the collectives took than the quickest of the same operation and group that moves as many bytes or more: those whose
/// participants are not known; with one rank all. Of a few bytes also how much longer they took than it takes to start them.
fn waiting_by_the_quickest(context: &Context<'_>, known: bool) -> Nanos {
    let rows: Vec<&Collective> =
        context.collectives().rows.iter().filter(|own| !known || own.last.is_none()).collect();
    let mut sum = Nanos(0);
    for (kind, mut own) in by_kind(&rows).into_iter().filter(|(_, own)| own.len() >= LEAST_ALIKE) {
        own.sort_by_key(|&(bytes, time, _)| (std::cmp::Reverse(bytes), time));
        // A larger one of another group may have gone between other ranks; HCCL's all go between all.
        let is_one_group = kind.0.is_some() || goes_between_all(context, kind.1);
        let (mut quickest, mut size) = (Nanos(i64::MAX), Bytes(0));
        let starting = starting(context, kind.0);
        // Of as many bytes the quickest comes first.
        for (bytes, time, count) in own {
            quickest = if is_one_group || bytes == size { quickest.min(time) } else { time };
            size = bytes;
            let needed = starting.filter(|_| bytes <= FEW_BYTES).map_or(quickest, |own| own.min(quickest));
            sum += Nanos((time - needed).0.saturating_mul(count as i64));
        }
    }
    sum
}

/// This much is sent in less time than it takes to start.
const FEW_BYTES: Bytes = Bytes(4_096);
/// What it takes to start a collective at most, and from each rank to the next, also over a network. NCCL's tests show a third of that.
const STARTING: Nanos = Nanos(30_000);
const STARTING_EACH: Nanos = Nanos(10_000);

/// How long a collective of `group` takes at most that sends a few bytes, where it is known how many ranks that has.
fn starting(context: &Context<'_>, group: Option<u32>) -> Option<Nanos> {
    let ranks = context.collectives().groups.groups.get(group? as usize)?.size?;
    Some(STARTING + Nanos(STARTING_EACH.0.saturating_mul(i64::try_from(ranks).ok()?)))
}

/// A collective without a size that takes this many times the median of its kind, and this long, sends much more, or waits for a rank: which of them,
/// nothing says, nor where it comes once in each step.
const TIMES_USUAL: i64 = 20;
const LEAST_WAIT: Nanos = Nanos(100_000_000);

/// How much longer than usual collectives without a size took, of those that took much longer; of a kind with enough of them.
fn longer_than_usual(context: &Context<'_>, known: bool) -> Nanos {
    let mut alike: BTreeMap<Kind, Vec<(Nanos, i64)>> = BTreeMap::new();
    for own in &context.collectives().rows {
        if own.bytes.is_none() && (!known || own.last.is_none()) {
            let count = own.participants.len().max(1) as i64;
            alike.entry((own.group, own.operation)).or_default().push((Nanos(own.time.0 / count), count));
        }
    }
    let mut sum = Nanos(0);
    for mut own in alike.into_values().filter(|own| own.len() > 2 * LEAST_ALIKE) {
        own.sort_unstable();
        let usual = own[(own.len() - 1) / 2].0;
        let is_long = |time: Nanos| time >= LEAST_WAIT && time.0 >= usual.0.saturating_mul(TIMES_USUAL);
        for (time, count) in own.into_iter().filter(|&(time, _)| is_long(time)) {
            sum += Nanos((time - usual).0.saturating_mul(count));
        }
    }
    sum
}

/// Whether Ascend's HCCL carries out this operation, which it calls `hcom_allReduce`.
fn goes_between_all(context: &Context<'_>, operation: Option<u32>) -> bool {
    let operations = &context.collectives().groups.operations;
    let name = operation.and_then(|row| operations.get(row as usize));
    name.is_some_and(|name| name.starts_with("hcom_"))
}

/// The data of one kind and size, and how long the quickest takes for it.
#[derive(Clone, Copy)]
struct Moved {
    said: Exchange,
    item: Option<u64>,
}

/// Bytes in a second, far below what links between GPUs carry: PCI Express 3 carries 12 GB/s, a network of 100 Gbit/s as much.
const SLOW: f64 = 4e9;
/// Below this size, what each collective costs besides its bytes is much of its time.
const LEAST_MOVED: Bytes = Bytes(1 << 20);

/// The collectives of one kind and size that take most time in all.
fn exchange(context: &Context<'_>) -> Option<Moved> {
    type Sums = (Nanos, Nanos, u64, Option<u64>);
    let mut alike: BTreeMap<(Kind, Bytes), Sums> = BTreeMap::new();
    for own in &context.collectives().rows {
        let Some(bytes) = own.bytes.filter(|&bytes| bytes >= LEAST_MOVED) else { continue };
        // What is sent waits for its receiver.
        let each = Nanos((own.time - own.waiting).0 / own.participants.len().max(1) as i64);
        let kind = ((own.group, own.operation), bytes);
        let (sum, quickest, count, item) = alike.entry(kind).or_insert((Nanos(0), each, 0, own.item));
        (*sum, *quickest, *count) = (*sum + own.time, each.min(*quickest), *count + 1);
        *item = item.or(own.item);
    }
    let exchange = |bytes, &(_, time, count, _): &Sums| Exchange { count, bytes, time, is_slow: false };
    let rates = alike.iter().map(|((_, bytes), sums)| exchange(*bytes, sums).rate());
    // Where any kind goes quickly, links are not slow.
    let best = rates.fold(0.0, f64::max);
    let (((_, operation), bytes), (_, time, count, item)) =
        alike.into_iter().max_by_key(|&(_, (sum, ..))| sum)?;
    let is_slow = count > 1 && best < SLOW;
    let operations = &context.collectives().groups.operations;
    operation.and_then(|row| operations.get(row as usize))?;
    (time > Nanos(0)).then_some(Moved { said: Exchange { count, bytes, time, is_slow }, item })
}

/// The collective that took longest, and the ops of the longest ones.
fn largest<'a>(context: &'a Context<'_>) -> (Option<&'a Collective>, Vec<OpId>) {
    let collectives = context.collectives();
    let mut rows: Vec<&Collective> = collectives.rows.iter().collect();
    rows.sort_by_key(|own| (std::cmp::Reverse(own.time), own.participants.start));
    let evidence =
        rows.iter().filter_map(|own| Some(collectives.participants.get(own.participants.start)?.op));
    let mut evidence: Vec<OpId> = evidence.take(super::super::finding::MOST_EVIDENCE).collect();
    if evidence.is_empty() {
        let trace = context.trace();
        let is_communication = |&op: &OpId| trace.category(op) == Category::Communication;
        let devices: Vec<DeviceId> = match accelerators(trace) {
            none if none.is_empty() => trace.devices().ids().collect(),
            found => found.into_iter().flat_map(|one| one.devices).collect(),
        };
        evidence =
            devices.into_iter().flat_map(|device| trace.ops_of(device)).filter(is_communication).collect();
        evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    }
    let first = rows.first().copied();
    if !has_any(context.trace()) && first.is_none_or(|own| own.operation.is_none()) {
        // Of ops that run at the same time, the one for which the step waits.
        let is_communication = |_, op| context.trace().category(op) == Category::Communication;
        let waited = context.longest_on_path(is_communication);
        evidence.retain(|op| !waited.contains(op));
        evidence.splice(..0, waited);
        evidence.truncate(super::super::finding::MOST_EVIDENCE);
    }
    (first, evidence)
}
