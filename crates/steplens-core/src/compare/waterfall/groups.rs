//! Groups of ops that may explain a difference: the ops of one type on one device, the transfers of one link, the delays of one
//! device. An op, or ops of one role, that changed by more than all others of their type together are a group of their own.

use super::entries::Entry;
use super::{Cause, Context};
use crate::Study;
use crate::collectives::roles::hash_without_numbers;
use crate::compare::joined::Which;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::hash::BuildHasher;

/// The most parts of a group that become groups of their own.
const MOST_PARTS: usize = 4;

/// Ops, or the delays before ops, that are given the lengths of the other step together.
pub(super) struct Group {
    pub(super) cause: Cause,
    /// Whether other ops of the same type are groups of their own.
    pub(super) is_of_others: bool,
    pub(super) entries: Vec<Entry>,
    /// How much its ops that grew take longer in the longer step, and how much those that shrank take less.
    pub(super) grew: i64,
    pub(super) shrank: i64,
    /// The growth of the ops on the path of the longer step, less the shrinking of those on the path of the other one.
    on_path: i64,
}

impl Group {
    fn of(cause: Cause, is_of_others: bool, entries: Vec<Entry>) -> Self {
        let mut group = Self { cause, is_of_others, entries, grew: 0, shrank: 0, on_path: 0 };
        for entry in &group.entries {
            let growth = entry.growth();
            group.grew = group.grew.saturating_add(growth.max(0));
            group.shrank = group.shrank.saturating_add(growth.min(0).saturating_neg());
            let counts = (growth > 0 && entry.is_on_path[0]) || (growth < 0 && entry.is_on_path[1]);
            group.on_path = group.on_path.saturating_add(if counts { growth } else { 0 });
        }
        group
    }

    /// The most by which the step can change with the group: nothing but these ops changes.
    fn bound(&self) -> i64 {
        self.grew.max(self.shrank)
    }

    /// By how much ops take more or less in all; nothing for delays.
    pub(super) fn change(&self) -> u64 {
        match self.cause {
            Cause::Wait { .. } => 0,
            _ => self.grew.saturating_sub(self.shrank).unsigned_abs(),
        }
    }

    /// Whether nothing of it differs.
    fn is_same(&self) -> bool {
        self.bound() == 0
    }
}

/// The groups of `entries` that differ in anything: those that are likely to explain most come first. Of equal ones, the first op of the
/// longer step decides, whichever of the two traces that is.
pub(super) fn grouped(context: &Context<'_>, longer: Which, entries: Vec<(Cause, Entry)>) -> Vec<Group> {
    let mut place: HashMap<Cause, usize, FixedState> = HashMap::default();
    let mut classes: Vec<(Cause, Vec<Entry>)> = Vec::new();
    for (cause, entry) in entries {
        let at = match place.get(&cause) {
            Some(&at) => at,
            None => {
                place.insert(cause.clone(), classes.len());
                classes.push((cause, Vec::new()));
                classes.len() - 1
            }
        };
        classes[at].1.push(entry);
    }
    let mut groups = Vec::new();
    let studies = [context.study(longer), context.study(longer.other())];
    for (cause, entries) in classes {
        divide(studies, longer, cause, entries, &mut groups);
    }
    groups.retain(|group| !group.is_same());
    likely_first(groups)
}

/// Divides a class of ops: the roles, and of these the names, that changed by more than the rest are groups of their own.
fn divide(studies: [&Study; 2], longer: Which, cause: Cause, entries: Vec<Entry>, groups: &mut Vec<Group>) {
    if !matches!(cause, Cause::Op { .. }) {
        return groups.push(Group::of(cause, false, entries));
    }
    let title = |entry: &Entry| match (entry.own, entry.other) {
        (Some(own), _) => studies[0].title(own),
        (None, other) => other.map_or("", |other| studies[1].title(other)),
    };
    let role = |entry: &Entry| hash_without_numbers(title(entry));
    let name = |entry: &Entry| FixedState::default().hash_one(title(entry)) as i64;
    let mut put = |entries: Vec<Entry>, is_of_others: bool| {
        if !entries.is_empty() {
            groups.push(Group::of(of_side(&cause, longer, &entries), is_of_others, entries));
        }
    };
    let (mut roles, rest) = taken_out(entries, role);
    let has_roles = !roles.is_empty();
    if has_roles {
        put(rest, true);
    } else {
        roles.push(rest);
    }
    for role in roles {
        let (names, rest) = taken_out(role, name);
        put(rest, !names.is_empty());
        names.into_iter().for_each(|own| put(own, false));
    }
}

/// The cause of ops of one type: if only one of the steps has them, that they are new or gone.
fn of_side(cause: &Cause, longer: Which, entries: &[Entry]) -> Cause {
    let Cause::Op { op_type, device } = *cause else { return cause.clone() };
    if entries.iter().all(|entry| entry.other.is_none()) {
        return Cause::Only { side: longer, op_type, device };
    }
    match entries.iter().all(|entry| entry.own.is_none()) {
        true => Cause::Only { side: longer.other(), op_type, device },
        false => cause.clone(),
    }
}

/// The entries of each key that changed by more than all those after it together, largest first; and the rest. With one key nothing
/// is taken out.
fn taken_out(entries: Vec<Entry>, key: impl Fn(&Entry) -> i64) -> (Vec<Vec<Entry>>, Vec<Entry>) {
    let keys: Vec<i64> = entries.iter().map(key).collect();
    let mut place: HashMap<i64, usize, FixedState> = HashMap::default();
    let mut sums: Vec<(i64, i64)> = Vec::new();
    for (&key, entry) in keys.iter().zip(&entries) {
        let at = *place.entry(key).or_insert(sums.len());
        if at == sums.len() {
            sums.push((key, 0));
        }
        sums[at].1 = sums[at].1.saturating_add(entry.growth());
    }
    if sums.len() < 2 {
        return (Vec::new(), entries);
    }
    let mut left = sums.iter().fold(0_i64, |sum, own| sum.saturating_add(own.1));
    sums.sort_by_key(|&(_, growth)| Reverse(growth.unsigned_abs()));
    let mut taken: HashMap<i64, usize, FixedState> = HashMap::default();
    for &(key, growth) in sums.iter().take(MOST_PARTS) {
        left = left.saturating_sub(growth);
        if growth.unsigned_abs() <= left.unsigned_abs() {
            break;
        }
        taken.insert(key, taken.len());
    }
    let mut parts: Vec<Vec<Entry>> = taken.iter().map(|_| Vec::new()).collect();
    let mut rest = Vec::new();
    for (key, entry) in keys.into_iter().zip(entries) {
        match taken.get(&key) {
            Some(&at) => parts[at].push(entry),
            None => rest.push(entry),
        }
    }
    (parts, rest)
}

/// In turn the next of those that changed most on the paths, and of those that changed most at all: with several threads the path
/// alone does not say what the step waits for.
fn likely_first(groups: Vec<Group>) -> Vec<Group> {
    let order = |size: &dyn Fn(&Group) -> u64| {
        let mut rows: Vec<usize> = (0..groups.len()).collect();
        rows.sort_by_key(|&row| Reverse(size(&groups[row])));
        rows
    };
    let on_paths = order(&|group| group.on_path.unsigned_abs());
    let at_all = order(&|group| group.bound().unsigned_abs());
    let mut left: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    let in_turn = on_paths.into_iter().zip(at_all).flat_map(|(one, other)| [one, other]);
    in_turn.filter_map(|row| left[row].take()).collect()
}
