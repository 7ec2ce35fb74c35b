//! A scenario: the lengths and delays with which a step is replayed, as changes make them.

use super::change::{BadChange, Change};
use super::model::Model;
use super::timing::{NONE, Place};
use crate::base::order;
use crate::base::units::Nanos;
use crate::collectives::roles::Roles;
use crate::gpu::launching::launching;
use crate::model::device::task_of;
use crate::search::matches::Matches;
use crate::search::pattern::Pattern;
use crate::{Category, OpId, Study, Trace};
use steplens_messages::say;

/// The lengths and delays of every node, and what else differs.
#[derive(Clone)]
pub struct Scenario {
    length: Vec<i64>,
    pub(super) delay: Vec<i64>,
    /// With a number, idle threads take other times to wake up, which follow from it.
    pub(super) wakes: Option<u32>,
    /// The number of threads of every pool; `None` for as many as were recorded.
    pub(super) threads: Option<u32>,
    /// Whether each op of an executor stays on its recorded thread, after the op before.
    pub(super) stays: bool,
    /// For each transfer its place in the better order.
    pub(super) priority: Option<Vec<u32>>,
    /// For each node the group of transfers that go as one, or [`NONE`]; empty without such groups.
    group_of: Vec<u32>,
    /// The groups: how many transfers, and how long they take together.
    pub(super) groups: Vec<Group>,
    /// The number of nodes that a change meets.
    pub changed: u64,
}

/// Transfers that go as one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) transfers: u32,
    pub(super) length: i64,
}

/// An op passes at most this many others that wait for the same thread: to put it behind all of a hundred thousand would take as long as they are
/// many, for each.
const MOST_PASSED: usize = 64;

impl Scenario {
    /// Everything as recorded.
    pub(super) fn unchanged(model: &Model) -> Self {
        Self {
            length: model.length.clone(),
            delay: model.delay.clone(),
            wakes: None,
            threads: None,
            stays: false,
            priority: None,
            group_of: Vec::new(),
            groups: Vec::new(),
            changed: 0,
        }
    }

    /// No node takes any time.
    pub(super) fn nothing(model: &Model) -> Self {
        Self { length: vec![0; model.len()], ..Self::unchanged(model) }
    }

    #[inline]
    pub(super) fn length(&self, node: usize) -> i64 {
        self.length[node]
    }

    /// How long an idle thread takes to wake up for `node`, where it usually takes `typical`.
    #[inline]
    pub(super) fn wake(&self, node: usize, typical: i64) -> i64 {
        let Some(number) = self.wakes else { return typical };
        // From 0.3 to 2 times as long: 12 to 80 us of 40. A number that looks like chance, and is the same each time.
        let mixed = (node as u64 ^ u64::from(number) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let part = ((mixed ^ mixed >> 29) >> 20) % 1_701;
        typical.saturating_mul(300 + part as i64) / 1_000
    }

    /// The place of `node` among `count` ops that wait for a thread: the newest first, unless threads take other times to wake up. Then it
    /// may be any of the first: of ops that become ready together, recordings of one program have now this one first, and now that one.
    #[inline]
    pub(super) fn turn(&self, node: usize, count: usize) -> usize {
        let Some(number) = self.wakes else { return 0 };
        let mixed = (node as u64 ^ u64::from(number) << 40).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((mixed ^ mixed >> 32) % (count.min(MOST_PASSED) as u64 + 1)) as usize
    }

    /// Whether nothing but lengths and delays differs, and no node takes longer, or starts later after what it waits for, than it did.
    pub(super) fn is_no_slower(&self, model: &Model) -> bool {
        let is_none_longer =
            |own: &[i64], recorded: &[i64]| own.iter().zip(recorded).all(|(own, was)| own <= was);
        let is_else_same = self.threads.is_none() && self.priority.is_none() && self.groups.is_empty();
        is_else_same
            && is_none_longer(&self.length, &model.length)
            && is_none_longer(&self.delay, &model.delay)
    }

    /// The same, but each op of an executor stays on its recorded thread, after the op before; `None` if it does already, or cannot.
    pub(super) fn staying(&self, model: &Model) -> Option<Self> {
        if self.threads.is_some() || model.are_on_threads() || model.on_threads().is_empty() {
            return None;
        }
        let mut staying = Self { stays: true, ..self.clone() };
        for &(node, delay) in model.on_threads() {
            let own = &mut staying.delay[node as usize];
            // What a change made of a delay stays.
            *own = if *own == model.delay[node as usize] { delay } else { *own };
        }
        Some(staying)
    }

    /// Every pool has this number of threads.
    pub(super) fn give_threads(&mut self, model: &Model, threads: u32) {
        if let Some(given) = model.given().filter(|_| self.threads.is_none()) {
            let recorded = model.delay.iter().zip(given);
            for (own, (&recorded, &given)) in self.delay.iter_mut().zip(recorded) {
                // What another change made of a delay stays.
                *own = if *own == recorded { given } else { *own };
            }
        }
        self.threads = Some(threads);
    }

    /// A node takes this long.
    pub(crate) fn give_length(&mut self, node: u32, length: i64) {
        self.length[node as usize] = length.max(0);
    }

    /// A node starts this long after everything that it waits for.
    pub(crate) fn give_delay(&mut self, node: u32, delay: i64) {
        self.delay[node as usize] = delay.max(0);
    }

    /// The group of transfers of `node`.
    #[inline]
    pub(super) fn group(&self, node: usize) -> Option<usize> {
        self.group_of.get(node).filter(|&&group| group != NONE).map(|&group| group as usize)
    }

    /// Makes `change`, on top of those before it.
    pub(super) fn apply(&mut self, study: &Study, model: &Model, change: &Change) -> Result<(), BadChange> {
        let trace = study.trace();
        let before = self.changed;
        match change {
            Change::Ops { pattern, factor } => {
                let matches = matches(study, pattern)?;
                let kernels = study.kernels();
                let of_op = |op: OpId| kernels.op_of(op).is_some_and(|op| matches.contains(op));
                self.scale(model, *factor, |node| {
                    let op = model.op(node);
                    matches.contains(op) || of_op(op)
                });
            }
            Change::Category { category: Category::Launch, factor } => {
                let is_launching = launching(trace);
                self.scale(model, *factor, |node| is_launching[model.op(node).index()]);
            }
            Change::Category { category, factor } => {
                self.scale(model, *factor, |node| trace.category(model.op(node)) == *category);
            }
            Change::Link { source, destination, factor } => {
                let pairs: Vec<bool> = model
                    .lines
                    .pairs
                    .iter()
                    .map(|&(from, to)| {
                        is_called(trace.text(from), source) && is_called(trace.text(to), destination)
                    })
                    .collect();
                self.scale_transfers(model, *factor, |row| pairs[model.lines.sent[row].pair as usize]);
            }
            Change::Network { task, factor } => {
                let is_it = |name: &str| task.as_ref().is_none_or(|task| is_called(name, task));
                let ends = |&(from, to): &(_, _)| is_it(trace.text(from)) || is_it(trace.text(to));
                let pairs: Vec<bool> = model.lines.pairs.iter().map(ends).collect();
                self.scale_transfers(model, *factor, |row| pairs[model.lines.sent[row].pair as usize]);
                let of_task = |node: usize| {
                    is_it(trace.text(trace.devices().get(trace.device_of(model.op(node))).name))
                };
                self.scale(model, *factor, |node| {
                    let is_collective = matches!(model.place[node], Place::Collective(_))
                        || model.together.is_alone(model.op(node));
                    is_collective && of_task(node)
                });
            }
            Change::Device { name, factor } => {
                let is_it: Vec<bool> = trace
                    .devices()
                    .ids()
                    .map(|id| is_called(trace.text(trace.devices().get(id).name), name))
                    .collect();
                self.scale(model, *factor, |node| {
                    is_it[trace.device_of(model.op(node)).index()]
                        && !matches!(model.place[node], Place::Line(_))
                });
            }
            Change::Threads(threads) => {
                self.give_threads(model, *threads);
                self.changed +=
                    model.place.iter().filter(|place| matches!(place, Place::Pool(_))).count() as u64;
            }
            Change::BetterOrder => {
                self.priority = Some(priorities(model));
                self.changed += model.lines.sent.len() as u64;
            }
            Change::Half { pattern } => {
                let matches = matches(study, pattern)?;
                for (row, sent) in model.lines.sent.iter().enumerate() {
                    if matches.contains(model.lines.sent[row].op) {
                        let node = sent.node as usize;
                        let latency = model.lines.latency[sent.pair as usize].min(self.length[node]);
                        self.length[node] = latency + (self.length[node] - latency) / 2;
                        self.changed += 1;
                    }
                }
            }
            Change::Merge { pattern } => self.merge(model, &matches(study, pattern)?),
            Change::LikePeers { task } => self.like_peers(trace, model, task),
        }
        match self.changed > before {
            true => Ok(()),
            false => Err(BadChange(nothing_like(change))),
        }
    }

    fn scale(&mut self, model: &Model, factor: f64, is_it: impl Fn(usize) -> bool) {
        for node in (0..model.len()).filter(|&node| model.took_time(node) && is_it(node)) {
            self.length[node] = times(self.length[node], factor);
            self.changed += 1;
        }
    }

    fn scale_transfers(&mut self, model: &Model, factor: f64, is_it: impl Fn(usize) -> bool) {
        for (row, sent) in model.lines.sent.iter().enumerate() {
            if is_it(row) {
                let length = &mut self.length[sent.node as usize];
                *length = times(*length, factor);
                self.changed += 1;
            }
        }
    }

    /// Of each pair of tasks, the transfers in `matches` go as one: what each but one spends on the way without bytes is saved.
    fn merge(&mut self, model: &Model, matches: &Matches) {
        let mut rows: Vec<u32> = (0..model.lines.sent.len() as u32)
            .filter(|&row| matches.contains(model.lines.sent[row as usize].op))
            .collect();
        order::by_number(&mut rows, |row| (i64::from(model.lines.sent[row as usize].pair), 0));
        let pair = |row: u32| model.lines.sent[row as usize].pair;
        for own in rows.chunk_by(|&a, &b| pair(a) == pair(b)).filter(|own| own.len() > 1) {
            self.merge_rows(model, own);
        }
    }

    /// These transfers go as one.
    pub(super) fn merge_rows(&mut self, model: &Model, rows: &[u32]) {
        let Some(&first) = rows.first() else { return };
        let nodes = || rows.iter().map(|&row| model.lines.sent[row as usize].node as usize);
        let latency = model.lines.latency[model.lines.sent[first as usize].pair as usize];
        let saved = |node: usize| latency.clamp(0, self.length[node]);
        let alone = nodes().map(|node| self.length[node] - saved(node)).fold(0, i64::saturating_add);
        let length = alone.saturating_add(nodes().map(saved).max().unwrap_or(0));
        if self.group_of.is_empty() {
            self.group_of = vec![NONE; model.len()];
        }
        nodes().for_each(|node| self.group_of[node] = self.groups.len() as u32);
        self.groups.push(Group { transfers: rows.len() as u32, length });
        self.changed += rows.len() as u64;
    }

    /// The ops for which `is_it` holds start without a delay, if they follow another op.
    pub(super) fn drop_delays(&mut self, model: &Model, is_it: impl Fn(OpId) -> bool) {
        for node in (0..model.len()).filter(|&node| model.waits[node] > 0 && is_it(model.op(node))) {
            self.delay[node] = 0;
            self.changed += 1;
        }
    }

    /// The nodes of the ops for which `length` has one take that long.
    pub(super) fn set_lengths(&mut self, model: &Model, length: impl Fn(OpId) -> Option<Nanos>) {
        for node in (0..model.len()).filter(|&node| model.took_time(node)) {
            if let Some(Nanos(length)) = length(model.op(node)) {
                self.length[node] = length;
                self.changed += 1;
            }
        }
    }

    /// Each node of `task` gets the median of the lengths and delays of the nodes with its role on other tasks of its job.
    fn like_peers(&mut self, trace: &Trace, model: &Model, task: &str) {
        let roles = Roles::matched(trace, |_| true);
        let unit_of_device: Vec<&str> = trace
            .devices()
            .ids()
            .map(|id| {
                let name = trace.text(trace.devices().get(id).name);
                task_of(name).unwrap_or(name)
            })
            .collect();
        let mut units: Vec<&str> = unit_of_device.clone();
        units.sort_unstable();
        units.dedup();
        let unit_row = |name: &str| units.binary_search(&name).unwrap_or(0) as i64;
        let row_of_device: Vec<i64> = unit_of_device.iter().map(|name| unit_row(name)).collect();
        let is_it: Vec<bool> = units.iter().map(|name| is_called(name, task)).collect();
        let job = |unit: i64| job_of(units[unit as usize]);
        // (class, unit, place and start, node)
        let mut rows: Vec<(u32, i64, u32, u32)> = (0..model.len())
            .filter(|&node| model.took_time(node))
            .map(|node| {
                let op = model.op(node);
                let role = trace.ops().node(op);
                let unit = row_of_device[trace.device_of(op).index()];
                (roles.class(role), unit, roles.place(role), model.rank[node])
            })
            .collect();
        let mut node_of_rank = vec![0_u32; model.len()];
        model.rank.iter().zip(0..).for_each(|(&rank, node)| node_of_rank[rank as usize] = node);
        rows.sort_unstable();
        for class in rows.chunk_by(|a, b| a.0 == b.0) {
            let by_unit: Vec<&[(u32, i64, u32, u32)]> = class.chunk_by(|a, b| a.1 == b.1).collect();
            for own in by_unit.iter().filter(|own| is_it[own[0].1 as usize]) {
                let is_peer = |other: &&&[(u32, i64, u32, u32)]| {
                    !is_it[other[0].1 as usize]
                        && other.len() == own.len()
                        && job(other[0].1) == job(own[0].1)
                };
                let peers: Vec<_> = by_unit.iter().filter(is_peer).collect();
                if peers.is_empty() {
                    continue;
                }
                for place in 0..own.len() {
                    let node = node_of_rank[own[place].3 as usize] as usize;
                    let of_peers = |column: &[i64]| {
                        let values =
                            peers.iter().map(|own| column[node_of_rank[own[place].3 as usize] as usize]);
                        median(values.collect())
                    };
                    (self.length[node], self.delay[node]) = (of_peers(&model.length), of_peers(&model.delay));
                    self.changed += 1;
                }
            }
        }
    }
}

fn matches(study: &Study, pattern: &str) -> Result<Matches, BadChange> {
    let pattern = Pattern::new(pattern, true).map_err(BadChange)?;
    Matches::of(study.trace(), study.lanes(), &pattern).map_err(BadChange)
}

fn nothing_like(change: &Change) -> String {
    let (word, text) = change.written();
    say!("what-if-nothing", word, text)
}

fn times(length: i64, factor: f64) -> i64 {
    (length as f64 * factor).round() as i64
}

/// The job of a task, or everything before the last number of another name.
fn job_of(unit: &str) -> &str {
    match unit.find("/task:") {
        Some(at) => &unit[..at],
        None => unit.trim_end_matches(|letter: char| letter.is_ascii_digit()),
    }
}

/// The median; of an even number of values the lower one.
fn median(mut values: Vec<i64>) -> i64 {
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Whether `name` is the task or device that a user means by `text`: its whole name, `worker:0` for `/job:worker/…/task:0`, or a
/// part of the name that ends where a number ends.
pub(super) fn is_called(name: &str, text: &str) -> bool {
    if name == text || text.is_empty() {
        return name == text;
    }
    if let Some(task) = task_of(name)
        && let Some((job, task)) = task.trim_start_matches("/job:").split_once("/")
        && let Some((_, number)) = task.rsplit_once("task:")
        && text.split_once(':').is_some_and(|(own, own_number)| own == job && own_number == number)
    {
        return true;
    }
    let ends = |end: usize| !name[end..].starts_with(|letter: char| letter.is_ascii_digit());
    name.match_indices(text).any(|(at, part)| ends(at + part.len()))
}

/// For each transfer its place in the order in which the tensors are needed: by when their first users would start if all tensors
/// were there from the beginning.
fn priorities(model: &Model) -> Vec<u32> {
    let mut node_of_rank = vec![0_u32; model.len()];
    model.rank.iter().zip(0..).for_each(|(&rank, node)| node_of_rank[rank as usize] = node);
    let mut starts = vec![0_i64; model.len()];
    for &node in &node_of_rank {
        let row = node as usize;
        let end = match model.place[row] {
            Place::Line(_) => 0,
            _ => starts[row].saturating_add(model.length[row]),
        };
        for user in model.users(row) {
            let start = &mut starts[user.node as usize];
            *start = end.max(*start);
        }
    }
    let needed = |row: u32| {
        let users = model.users(model.lines.sent[row as usize].node as usize);
        users.iter().map(|user| starts[user.node as usize]).min().unwrap_or(i64::MAX)
    };
    let mut rows: Vec<u32> = (0..model.lines.sent.len() as u32).collect();
    rows.sort_by_key(|&row| needed(row));
    let mut priority = vec![0; rows.len()];
    rows.iter().zip(0..).for_each(|(&row, place)| priority[row as usize] = place);
    priority
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_parts() {
        let task = "/job:worker/replica:0/task:1";
        for text in [task, "worker:1", "task:1", "/job:worker"] {
            assert!(is_called(task, text), "{text}");
        }
        for text in ["worker:11", "ps:1", "worker:0", ""] {
            assert!(!is_called(task, text), "{text}");
        }
        assert!(!is_called("/job:worker/replica:0/task:11", "task:1"));
        assert!(is_called("/job:ps/replica:0/task:0/device:CPU:0", "ps:0"));
    }
}
