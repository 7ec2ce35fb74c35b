//! The day of a moment.

use time::OffsetDateTime;

/// The day of `unix_ns` in UTC, as `2026-11-26`; empty outside of the years that a date has.
pub(super) fn day(unix_ns: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(unix_ns.into());
    at.map_or_else(
        |_| String::new(),
        |at| format!("{:04}-{:02}-{:02}", at.year(), u8::from(at.month()), at.day()),
    )
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_in_utc() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(1_795_219_199_999_999_999), "2026-11-20");
        assert_eq!(day(-1), "1969-12-31");
    }
}
