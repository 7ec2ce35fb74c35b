//! The most memory that was in use at once, by allocator.

use super::Member;
use super::date::day;
use crate::memory::at_or_before;
use crate::tables::{Take, Value, values};
use std::io;
use steplens_core::memory::{Account, Reading};

values! { Row {
    /// The file that it is from.
    file: text => |row| row.member.file.into();
    /// The task; empty if nothing says it.
    task: text => |row| row.account.device.map_or_else(String::new, |device| row.member.task(device)).into();
    /// The day on which the trace began, in UTC.
    day: text => |row| day(row.member.study.trace().origin_unix_ns()).into();
    /// The device, if the allocator belongs to one.
    device: maybe_text => |row| row.account.device.map(|device| row.member.study.trace().text(row.member.study.trace().devices().get(device).name)).into();
    /// The allocator.
    allocator: text => |row| row.member.study.trace().text(row.account.allocator).into();
    /// What the figure rests on, as `steplens memory` calls it. The first reading that the file has.
    reading: text => |row| row.reading.word().into();
    /// What the allocator's figures rest on.
    basis: text => |row| row.account.basis.word().into();
    /// The most bytes in use at once.
    peak_bytes: size => |row| row.account.peak().0.into();
    /// When that was; unknown if it was before the first op.
    peak_ns: maybe_moment => |row| at_or_before(row.account.peak().1).map_or(Value::Nothing, Value::Integer);
} }

struct Row<'a> {
    member: &'a Member<'a>,
    reading: Reading,
    account: &'a Account,
}

pub(super) fn rows(member: &Member<'_>, take: Take<'_>) -> io::Result<()> {
    let Some((reading, memory)) = member.study.best_memory() else { return Ok(()) };
    for account in &memory.accounts {
        let row = Row { member, reading, account };
        take(&VALUES.map(|value| value(&row)))?;
    }
    Ok(())
}
