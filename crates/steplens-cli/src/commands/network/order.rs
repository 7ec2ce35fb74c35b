//! Whether parameters arrived in the order in which ops need them, and what a different order would gain.

use super::Section;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io;
use steplens_messages::{message, say};

/// How many inversions are listed for each device.
const MOST_SENTENCES: usize = 3;

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    use std::io::Write;
    let Section { screen, network, labels, .. } = *section;
    if network.order.is_empty() {
        return Ok(());
    }
    let note = say!("network-order-about");
    writeln!(out, "\n{}", screen.title(say!("network-order-title"), note))?;
    let mut table = Table::default()
        .column(say!("title-device"), ColumnKind::Location(18), ALWAYS)
        .column(say!("title-parameters"), ColumnKind::Figure, 2)
        .column(say!("title-inverted"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-of-pairs"), ColumnKind::Figure, 1)
        .column(say!("title-overlap-lost"), ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Text, 3);
    for own in &network.order {
        let count = |count: Option<u64>| count.map_or_else(|| units::UNKNOWN.to_owned(), units::count);
        table.row([
            labels[own.device as usize].to_owned().into(),
            units::count(own.tensors).into(),
            count(own.inversions).into(),
            count(own.pairs).into(),
            units::maybe_duration(own.lost_ns).into(),
            own.unknown_because.map_or("", why_unknown).to_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    for own in &network.order {
        let worst = own.worst_step.iter().flat_map(|step| &step.worst).take(MOST_SENTENCES);
        for (place, inversion) in worst.enumerate() {
            if place == 0 {
                writeln!(out, "\n{}", labels[own.device as usize])?;
            }
            let sentence = say!(
                "network-order-inversion",
                user = visible(inversion.user.name()),
                length = units::duration(inversion.waited_ns),
                late = visible(inversion.late.name()),
                early = visible(inversion.early.name()),
                others =
                    units::plural(u64::from(inversion.overtaken_by) - 1, message!("program-others", count))
            );
            writeln!(out, "{}", screen.sentence(&sentence, "  "))?;
        }
    }
    Ok(())
}

fn why_unknown(code: &str) -> &'static str {
    match code {
        "producers-not-recorded" => say!("network-order-no-producers"),
        "consumers-not-recorded" => say!("network-order-no-consumers"),
        "too-many-tasks" => say!("network-order-too-many-tasks"),
        _ => say!("network-order-too-few"),
    }
}
