//! Ranks: which was ready last when tensors were negotiated, and for which tensors.

use super::Section;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_messages::{message, say};

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let Some(ready) = &section.network.ready else { return Ok(()) };
    writeln!(out, "\n{}", section.screen.title(say!("network-ready-title"), say!("network-ready-about")))?;
    let times_of = |times: u64, of: u64| say!("network-ready-times", times, of);
    let mean = |late_ns: i64, times: u64| late_ns / i64::try_from(times).unwrap_or(i64::MAX).max(1);
    let mut table = Table::default()
        .column(say!("title-rank"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-last"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-later-by-mean"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-at-the-most-later"), ColumnKind::Figure, 2)
        .column(say!("title-in-all"), ColumnKind::Figure, 1);
    for rank in ready.ranks.iter().take(section.limit) {
        table.row([
            rank.rank.to_string().into(),
            times_of(rank.times, ready.negotiations).into(),
            units::duration(mean(rank.late_ns, rank.times)).into(),
            units::duration(rank.most_ns).into(),
            units::duration(rank.late_ns).into(),
        ]);
    }
    table.write(out, section.screen)?;
    writeln!(out)?;
    let mut table = Table::default()
        .column(say!("title-in-all"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-later-by-mean"), ColumnKind::Figure, 2)
        .column(say!("title-last-rank"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-last"), ColumnKind::Figure, 1)
        .column(say!("title-tensor"), ColumnKind::Name(24), ALWAYS);
    for row in ready.tensors.rows.iter().take(section.limit) {
        table.row([
            units::duration(row.late_ns).into(),
            units::duration(mean(row.late_ns, row.negotiations)).into(),
            row.rank.to_string().into(),
            times_of(row.times, row.negotiations).into(),
            visible(&row.tensor).into_owned().into(),
        ]);
    }
    table.write(out, section.screen)?;
    section.write_more(out, &ready.tensors, message!("program-more-tensors", count))
}
