//! What each link carried, what GPUs copied, and the most that was in transit at once.

use crate::commands::Out;
use crate::render::names::{device_label, task_label, visible};
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units};
use std::cmp::Reverse;
use std::io::{self, Write};
use steplens_core::model::device::task_of;
use steplens_core::model::label::producer_of_edge;
use steplens_messages::{message, say};
use steplens_report::network::{LinkRow, Network};

/// With more links than this, only the matrix of the page is readable, not a table.
const MOST: usize = 40;

pub(super) fn write(out: &mut Out, screen: Screen, network: &Network<'_>) -> io::Result<()> {
    // If there is only one task, only the links between its devices exist.
    let by_task = network.task_links.pairs.iter().any(|link| link.source != link.destination);
    let links = if by_task { &network.task_links } else { &network.links };
    if !links.pairs.is_empty() {
        let explanation = say!("network-links-about");
        writeln!(out, "\n{}", screen.title(say!("network-links-title"), explanation))?;
        let mut rows: Vec<&LinkRow<'_>> = links.pairs.iter().collect();
        rows.sort_by_key(|link| Reverse(link.bytes));
        let hidden = rows.len().saturating_sub(MOST);
        rows.truncate(MOST);
        rows.push(&links.all);
        write_rows(out, screen, network.span_ns, &rows)?;
        if hidden > 0 {
            let more = say!(
                "network-links-more",
                links = units::plural(hidden, message!("program-more-links", count))
            );
            writeln!(out, "{}", screen.note(&more))?;
        }
        let untimed = links.all.count - links.all.timed;
        if untimed > 0 {
            let note = say!(
                "network-links-untimed",
                transfers = units::plural(untimed, message!("program-transfers", count))
            );
            writeln!(out, "{}", screen.note(&note))?;
        }
    }
    if let Some(peaks) = &network.peaks {
        let note = say!(
            "network-links-peaks",
            window = units::duration(peaks.window_ns),
            rate = units::rate(peaks.bytes_per_second, Some(1_000_000_000)),
            at = units::duration(peaks.at_ns),
            transfers = units::plural(peaks.in_flight, message!("program-transfers", count)),
            flight_at = units::duration(peaks.in_flight_at_ns)
        );
        writeln!(out, "{}", screen.note(&note))?;
    }
    if !network.copies.is_empty() {
        writeln!(out, "\n{}", screen.title(say!("network-copies-title"), say!("network-copies-about")))?;
        write_rows(out, screen, network.span_ns, &network.copies.iter().collect::<Vec<_>>())?;
        if network.copies.iter().any(|link| link.bytes.is_none()) {
            writeln!(out, "{}", screen.note(say!("network-copies-without-bytes")))?;
        }
    }
    Ok(())
}

fn write_rows(out: &mut Out, screen: Screen, span_ns: i64, rows: &[&LinkRow<'_>]) -> io::Result<()> {
    let mut table = Table::default()
        .column(say!("title-from"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-to"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-count"), ColumnKind::Figure, 6)
        .column(say!("title-speed"), ColumnKind::Figure, 7)
        .column(say!("title-p50"), ColumnKind::Figure, 5)
        .column(say!("title-p99"), ColumnKind::Figure, 4)
        .column(say!("title-busy"), ColumnKind::Figure, 3)
        .column(say!("title-of-step"), ColumnKind::Figure, 2)
        .column(say!("title-largest"), ColumnKind::Name(12), 1);
    for link in rows {
        let unknown = || "–".to_owned();
        let timed = |text: String| if link.timed > 0 { text } else { unknown() };
        let largest = link.largest.as_ref();
        table.row([
            place(link.source).into(),
            place(link.destination).into(),
            link.bytes.map_or_else(unknown, units::bytes).into(),
            units::count(link.count).into(),
            link.bytes_per_second
                .map_or_else(unknown, |speed| units::rate(speed, Some(1_000_000_000)))
                .into(),
            units::maybe_duration(link.p50_ns).into(),
            units::maybe_duration(link.p99_ns).into(),
            timed(units::duration(link.busy_ns)).into(),
            timed(units::share(link.busy_ns, span_ns)).into(),
            largest
                .map_or_else(String::new, |own| visible(producer_of_edge(own.tensor).name).into_owned())
                .into(),
        ]);
    }
    table.write(out, screen)
}

/// `worker 0` for a task. Devices are listed only if there is one task, so their labels do not name it.
fn place(name: Option<&str>) -> String {
    match name {
        None => say!("network-all-places").to_owned(),
        Some(name) if task_of(name) == Some(name) => task_label(name),
        Some(name) => device_label(name),
    }
}
