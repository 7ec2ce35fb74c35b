//! `steplens ops`: where the time went.

use super::op_types::{self, word};
use super::{Loaded, Out, Print, headline};
use crate::args::{self, Length, OpOrder};
use crate::render::bar::WindowPart;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::questions::op_list::{Filter, OpColumn, OpList};
use steplens_core::questions::range::RangeQuery;
use steplens_core::{Interval, OpId, Study, Timestamp};
use steplens_host::failure::Failure;
use steplens_messages::{message, say};

/// How many rows are laid out at once, so that `--all` with millions of ops needs little memory.
const ROWS_AT_ONCE: usize = 10_000;

pub(super) fn run(args: &args::Ops) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.asked.files)?;
    loaded.answer(&args.asked.question, &args.asked.form, |out, screen| {
        headline::write(out, screen, &loaded)?;
        op_types::write(out, screen, &loaded.study, args.asked.length.rows())?;
        writeln!(out)?;
        Ok(write_ops(out, screen, &loaded.study, args.sort, args.asked.length)?)
    })
}

fn write_ops(out: &mut Out, screen: Screen, study: &Study, order: OpOrder, length: Length) -> io::Result<()> {
    let ops = sorted(study, order, length);
    let title = match order {
        OpOrder::Duration => say!("ops-by-duration"),
        OpOrder::Start => say!("ops-by-start"),
        OpOrder::Queue => say!("ops-by-queue"),
        OpOrder::Bytes => say!("ops-by-bytes"),
        OpOrder::Name => say!("ops-by-name"),
    };
    writeln!(out, "{}", screen.strong(title))?;
    let places = Places::of(study);
    let shown = &ops[..length.rows().min(ops.len())];
    for rows in shown.chunks(ROWS_AT_ONCE) {
        table(study, &places, order, rows).write(out, screen)?;
    }
    if ops.len() > shown.len() {
        let more = units::plural(ops.len() - shown.len(), message!("program-more-ops", count));
        writeln!(out, "{}", screen.note(&say!("more-all-or-limit", more)))?;
    }
    Ok(())
}

/// The ops in the chosen order. Only a full list contains the copies that `stream:all` and `memcpy` hold of ops on numbered
/// streams.
fn sorted(study: &Study, order: OpOrder, length: Length) -> Vec<OpId> {
    let trace = study.trace();
    // Ranges may lie outside the span of the trace.
    let window = Interval::new(Timestamp(i64::MIN), Timestamp(i64::MAX));
    let by = match order {
        OpOrder::Duration => (OpColumn::Length, true),
        OpOrder::Start => (OpColumn::Start, false),
        OpOrder::Queue => (OpColumn::Queued, true),
        OpOrder::Bytes => (OpColumn::Output, true),
        OpOrder::Name => (OpColumn::Name, false),
    };
    let list = OpList::of(study, RangeQuery::of(window), by, Filter::default(), &[]);
    let is_repeated = |op| trace.devices().repeats_others(trace.device_of(op));
    list.ops().iter().copied().filter(|&op| length.is_all() || !is_repeated(op)).collect()
}

fn table(study: &Study, places: &Places, order: OpOrder, ops: &[OpId]) -> Table {
    let trace = study.trace();
    let rank = |of: OpOrder, rank| if of == order { ALWAYS } else { rank };
    let mut table = Table::default()
        .column(say!("title-start"), ColumnKind::Figure, rank(OpOrder::Start, 6))
        .column(say!("title-duration"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-queued"), ColumnKind::Figure, rank(OpOrder::Queue, 3))
        .column(say!("title-output"), ColumnKind::Figure, rank(OpOrder::Bytes, 2))
        .column(say!("title-device"), ColumnKind::Location(8), 5)
        .column("", ColumnKind::Text, 1)
        .column(say!("title-op-type"), ColumnKind::Name(10), 4)
        .column(say!("title-name"), ColumnKind::Name(36), ALWAYS);
    for &op in ops {
        let node = trace.ops().node(op);
        let bytes = op_bytes(trace, op).0;
        let category = trace.category(op);
        let tint = WindowPart::Of(category).tint();
        table.row([
            Cell::from(units::duration(trace.ops().start(op).0)),
            units::duration(trace.ops().interval(op).length().0).into(),
            units::maybe_duration(trace.ops().queued(op).map(|queued| queued.0)).into(),
            if bytes > 0 { units::bytes(bytes) } else { String::new() }.into(),
            places.label(trace.devices().get(trace.device_of(op)).name).to_owned().into(),
            Cell::Text(word(category).to_owned(), tint),
            Cell::Text(visible(trace.text(trace.nodes().op_type(node))).into_owned(), tint),
            visible(study.title(op)).into_owned().into(),
        ]);
    }
    table
}
