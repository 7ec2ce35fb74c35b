//! A comparison in sentences.

use crate::causality::category_words;
use crate::figures::{duration, share};
use crate::names::{place_label, visible};
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::reasons::Reason;
use steplens_core::compare::waterfall::{Bar, Cause};
use steplens_core::{Nanos, OpId};
use steplens_messages::say;

/// An op, or a scope, is named if it has at least this part of what a bar changes; in percent.
const MOST_OF_A_BAR: i128 = 80;
/// The most letters of a name in a sentence.
const MOST_LETTERS: usize = 90;

/// How the steps differ.
pub(super) fn of_steps(found: &Comparison<'_>) -> String {
    let [a, b] = found.lengths;
    let difference = found.difference();
    let (length, part) = (duration(difference.0.abs()), share(difference.0.abs(), a.0));
    let (a, b) = (duration(a.0), duration(b.0));
    match difference.0 {
        0 => say!("compare-same", a),
        1.. => say!("compare-longer", difference = length, share = part, a, b),
        _ => say!("compare-shorter", difference = length, share = part, a, b),
    }
}

/// What a bar adds, and why.
pub(super) fn of_bar(found: &Comparison<'_>, bar: &Bar) -> String {
    let hidden = match bar.hidden.0 {
        0 => String::new(),
        ns => format!(" {}", say!("compare-hidden", hidden = duration(ns))),
    };
    format!("{}{hidden}", with_part(found, bar.difference, &what(found, bar)))
}

/// What all other causes add.
pub(super) fn of_rest(found: &Comparison<'_>) -> String {
    let what = say!("compare-rest", count = found.waterfall.rest_causes);
    with_part(found, found.waterfall.rest, &what)
}

fn with_part(found: &Comparison<'_>, difference: Nanos, what: &str) -> String {
    let whole = found.difference().0;
    let part = duration(difference.0.abs());
    if whole != 0 && whole.signum() == difference.0.signum() {
        return say!("compare-bar", part, whole = duration(whole.abs()), what);
    }
    match (whole, difference.0) {
        (0, 0..) => say!("compare-bar-longer", part, what),
        (0, _) => say!("compare-bar-shorter", part, what),
        _ => say!("compare-bar-against", part, what),
    }
}

fn what(found: &Comparison<'_>, bar: &Bar) -> String {
    let device = |number| visible(&place_label(device_name(found, number))).into_owned();
    let [a, b] = bar.lengths.map(|length| duration(length.0));
    match &bar.cause {
        Cause::Op { op_type, device: number } => {
            let ((what, of), device) = (named(found, bar, found.joined.text(*op_type)), device(*number));
            match ratio(found, bar, &of) {
                Some(ratio) => say!("compare-op", what, device, ratio),
                None => say!("compare-op-path", what, device, a, b),
            }
        }
        Cause::Link { source, destination } => {
            let [source, destination] =
                [source, destination].map(|end| visible(&place_label(end)).into_owned());
            match ratio(found, bar, &bar.ops) {
                Some(ratio) => say!("compare-link", source, destination, ratio),
                None => say!("compare-link-path", source, destination, a, b),
            }
        }
        Cause::Only { side, op_type, device: number } => {
            let ((what, _), device) = (named(found, bar, found.joined.text(*op_type)), device(*number));
            match side {
                Which::A => say!("compare-gone", what, device),
                Which::B => say!("compare-new", what, device),
            }
        }
        Cause::Wait { kind, device: number } => {
            let (kind, device) = (category_words(kind.word()), device(*number));
            match most_of(bar) {
                [one] => say!("compare-wait-of", op = short(&title(found, *one)), kind, device, a, b),
                _ => say!("compare-wait", kind, device, a, b),
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
        Cause::Clocks => say!("compare-clocks").to_owned(),
    }
}

/// The name of the device with this number.
pub(super) fn device_name<'a>(found: &'a Comparison<'a>, number: u32) -> &'a str {
    let (side, id) = found.device(number);
    let trace = found.sides[side as usize].study.trace();
    trace.text(trace.devices().get(id).name)
}

/// An op of A, its partner in B, and what both add.
type Pair = (Option<OpId>, Option<OpId>, Nanos);

/// The ops that have most of what a bar changes.
fn most_of(bar: &Bar) -> &[Pair] {
    let size = |own: &Pair| i128::from(own.2.0.unsigned_abs());
    let all: i128 = bar.ops.iter().map(size).sum();
    let mut sum = 0;
    let enough = bar.ops.iter().position(|own| {
        sum += size(own);
        sum * 100 >= all * MOST_OF_A_BAR
    });
    &bar.ops[..enough.map_or(0, |last| last + 1)]
}

/// The name of a pair, harmless.
fn title(found: &Comparison<'_>, (a, b, _): Pair) -> String {
    let of = |side: Which, op: Option<OpId>| op.map(|op| found.sides[side as usize].study.title(op));
    visible(of(Which::B, b).or_else(|| of(Which::A, a)).unwrap_or_default()).into_owned()
}

/// A name that leaves room for the sentence: C++ has names of thousands of letters.
fn short(name: &str) -> String {
    match name.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The op type of a bar, with the op or the scope that has most of the change; and the ops that are named so.
fn named(found: &Comparison<'_>, bar: &Bar, op_type: &str) -> (String, Vec<Pair>) {
    let op_type = visible(op_type).into_owned();
    let most = most_of(bar);
    if let [one] = most {
        let op = title(found, *one);
        let says_type = op.contains(op_type.as_str());
        let (op, op_type) = (short(&op), short(&op_type));
        return (if says_type { op } else { say!("compare-named-op", op, op_type) }, most.to_vec());
    }
    let mut scopes = most.iter().map(|&own| title(found, own));
    let first = scopes.next().unwrap_or_default();
    let mut common: &str = first.rsplit_once('/').map_or("", |(scope, _)| scope);
    for name in scopes {
        while !common.is_empty() && name.strip_prefix(common).is_none_or(|rest| !rest.starts_with('/')) {
            common = common.rsplit_once('/').map_or("", |(scope, _)| scope);
        }
    }
    let op_type = short(&op_type);
    if common.is_empty() {
        return (op_type, bar.ops.clone());
    }
    let is_in =
        |own: &Pair| title(found, *own).strip_prefix(common).is_some_and(|rest| rest.starts_with('/'));
    let ops = bar.ops.iter().copied().filter(is_in).collect();
    (say!("compare-named-scope", op_type, scope = short(common)), ops)
}

/// How many times as long `ops` of a bar take in B, with one or two decimals; none if it is one.
fn ratio(found: &Comparison<'_>, bar: &Bar, ops: &[Pair]) -> Option<String> {
    let length = |side: Which, op: OpId| {
        let study = found.sides[side as usize].study;
        let nodes = &study.causes().graph.nodes;
        let is_whole = study.transfers().of_op(op).is_none();
        let node = nodes.of_op(op).filter(|_| !is_whole);
        // Of a transfer without what it waited for.
        node.map_or_else(|| study.trace().ops().interval(op).length(), |node| nodes.length(node)).0
    };
    let pairs = ops.iter().filter_map(|&(a, b, _)| Some((a?, b?)));
    let (mut a, mut b) = (0_i64, 0_i64);
    for (own, other) in pairs {
        a = a.saturating_add(length(Which::A, own));
        b = b.saturating_add(length(Which::B, other));
    }
    let times = super::ratio(a, b)
        .filter(|times| (times - 1.0).signum() == f64::from(bar.difference.0.signum() as i8))?;
    let text = match times {
        10.0.. => format!("{times:.0}"),
        1.1.. => format!("{times:.1}"),
        _ => format!("{times:.2}"),
    };
    (text != "1.00").then_some(text)
}
