//! What held the thread, the link or the GPU of an op that was ready: the path goes on there.

use super::cause::BeforeSending;
use super::edge_kind::EdgeKind;
use super::pools::MAX_DISPATCH;
use super::walk::{Held, Walk};
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::kernels::has_kernels;
use crate::makers::Source;
use crate::transfers::Transfer;
use crate::{Category, DeviceId, OpId};

/// What held `node` after everything that it needed was there. `cause` is the result that it waited for last.
pub(super) fn by(walk: &Walk<'_>, node: u32, cause: Option<(u32, EdgeKind)>) -> Option<Held> {
    let op = walk.graph.nodes.op(node);
    let device = walk.trace().device_of(op);
    let start = walk.graph.nodes.interval(node).start;
    let ready = cause.map(|(from, _)| walk.graph.ready(from, node));
    if has_kernels(walk.trace(), device) {
        return by_others(walk, node, ready?).or_else(|| by_executor(walk, node, cause?));
    }
    if walk.trace().devices().get(device).nests {
        // The order of the threads of programs is a dependency already.
        return None;
    }
    if let Some(transfer) = walk.edges.transfers.of_op(op) {
        return of_transfer(walk, node, &transfer, ready?);
    }
    if walk.graph.unnamed.has(op) {
        return None;
    }
    let scheduled = walk.scheduled(node);
    if let Some(before) = before(walk, node)
        && let Some(since) = since(walk, node, before, ready)
        && let ended = walk.trace().ops().end(before).min(start)
        && since < ended
    {
        let since = if is_readiness_known(walk, node) { since } else { ended };
        return on_thread(walk, node, before, Interval::new(since, start));
    }
    // A transfer that no op recorded lies between the two: the op that sends it waits for a thread of its own device.
    let ((from, kind), ready) = cause.zip(ready)?;
    if kind != EdgeKind::Transfer || walk.is_transfer(from) {
        return None;
    }
    let sender = walk.trace().device_of(walk.graph.nodes.op(from));
    ended_last(walk, node, sender, Interval::new(ready, scheduled.unwrap_or(start)))
}

/// The kernel of another stream that left the GPU no room for `node`. The order of a stream is a dependency already.
fn by_others(walk: &Walk<'_>, node: u32, ready: Timestamp) -> Option<Held> {
    let is_room = |&(from, kind): &(u32, EdgeKind)| kind == EdgeKind::Room && !walk.on_path.has(from);
    let (from, kind) = walk.graph.causes(node).find(is_room)?;
    let waited = ready < walk.graph.ready(from, node);
    waited.then_some(Held { from, kind, is_inferred: true, since: ready, count: 1 })
}

/// The op that the executor of a copied tensor's maker ran last before the copy `node`, if it ran others for longer than a dispatch: the copy came
/// after them. The file does not say which op started it.
fn by_executor(walk: &Walk<'_>, node: u32, (maker, kind): (u32, EdgeKind)) -> Option<Held> {
    let op = walk.graph.nodes.op(node);
    let (since, start) = (walk.graph.ready(maker, node), walk.graph.nodes.interval(node).start);
    let is_copy = kind == EdgeKind::Data && walk.trace().category(op) == Category::Copy;
    if !is_copy || walk.trace().call_of(op).is_some() || start - since <= MAX_DISPATCH {
        return None;
    }
    let device = walk.trace().device_of(walk.graph.nodes.op(maker));
    let pool = walk.graph.threads.pools.around(device);
    let last = pool.ended_by(walk.trace(), start).filter(|&last| walk.trace().ops().end(last) > since)?;
    let from = walk.graph.nodes.of_op(last).filter(|&from| !walk.on_path.has(from))?;
    Some(Held { from, kind: EdgeKind::Thread, is_inferred: true, since, count: 1 })
}

fn of_transfer(walk: &Walk<'_>, node: u32, transfer: &Transfer, ready: Timestamp) -> Option<Held> {
    let op = walk.graph.nodes.op(node);
    let waited = Interval::new(ready, walk.graph.nodes.interval(node).start);
    let own = walk.trace().device_of(op);
    match BeforeSending::of(walk.trace(), transfer, op) {
        BeforeSending::AtSender => {
            let links = walk.graph.causes(node).filter(|(_, kind)| *kind == EdgeKind::Link);
            let end = |from: u32| walk.graph.nodes.interval(from).end;
            // A link that rested held nothing.
            let held = |&(from, _): &(u32, EdgeKind)| {
                ready < end(from) && waited.end - end(from) <= MAX_DISPATCH && !walk.on_path.has(from)
            };
            let (from, kind) = links.filter(held).max_by_key(|&(from, _)| (end(from), from))?;
            Some(Held { from, kind, is_inferred: true, since: ready, count: 1 })
        }
        BeforeSending::NotTimed => {
            let sender = transfer.producer.map_or(own, |producer| walk.trace().device_of(producer));
            ended_last(walk, node, sender, waited)
        }
        BeforeSending::NotBegun => ended_last(walk, node, own, waited),
    }
}

/// The op that had the thread of `node` before it.
fn before(walk: &Walk<'_>, node: u32) -> Option<OpId> {
    let (graph, op) = (walk.graph, walk.graph.nodes.op(node));
    // An op that took no time is in no pool.
    let before = graph.turns.before(op).or(graph.threads.before(op))?;
    let has_begun = walk.trace().ops().start(before) < graph.nodes.interval(node).start;
    Some(before).filter(|&before| has_begun && before != op)
}

/// When `node` could have run, had `before` not held its thread. The executor stamps an op that it keeps on its thread only when the
/// op before it ends (`ExecutorState::Process`), a moment before it notes that end: such an op was there to run once its inputs were.
fn since(walk: &Walk<'_>, node: u32, before: OpId, ready: Option<Timestamp>) -> Option<Timestamp> {
    let Some(scheduled) = walk.scheduled(node) else { return ready };
    let late = walk.trace().ops().end(before) - scheduled;
    if Nanos(0) <= late && late <= KEPT {
        let inputs = walk.graph.causes(node).filter(|own| own.1.is_dependency() && !walk.on_path.has(own.0));
        if let Some(there) = inputs.map(|(from, _)| walk.graph.ready(from, node)).max() {
            return Some(there);
        }
    }
    Some(ready.map_or(scheduled, |ready| ready.max(scheduled)))
}

/// Whether it is known when `node` could have run: it has a stamp, or all its inputs were recorded. TensorFlow does not record what one device of
/// a task receives from another, and such an input may have come last.
fn is_readiness_known(walk: &Walk<'_>, node: u32) -> bool {
    let inputs = || walk.edges.inputs(walk.graph.nodes.op(node), usize::MAX);
    walk.scheduled(node).is_some() || inputs().iter().all(|own| own.source != Source::NotRecorded)
}

/// How long after the stamp of a kept op the end of the op before it is noted, at most.
const KEPT: Nanos = Nanos(1_500);

/// `before` held the thread of `node`, which waited for it during `waited`.
fn on_thread(walk: &Walk<'_>, node: u32, before: OpId, waited: Interval) -> Option<Held> {
    let (graph, op) = (walk.graph, walk.graph.nodes.op(node));
    let from = graph.nodes.of_op(before).filter(|&from| from != node && !walk.on_path.has(from))?;
    let count = count(walk, walk.trace().device_of(op), waited);
    Some(Held {
        from,
        kind: EdgeKind::Thread,
        is_inferred: !graph.threads.is_recorded(op),
        since: waited.start,
        count,
    })
}

/// The op on the threads of `device` that ended last within `waited`.
fn ended_last(walk: &Walk<'_>, node: u32, device: DeviceId, waited: Interval) -> Option<Held> {
    if has_kernels(walk.trace(), device) || walk.trace().devices().get(device).nests {
        return None;
    }
    let pool = walk.graph.threads.pools.around(device);
    let (before, count) = pool.ended_within(walk.trace(), waited)?;
    let from = walk.graph.nodes.of_op(before).filter(|&from| from != node && !walk.on_path.has(from))?;
    Some(Held { from, kind: EdgeKind::Thread, is_inferred: true, since: waited.start, count })
}

fn count(walk: &Walk<'_>, device: DeviceId, waited: Interval) -> u32 {
    let pool = walk.graph.threads.pools.around(device);
    pool.ended_within(walk.trace(), waited).map_or(1, |(_, count)| count)
}
