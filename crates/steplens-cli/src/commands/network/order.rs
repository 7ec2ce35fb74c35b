//! Whether parameters arrived in the order in which ops need them, and what another order would gain.

use super::Section;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io;

/// How many inversions are listed for each device.
const MOST_SENTENCES: usize = 3;

pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    use std::io::Write;
    let Section { screen, network, labels, .. } = *section;
    if network.order.is_empty() {
        return Ok(());
    }
    let note =
        "parameters that arrived in another order than ops need them, and what the better order would gain";
    writeln!(out, "\n{}", screen.title("transfer order", note))?;
    let mut table = Table::default()
        .column("device", ColumnKind::Location(18), ALWAYS)
        .column("parameters", ColumnKind::Figure, 2)
        .column("inverted", ColumnKind::Figure, ALWAYS)
        .column("of pairs", ColumnKind::Figure, 1)
        .column("overlap lost", ColumnKind::Figure, ALWAYS)
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
            let sentence = format!(
                "{} waited {} for {}, which arrived after {} and {} that are needed later",
                visible(inversion.user.name()),
                units::duration(inversion.waited_ns),
                visible(inversion.late.name()),
                visible(inversion.early.name()),
                units::plural(u64::from(inversion.overtaken_by) - 1, "other"),
            );
            writeln!(out, "{}", screen.sentence(&sentence, "  "))?;
        }
    }
    Ok(())
}

fn why_unknown(code: &str) -> &'static str {
    match code {
        "producers-not-recorded" => "the producers of its tensors were not recorded",
        "consumers-not-recorded" => "the consumers of its tensors are not known",
        "too-many-tasks" => "too many tasks to find its parameters",
        _ => "fewer than two parameters arrived",
    }
}
