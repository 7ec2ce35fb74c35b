//! The time of each op type by task and step.

use super::Member;
use super::member::job;
use crate::tables::{Take, Value, values};
use std::io;
use steplens_core::fleet::op_types::{OpTypeKey, OpTypeSum, op_types};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task; empty if nothing says it.
    task: text => |row| row.task.clone().into();
    /// The task without its number: tasks of one job are peers.
    job: text => |row| job(&row.task).to_owned().into();
    /// The number of the step in its run.
    step: count => |row| Value::Integer(row.member.number(row.key.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.key.step).into();
    /// The type.
    op_type: text => |row| row.member.study.trace().text(row.key.op_type).into();
    /// What its time is spent on.
    category: text => |row| row.key.category.word().into();
    /// Where the ops ran: `accelerator` or `host`.
    place: text => |row| row.key.place.word().into();
    /// How many ops there are.
    count: count => |row| row.sum.count.into();
    /// Their durations together.
    total_ns: length => |row| row.sum.total.into();
    /// Their self time together: without the ops nested in them.
    self_ns: length => |row| row.sum.own.into();
    /// The longest duration.
    max_ns: length => |row| row.sum.max.into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    task: String,
    key: OpTypeKey,
    sum: OpTypeSum,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let sums = op_types(member.study, &member.steps);
    for (key, sum) in sums.into_iter().filter(|(key, _)| member.counts(key.step)) {
        let row = Row { member, task: member.task_called(key.task), key, sum };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
