//! The rows of each table.

use super::Value::{Integer, Nothing, Text};
use super::{Take, Value};
use crate::counters::memory;
use crate::progress::Progress;
use std::io;
use steplens_core::edges::Source;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::transfers::links::{Between, Matrix};
use steplens_core::{Bytes, Nanos, OpId, Study, Timestamp};

pub(super) async fn ops(
    study: &Study,
    steps: &StepOfOp,
    take: Take<'_>,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = study.trace();
    for device in trace.devices().ids().filter(|&device| !trace.devices().is_host_profiler(device)) {
        let row = trace.devices().get(device);
        let (name, task) = (trace.text(row.name), row.task.map(|task| trace.text(task)));
        let first_lane = study.lanes().of_device(device).next().map_or(0, |lane| lane.get());
        for op in trace.ops_of(device) {
            let (node, own, kernel) =
                (trace.ops().node(op), trace.ops().interval(op), trace.ops().kernel(op));
            take(&[
                id(op),
                Integer(steps.step(study, op) as i64 + 1),
                Text(name),
                task.map_or(Nothing, Text),
                Integer(i64::from(study.lanes().lane(op).get() - first_lane)),
                Integer(i64::from(thread_number(study, op))),
                Text(trace.op_name(op)),
                Text(trace.text(trace.nodes().op_type(node))),
                Text(trace.category(op).word()),
                Text(trace.text(trace.nodes().reason(node))),
                Integer(own.start.0),
                Integer(own.end.0),
                Integer(study.self_time(op).0),
                time(trace.ops().scheduled(op)),
                Integer(kernel.start.0),
                Integer(kernel.end.0),
                size(trace.outputs().requested_bytes(op)),
                Text(trace.text(trace.nodes().label(node))),
            ])?;
            progress.row().await;
        }
    }
    Ok(())
}

/// The number of the thread that ran `op`, from the file's format or from a host profiler.
fn thread_number(study: &Study, op: OpId) -> u32 {
    let host = study.host_profile();
    match host.thread(op) {
        Some(thread) => host.threads()[thread as usize].number,
        None => study.trace().ops().thread(op),
    }
}

pub(super) async fn transfers(study: &Study, take: Take<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    let trace = study.trace();
    for (own, transfer) in study.transfers().all() {
        let times = study.times(own);
        take(&[
            Integer(own.get().into()),
            Text(trace.text(transfer.tensor)),
            Text(trace.text(transfer.source)),
            Text(trace.text(transfer.destination)),
            transfer.known_bytes().map_or(Nothing, size),
            transfer.op.map_or(Nothing, id),
            transfer.producer.map_or(Nothing, id),
            times.first_consumer.map_or(Nothing, id),
            time(times.producer_end),
            time(times.sent),
            time(times.received),
            length(times.queued),
            length(times.wire),
            length(times.unused),
            length(times.delayed),
        ])?;
        progress.row().await;
    }
    Ok(())
}

pub(super) async fn edges(study: &Study, take: Take<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    let edges = study.edges();
    for op in study.trace().ops().ids() {
        for (place, edge) in edges.inputs(op, usize::MAX).into_iter().enumerate() {
            let (word, transfer) = match edge.source {
                Source::Op(_) => ("op", Nothing),
                Source::Transfer(own) => ("transfer", Integer(own.get().into())),
                Source::NotTaken => ("not-taken", Nothing),
                Source::NotRecorded => ("not-recorded", Nothing),
            };
            take(&[
                id(op),
                Integer(place as i64),
                Text(edge.input.name),
                Integer(edge.input.slot.into()),
                Integer(edge.input.control.into()),
                Text(word),
                edges.maker(edge.source).map_or(Nothing, id),
                transfer,
                Text(edge.certainty.word()),
                edge.certainty.candidates().map_or(Nothing, |candidates| Integer(candidates.into())),
            ])?;
            progress.other_row().await;
        }
        progress.row().await;
    }
    Ok(())
}

pub(super) fn links(study: &Study, take: Take<'_>) -> io::Result<()> {
    let matrix = Matrix::of(study.trace(), study.transfers(), Between::Devices);
    let place = |row: u32| matrix.places.get(row as usize).copied().unwrap_or_default();
    for link in &matrix.links {
        take(&[
            Text(place(link.source)),
            Text(place(link.destination)),
            Integer(i64::try_from(link.load.count).unwrap_or(i64::MAX)),
            size(link.load.bytes),
            Integer(i64::try_from(link.load.timed).unwrap_or(i64::MAX)),
            size(link.load.timed_bytes),
            Integer(link.load.busy.0),
        ])?;
    }
    Ok(())
}

pub(super) async fn allocations(
    study: &Study,
    take: Take<'_>,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let trace = study.trace();
    let Some((reading, memory)) = memory(study) else { return Ok(()) };
    for account in &memory.accounts {
        let device = account.device.map(|device| trace.text(trace.devices().get(device).name));
        for life in account.lives.iter() {
            take(&[
                Text(reading.word()),
                device.map_or(Nothing, Text),
                Text(trace.text(account.allocator)),
                id(life.op),
                life.output.map_or(Nothing, |output| Integer(output.into())),
                size(life.bytes),
                time(life.allocated),
                time(life.freed),
            ])?;
            progress.other_row().await;
        }
    }
    Ok(())
}

pub(super) fn steps(study: &Study, steps: &StepOfOp, take: Take<'_>) -> io::Result<()> {
    let mut ops = vec![0_i64; steps.end()];
    for op in study.trace().ops().ids() {
        ops.get_mut(steps.step(study, op)).into_iter().for_each(|count| *count += 1);
    }
    for (step, count) in ops.into_iter().enumerate().filter(|&(_, count)| count > 0) {
        let span = steps.span(step);
        take(&[Integer(step as i64 + 1), Integer(span.start.0), Integer(span.end.0), Integer(count)])?;
    }
    Ok(())
}

fn id(op: OpId) -> Value<'static> {
    Integer(op.get().into())
}

fn size(bytes: Bytes) -> Value<'static> {
    Integer(i64::try_from(bytes.0).unwrap_or(i64::MAX))
}

fn time(at: Option<Timestamp>) -> Value<'static> {
    at.map_or(Nothing, |at| Integer(at.0))
}

fn length(length: Option<Nanos>) -> Value<'static> {
    length.map_or(Nothing, |length| Integer(length.0))
}
