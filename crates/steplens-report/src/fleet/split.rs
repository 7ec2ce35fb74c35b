//! How each step divides on each task: the mean over its accelerators, or its devices where it has none.

use super::Member;
use super::devices::counts;
use super::member::job;
use crate::tables::{Take, Value, values};
use std::collections::BTreeMap;
use std::io;
use steplens_core::timeline::split::{Mean, Split};
use steplens_core::{Nanos, Timestamp};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task; empty if nothing says it.
    task: text => |row| row.task.clone().into();
    /// The task without its number: tasks of one job are peers.
    job: text => |row| job(row.task).to_owned().into();
    /// The number of the step in its run.
    step: count => |row| Value::Integer(row.member.number(row.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.step).into();
    /// When the step began, in ns from 1970.
    start_unix_ns: moment => |row| Value::Integer(row.member.start_unix_ns(row.step));
    /// The ops of the task in the step, each once.
    ops: count => |row| row.sums.ops.into();
    /// How many accelerators, or devices, the figures are the mean of.
    devices: count => |row| row.sums.devices.into();
    /// From the first start to the last end of the step, over all devices of the file.
    window_ns: length => |row| row.split.window.into();
    /// When anything ran.
    busy_ns: length => |row| row.split.busy.into();
    /// When it computed.
    compute_ns: length => |row| row.split.compute.into();
    /// When input was loaded, and nothing computed.
    exposed_input_ns: length => |row| row.split.exposed_input.into();
    /// When a copy ran, and nothing of what stands before.
    exposed_copy_ns: length => |row| row.split.exposed_copy.into();
    /// When communication ran, and nothing of what stands before.
    exposed_communication_ns: length => |row| row.split.exposed_communication.into();
    /// When work was launched, and nothing of what stands before ran.
    exposed_launch_ns: length => |row| row.split.exposed_launch.into();
    /// When memory was allocated or freed, and nothing of what stands before ran.
    exposed_allocation_ns: length => |row| row.split.exposed_allocation.into();
    /// When there was only waiting.
    exposed_waiting_ns: length => |row| row.split.exposed_waiting.into();
    /// When nothing ran.
    idle_ns: length => |row| row.split.idle.into();
    /// When communication ran, whatever else ran.
    communication_ns: length => |row| row.split.communication.into();
    /// When communication and compute ran at once.
    overlapped_communication_ns: length => |row| row.split.overlapped_communication.into();
    /// When the last op of the task ended, from the start of the step; at the latest when the step did.
    end_ns: length => |row| row.end().into();
    /// Work of its own: when anything ran, without exposed communication and waiting.
    own_ns: length => |row| (row.split.busy - row.split.exposed_communication - row.split.exposed_waiting).into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    task: &'a String,
    step: usize,
    sums: &'a Sums,
    split: Split,
}

impl Row<'_> {
    /// The end of the last op within the step, from its start.
    fn end(&self) -> Nanos {
        let span = self.member.steps.span(self.step);
        self.sums.end.clamp(span.start, span.end) - span.start
    }
}

struct Sums {
    mean: Mean,
    devices: u64,
    ops: u64,
    end: Timestamp,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let mut sums: BTreeMap<(String, usize), Sums> = BTreeMap::new();
    for own in member.units.steps.iter().filter(|own| member.counts(own.step)) {
        let task = member.task_called(member.units.rows[own.unit].task);
        let is_counted = counts(member, own, &task);
        let sum = sums.entry((task, own.step)).or_insert_with(|| Sums {
            mean: Mean::default(),
            devices: 0,
            ops: 0,
            end: Timestamp(i64::MIN),
        });
        sum.ops += own.ops;
        sum.end = sum.end.max(own.end);
        if is_counted {
            sum.devices += 1;
            sum.mean.add(&own.split);
        }
    }
    // A task of ranges alone did nothing that a figure could say.
    let known = sums.iter().filter_map(|(key, sums)| Some((key, sums, sums.mean.get()?)));
    for ((task, step), sums, split) in known {
        let row = Row { member, task, step: *step, sums, split };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
