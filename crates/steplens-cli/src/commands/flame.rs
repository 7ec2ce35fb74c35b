//! `steplens flame`: what ran inside of what, summed by path of names.

use super::{Loaded, Out, Print, headline};
use crate::args::Asking;
use crate::render::bar::WindowPart;
use crate::render::color::Tint;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Category;
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::flame::{FlameAnswer, FlameName, Options, write_folded};
use steplens_report::names::kernel_label;
use steplens_report::question::Question;

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let question = &args.question;
    if question.folded {
        return loaded.print(&args.form, |out| {
            write_folded(&question.answer(&loaded.shown())?, out).map_err(Failure::from)
        });
    }
    loaded.answer(question, &args.form, |out, screen| {
        let flame = question.answer(&loaded.shown())?;
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&visible(&flame.sentence), ""))?;
        if let Some(why) = question.layers()?.and_then(|wanted| flame.lacks(wanted)) {
            writeln!(out, "{}", screen.sentence(&why, ""))?;
        }
        for note in &flame.notes {
            writeln!(out, "{}", screen.sentence(note, ""))?;
        }
        Ok(write_rows(out, screen, &flame, args.length.rows())?)
    })
}

fn write_rows(out: &mut Out, screen: Screen, flame: &FlameAnswer<'_>, limit: usize) -> io::Result<()> {
    if flame.names.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.title(say!("flame-heading"), say!("flame-heading-about")))?;
    let mut table = Table::default()
        .column(say!("title-name"), ColumnKind::Name(24), ALWAYS)
        .column(say!("title-self"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-total"), ColumnKind::Figure, 9)
        .column(say!("title-gpu-self"), ColumnKind::Figure, 7)
        .column(say!("title-gpu-total"), ColumnKind::Figure, 6)
        .column(say!("title-count"), ColumnKind::Figure, 8);
    for row in flame.names.iter().take(limit) {
        table.row([
            Cell::Text(visible(&kernel_label(row.name)).into_owned(), tint(row)),
            units::duration(row.self_ns).into(),
            units::duration(row.total_ns).into(),
            units::duration(row.gpu_self_ns).into(),
            units::duration(row.gpu_ns).into(),
            units::count(row.count).into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, flame.names.len(), limit, message!("program-more-rows", count))
}

fn tint(row: &FlameName<'_>) -> Tint {
    let category = Category::ALL.into_iter().find(|own| Some(own.word()) == row.category);
    category.map_or(WindowPart::Of(Category::Range), WindowPart::Of).tint()
}
