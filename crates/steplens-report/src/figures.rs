//! Figures with units, formatted as on the page: for the program, and for pictures.

use steplens_messages::{Argument, Message};

/// Shown where a figure is not known.
pub const UNKNOWN: &str = "–";

/// A count with separators: `4,175`.
pub fn count(count: u64) -> String {
    steplens_messages::grouped(count)
}

/// A count with its noun: `no op`, `1 op`, `2 ops`.
pub fn plural(number: impl TryInto<u64>, counted: &Message) -> String {
    counted.text(&[("count", Argument::Grouped(number.try_into().unwrap_or(u64::MAX)))])
}

const UNITS: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];

/// A length of time with four significant digits: `1.234 ms`, `12.34 µs`, `250 ns`, `0`.
pub fn duration(ns: i64) -> String {
    if ns == 0 {
        return "0".to_owned();
    }
    let size = ns.unsigned_abs() as f64;
    let mut unit = UNITS.iter().rposition(|&(_, ns)| size >= ns).unwrap_or(0);
    // 999.96 µs would be shown as 1000.0 µs.
    if unit > 0 && unit < 3 && size / UNITS[unit].1 >= 999.95 {
        unit += 1;
    }
    let (name, scale) = UNITS[unit];
    let value = size / scale;
    let number = match value {
        _ if unit == 0 => count(ns.unsigned_abs()),
        1000.0.. => count(value.round() as u64),
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    format!("{}{number} {name}", if ns < 0 { "-" } else { "" })
}

/// The start and the end of a stretch of time, in one unit and with enough decimals to show a thousandth of it: `84.00 ms`, `126.00
/// ms`.
pub fn ends(start: i64, end: i64) -> (String, String) {
    let size = start.unsigned_abs().max(end.unsigned_abs()) as f64;
    let (name, scale) = UNITS[UNITS.iter().rposition(|&(_, ns)| size >= ns).unwrap_or(0)];
    let resolution = (end.abs_diff(start) as f64 / 1000.0).max(1.0);
    let decimals = ((scale / resolution).log10() - 1e-9).ceil().max(0.0) as usize;
    let at = |ns: i64| format!("{:.decimals$} {name}", ns as f64 / scale);
    (at(start), at(end))
}

/// A length of time that may be unknown.
pub fn maybe_duration(ns: Option<i64>) -> String {
    ns.map_or_else(|| UNKNOWN.to_owned(), duration)
}

/// A size in powers of 1024, as allocators count: `512 B`, `1.21 MiB`.
pub fn bytes(bytes: u64) -> String {
    let steps = ["B", "KiB", "MiB", "GiB", "TiB"];
    scaled(bytes as f64, 1024.0, &steps)
}

/// A speed in powers of 1000, as networks count: `1.21 GB/s`.
pub fn rate(bytes: u64, ns: Option<i64>) -> String {
    match ns {
        Some(ns) if ns > 0 && bytes > 0 => {
            let steps = ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"];
            scaled(bytes as f64 / ns as f64 * 1e9, 1000.0, &steps)
        }
        _ => UNKNOWN.to_owned(),
    }
}

/// A number of floating-point operations: `19.3 GFLOP`.
pub fn flops(flops: f64) -> String {
    scaled(flops, 1000.0, &["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"])
}

/// How many of them in a second: `9.40 TFLOP/s`.
pub fn flop_rate(per_second: f64) -> String {
    format!("{}/s", flops(per_second))
}

fn scaled(mut value: f64, base: f64, steps: &[&str]) -> String {
    let mut step = 0;
    while value >= base - 0.5 && step + 1 < steps.len() {
        value /= base;
        step += 1;
    }
    let number = match value {
        _ if step == 0 => count(value.round() as u64),
        1000.0.. => count(value.round() as u64),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    format!("{number} {}", steps[step])
}

/// `part` of `whole` as a percentage with one decimal; `<0.1 %` if it is not 0 but rounds to 0.
pub fn share(part: i64, whole: i64) -> String {
    if whole <= 0 {
        return UNKNOWN.to_owned();
    }
    let share = part as f64 / whole as f64 * 100.0;
    if share > 0.0 && share < 0.05 {
        return "<0.1 %".to_owned();
    }
    format!("{share:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Like `formatEnds` in www/src/base/time.ts, except for thousands.
    #[test]
    fn both_ends_have_one_unit_and_as_many_decimals() {
        let ends = [(84_000_000, 126_000_000), (0, 209_531_000), (316, 1_000), (5, 5)]
            .map(|(start, end)| ends(start, end));
        let said = ends.each_ref().map(|(from, to)| format!("{from} to {to}"));
        assert_eq!(said[0], "84.00 ms to 126.00 ms");
        assert_eq!(said[1], "0.0 ms to 209.5 ms");
        assert_eq!(said[2], "0.316 µs to 1.000 µs");
        assert_eq!(said[3], "5 ns to 5 ns");
    }

    #[test]
    fn figures_read_as_on_the_page() {
        let durations = [
            0,
            7,
            1_000,
            12_340,
            999_960,
            1_234_000,
            338_971_000,
            61_000_000_000,
            5_000_000_000_000,
            -12_340,
        ];
        assert_eq!(
            durations.map(duration),
            [
                "0",
                "7 ns",
                "1.000 µs",
                "12.34 µs",
                "1.000 ms",
                "1.234 ms",
                "339.0 ms",
                "61.00 s",
                "5,000 s",
                "-12.34 µs"
            ]
        );
        assert_eq!(
            [0, 128, 1023, 1024, 1_363_149].map(bytes),
            ["0 B", "128 B", "1,023 B", "1.00 KiB", "1.30 MiB"]
        );
        assert_eq!(bytes(u64::MAX), "16,777,216 TiB");
        assert_eq!(rate(1_000_000, Some(1_000_000)), "1.00 GB/s");
        assert_eq!(rate(1, None), UNKNOWN);
        assert_eq!([0.0, 999.6, 9.4e12].map(flops), ["0 FLOP", "1.00 kFLOP", "9.40 TFLOP"]);
        assert_eq!(flop_rate(1.5e21), "1,500,000 PFLOP/s");
        assert_eq!(
            [share(0, 9), share(1, 10_000), share(1, 3), share(1, 0)],
            ["0.0 %", "<0.1 %", "33.3 %", UNKNOWN]
        );
        assert_eq!(
            [count(0), count(999), count(1_000), count(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
