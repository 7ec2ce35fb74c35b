//! What went over each link in each step.

use super::Member;
use crate::tables::{Take, Value, values};
use std::io;
use steplens_core::fleet::links::links;
use steplens_core::transfers::links::Load;

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The number of the step in its run.
    step: count => |row| Value::Integer(row.member.number(row.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.step).into();
    /// The task that sent; empty if nothing says it.
    source_task: text => |row| row.member.task_of_place(row.source).into();
    /// The device that sent.
    source: text => |row| row.source.into();
    /// The task that received; empty if nothing says it.
    destination_task: text => |row| row.member.task_of_place(row.destination).into();
    /// The device that received.
    destination: text => |row| row.destination.into();
    /// How many transfers there were.
    transfers: count => |row| row.load.count.into();
    /// Their sizes together.
    bytes: size => |row| row.load.bytes.into();
    /// Of how many of them sending and receipt are known. None where the clocks of the tasks contradict each other.
    timed_transfers: count => |row| row.load.timed.into();
    /// The sizes of these together.
    timed_bytes: size => |row| row.load.timed_bytes.into();
    /// When at least one of these was in transit.
    busy_ns: length => |row| row.load.busy.into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    step: usize,
    source: &'a str,
    destination: &'a str,
    load: Load,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let trace = member.study.trace();
    let clocks_differ = member.study.clock_doubt().is_some();
    for own in links(member.study, &member.steps).into_iter().filter(|own| member.counts(own.step)) {
        let load = match clocks_differ {
            true => Load { count: own.load.count, bytes: own.load.bytes, ..Load::default() },
            false => own.load,
        };
        let (source, destination) = (trace.text(own.source), trace.text(own.destination));
        let row = Row { member, step: own.step, source, destination, load };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
