//! `steplens kernels`: the kernels of GPUs by name, how they were launched, and by which ops.

use super::{Loaded, Out, Print, headline, op_types};
use crate::args::Asking;
use crate::render::bar::WindowPart;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Category;
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::kernels::{KernelRow, Options};
use steplens_report::names::kernel_label;
use steplens_report::question::Question;

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let kernels = args.question.answer(&loaded.shown())?;
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&visible(&kernels.sentence), ""))?;
        Ok(write_rows(out, screen, &kernels.kernels, args.length.rows())?)
    })
}

fn write_rows(out: &mut Out, screen: Screen, rows: &[KernelRow<'_>], limit: usize) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("kernels-heading"), say!("kernels-heading-about")))?;
    let mut table = Table::default()
        .column(say!("title-kernel-name"), ColumnKind::Name(24), ALWAYS)
        .column("", ColumnKind::Text, 4)
        .column(say!("title-total"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-share"), ColumnKind::Figure, 11)
        .column(say!("title-kernels"), ColumnKind::Figure, 10)
        .column(say!("title-mean"), ColumnKind::Figure, 8)
        .column(say!("title-longest"), ColumnKind::Figure, 5)
        .column(say!("title-occupancy"), ColumnKind::Figure, 9)
        .column(say!("title-flop"), ColumnKind::Figure, 1)
        .column(say!("title-flop-rate"), ColumnKind::Figure, 9)
        .column(say!("title-of-peak"), ColumnKind::Figure, 8)
        .column(say!("title-byte-rate"), ColumnKind::Figure, 6)
        .column(say!("title-work-known"), ColumnKind::Figure, 4)
        .column(say!("title-grid"), ColumnKind::Figure, 3)
        .column(say!("title-block"), ColumnKind::Figure, 3)
        .column(say!("title-registers"), ColumnKind::Figure, 2)
        .column(say!("title-shared"), ColumnKind::Figure, 1)
        .column(say!("title-launched-by"), ColumnKind::Name(12), 7);
    for row in rows.iter().take(limit) {
        let category = Category::ALL.into_iter().find(|own| own.word() == row.category);
        let tint = category.map_or(WindowPart::Of(Category::Compute), WindowPart::Of).tint();
        table.row([
            Cell::Text(visible(&row.short_name).into_owned(), tint),
            Cell::Text(category.map_or("", op_types::word).to_owned(), tint),
            units::duration(row.total_ns).into(),
            format!("{:.1} %", row.share_ppm as f64 / 1e4).into(),
            units::count(row.count).into(),
            units::duration(row.mean_ns).into(),
            units::duration(row.max_ns).into(),
            row.occupancy_percent.map_or_else(String::new, |own| format!("{own} %")).into(),
            row.work.said_flops().into(),
            row.work.said_flop_rate().into(),
            row.work.said_of_peak().into(),
            row.work.said_byte_rate().into(),
            row.work.said_known().into(),
            row.launch.grid.map_or_else(String::new, extent).into(),
            row.launch.block.map_or_else(String::new, extent).into(),
            row.launch.registers.map_or_else(String::new, units::count).into(),
            row.launch.shared_bytes.map_or_else(String::new, units::bytes).into(),
            launchers(row).into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-rows", count))
}

/// The op type that launched most, and how many others did.
fn launchers(row: &KernelRow<'_>) -> String {
    let Some(first) = row.launched_by.first() else { return String::new() };
    let name = kernel_label(first.op_type);
    match row.launcher_count {
        1 => visible(&name).into_owned(),
        count => say!("kernels-launchers", name = visible(&name), more = units::count(count as u64 - 1)),
    }
}

/// The three dimensions, without those that are 1 at the end.
fn extent([x, y, z]: [u64; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}×{y}"),
        _ => format!("{x}×{y}×{z}"),
    }
}
