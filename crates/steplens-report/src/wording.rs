//! Counts and lengths of time within sentences.

pub(crate) fn plural(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// A length of time in the largest unit that it has two of.
pub(crate) fn duration(ns: u64) -> String {
    const UNITS: [(&str, u64); 7] = [
        ("years", 31_536_000_000_000_000),
        ("days", 86_400_000_000_000),
        ("hours", 3_600_000_000_000),
        ("minutes", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("µs", 1_000),
    ];
    let unit = UNITS.into_iter().find(|&(_, unit)| ns >= 2 * unit);
    unit.map_or_else(|| format!("{ns} ns"), |(word, unit)| format!("{} {word}", ns / unit))
}
