//! What is worth changing, in the step with the median length.

use super::Member;
use crate::findings::{FindingList, FindingRow};
use crate::tables::{Take, Value, values};
use std::io;
use steplens_core::compare::samples::typical_step;
use steplens_core::steps::figures::variation;
use steplens_core::{Study, View};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task that it is about; empty if it is not about one.
    task: text => |row| row.member.task_of_place(&row.own.subject).into();
    /// The number of the step that was judged: the one with the median length of its file.
    step: count => |row| Value::Integer(row.member.number(row.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.step).into();
    /// The rule that found it.
    rule: text => |row| row.own.rule.into();
    /// What it is about: an op, an op type, a task, a link.
    subject: text => |row| row.own.subject.clone().into();
    /// How much shorter the step would be; unknown if nothing was replayed.
    saving_ns: maybe_length => |row| row.own.saving_ns.map_or(Value::Nothing, Value::Integer);
    /// Its share of the step, in parts per million.
    share_ppm: maybe_count => |row| row.own.share_ppm.map_or(Value::Nothing, Value::Integer);
    /// How long the step took.
    step_ns: length => |row| Value::Integer(row.step_ns);
    /// What the saving rests on.
    basis: text => |row| row.own.basis.into();
    /// What was found.
    what: text => |row| row.own.what.clone().into();
    /// What to do.
    advice: text => |row| row.own.advice.clone().into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    step: usize,
    step_ns: i64,
    own: &'a FindingRow<'a>,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let whole = member.study.trace();
    let (_, steps) = member.study.view().steps(whole);
    let variation = variation(&steps);
    let typical = typical_step(&steps, None);
    let of_step = typical.map(|step| {
        let view = View { step: Some(step), ..member.study.view().clone() };
        Study::of_view(whole, view)
    });
    let study = of_step.as_ref().unwrap_or(member.study);
    let list = FindingList::of(study, &[], variation);
    let step = typical.unwrap_or(0);
    for own in &list.findings {
        let row = Row { member, step, step_ns: list.step_ns, own };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
