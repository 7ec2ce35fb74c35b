//! Collectives: which participant came last, and what that cost the others.

use super::Section;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_messages::{message, say};

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let collectives = &section.network.collectives;
    if collectives.listed.total == 0 {
        return Ok(());
    }
    let label = |device: u32| section.labels.get(device as usize).copied().unwrap_or_default();
    let about = say!("collectives-about");
    writeln!(out, "\n{}", section.screen.title(say!("network-collectives-title"), about))?;
    let mut facts = vec![
        units::plural(collectives.listed.total, message!("program-collectives", count)),
        say!("collectives-time", length = units::duration(collectives.time_ns)),
    ];
    facts.extend(
        collectives.waiting_ns.map(|waiting| say!("collectives-waited", length = units::duration(waiting))),
    );
    if let Some(&(device, times)) = collectives.last.first() {
        facts.push(say!("collectives-came-last", device = label(device), count = units::count(times)));
    }
    let unknown = collectives.listed.total - collectives.matched;
    if unknown > 0 {
        facts.push(say!("collectives-unknown", count = units::count(unknown as u64)));
    }
    if collectives.without_files > 0 {
        facts.push(say!("collectives-without-files", count = units::count(collectives.without_files as u64)));
    }
    writeln!(out, "{}", section.screen.facts(&facts))?;
    let mut table = Table::default()
        .column(say!("title-operation"), ColumnKind::Name(12), 4)
        .column(say!("title-group"), ColumnKind::Name(8), 4)
        .column(say!("title-bytes"), ColumnKind::Figure, 2)
        .column(say!("title-devices"), ColumnKind::Figure, 1)
        .column(say!("title-time"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-waiting"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-last-to-arrive"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-later-by"), ColumnKind::Figure, 3)
        .column(say!("title-op"), ColumnKind::Name(24), ALWAYS);
    for row in collectives.listed.rows.iter().take(section.limit) {
        table.row([
            row.operation.as_deref().map_or_else(String::new, |text| visible(text).into_owned()).into(),
            row.group.as_deref().map_or_else(String::new, |text| visible(text).into_owned()).into(),
            row.bytes.map_or_else(String::new, units::bytes).into(),
            row.participant_count.map_or_else(|| units::UNKNOWN.to_owned(), |count| count.to_string()).into(),
            units::duration(row.time_ns).into(),
            units::maybe_duration(row.waiting_ns).into(),
            row.last_by_ns.map_or(units::UNKNOWN, |_| label(row.op.device())).to_owned().into(),
            units::maybe_duration(row.last_by_ns).into(),
            visible(row.op.name()).into_owned().into(),
        ]);
    }
    table.write(out, section.screen)?;
    section.write_more(out, &collectives.listed, message!("program-more-collectives", count))
}
