//! What the hosts of late ranks ran while others waited for them: the innermost ops of the threads that launch kernels, by name.

use super::super::context::Context;
use super::super::pauses::annotation;
use crate::base::units::{Interval, Nanos};
use crate::timeline::nesting::{self, Piece};
use crate::{DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use steplens_messages::say;

/// The most names.
const MOST: usize = 3;

/// How much of `windows`, in which ranks are late, is no more than how much later than the first rank each began: it is late because of
/// that, at first. Cuts that off the windows.
pub(super) fn began_late(context: &Context<'_>, windows: &mut [(DeviceId, Interval)]) -> Nanos {
    let (trace, began) = (context.trace(), &context.study.causes().graph.began);
    let Some((_, first)) = began.first() else { return Nanos(0) };
    let mut left: HashMap<Option<StringId>, Nanos, FixedState> = HashMap::default();
    let mut late = Nanos(0);
    windows.sort_unstable_by_key(|&(device, window)| (window.start, window.end, device));
    for (device, window) in windows {
        let own = began.of(trace, *device).map_or(Nanos(0), |at| at - first);
        let left = left.entry(trace.devices().get(*device).task).or_insert(own);
        let part = window.length().min(*left);
        *left = *left - part;
        window.start = window.start + part;
        late += part;
    }
    late
}

/// The names with most time in `windows`, of the hosts that launch what the device of each window runs; at most [`MOST`].
pub(super) fn names(context: &Context<'_>, windows: &[(DeviceId, Interval)]) -> Vec<(String, Nanos)> {
    let trace = context.trace();
    let task = |device: DeviceId| trace.devices().get(device).task;
    let mut late: HashMap<Option<StringId>, Vec<Interval>, FixedState> = HashMap::default();
    for &(device, window) in windows.iter().filter(|(_, window)| window.length() > Nanos(0)) {
        late.entry(task(device)).or_default().push(window);
    }
    let launching: BTreeSet<(DeviceId, u32)> = trace
        .calls()
        .iter()
        .map(|&(_, call)| (trace.device_of(call), trace.ops().thread(call)))
        .filter(|&(device, _)| late.contains_key(&task(device)))
        .collect();
    let hosts: BTreeSet<DeviceId> = launching.iter().map(|&(device, _)| device).collect();
    let mut of_name: HashMap<String, Nanos, FixedState> = HashMap::default();
    for host in hosts {
        let mut threads: HashMap<u32, Vec<Piece>, FixedState> = HashMap::default();
        for piece in nesting::pieces(trace, host) {
            let thread = trace.ops().thread(piece.op);
            if launching.contains(&(host, thread)) {
                threads.entry(thread).or_default().push(piece);
            }
        }
        for pieces in threads.values() {
            for &window in &late[&task(host)] {
                let first = pieces.partition_point(|piece| piece.interval.end <= window.start);
                let mut known = window.start;
                for piece in pieces[first..].iter().take_while(|piece| piece.interval.start < window.end) {
                    *of_name.entry_ref(trace.op_name(piece.op)).or_default() +=
                        piece.interval.clamp_to(window).length();
                    let pause = Interval { start: known, end: piece.interval.start };
                    if is_long(pause, window) {
                        *of_name.entry(between(trace, pause, piece.op)).or_default() += pause.length();
                    }
                    known = known.max(piece.interval.end);
                }
                // The thread goes on with its next op after the window.
                let next = pieces[first..].iter().find(|piece| piece.interval.start >= window.end);
                let pause = Interval { start: known, end: window.end.max(known) };
                if let Some(next) = next.filter(|_| is_long(pause, window)) {
                    *of_name.entry(between(trace, pause, next.op)).or_default() += pause.length();
                }
            }
        }
    }
    let mut names: Vec<(String, Nanos)> = of_name.into_iter().collect();
    names.sort_by(|(a, a_time), (b, b_time)| (Reverse(a_time), a).cmp(&(Reverse(b_time), b)));
    names.truncate(MOST);
    names
}

/// Whether a thread ran no recorded op for most of `window`: what it does between its calls is much.
fn is_long(pause: Interval, window: Interval) -> bool {
    pause.start < pause.end && pause.length().0.saturating_mul(2) >= window.length().0
}

/// What a pause before `next` is called.
fn between(trace: &Trace, pause: Interval, next: OpId) -> String {
    match annotation(trace, pause, next) {
        Some(around) => say!("late-between-within", name = trace.op_name(around)),
        None => say!("late-between").to_owned(),
    }
}
