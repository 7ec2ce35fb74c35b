//! Counters over time: ops in flight, bytes in transit, memory. Each is a list of changes: a time, and the value from then on.

use std::iter::Peekable;
use steplens_core::base::order;
use steplens_core::{Category, DeviceId, Study, Timestamp};

/// How many ops of `device` run: one entry for each moment at which the number changes. Ranges do not count as work, and an op of
/// zero length never runs.
pub(crate) fn in_flight(study: &Study, device: DeviceId) -> impl Iterator<Item = (Timestamp, i64)> {
    let trace = study.trace();
    let own = move || {
        let works = trace.ops_of(device).filter(|&op| trace.category(op) != Category::Range);
        works.map(|op| trace.ops().interval(op)).filter(|own| own.end > own.start)
    };
    let mut ends: Vec<Timestamp> = own().map(|own| own.end).collect();
    order::by_number(&mut ends, |end| (end.0, 0));
    let starts = own().map(|own| (own.start, 1));
    levels(merged(starts, ends.into_iter().map(|end| (end, -1))))
}

/// What is in transit: (time, bytes, bytes per second), if each transfer had a constant rate.
pub(crate) fn on_the_wire(study: &Study) -> Vec<(Timestamp, i64, i64)> {
    let mut changes: Vec<(Timestamp, i64, f64)> = Vec::new();
    for (id, transfer) in study.transfers().all() {
        let times = study.times(id);
        let (Some(sent), Some(received), Some(bytes)) = (times.sent, times.received, transfer.known_bytes())
        else {
            continue;
        };
        if received <= sent || bytes.0 == 0 {
            continue;
        }
        let rate = bytes.0 as f64 / (received - sent).0 as f64 * 1e9;
        let bytes = i64::try_from(bytes.0).unwrap_or(i64::MAX);
        changes.extend([(sent, bytes, rate), (received, bytes.saturating_neg(), -rate)]);
    }
    changes.sort_by(|&a, &b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut bytes, mut rate, mut count) = (0_i64, 0.0, 0_i64);
    let mut levels: Vec<(Timestamp, i64, i64)> = Vec::new();
    for (at, more, faster) in changes {
        (bytes, rate, count) = (bytes.saturating_add(more), rate + faster, count + more.signum());
        if count == 0 {
            // Nothing is in transit, so the rate is 0. Only the rounding error of the sum of floats is left.
            rate = 0.0;
        }
        let level = (at, bytes, rate.round() as i64);
        match levels.last_mut() {
            Some(last) if last.0 == at => *last = level,
            _ => levels.push(level),
        }
    }
    levels
}

/// Two lists in order of time as one.
fn merged(
    a: impl Iterator<Item = (Timestamp, i64)>,
    b: impl Iterator<Item = (Timestamp, i64)>,
) -> impl Iterator<Item = (Timestamp, i64)> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(first), Some(second)) if second.0 <= first.0 => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    })
}

/// The sum of all changes up to and including a moment, for each moment at which the sum differs from before.
fn levels(changes: impl Iterator<Item = (Timestamp, i64)>) -> impl Iterator<Item = (Timestamp, i64)> {
    let (mut changes, mut level): (Peekable<_>, i64) = (changes.peekable(), 0);
    std::iter::from_fn(move || {
        loop {
            let (at, by) = changes.next()?;
            let mut next = level + by;
            while let Some((_, by)) = changes.next_if(|change| change.0 == at) {
                next += by;
            }
            if next != level {
                level = next;
                return Some((at, level));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_say_only_what_changes() {
        let at = |ns: &[i64], by| ns.iter().map(|&ns| (Timestamp(ns), by)).collect::<Vec<_>>();
        let changes = merged(at(&[0, 5, 5, 9], 1).into_iter(), at(&[5, 9, 12, 13], -1).into_iter());
        let levels: Vec<_> = levels(changes).map(|(at, level)| (at.0, level)).collect();
        assert_eq!(levels, [(0, 1), (5, 2), (12, 1), (13, 0)]);
    }
}
