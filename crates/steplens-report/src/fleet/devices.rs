//! How each step divides on each accelerator, and on each device that belongs to none: the figures of `steplens summary --step N`.

use super::Member;
use super::member::job;
use crate::tables::{Take, values};
use std::io;
use steplens_core::fleet::units::{Unit, UnitStep};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task that it belongs to; empty if nothing says it.
    task: text => |row| row.task.clone().into();
    /// The task without its number: tasks of one job are peers.
    job: text => |row| job(&row.task).to_owned().into();
    /// The number of the step in its run.
    step: count => |row| crate::tables::Value::Integer(row.member.number(row.own.step));
    /// The day on which the step began, in UTC.
    day: text => |row| row.member.day(row.own.step).into();
    /// The accelerator, or the device.
    device: text => |row| row.unit.name.to_owned().into();
    /// What it is.
    kind: text => |row| row.unit.kind.word().into();
    /// 1 if it counts in the mean of its task in the table `split`, else 0.
    counted: count => |row| u32::from(row.counted).into();
    /// Its ops, each once.
    ops: count => |row| row.own.ops.into();
    /// From the first start to the last end of the step, over all devices of the file.
    window_ns: length => |row| row.own.split.window.into();
    /// When anything ran on it.
    busy_ns: length => |row| row.own.split.busy.into();
    /// When it computed.
    compute_ns: length => |row| row.own.split.compute.into();
    /// When input was loaded, and nothing computed.
    exposed_input_ns: length => |row| row.own.split.exposed_input.into();
    /// When a copy ran, and nothing of what stands before.
    exposed_copy_ns: length => |row| row.own.split.exposed_copy.into();
    /// When communication ran, and nothing of what stands before.
    exposed_communication_ns: length => |row| row.own.split.exposed_communication.into();
    /// When work was launched, and nothing of what stands before ran.
    exposed_launch_ns: length => |row| row.own.split.exposed_launch.into();
    /// When memory was allocated or freed, and nothing of what stands before ran.
    exposed_allocation_ns: length => |row| row.own.split.exposed_allocation.into();
    /// When there was only waiting.
    exposed_waiting_ns: length => |row| row.own.split.exposed_waiting.into();
    /// When nothing ran.
    idle_ns: length => |row| row.own.split.idle.into();
    /// When communication ran, whatever else ran.
    communication_ns: length => |row| row.own.split.communication.into();
    /// When communication and compute ran at once.
    overlapped_communication_ns: length => |row| row.own.split.overlapped_communication.into();
} }

struct Row<'a> {
    member: &'a Member<'a>,
    unit: &'a Unit<'a>,
    own: UnitStep,
    task: String,
    counted: bool,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    for own in member.units.steps.iter().filter(|own| member.counts(own.step)) {
        let unit = &member.units.rows[own.unit];
        let task = member.task_called(unit.task);
        let row = Row { member, unit, own: *own, counted: counts(member, own, &task), task };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}

/// Whether `own` counts in the mean of `task`: accelerators do; without any in this step, devices that did any work.
pub(super) fn counts(member: &Member<'_>, own: &UnitStep, task: &str) -> bool {
    let has_accelerator = || member.accelerated.contains(&(own.step, task.to_owned()));
    member.units.rows[own.unit].is_accelerator || (own.works && !has_accelerator())
}
