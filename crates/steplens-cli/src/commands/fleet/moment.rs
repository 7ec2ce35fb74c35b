//! Days and moments as users write them, in UTC.

use time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time};

/// Whether `text` is a day such as `2026-11-26`.
pub(super) fn is_day(text: &str) -> bool {
    day(text).is_some()
}

/// A moment in ns from 1970: that number itself, a day, or a day and a time such as `2026-11-26T09:30` or `2026-11-26 09:30:15Z`.
pub(super) fn unix_ns(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let moment = PrimitiveDateTime::new(day(date)?, clock(time.strip_suffix('Z').unwrap_or(time))?);
    i64::try_from(moment.assume_utc().unix_timestamp_nanos()).ok()
}

/// A moment in ns from 1970, to the second: `2026-11-26 09:30:15`; the number itself where no date has that year.
pub(super) fn written(unix_ns: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(unix_ns.into());
    at.map_or_else(
        |_| unix_ns.to_string(),
        |at| {
            let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
            format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
        },
    )
}

fn day(text: &str) -> Option<Date> {
    let [year, month, day] = numbers(text, '-')?;
    let is_usual = text.len() == 10 && text.as_bytes().get(4) == Some(&b'-');
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::from(year), month, u8::try_from(day).ok()?).ok().filter(|_| is_usual)
}

fn clock(text: &str) -> Option<Time> {
    let [hour, minute, second] = numbers(text, ':').or_else(|| {
        let [hour, minute] = numbers(text, ':')?;
        Some([hour, minute, 0])
    })?;
    let small = |value: u16| u8::try_from(value).ok();
    Time::from_hms(small(hour)?, small(minute)?, small(second)?).ok()
}

/// Exactly `N` numbers with this sign between them.
fn numbers<const N: usize>(text: &str, between: char) -> Option<[u16; N]> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = text.split(between).map(|part| part.parse().ok().filter(|_| is_number(part)));
    parts.collect::<Option<Vec<u16>>>()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_in_utc() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2026-11-26", Some(1_795_651_200_000_000_000)),
            ("2026-11-26T00:00:01Z", Some(1_795_651_201_000_000_000)),
            ("2026-11-26 01:30", Some(1_795_656_600_000_000_000)),
            ("-5", Some(-5)),
            ("1795651200000000000", Some(1_795_651_200_000_000_000)),
            ("2026-13-01", None),
            ("2026-1-1", None),
            ("2026-11-26T25:00", None),
            ("2026-11-26T1", None),
            ("noon", None),
            ("", None),
        ] {
            assert_eq!(unix_ns(text), expected, "{text}");
        }
        assert!(is_day("2026-02-28") && !is_day("2026-02-30") && !is_day("0"));
    }
}
