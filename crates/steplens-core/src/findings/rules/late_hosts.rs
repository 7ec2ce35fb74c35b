//! What the hosts of late ranks ran while others waited for them: the innermost ops of the threads that launch kernels, by name.

use super::super::context::Context;
use super::super::pauses::annotation;
use crate::base::units::{Interval, Nanos};
use crate::storage::busy::Busy;
use crate::timeline::nesting::{self, Piece};
use crate::{Category, DeviceId, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::iter;
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
        let of_launching = |piece: &Piece| launching.contains(&(host, trace.ops().thread(piece.op)));
        let pieces: Vec<Piece> = nesting::pieces(trace, host).into_iter().filter(of_launching).collect();
        let mut threads: HashMap<u32, Vec<Piece>, FixedState> = HashMap::default();
        pieces.iter().for_each(|piece| threads.entry(trace.ops().thread(piece.op)).or_default().push(*piece));
        let windows = || late[&task(host)].iter().copied();
        for pieces in threads.values() {
            for window in windows() {
                let first = pieces.partition_point(|piece| piece.interval.end <= window.start);
                let within = pieces[first..].iter().take_while(|piece| piece.interval.start < window.end);
                // A wait for a GPU keeps no rank: what the GPU does then, or waits for, does.
                for piece in within.filter(|piece| trace.category(piece.op) != Category::Waiting) {
                    *of_name.entry_ref(trace.op_name(piece.op)).or_default() +=
                        piece.interval.clamp_to(window).length();
                }
            }
        }
        // One thread rests while the other one works.
        let busy = Busy::of(pieces.iter().map(|piece| piece.interval));
        for window in windows() {
            for pause in rests(&busy, window).filter(|&pause| is_long(pause, window)) {
                // The program goes on with its next op, also after the window.
                let next = pieces.partition_point(|piece| piece.interval.start < pause.end);
                let Some(next) = pieces.get(next) else { continue };
                *of_name.entry(between(trace, pause, next.op)).or_default() += pause.length();
            }
        }
    }
    let mut names: Vec<(String, Nanos)> = of_name.into_iter().collect();
    names.sort_by(|(a, a_time), (b, b_time)| (Reverse(a_time), a).cmp(&(Reverse(b_time), b)));
    names.truncate(MOST);
    names
}

/// When nothing of `busy` ran within `window`.
fn rests(busy: &Busy, window: Interval) -> impl Iterator<Item = Interval> {
    let all = busy.intervals();
    let within = &all[all.partition_point(|own| own.end <= window.start)..];
    let within = &within[..within.partition_point(|own| own.start < window.end)];
    let ends = iter::once(window.start).chain(within.iter().map(|own| own.end));
    let starts = within.iter().map(|own| own.start).chain([window.end]);
    ends.zip(starts).filter(|(start, end)| start < end).map(|(start, end)| Interval { start, end })
}

/// Whether a thread ran no recorded op for most of `window`: what it does between its calls is much.
fn is_long(pause: Interval, window: Interval) -> bool {
    pause.length().0.saturating_mul(2) >= window.length().0
}

/// What a pause before `next` is called.
fn between(trace: &Trace, pause: Interval, next: OpId) -> String {
    match annotation(trace, pause, next) {
        Some(around) => say!("late-between-within", name = trace.op_name(around)),
        None => say!("late-between").to_owned(),
    }
}
