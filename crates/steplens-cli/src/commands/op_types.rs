//! The table of op types, which two commands print.

use super::Out;
use crate::render::bar::WindowPart;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::questions::any_running::AnyRunning;
use steplens_core::questions::op_types::{OpTypeRow, Place, op_types, own_of};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::{Category, Study};
use steplens_messages::{clauses, message, say};
use steplens_report::work::WorkFigures;

/// For how many op types a remark says that their sum is longer than the step.
const MOST_SUMS: usize = 3;

/// Writes the `limit` op types with the largest totals.
pub(super) fn write(out: &mut Out, screen: Screen, study: &Study, limit: usize) -> io::Result<()> {
    let trace = study.trace();
    // The end of the step is included; otherwise ops of zero length that start there would be missing.
    let mut window = trace.span();
    window.end.0 += 1;
    let range = Range::of(study, &RangeQuery::of(window));
    let rows = op_types(study, &range);
    let any = AnyRunning::of(study, range, &rows);
    // Ops of one type run on several devices. While the clocks differ, it is not known for how long any of them ran.
    let compared = study.clock_doubt().is_none();
    let all = Place::ALL.map(|place| own_of(&rows, place).0);
    let largest = rows.iter().map(|row| row.own.0).max().unwrap_or(0);
    let has_both = Place::ALL.iter().all(|&place| rows.iter().any(|row| row.place == place));
    let nests = rows.iter().any(|row| row.own != row.total);
    writeln!(
        out,
        "{}",
        screen.title(
            say!("op-types-heading"),
            match nests {
                true => say!("op-types-by-own-time"),
                false => say!("op-types-by-time"),
            }
        )
    )?;
    let mut table = Table::default()
        .column(say!("title-op-type"), ColumnKind::Name(24), ALWAYS)
        .column("", ColumnKind::Text, 5)
        .column(if nests { say!("title-self") } else { say!("title-total") }, ColumnKind::Figure, ALWAYS)
        .column(say!("title-share"), ColumnKind::Figure, 4)
        .column("", ColumnKind::Bar(6, 24), 1)
        .column(say!("title-total"), ColumnKind::Figure, 5)
        .column(say!("title-ops"), ColumnKind::Figure, 6)
        .column(say!("title-mean"), ColumnKind::Figure, 4)
        .column(say!("title-p50"), ColumnKind::Figure, 3)
        .column(say!("title-p99"), ColumnKind::Figure, 3)
        .column(say!("title-longest"), ColumnKind::Figure, 2)
        .column(say!("title-flop"), ColumnKind::Figure, 1)
        .column(say!("title-flop-rate"), ColumnKind::Figure, 4)
        .column(say!("title-of-peak"), ColumnKind::Figure, 3)
        .column(say!("title-byte-rate"), ColumnKind::Figure, 2)
        .column(say!("title-work-known"), ColumnKind::Figure, 1);
    let mut left: Vec<&OpTypeRow> = Vec::new();
    let peak = trace.peak_flops();
    for place in Place::ALL {
        let own = rows.iter().filter(|row| row.place == place);
        if has_both {
            table.heading(match place {
                Place::Accelerator => say!("op-types-on-accelerators").to_owned(),
                Place::Host => say!("op-types-on-hosts").to_owned(),
            });
        }
        left.extend(own.clone().skip(limit));
        for row in own.take(limit) {
            let part = WindowPart::Of(row.category);
            let work = WorkFigures::of(&row.work, row.whole, peak);
            table.row([
                Cell::Text(visible(trace.text(row.op_type)).into_owned(), part.tint()),
                Cell::Text(word(row.category).to_owned(), part.tint()),
                units::duration(row.own.0).into(),
                units::share(row.own.0, all[place as usize]).into(),
                Cell::Level(row.own.0 as f64 / largest.max(1) as f64, part.tint()),
                if nests { units::duration(row.total.0) } else { String::new() }.into(),
                units::count(row.count).into(),
                units::duration(row.mean().0).into(),
                units::duration(row.p50.0).into(),
                units::duration(row.p99.0).into(),
                units::duration(trace.ops().interval(row.longest).length().0).into(),
                work.said_flops().into(),
                work.said_flop_rate().into(),
                work.said_of_peak().into(),
                work.said_byte_rate().into(),
                work.said_known().into(),
            ]);
        }
    }
    table.write(out, screen)?;
    for (row, any) in rows.iter().take(limit).filter_map(|row| Some((row, any.of_type(row)?))).take(MOST_SUMS)
    {
        let name = visible(trace.text(row.op_type));
        let (sum, any) = (units::duration(row.own.max(row.total).0), units::duration(any.0));
        let text = match compared {
            true => say!("op-types-sum", name, sum, any),
            false => say!("op-types-sum-only", name, sum),
        };
        writeln!(out, "{}", screen.note(&text))?;
    }
    if !left.is_empty() {
        // If ops ran in both places, there are two totals, and the rest is a share of neither.
        let rest: i64 = left.iter().map(|row| row.own.0).fold(0, i64::saturating_add);
        let share = if has_both { units::duration(rest) } else { units::share(rest, all[0].max(all[1])) };
        let text = say!(
            "op-types-more",
            more = clauses([units::plural(left.len(), message!("program-more-op-types", count)), share])
        );
        writeln!(out, "{}", screen.note(&text))?;
    }
    Ok(())
}

/// A category's word, short enough for a column.
pub(super) fn word(category: Category) -> &'static str {
    match category {
        Category::Compute => say!("title-compute"),
        Category::Input => say!("category-input"),
        Category::Copy => say!("category-copy"),
        Category::Communication => say!("part-communication-short"),
        Category::Launch => say!("category-launch"),
        Category::Allocation => say!("category-allocation"),
        Category::Waiting => say!("category-waiting"),
        Category::Range => say!("bar-range"),
    }
}
