//! A comparison in sentences.

use crate::causality::category_words;
use crate::figures::{self, duration, share};
use crate::names::{kernel_label, place_label, visible};
use std::collections::BTreeSet;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::reasons::Reason;
use steplens_core::compare::waterfall::{Bar, Cause};
use steplens_core::{Category, Nanos, OpId};
use steplens_messages::{listed, say, sentences};

/// The most letters of a name in a sentence.
const MOST_LETTERS: usize = 90;

/// The most op types of one side that a sentence names.
const MOST_TYPES: usize = 3;

/// How the steps differ.
pub(super) fn of_steps(found: &Comparison<'_>) -> String {
    let [a, b] = found.lengths;
    let difference = found.difference();
    let (length, part) = (duration(difference.0.abs()), share(difference.0.abs(), a.0));
    let (a, b) = (duration(a.0), duration(b.0));
    let said = match difference.0 {
        0 => return say!("compare-same", a),
        1.. => say!("compare-longer", difference = length, share = part, a, b),
        _ => say!("compare-shorter", difference = length, share = part, a, b),
    };
    let rest = found.waterfall.rest;
    let is_most = rest.0.signum() == difference.0.signum() && rest.0.abs() > difference.0.abs() / 2;
    // Of another graph the bars say what it has, and nothing ran in another order.
    let is_other_graph = found.reasons.iter().any(|reason| matches!(reason, Reason::Graph { .. }));
    match is_most && !is_other_graph {
        true => format!("{said} {}", say!("compare-mostly-rest", rest = duration(rest.0.abs()))),
        false => said,
    }
}

/// What differs for one cause, and what that does to the step.
pub(super) fn of_bar(found: &Comparison<'_>, bar: &Bar) -> String {
    if bar.cause == Cause::Clocks {
        return say!("compare-clocks").to_owned();
    }
    with_step(&what(found, bar), bar.difference)
}

/// What all other groups change.
pub(super) fn of_others(found: &Comparison<'_>) -> String {
    with_step(&say!("compare-others", count = found.waterfall.other_groups), found.waterfall.others)
}

/// What no length explains.
pub(super) fn of_rest(found: &Comparison<'_>) -> String {
    with_step(say!("compare-rest"), found.waterfall.rest)
}

/// That a replay is too far off, if one is.
pub(super) fn of_doubt(found: &Comparison<'_>) -> Option<String> {
    let (side, ppm) = found.waterfall.doubt?;
    let side = if side == Which::A { say!("compare-of-a") } else { say!("compare-of-b") };
    Some(say!("compare-doubt", side, share = share(ppm, 1_000_000)))
}

fn with_step(what: &str, difference: Nanos) -> String {
    let part = duration(difference.0.saturating_abs());
    let step = match difference.0 {
        0 => say!("compare-step-same").to_owned(),
        1.. => say!("compare-step-longer", part),
        _ => say!("compare-step-shorter", part),
    };
    format!("{what} {step}")
}

/// How the time of a group changed.
enum Change {
    Longer,
    Shorter,
    /// What grew and what shrank, and not their sum, makes the step longer or shorter.
    Mixed,
}

impl Change {
    fn of(bar: &Bar) -> Self {
        let [a, b] = bar.lengths;
        let growth = b.0.saturating_sub(a.0);
        let is_same_way = growth.signum() == bar.difference.0.signum();
        let is_in_sum = is_same_way && bar.difference.0.unsigned_abs() <= growth.unsigned_abs();
        match growth {
            _ if bar.difference != Nanos(0) && !is_in_sum && bar.more.0 > 0 && bar.less.0 > 0 => Self::Mixed,
            0.. => Self::Longer,
            _ => Self::Shorter,
        }
    }
}

fn what(found: &Comparison<'_>, bar: &Bar) -> String {
    let [of_a, of_b] = bar.lengths;
    let [a, b] = bar.lengths.map(|length| duration(length.0));
    let difference = duration(of_b.0.saturating_sub(of_a.0).saturating_abs());
    let [count_a, count_b] = bar.counts.map(|count| figures::count(count as u64));
    let (more, less) = (duration(bar.more.0), duration(bar.less.0));
    match &bar.cause {
        Cause::Op { op_type, device } => {
            let what = on_device(found, named(found, bar, *op_type, *device), *device);
            let said = match Change::of(bar) {
                Change::Mixed => say!("compare-op-mixed", what, more, less),
                Change::Longer if bar.counts[0] != bar.counts[1] => {
                    say!("compare-op-longer-times", what, difference, a, b, count_a, count_b)
                }
                Change::Shorter if bar.counts[0] != bar.counts[1] => {
                    say!("compare-op-shorter-times", what, difference, a, b, count_a, count_b)
                }
                Change::Longer => say!("compare-op-longer", what, difference, a, b),
                Change::Shorter => say!("compare-op-shorter", what, difference, a, b),
            };
            let collective = waits_for_others(found, bar).then(|| say!("compare-collective").to_owned());
            sentences([Some(said), retyped(found, bar), collective].into_iter().flatten())
        }
        Cause::Link { source, destination } => {
            let [source, destination] =
                [source, destination].map(|end| visible(&place_label(end)).into_owned());
            let said = match Change::of(bar) {
                Change::Mixed => say!("compare-link-mixed", source, destination, more, less),
                Change::Longer => say!("compare-link-longer", source, destination, difference, a, b),
                Change::Shorter => say!("compare-link-shorter", source, destination, difference, a, b),
            };
            match bytes(found, bar) {
                [a, b] if a == b => said,
                sizes => {
                    let [a, b] = sizes.map(figures::bytes);
                    format!("{said} {}", say!("compare-link-bytes", a, b))
                }
            }
        }
        Cause::Only { side, op_type, device } => {
            let what = on_device(found, named(found, bar, *op_type, *device), *device);
            match side {
                Which::A => say!("compare-gone", what, a),
                Which::B => say!("compare-new", what, b),
            }
        }
        Cause::Wait { kind, device: number } => {
            let device = visible(&place_label(device_name(found, *number))).into_owned();
            let kind = category_words(kind.word());
            match Change::of(bar) {
                Change::Mixed => say!("compare-delay-mixed", kind, device, more, less),
                Change::Longer => say!("compare-delay-longer", kind, device, difference, a, b),
                Change::Shorter => say!("compare-delay-shorter", kind, device, difference, a, b),
            }
        }
        Cause::Batch => {
            let sizes = found.reasons.iter().find_map(|reason| match reason {
                Reason::Batch { sizes, .. } => Some(*sizes),
                _ => None,
            });
            let [from, to] = sizes.unwrap_or_default().map(|size| size.to_string());
            say!("compare-batch", from, to, a, b)
        }
        Cause::Threads([a, b]) => say!("compare-threads", a, b),
        Cause::Clocks => String::new(),
    }
}

/// `what`, with its device unless the trace has no other.
fn on_device(found: &Comparison<'_>, what: String, number: u32) -> String {
    let has_ops = |side: &steplens_core::compare::Side<'_>| {
        let devices = side.study.trace().devices();
        devices.ids().filter(|&id| devices.get(id).op_count > 0).count()
    };
    if found.sides.iter().all(|side| has_ops(side) < 2) {
        return what;
    }
    say!("compare-on", what, device = visible(&place_label(device_name(found, number))).into_owned())
}

/// Whether the time of collectives is that from their own start: then waiting for other ranks is part of it.
fn waits_for_others(found: &Comparison<'_>, bar: &Bar) -> bool {
    let mut whole = [Nanos(0); 2];
    for &(a, b, _) in &bar.ops {
        for (side, op) in [(0, a), (1, b)] {
            let Some(op) = op else { continue };
            let trace = found.sides[side].study.trace();
            if trace.category(op) != Category::Communication {
                return false;
            }
            whole[side] += trace.ops().interval(op).length();
        }
    }
    whole == bar.lengths
}

/// How many bytes the transfers of a bar carry, in A and in B.
fn bytes(found: &Comparison<'_>, bar: &Bar) -> [u64; 2] {
    let mut sums = [0_u64; 2];
    for &(a, b, _) in &bar.ops {
        for (side, op) in [(0, a), (1, b)] {
            let transfer = op.and_then(|op| found.sides[side].study.transfers().of_op(op));
            let known = transfer.and_then(|own| own.known_bytes()).map_or(0, |bytes| bytes.0);
            sums[side] = sums[side].saturating_add(known);
        }
    }
    sums
}

/// That the ops of a bar have other types in B, under which a library carries out the same work.
fn retyped(found: &Comparison<'_>, bar: &Bar) -> Option<String> {
    let [a, b] = &found.sides;
    let [a, b] = [a, b].map(|side| side.study.trace());
    let mut types: [BTreeSet<&str>; 2] = Default::default();
    for (own, other) in bar.ops.iter().filter_map(|&(own, other, _)| own.zip(other)) {
        types[0].insert(a.op_type(own));
        types[1].insert(b.op_type(other));
    }
    let differ = types[0] != types[1];
    let [a, b] = types.map(|own| listed(own.into_iter().take(MOST_TYPES).map(str::to_owned)));
    differ.then(|| say!("compare-other-type", a, b))
}

/// The name of the device with this number.
pub(super) fn device_name<'a>(found: &'a Comparison<'a>, number: u32) -> &'a str {
    let (side, id) = found.device(number);
    let trace = found.sides[side as usize].study.trace();
    trace.text(trace.devices().get(id).name)
}

/// An op of A, its partner in B, and what both add.
type Pair = (Option<OpId>, Option<OpId>, Nanos);

/// The name of a pair.
fn title(found: &Comparison<'_>, (a, b, _): Pair) -> String {
    let of = |side: Which, op: Option<OpId>| op.map(|op| found.sides[side as usize].study.title(op));
    of(Which::B, b).or_else(|| of(Which::A, a)).unwrap_or_default().to_owned()
}

/// A name that leaves room for the sentence: C++ has names of thousands of letters.
fn short(name: &str) -> String {
    match name.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// What the ops of a bar are called: the op, if all are one; else their type, with their scope if they have one in common. Kernels have
/// their short names.
fn named(found: &Comparison<'_>, bar: &Bar, op_type: u32, device: u32) -> String {
    let op_type = found.joined.text(op_type);
    let (side, id) = found.device(device);
    let has_kernels = found.sides[side as usize].study.trace().devices().get(id).is_accelerator;
    let shown = |name: &str| match has_kernels {
        true => short(&visible(&kernel_label(name))),
        false => short(&visible(name)),
    };
    let mut titles = bar.ops.iter().map(|&own| title(found, own));
    let first = titles.next().unwrap_or_default();
    let mut common: &str = first.rsplit_once('/').map_or("", |(scope, _)| scope);
    let mut is_one = true;
    for name in titles {
        is_one &= name == first;
        while !common.is_empty() && name.strip_prefix(common).is_none_or(|rest| !rest.starts_with('/')) {
            common = common.rsplit_once('/').map_or("", |(scope, _)| scope);
        }
    }
    let of_type = shown(op_type);
    if is_one {
        return match first.contains(op_type) || shown(&first) == of_type {
            true => shown(&first),
            false => say!("compare-named-op", op = shown(&first), op_type = of_type),
        };
    }
    if !common.is_empty() {
        return say!("compare-named-scope", op_type = of_type, scope = short(common));
    }
    if bar.is_of_others { say!("compare-other-ops", op_type = of_type) } else { of_type }
}
