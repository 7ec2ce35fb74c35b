//! Lengths of time in sentences.

use steplens_messages::say;

/// A length of time in the largest unit of which it has at least two.
pub(crate) fn duration(ns: u64) -> String {
    type Written = fn(u64) -> String;
    const UNITS: [(Written, u64); 7] = [
        (|count| say!("long-years", count), 31_536_000_000_000_000),
        (|count| say!("long-days", count), 86_400_000_000_000),
        (|count| say!("long-hours", count), 3_600_000_000_000),
        (|count| say!("long-minutes", count), 60_000_000_000),
        (|count| format!("{count} s"), 1_000_000_000),
        (|count| format!("{count} ms"), 1_000_000),
        (|count| format!("{count} µs"), 1_000),
    ];
    let unit = UNITS.into_iter().find(|&(_, unit)| ns >= 2 * unit);
    // Rounded like the figures in tables: 338.96 ms are 339 ms, not 338 ms.
    unit.map_or_else(|| format!("{ns} ns"), |(written, unit)| written(ns.saturating_add(unit / 2) / unit))
}
