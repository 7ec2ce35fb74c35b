//! The task that ended last among its peers in each step, and why: of files that hold several tasks whose clocks can be compared.

use super::Member;
use super::member::job;
use crate::tables::{Take, Value, values};
use std::io;
use steplens_core::makers::Makers;
use steplens_core::network::stragglers::{Cause, Straggler, stragglers};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task that ended last.
    task: text => |row| row.task.clone().into();
    /// The task without its number: tasks of one job are peers.
    job: text => |row| job(&row.task).to_owned().into();
    /// The number of the step in its run.
    step: count => |row| Value::Integer(row.member.number(row.own.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.own.step).into();
    /// How much later it ended than the one before it.
    after_next_ns: length => |row| row.own.after_next.into();
    /// How much later it ended than the median of its peers.
    behind_ns: length => |row| row.own.behind.into();
    /// The kind of delay, as `steplens network` calls it, where one was found.
    cause: maybe_text => |row| row.own.cause.map(|cause| cause.kind.word()).into();
    /// The delayed op.
    cause_op: maybe_text => |row| row.cause_text(|own, cause| own.trace().nodes().name(own.trace().ops().node(cause.op)));
    /// Its op type.
    cause_op_type: maybe_text => |row| row.cause_text(|own, cause| own.trace().nodes().op_type(own.trace().ops().node(cause.op)));
    /// How long that op waited to run, or ran; or when its last input was ready or when it was scheduled, from the start of the step.
    own_ns: maybe_length => |row| row.own.cause.map(|cause| cause.own).into();
    /// The median of what its peers needed there.
    usual_ns: maybe_length => |row| row.own.cause.and_then(|cause| cause.usual).into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    own: &'a Straggler,
    task: String,
}

impl<'a> Row<'a> {
    fn cause_text(
        &self,
        text: impl Fn(&steplens_core::Study, &Cause) -> steplens_core::StringId,
    ) -> Value<'a> {
        let study = self.member.study;
        self.own.cause.as_ref().map(|cause| study.trace().text(text(study, cause))).into()
    }
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let study = member.study;
    let tasks = study.trace().devices().ids().filter_map(|id| study.trace().devices().get(id).task);
    let mut tasks: Vec<_> = tasks.map(|task| task.get()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    if tasks.len() < 2 || study.clock_doubt().is_some() {
        return Ok(());
    }
    let makers = Makers::found(study.edges());
    for own in stragglers(study, &member.steps, &makers).iter().filter(|own| member.counts(own.step)) {
        let Some(last) = own.ended.first() else { continue };
        let row = Row { member, own, task: study.trace().text(last.unit).to_owned() };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
