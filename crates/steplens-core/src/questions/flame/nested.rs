//! Bars of events that contain one another: on the threads of hosts, with the Python frames of the same threads.

use super::bars::Bars;
use super::{Layers, is_host, is_module};
use crate::base::ids::{DeviceId, OpId};
use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::model::device::FRAMES;
use crate::questions::range::Range;
use crate::{Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Adds the hosts of `range`.
pub(super) fn add<'a>(study: &'a Study, range: &Range<'_>, layers: Layers, bars: &mut Bars<'a>) {
    let trace = study.trace();
    let launched = launched(study, range.window());
    for host in range.devices().filter(|&id| is_host(trace, id)) {
        let mut events = frames(trace, range, host, layers);
        events.extend(range.ops(host));
        let ops = trace.ops();
        // The sorts are stable. So of a frame and an op with equal times, the frame contains the op.
        order::by_number(&mut events, |op| (ops.start(op).0, ops.end(op).0.wrapping_neg()));
        order::by_number(&mut events, |op| (i64::from(ops.thread(op)), 0));
        for thread in events.chunk_by(|&a, &b| ops.thread(a) == ops.thread(b)) {
            add_thread(trace, thread, range.window(), &launched, bars);
        }
    }
}

/// The Python frames of `host` that are layers, in order of start.
fn frames(trace: &Trace, range: &Range<'_>, host: DeviceId, layers: Layers) -> Vec<OpId> {
    let has = |name: &str| match layers {
        Layers::Python => true,
        Layers::Modules => is_module(name),
        Layers::Ops | Layers::Scopes => false,
    };
    let name = [trace.text(trace.devices().get(host).name), FRAMES].concat();
    let device = trace.strings().find(&name).and_then(|name| trace.devices().by_name(name));
    let frames = device.into_iter().flat_map(|device| range.ops(device));
    frames.filter(|&op| has(trace.op_name(op))).collect()
}

/// For each call the time, within `window`, of the kernels and copies that it launched; for ops that streams name, of theirs.
fn launched(study: &Study, window: Interval) -> HashMap<OpId, Nanos, FixedState> {
    let trace = study.trace();
    let mut launched: HashMap<OpId, Nanos, FixedState> = HashMap::default();
    for kernel in trace.devices().ids().filter(|&id| counts(trace, id)).flat_map(|id| trace.ops_of(id)) {
        let by = trace.call_of(kernel).or_else(|| study.kernels().op_of(kernel));
        if let Some(by) = by.filter(|_| !trace.nodes().is_range(trace.ops().node(kernel))) {
            *launched.entry(by).or_default() += trace.ops().interval(kernel).clamp_to(window).length();
        }
    }
    launched
}

/// Whether `device` has kernels that no other device has, too.
pub(super) fn counts(trace: &Trace, device: DeviceId) -> bool {
    crate::gpu::kernels::has_kernels(trace, device) && !trace.devices().repeats_others(device)
}

/// An event that is open while what runs in it is added.
struct Open {
    end: Timestamp,
    bar: u32,
}

/// Adds the events of one thread; `sorted` has an event before those that it contains.
fn add_thread<'a>(
    trace: &'a Trace,
    sorted: &[OpId],
    window: Interval,
    launched: &HashMap<OpId, Nanos, FixedState>,
    bars: &mut Bars<'a>,
) {
    let mut open: Vec<Open> = Vec::new();
    for &op in sorted {
        let Interval { start, end } = trace.ops().interval(op).clamp_to(window);
        while open.last().is_some_and(|outer| outer.end <= start) {
            open.pop();
        }
        let around = open.last();
        let until = around.map_or(end, |outer| outer.end.min(end));
        let parent = around.map(|outer| outer.bar);
        let length = Interval { start, end: until }.length();
        bars.cut(Interval { start: until, end }.length());
        if let Some(parent) = parent {
            bars.take(parent, length);
        }
        let bar = bars.bar(parent, without_number(trace.op_name(op)));
        bars.add_event(bar, trace.category(op), length);
        if let Some(&time) = launched.get(&op) {
            bars.add_gpu(bar, time);
        }
        open.push(Open { end: until, bar });
    }
}

/// A name without the number of its step: `ProfilerStep#7` is `ProfilerStep`.
fn without_number(name: &str) -> &str {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match stem.strip_suffix('#') {
        Some(before) if stem.len() < name.len() && !before.is_empty() => before,
        _ => name,
    }
}
