//! Which tensors devices waited for, and how much was sent of each.

use super::Section;
use crate::commands::Out;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{units, visible};
use std::io::{self, Write};
use steplens_messages::{clauses, message, say};

/// Writes what each device waited for, the longest wait first.
pub(super) fn write(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let waits = &section.network.waits_by_tensor;
    if waits.rows.is_empty() {
        return Ok(());
    }
    let about = say!("network-waits-about");
    writeln!(out, "\n{}", section.screen.title(say!("network-waits-title"), about))?;
    let mut table = Table::default()
        .column(say!("title-device"), ColumnKind::Location(8), ALWAYS)
        .column(say!("title-waited"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-idle-before-send"), ColumnKind::Figure, 2)
        .column(say!("title-delay"), ColumnKind::Figure, 2)
        .column(say!("title-transfers"), ColumnKind::Figure, 1)
        .column(say!("title-bytes"), ColumnKind::Figure, 3)
        .column(say!("title-from"), ColumnKind::Location(8), 4)
        .column(say!("title-tensor"), ColumnKind::Name(30), ALWAYS);
    for row in waits.rows.iter().take(section.limit) {
        let device = row.device.and_then(|device| section.labels.get(device as usize));
        table.row([
            device.map_or("", |label| label).to_owned().into(),
            units::duration(row.waited_ns).into(),
            units::duration(row.idle_before_ns).into(),
            units::maybe_duration(row.delayed_ns).into(),
            units::count(row.transfers).into(),
            row.bytes.map_or_else(|| units::UNKNOWN.to_owned(), units::bytes).into(),
            row.source.map_or(units::UNKNOWN, |source| section.place(source)).to_owned().into(),
            tensor_name(row.tensor, row.is_gradient).into(),
        ]);
    }
    table.write(out, section.screen)?;
    section.write_more(out, waits, message!("program-more-waits", count))?;
    let tracer = &section.network.tensorflow_tracer;
    // tensorflow-tracer knows only `RecvTensor`. For other traces it would report something else, or no communication.
    if tracer.communication_time_us == 0 {
        return Ok(());
    }
    let figures = [
        ("step_time", tracer.step_time_us),
        ("communication_time", tracer.communication_time_us),
        ("communication_elapsed_time", tracer.communication_elapsed_time_us),
    ];
    let figures: Vec<_> =
        figures.iter().map(|(name, us)| format!("{name} {} µs", units::count(us.unsigned_abs()))).collect();
    writeln!(out, "{}", section.screen.note(&say!("network-tracer-terms", figures = clauses(figures))))
}

/// Writes how much was sent of each tensor.
pub(super) fn write_tensors(out: &mut Out, section: &Section<'_>) -> io::Result<()> {
    let tensors = &section.network.tensors;
    if tensors.rows.is_empty() {
        return Ok(());
    }
    let about = say!("network-tensors-about");
    writeln!(out, "\n{}", section.screen.title(say!("title-tensors"), about))?;
    let mut table = Table::default()
        .column(say!("title-waited"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-idle-before-send"), ColumnKind::Figure, 1)
        .column(say!("title-delay"), ColumnKind::Figure, 4)
        .column(say!("title-transfers"), ColumnKind::Figure, 3)
        .column(say!("title-to"), ColumnKind::Figure, 2)
        .column(say!("title-bytes"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-tensor"), ColumnKind::Name(30), ALWAYS);
    for row in tensors.rows.iter().take(section.limit) {
        table.row([
            units::duration(row.waited_ns).into(),
            units::duration(row.idle_before_ns).into(),
            units::maybe_duration(row.delayed_ns).into(),
            units::count(row.transfers).into(),
            units::count(row.destinations).into(),
            row.bytes.map_or_else(|| units::UNKNOWN.to_owned(), units::bytes).into(),
            tensor_name(row.tensor, row.is_gradient).into(),
        ]);
    }
    table.write(out, section.screen)?;
    section.write_more(out, tensors, message!("program-more-tensors", count))
}

/// The label of the tensor called `name`: a variable, or the op that made it.
pub(in crate::commands) fn tensor_name(name: &str, is_gradient: bool) -> String {
    let name = visible(name);
    if is_gradient { say!("tensor-is-gradient", name) } else { name.into_owned() }
}
