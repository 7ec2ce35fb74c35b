//! `steplens critical-path`: what the step waited for, moment by moment, and what dependencies alone allow.

use super::{Loaded, Out, Print, clocks_first, headline};
use crate::args;
use crate::render::color::Tint;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Category;
use steplens_host::failure::Failure;
use steplens_messages::{clauses, message, say};
use steplens_report::causality::{CriticalPath, PathPart, SegmentRow, edge_words, spent_words};
use steplens_report::question::Question;

pub(super) fn run(args: &args::CriticalPath) -> Result<(), Failure> {
    if let Some(steps) = &args.over_steps {
        return super::path_over_steps::run(args, steps);
    }
    let loaded = Loaded::read(&args.asked.files)?;
    loaded.answer(&args.asked.question, &args.asked.form, |out, screen| {
        let path = args.asked.question.answer(&loaded.shown())?;
        let clocks_differ = clocks_first::write(out, screen, &loaded)?;
        headline::write(out, screen, &loaded)?;
        if clocks_differ {
            return Ok(write_basis(out, screen, &path)?);
        }
        writeln!(out, "{}", screen.sentence(&path.sentence, ""))?;
        if path.segments.is_empty() {
            return Ok(());
        }
        let places = Places::of(&loaded.study);
        let place = |device: &str| {
            let name = loaded.study.trace().strings().find(device);
            name.map_or("", |name| places.label(name)).to_owned()
        };
        let limit = args.asked.length.rows();
        write_parts(out, screen, &path)?;
        let sums = [
            (say!("critical-path-by-op-type"), &path.by_op_type),
            (say!("critical-path-by-name-scope"), &path.by_scope),
        ];
        for (title, rows) in sums {
            write_sums(out, screen, title, rows, path.length_ns, limit, &|key| visible(key).into_owned())?;
        }
        write_sums(
            out,
            screen,
            say!("critical-path-by-device"),
            &path.by_device,
            path.length_ns,
            limit,
            &place,
        )?;
        if !path.by_frame.is_empty() {
            let title = say!("critical-path-by-frame");
            write_sums(out, screen, title, &path.by_frame, path.length_ns, limit, &|key| {
                visible(key).into_owned()
            })?;
        }
        write_segments(out, screen, &path, limit, &place)?;
        write_static(out, screen, &path, limit, &place)?;
        Ok(write_basis(out, screen, &path)?)
    })
}

fn tint(category: &str) -> Tint {
    match category {
        "compute" => Tint::Category(Category::Compute),
        "copy" => Tint::Category(Category::Copy),
        "transit" | "sender-queue" => Tint::Category(Category::Communication),
        "producer" | "behind" | "host-between-ops" | "python-between-ops" => {
            Tint::Category(Category::Waiting)
        }
        "launching" | "starting" => Tint::Category(Category::Launch),
        "allocation" => Tint::Category(Category::Allocation),
        "input" => Tint::Category(Category::Input),
        _ => Tint::Idle,
    }
}

fn write_parts(out: &mut Out, screen: Screen, path: &CriticalPath<'_>) -> io::Result<()> {
    let about = say!("critical-path-observed-about");
    writeln!(out, "\n{}", screen.title(say!("critical-path-observed"), about))?;
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-time"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-share"), ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Bar(6, 24), 1)
        .column(say!("title-segments"), ColumnKind::Figure, 2)
        .column(say!("title-longest"), ColumnKind::Figure, 3)
        .column(say!("title-of"), ColumnKind::Name(24), 3);
    for (spent, part) in &path.by_spent {
        let tint = tint(part.key);
        table.row([
            Cell::Text(spent_words(*spent).to_owned(), tint),
            units::duration(part.length_ns).into(),
            units::share(part.length_ns, path.length_ns).into(),
            Cell::Level(part.length_ns as f64 / path.length_ns.max(1) as f64, tint),
            units::count(u64::from(part.segments)).into(),
            units::duration(part.longest_ns).into(),
            visible(part.longest.unwrap_or_default()).into_owned().into(),
        ]);
    }
    table.write(out, screen)
}

fn write_sums(
    out: &mut Out,
    screen: Screen,
    title: &str,
    rows: &[PathPart<'_>],
    whole: i64,
    limit: usize,
    name: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    writeln!(out, "\n{}", screen.strong(title))?;
    let mut table = Table::default()
        .column(say!("title-time"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-share"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-segments"), ColumnKind::Figure, 1)
        .column("", ColumnKind::Name(30), ALWAYS);
    for part in rows.iter().take(limit) {
        let key = if part.key.is_empty() { units::UNKNOWN.to_owned() } else { name(part.key) };
        table.row([
            units::duration(part.length_ns).into(),
            units::share(part.length_ns, whole).into(),
            units::count(u64::from(part.segments)).into(),
            key.into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-rows", count))
}

fn write_segments(
    out: &mut Out,
    screen: Screen,
    path: &CriticalPath<'_>,
    limit: usize,
    place: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    writeln!(
        out,
        "\n{}",
        screen.title(say!("critical-path-segments"), say!("critical-path-segments-about"))
    )?;
    let mut rows: Vec<&SegmentRow<'_>> = path.segments.iter().collect();
    rows.sort_by_key(|segment| segment.start_ns - segment.end_ns);
    let mut table = Table::default()
        .column(say!("title-at"), ColumnKind::Figure, 2)
        .column(say!("title-length"), ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Text, ALWAYS)
        .column(say!("title-device"), ColumnKind::Location(8), 3)
        .column(say!("title-op"), ColumnKind::Name(24), ALWAYS)
        .column(say!("title-earlier"), ColumnKind::Figure, 2)
        .column(say!("title-behind"), ColumnKind::Name(16), 2);
    for segment in rows.iter().take(limit) {
        let behind = match (segment.behind, segment.behind_count) {
            (Some(op), Some(1)) => visible(op).into_owned(),
            (Some(op), Some(count)) => {
                say!(
                    "critical-path-behind-more",
                    op = visible(op),
                    ops = units::plural(count as usize - 1, message!("program-more-ops", count))
                )
            }
            _ => String::new(),
        };
        table.row([
            units::duration(segment.start_ns).into(),
            units::duration(segment.end_ns - segment.start_ns).into(),
            Cell::Text(spent_words(segment.spent).to_owned(), tint(segment.category)),
            place(segment.device).into(),
            visible(segment.op).into_owned().into(),
            if segment.earlier_ns > 0 { units::duration(segment.earlier_ns) } else { String::new() }.into(),
            behind.into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-segments", count))
}

fn write_static(
    out: &mut Out,
    screen: Screen,
    path: &CriticalPath<'_>,
    limit: usize,
    place: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    let floor = &path.floor;
    let about = say!("critical-path-static-about");
    writeln!(
        out,
        "\n{}",
        screen.title(&say!("critical-path-static", length = units::duration(floor.length_ns)), about)
    )?;
    let mut rows: Vec<&SegmentRow<'_>> = floor.segments.iter().collect();
    rows.sort_by_key(|segment| segment.start_ns - segment.end_ns);
    let mut table = Table::default()
        .column(say!("title-length"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-device"), ColumnKind::Location(8), 1)
        .column(say!("title-op"), ColumnKind::Name(30), ALWAYS);
    for segment in rows.iter().take(limit) {
        table.row([
            units::duration(segment.end_ns - segment.start_ns).into(),
            place(segment.device).into(),
            visible(segment.op).into_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-ops", count))?;
    let near = say!("critical-path-near", ops = units::plural(floor.near, message!("program-ops", count)));
    let said = match floor.next_outside_ns {
        1.. => {
            let length = units::duration(floor.next_length_ns);
            say!(
                "critical-path-near-and-next",
                near,
                length,
                outside = units::duration(floor.next_outside_ns)
            )
        }
        _ => near,
    };
    writeln!(out, "{}", screen.note(&said))
}

/// Writes how far these results can be trusted.
fn write_basis(out: &mut Out, screen: Screen, path: &CriticalPath<'_>) -> io::Result<()> {
    let graph = &path.graph;
    let kinds: Vec<String> = graph
        .by_kind
        .iter()
        .map(|row| {
            let kind = format!("{} {}", units::count(row.count), edge_words(row.kind));
            match row.inferred {
                0 => kind,
                all if all == row.count => say!("critical-path-inferred", kind),
                some => say!("critical-path-partly-inferred", kind, count = units::count(some)),
            }
        })
        .collect();
    let mut said = vec![say!(
        "critical-path-graph",
        nodes = units::plural(graph.nodes, message!("program-nodes", count)),
        edges = units::plural(graph.edges, message!("program-edges", count)),
        kinds = clauses(kinds)
    )];
    if graph.backward > 0 {
        said.push(say!(
            "critical-path-backward",
            edges = units::plural(graph.backward, message!("program-edges", count)),
            most = units::duration(graph.backward_largest_ns),
            from = visible(graph.backward_from.unwrap_or_default()),
            to = visible(graph.backward_to.unwrap_or_default())
        ));
    }
    if graph.cut > 0 {
        said.push(say!(
            "critical-path-cut",
            edges = units::plural(graph.cut, message!("program-edges", count))
        ));
    }
    if graph.ops_without > 0 {
        said.push(say!(
            "critical-path-without-edges",
            ops = units::plural(graph.ops_without, message!("program-ops", count))
        ));
    }
    let ops: u64 = path.threads.iter().map(|row| row.ops).sum();
    let recorded: u64 = path.threads.iter().map(|row| row.recorded).sum();
    if (1..ops).contains(&recorded) {
        said.push(say!(
            "critical-path-threads-recorded",
            recorded = units::count(recorded),
            ops = units::count(ops)
        ));
    }
    let inferred = || path.threads.iter().filter(|rule| rule.inferred);
    let neighbours: u64 = inferred().map(|rule| rule.neighbours).sum();
    let in_a_row: u64 = inferred().map(|rule| rule.in_a_row).sum();
    if neighbours > 0 {
        said.push(say!(
            "critical-path-threads",
            row = units::count(in_a_row),
            all = units::count(neighbours)
        ));
    }
    writeln!(out)?;
    said.iter().try_for_each(|said| writeln!(out, "{}", screen.note(said)))
}
