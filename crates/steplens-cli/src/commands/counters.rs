//! `steplens counters`: what was counted over time, by the files and from the work of streams.

use super::{Loaded, Out, Print, headline};
use crate::args::Asking;
use crate::render::table::{ALWAYS, ColumnKind, Table};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_messages::{message, say};
use steplens_report::counters::{CounterSeries, Options};
use steplens_report::question::Question;

pub(super) type Args = Asking<Options>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let counted = args.question.answer(&loaded.shown())?;
        headline::write(out, screen, &loaded)?;
        if counted.counters.is_empty() {
            return Ok(writeln!(out, "{}", screen.sentence(say!("counters-none"), ""))?);
        }
        Ok(write_rows(out, screen, &counted.counters, args.length.rows())?)
    })
}

fn write_rows(out: &mut Out, screen: Screen, rows: &[CounterSeries<'_>], limit: usize) -> io::Result<()> {
    writeln!(out, "\n{}", screen.title(say!("counters-heading"), say!("counters-heading-about")))?;
    let mut table = Table::default()
        .column(say!("title-device"), ColumnKind::Name(16), ALWAYS)
        .column(say!("title-stream"), ColumnKind::Figure, 5)
        .column(say!("title-counter"), ColumnKind::Name(16), ALWAYS)
        .column(say!("title-series"), ColumnKind::Name(12), 6)
        .column(say!("title-values"), ColumnKind::Figure, 4)
        .column(say!("title-lowest"), ColumnKind::Figure, 3)
        .column(say!("title-mean"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-highest"), ColumnKind::Figure, ALWAYS)
        .column(say!("title-full"), ColumnKind::Figure, 7);
    for row in rows.iter().take(limit) {
        let value = |own: f64| match row.unit {
            Some("bytes_per_second") => units::rate(own as u64, Some(1_000_000_000)),
            _ => number(own),
        };
        table.row([
            visible(row.device.or(row.process).unwrap_or_default()).into_owned().into(),
            row.stream.map_or_else(String::new, |own| own.to_string()).into(),
            visible(row.name).into_owned().into(),
            visible(row.series).into_owned().into(),
            units::count(row.points as u64).into(),
            value(row.min).into(),
            value(row.mean).into(),
            value(row.max).into(),
            row.full_ns.map_or_else(String::new, units::duration).into(),
        ]);
    }
    table.write(out, screen)?;
    screen.write_more(out, rows.len(), limit, message!("program-more-rows", count))
}

/// Four digits; of whole numbers all, unless there are very many.
fn number(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", units::count(size as u64));
    }
    let short = format!("{value:.3e}");
    match short.parse::<f64>() {
        Ok(rounded) if (1e-4..1e15).contains(&size) => rounded.to_string(),
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use super::{CounterSeries, number, write_rows};
    use crate::args::When;
    use crate::render::Screen;
    use crate::render::color::Palette;
    use std::io::{self, BufWriter, Read as _};

    #[test]
    fn a_row_says_how_long_a_queue_was_full() {
        let queue = CounterSeries {
            is_recorded: false,
            device: Some("GPU 0"),
            process: None,
            stream: Some(7),
            name: "queue",
            series: "launched",
            unit: Some("works"),
            points: 2_060,
            first_ns: 0,
            last_ns: 2_070_000,
            min: 0.0,
            mean: 517.5,
            max: 1_030.0,
            full_ns: Some(26_000),
            at_ns: Vec::new(),
            values: Vec::new(),
        };
        let (mut end, begin) = io::pipe().unwrap();
        let mut out: super::Out = BufWriter::new(Box::new(begin));
        write_rows(&mut out, Screen { width: 200, palette: Palette::new(When::Never) }, &[queue], 9).unwrap();
        drop(out);
        let mut text = String::new();
        end.read_to_string(&mut text).unwrap();
        let row: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        let wanted = ["GPU", "0", "7", "queue", "launched", "2,060", "0", "517.5", "1,030", "26.00", "µs"];
        assert_eq!(row, wanted, "{text}");
    }

    #[test]
    fn numbers_have_four_digits_or_are_whole() {
        let cases =
            [(0.0, "0"), (-3.0, "-3"), (12.34567, "12.35"), (0.00012346, "0.0001235"), (1e-9, "1.000e-9")];
        for (value, wanted) in cases {
            assert_eq!(number(value), wanted);
        }
        assert_eq!(number(1.5e300), "1.500e300");
    }
}
