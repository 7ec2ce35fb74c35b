//! What each device did in each collective.

use super::Member;
use super::member::job;
use crate::tables::{Take, Value, values};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::io;
use steplens_core::collectives::Participant;
use steplens_core::{DeviceId, StringId};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task; empty if nothing says it.
    task: text => |row| row.task.clone().into();
    /// The task without its number: tasks of one job are peers.
    job: text => |row| job(&row.task).to_owned().into();
    /// The number of the step in its run.
    step: count => |row| Value::Integer(row.member.number(row.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.step).into();
    /// The device.
    device: text => |row| row.member.study.trace().text(row.member.study.trace().devices().get(row.own.device).name).into();
    /// What the collective is called there.
    name: text => |row| row.member.study.trace().text(row.name).into();
    /// Its op type.
    op_type: text => |row| row.op_type.into();
    /// The how many of this name it is on this device in this step, from 1.
    place: count => |row| row.place.into();
    /// Its op, as a number of the table of ops.
    op: count => |row| row.own.op.into();
    /// When the device began, in ns from 1970.
    start_unix_ns: moment => |row| Value::Integer(row.start_unix_ns);
    /// How long it was in the collective.
    length_ns: length => |row| row.member.study.trace().ops().interval(row.own.op).length().into();
    /// How long it waited there for the last one to arrive; unknown where the file does not have all participants.
    waiting_ns: maybe_length => |row| row.waiting.into();
    /// 1 for the one that arrived last, else 0; unknown likewise.
    last: maybe_count => |row| row.last.map(u32::from).into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    own: Participant,
    step: usize,
    task: String,
    name: StringId,
    op_type: &'a str,
    place: u64,
    start_unix_ns: i64,
    waiting: Option<steplens_core::Nanos>,
    last: Option<bool>,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let trace = member.study.trace();
    let found = member.study.collectives();
    let clocks_differ = member.study.clock_doubt().is_some();
    let mut own: Vec<(usize, Participant, Option<bool>)> = Vec::new();
    for row in found.rows.iter().filter(|row| member.counts(row.step)) {
        for &participant in &found.participants[row.participants.clone()] {
            own.push((row.step, participant, row.last.map(|(last, _)| last == participant.op)));
        }
    }
    own.sort_unstable_by_key(|(step, own, _)| {
        (*step, own.device.get(), trace.ops().start(own.op).0, own.op.get())
    });
    let mut places: HashMap<(usize, DeviceId, StringId), u64, FixedState> = HashMap::default();
    for (step, own, last) in own {
        let node = trace.ops().node(own.op);
        let name = trace.nodes().name(node);
        let place = places.entry((step, own.device, name)).or_default();
        *place += 1;
        let row = Row {
            member,
            own,
            step,
            task: member.task(own.device),
            name,
            op_type: trace.text(trace.nodes().op_type(node)),
            place: *place,
            start_unix_ns: trace.origin_unix_ns().saturating_add(trace.ops().start(own.op).0),
            waiting: own.waiting.filter(|_| !clocks_differ),
            last: last.filter(|_| !clocks_differ),
        };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
