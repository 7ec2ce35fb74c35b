//! `steplens critical-path`: what the step waited for, moment by moment, and what dependencies alone allow.

use super::{Loaded, Out, headline};
use crate::args;
use crate::failure::Failure;
use crate::render::color::Tint;
use crate::render::places::Places;
use crate::render::table::{ALWAYS, Cell, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::Category;
use steplens_report::causality::{CriticalPath, PartRow, SegmentRow, category_words, write_csv};

pub(super) fn run(args: &args::CriticalPath) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let path = CriticalPath::of(&loaded.study);
    loaded.print(&args.form, |out| {
        if args.form.json {
            return writeln!(out, "{}", path.to_text());
        } else if args.form.csv {
            return write_csv(&path, out);
        }
        let screen = Screen::new(args.form.color);
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&path.sentence, ""))?;
        if path.segments.is_empty() {
            return Ok(());
        }
        let places = Places::of(&loaded.study);
        let place = |device: &str| {
            let name = loaded.study.trace().strings().find(device);
            name.map_or("", |name| places.label(name)).to_owned()
        };
        let limit = args.length.rows();
        write_parts(out, screen, &path)?;
        let sums = [("by op type", &path.by_op_type), ("by name scope", &path.by_scope)];
        for (title, rows) in sums {
            write_sums(out, screen, title, rows, path.length_ns, limit, &|key| visible(key).into_owned())?;
        }
        write_sums(out, screen, "by device", &path.by_device, path.length_ns, limit, &place)?;
        write_segments(out, screen, &path, limit, &place)?;
        write_static(out, screen, &path, limit, &place)?;
        write_basis(out, screen, &path)
    })
}

fn tint(category: &str) -> Tint {
    match category {
        "compute" => Tint::Category(Category::Compute),
        "copy" => Tint::Category(Category::Copy),
        "transit" | "sender-queue" => Tint::Category(Category::Communication),
        "producer" | "behind" => Tint::Category(Category::Waiting),
        "launching" | "starting" => Tint::Category(Category::Launch),
        "input" => Tint::Category(Category::Input),
        _ => Tint::Idle,
    }
}

fn write_parts(out: &mut Out, screen: Screen, path: &CriticalPath<'_>) -> io::Result<()> {
    let about = "the observed path: from the last end back to what each op waited for last";
    writeln!(out, "\n{}", screen.title("what the step waited for", about))?;
    let mut table = Table::default()
        .column("", ColumnKind::Text, ALWAYS)
        .column("time", ColumnKind::Figure, ALWAYS)
        .column("share", ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Bar(6, 24), 1)
        .column("segments", ColumnKind::Figure, 2)
        .column("longest", ColumnKind::Figure, 3)
        .column("of", ColumnKind::Name(24), 3);
    for part in &path.by_category {
        let tint = tint(part.key);
        table.row([
            Cell::Text(category_words(part.key).to_owned(), tint),
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
    rows: &[PartRow<'_>],
    whole: i64,
    limit: usize,
    name: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    writeln!(out, "\n{}", screen.strong(title))?;
    let mut table = Table::default()
        .column("time", ColumnKind::Figure, ALWAYS)
        .column("share", ColumnKind::Figure, ALWAYS)
        .column("segments", ColumnKind::Figure, 1)
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
    write_more(out, screen, rows.len(), limit, "row")
}

fn write_segments(
    out: &mut Out,
    screen: Screen,
    path: &CriticalPath<'_>,
    limit: usize,
    place: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    writeln!(out, "\n{}", screen.title("longest segments", "--csv has all of them, in their order"))?;
    let mut rows: Vec<&SegmentRow<'_>> = path.segments.iter().collect();
    rows.sort_by_key(|segment| segment.start_ns - segment.end_ns);
    let mut table = Table::default()
        .column("at", ColumnKind::Figure, 2)
        .column("length", ColumnKind::Figure, ALWAYS)
        .column("", ColumnKind::Text, ALWAYS)
        .column("device", ColumnKind::Location(8), 3)
        .column("op", ColumnKind::Name(24), ALWAYS)
        .column("behind", ColumnKind::Name(16), 1);
    for segment in rows.iter().take(limit) {
        let behind = match (segment.behind, segment.behind_count) {
            (Some(op), Some(1)) => visible(op).into_owned(),
            (Some(op), Some(count)) => {
                format!("{} and {}", visible(op), units::more(count as usize - 1, "op"))
            }
            _ => String::new(),
        };
        table.row([
            units::duration(segment.start_ns).into(),
            units::duration(segment.end_ns - segment.start_ns).into(),
            Cell::Text(category_words(segment.category).to_owned(), tint(segment.category)),
            place(segment.device).into(),
            visible(segment.op).into_owned().into(),
            behind.into(),
        ]);
    }
    table.write(out, screen)?;
    write_more(out, screen, rows.len(), limit, "segment")
}

fn write_static(
    out: &mut Out,
    screen: Screen,
    path: &CriticalPath<'_>,
    limit: usize,
    place: &dyn Fn(&str) -> String,
) -> io::Result<()> {
    let floor = &path.floor;
    let about = "by dependencies alone, without waiting; the longest ops of it";
    writeln!(
        out,
        "\n{}",
        screen.title(&format!("static path: {}", units::duration(floor.length_ns)), about)
    )?;
    let mut rows: Vec<&SegmentRow<'_>> = floor.segments.iter().collect();
    rows.sort_by_key(|segment| segment.start_ns - segment.end_ns);
    let mut table = Table::default()
        .column("length", ColumnKind::Figure, ALWAYS)
        .column("device", ColumnKind::Location(8), 1)
        .column("op", ColumnKind::Name(30), ALWAYS);
    for segment in rows.iter().take(limit) {
        table.row([
            units::duration(segment.end_ns - segment.start_ns).into(),
            place(segment.device).into(),
            visible(segment.op).into_owned().into(),
        ]);
    }
    table.write(out, screen)?;
    write_more(out, screen, rows.len(), limit, "op")?;
    let mut said = format!("{} within 1 % of the step of this path", units::plural(floor.near as u64, "op"));
    if floor.next_outside_ns > 0 {
        said += &format!(
            "; the path that shares least with it takes {}, {} of it elsewhere",
            units::duration(floor.next_length_ns),
            units::duration(floor.next_outside_ns)
        );
    }
    writeln!(out, "{}", screen.note(&said))
}

/// How far all this can be trusted.
fn write_basis(out: &mut Out, screen: Screen, path: &CriticalPath<'_>) -> io::Result<()> {
    let graph = &path.graph;
    let kinds: Vec<String> =
        graph.by_kind.iter().map(|row| format!("{} {}", units::count(row.count), row.kind)).collect();
    let mut said = vec![format!(
        "{} and {}: {}",
        units::plural(graph.nodes as u64, "node"),
        units::plural(graph.edges as u64, "edge"),
        kinds.join(", ")
    )];
    if graph.backward > 0 {
        said.push(format!(
            "{} ran back in time, counted from where the effect began; the worst by {}, from {} to {}",
            units::plural(graph.backward, "edge"),
            units::duration(graph.backward_largest_ns),
            visible(graph.backward_from.unwrap_or_default()),
            visible(graph.backward_to.unwrap_or_default())
        ));
    }
    if graph.cut > 0 {
        said.push(format!("{} counted for nothing, to break circles", units::plural(graph.cut, "edge")));
    }
    if graph.ops_without > 0 {
        said.push(format!(
            "{} without edges, because others have too many inputs",
            units::plural(graph.ops_without, "op")
        ));
    }
    let inferred = || path.threads.iter().filter(|rule| rule.inferred);
    let neighbours: u64 = inferred().map(|rule| rule.neighbours).sum();
    let in_a_row: u64 = inferred().map(|rule| rule.in_a_row).sum();
    if neighbours > 0 {
        said.push(format!(
            "executor threads are inferred: {} of {} neighbours that were scheduled together ran in a row",
            units::count(in_a_row),
            units::count(neighbours)
        ));
    }
    writeln!(out)?;
    said.iter().try_for_each(|said| writeln!(out, "{}", screen.note(said)))
}

fn write_more(out: &mut Out, screen: Screen, count: usize, limit: usize, one: &str) -> io::Result<()> {
    if count <= limit {
        return Ok(());
    }
    let more = units::more(count - limit, one);
    writeln!(out, "{}", screen.note(&format!("and {more}: --all shows every one, --limit N some")))
}
