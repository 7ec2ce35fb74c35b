//! Lengths of time in sentences.

use steplens_messages::say;

/// A length of time: years to minutes in the largest unit of which it has at least two, all else with at least two digits: `339 ms`,
/// `3.33 ms`, `1.97 µs`. Three, where two would be off by more than a hundredth: `12.5 s`.
pub(crate) fn duration(ns: u64) -> String {
    type Written = fn(u64) -> String;
    const CALENDAR: [(Written, u64); 4] = [
        (|count| say!("long-years", count), 31_536_000_000_000_000),
        (|count| say!("long-days", count), 86_400_000_000_000),
        (|count| say!("long-hours", count), 3_600_000_000_000),
        (|count| say!("long-minutes", count), 60_000_000_000),
    ];
    // Rounded like the figures in tables: 338.96 ms are 339 ms, not 338 ms.
    let rounded = |unit: u64| ns.saturating_add(unit / 2) / unit;
    // Two digits at least: 120.9 s are not 2 minutes.
    if let Some((written, unit)) = CALENDAR.into_iter().find(|&(_, unit)| ns >= 10 * unit) {
        return written(rounded(unit));
    }
    const UNITS: [(&str, u64); 3] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)];
    // 999.5 µs are 1.00 ms.
    let is_large = |unit: u64| ns.saturating_add(unit / 2_000) >= unit;
    match UNITS.into_iter().find(|&(_, unit)| is_large(unit)) {
        None => format!("{ns} ns"),
        // 9.995 ms are 10 ms.
        Some((name, unit)) if ns >= 10 * unit - unit / 200 => {
            let off = (rounded(unit) * unit).abs_diff(ns);
            match off.saturating_mul(100) > ns {
                true => format!("{:.1} {name}", ns as f64 / unit as f64),
                false => format!("{} {name}", rounded(unit)),
            }
        }
        Some((name, unit)) => format!("{:.2} {name}", ns as f64 / unit as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn lengths_have_two_digits_at_least() {
        let written = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1.00 µs"),
            (999_499, "999 µs"),
            (999_500, "1.00 ms"),
            (1_965_252, "1.97 ms"),
            (9_994_999, "9.99 ms"),
            (9_995_000, "10 ms"),
            (338_960_000, "339 ms"),
            (12_490_000_000, "12.5 s"),
            (10_050_000, "10 ms"),
            (119_600_000_000, "120 s"),
            (381_400_000_000, "381 s"),
            (600_000_000_000, "10 minutes"),
        ];
        for (ns, text) in written {
            assert_eq!(duration(ns), text, "{ns} ns");
        }
    }
}
