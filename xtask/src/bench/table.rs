//! The table: each figure, its ratio to a yardstick of the same machine, the goal, and the last ratio that was kept.

use std::fs;
use std::path::PathBuf;

use super::figures::Figures;
use crate::run::{Result, root};

/// What the figure is divided by, so that machines can be compared.
enum Yardstick {
    /// prost's speed on the same file.
    ProstSpeed,
    /// The time that prost takes for the large file.
    ProstTime,
    /// Another figure of this run.
    Figure(&'static str),
    /// The figure divides this one: how many times as long that takes.
    Under(&'static str),
    /// None: the figure is the same on every machine.
    Itself,
}

struct Row {
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    yardstick: Yardstick,
    goal: f64,
    /// Whether more is better.
    more: bool,
}

const fn row(
    figure: &'static str,
    what: &'static str,
    unit: &'static str,
    yardstick: Yardstick,
    goal: f64,
    more: bool,
) -> Row {
    Row { figure, what, unit, yardstick, goal, more }
}

use Yardstick::{Figure, Itself, ProstSpeed, ProstTime, Under};

/// Goals of times are those of a machine on which prost decodes 245 MB/s, which takes 309 ms for the large file; those of 253, of one on which it decodes 300.
const ROWS: [Row; 27] = [
    row("native_mb_s", "decode natively", "MB/s", ProstSpeed, 5.0, true),
    row("wasm_mb_s", "decode in wasm", "MB/s", ProstSpeed, 3.7, true),
    row("wasm_mb_s", "  of the native speed", "MB/s", Figure("native_mb_s"), 0.75, true),
    row("native_session_ms", "session natively, next to its .pb", "ms", Under("native_pb_ms"), 5.0, true),
    row("native_session_trace_ms", "  to its trace", "ms", Under("native_pb_trace_ms"), 5.0, true),
    row("wasm_session_ms", "session in wasm, next to its .pb", "ms", Under("wasm_pb_ms"), 5.0, true),
    row("wasm_session_trace_ms", "  to its trace", "ms", Under("wasm_pb_trace_ms"), 5.0, true),
    row("wasm_chrome_mb_s", "Chrome JSON in wasm", "MB/s", ProstSpeed, 600.0 / 245.0, true),
    row("wasm_xspace_mb_s", "XSpace in wasm", "MB/s", ProstSpeed, 300.0 / 245.0, true),
    row("open_ms", "250,500 ops, choice to first frame", "ms", ProstTime, 250.0 / 309.0, false),
    row("open_pb_gz_ms", "  packed with gzip, next to plain", "ms", Figure("open_ms"), 1.2, false),
    row("open_json_gz_ms", "  the same as Chrome JSON", "ms", Figure("open_json_ms"), 1.2, false),
    row("wasm_xspace_trace_ms", "XSpace in wasm, to its trace", "ms", ProstTime, 150.0 / 253.0, false),
    row("wasm_table_ms", "totals and transfers' table, asked first", "ms", ProstTime, 300.0 / 253.0, false),
    row("wasm_memory_ms", "memory, asked first", "ms", ProstTime, 140.0 / 253.0, false),
    row("wasm_path_ms", "both paths and slack, asked first", "ms", ProstTime, 130.0 / 253.0, false),
    row(
        "wasm_compare_ms",
        "two steps of 250,500 ops compared, asked first",
        "ms",
        ProstTime,
        1000.0 / 253.0,
        false,
    ),
    row("beside_perfetto_ms", "  beside Perfetto, times faster", "ms", Under("perfetto_ms"), 30.0, true),
    row("sample_ms", "first visit to the sample's first frame", "ms", ProstTime, 400.0 / 309.0, false),
    row(
        "wasm_network_ms",
        "everything of the tab Network, asked first",
        "ms",
        ProstTime,
        150.0 / 309.0,
        false,
    ),
    row("native_network_ms", "  natively", "ms", ProstTime, 90.0 / 309.0, false),
    row("native_replay_ms", "replay natively, the causes known", "ms", ProstTime, 600.0 / 309.0, false),
    row("frame_hd_p99_ms", "p99 of a frame, 1600x900", "ms", Figure("scene_hd_ms"), f64::NAN, false),
    row("frame_hd_p99_ms", "  in all", "ms", Itself, 8.0, false),
    row("frame_4k_p99_ms", "p99 of a frame, 3840x2160", "ms", Figure("scene_4k_ms"), f64::NAN, false),
    row("frame_4k_p99_ms", "  in all", "ms", Itself, 8.0, false),
    row("bytes_per_op_all", "memory an op, all asked", "bytes", Itself, 64.0, false),
];

/// A change smaller than this may be the machine's.
const NOISE: f64 = 0.1;

/// Prints `figures` next to those that were kept last; keeps them instead, if that is wanted.
pub(crate) fn print(figures: &Figures, keep: bool) -> Result {
    let kept = kept_file();
    let last: Figures = match fs::read_to_string(&kept) {
        Ok(text) => serde_json::from_str(&text).map_err(|why| format!("{}: {why}", kept.display()))?,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Figures::new(),
        Err(why) => return Err(format!("{}: {why}", kept.display())),
    };
    println!("| figure | now | ratio | goal | ratio kept last | change |");
    println!("|---|---:|---:|---:|---:|---:|");
    for row in &ROWS {
        println!("{}", row.line(figures, &last));
    }
    if let Some(&kilobytes) = figures.get("core_kb") {
        println!("\nThe core weighs {} KB, packed.", number(kilobytes));
    }
    if keep {
        let text = serde_json::to_string_pretty(figures).map_err(|why| why.to_string())?;
        fs::write(&kept, text + "\n").map_err(|why| format!("{}: {why}", kept.display()))?;
    }
    Ok(())
}

/// Committed, so that a slower commit is seen on any machine.
fn kept_file() -> PathBuf {
    root().join("tests/bench.json")
}

impl Row {
    fn line(&self, figures: &Figures, last: &Figures) -> String {
        let Some(value) = figures.get(self.figure) else {
            return format!("| {} | not measured | | {} | | |", self.what, number(self.goal));
        };
        let (now, before) = (self.ratio(figures), self.ratio(last));
        let change = now.zip(before).map(|(now, before)| now / before - 1.0);
        let change = change.map_or_else(String::new, |change| {
            let is_worse = if self.more { change < -NOISE } else { change > NOISE };
            format!("{:+.0} %{}", change * 100.0, if is_worse { " WORSE" } else { "" })
        });
        format!(
            "| {} | {} {} | {} | {} | {} | {change} |",
            self.what,
            number(*value),
            self.unit,
            now.map_or_else(String::new, number),
            number(self.goal),
            before.map_or_else(String::new, number),
        )
    }

    fn ratio(&self, figures: &Figures) -> Option<f64> {
        let value = figures.get(self.figure)?;
        let of = |name: &str| figures.get(name).copied();
        Some(match self.yardstick {
            ProstSpeed => value / of("prost_mb_s")?,
            ProstTime => value / of("prost_ms")?,
            Figure(name) => value / of(name)?,
            Under(name) => of(name)? / value,
            Itself => *value,
        })
    }
}

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => String::new(),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
