//! Python's dates and durations, from the arguments of `datetime`, and as words.

use super::heap::{Heap, ObjectKind, Value};
use time::{Date, Month, OffsetDateTime};

/// A date and time of day by some clock: Python's `datetime.now()` has no time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WallTime {
    /// Microseconds from 1970, as if the clock showed UTC.
    pub(super) micros: i64,
}

/// The difference between time zones is a multiple of this.
const QUARTER_HOUR_MICROS: i64 = 15 * 60 * 1_000_000;
/// The largest difference of a time zone from UTC.
const FARTHEST_ZONE: i64 = 14 * 4;
const DAY_SECONDS: i64 = 86_400;

impl WallTime {
    /// Reads the argument of `datetime.datetime`: year (two bytes), month, day, hour, minute, second, microseconds (three).
    pub(super) fn of(heap: &Heap, value: Value) -> Option<Self> {
        let arguments = arguments_of(heap, value, b"datetime")?;
        let state = heap.items(arguments).next()?;
        let &[year_high, year_low, month, day, hour, minute, second, a, b, c] = heap.bytes_of(state) else {
            return None;
        };
        // The highest bit of the month distinguishes the two passes of the hour when clocks go back.
        let month = Month::try_from(month & 0x7f).ok()?;
        let date =
            Date::from_calendar_date(i32::from(year_high) << 8 | i32::from(year_low), month, day).ok()?;
        let micros = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        let moment = date.with_hms_micro(hour, minute, second, micros).ok()?.assume_utc();
        Some(Self { micros: i64::try_from(moment.unix_timestamp_nanos() / 1_000).ok()? })
    }

    /// The zone of the clock, in quarters of an hour, if it showed this time within minutes after `unix_ns`.
    pub(super) fn zone_after(self, unix_ns: i64) -> Option<i64> {
        let ahead = self.micros - unix_ns.div_euclid(1_000);
        let zone = (ahead + QUARTER_HOUR_MICROS / 2).div_euclid(QUARTER_HOUR_MICROS);
        (zone.abs() <= FARTHEST_ZONE).then_some(zone)
    }

    /// The time in ns from 1970, if the clock was in `zone`.
    pub(super) fn unix_ns(self, zone: i64) -> i64 {
        (self.micros - zone * QUARTER_HOUR_MICROS).saturating_mul(1_000)
    }

    /// The time as `2026-11-20 17:56:43.585`.
    pub(super) fn text(self) -> String {
        let Ok(moment) = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.micros) * 1_000) else {
            return format!("{} µs from 1970", self.micros);
        };
        let (hour, minute, second, millis) =
            (moment.hour(), moment.minute(), moment.second(), moment.millisecond());
        format!("{} {hour:02}:{minute:02}:{second:02}.{millis:03}", moment.date())
    }
}

/// A `datetime.timedelta` (days, seconds, microseconds) in microseconds.
pub(super) fn duration_micros(heap: &Heap, value: Value) -> Option<i64> {
    let arguments = arguments_of(heap, value, b"timedelta")?;
    let mut parts = heap.items(arguments).map(|part| match part {
        Value::Int(number) => Some(i64::from(number)),
        _ => None,
    });
    let mut part = || parts.next().flatten();
    let (days, seconds, micros) = (part()?, part()?, part()?);
    Some((days * DAY_SECONDS + seconds) * 1_000_000 + micros)
}

/// A duration in a suitable unit.
pub(super) fn duration_text(micros: i64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{}.{:03} ms", micros / 1_000, micros % 1_000),
        _ => format!("{}.{:03} s", micros / 1_000_000, micros / 1_000 % 1_000),
    }
}

/// The arguments of a call of a class in the module `datetime`.
fn arguments_of(heap: &Heap, value: Value, name: &[u8]) -> Option<Value> {
    let ObjectKind::Instance(class) = heap.kind(value)? else { return None };
    let is_class = heap.class_of(class) == Some((b"datetime", name));
    heap.entries(value).next().filter(|_| is_class).map(|(_, arguments)| arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(heap: &mut Heap, name: &[u8], arguments: &[Value]) -> Value {
        let (module, name) = (heap.text(b"datetime"), heap.text(name));
        let class = heap.class(module, name);
        let (tuple, object) = (heap.object(ObjectKind::Tuple), heap.object(ObjectKind::Instance(class)));
        arguments.iter().for_each(|&argument| heap.add_item(tuple, argument));
        heap.add_item(object, tuple);
        object
    }

    #[test]
    fn dates_are_pythons() {
        let mut heap = Heap::default();
        // datetime(2026, 11, 20, 17, 56, 43, 585486), the second time with fold=1.
        for month in [11, 11 | 0x80] {
            let state = heap.text(&[7, 0xea, month, 20, 17, 56, 43, 8, 0xef, 14]);
            let date = called(&mut heap, b"datetime", &[state]);
            let date = WallTime::of(&heap, date).map(|date| (date.micros, date.text()));
            assert_eq!(date, Some((1_795_197_403_585_486, "2026-11-20 17:56:43.585".to_owned())));
        }
        for (year, month, day, days) in
            [(1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (1, 1, 1, -719_162)]
        {
            let state = heap.text(&[(year >> 8) as u8, year as u8, month, day, 0, 0, 0, 0, 0, 0]);
            let date = called(&mut heap, b"datetime", &[state]);
            let date = WallTime::of(&heap, date).expect("a date");
            assert_eq!(
                (date.micros, date.text()),
                (days * DAY_SECONDS * 1_000_000, format!("{year:04}-{month:02}-{day:02} 00:00:00.000"))
            );
        }
        let damaged = heap.text(&[7, 0xea, 13, 20, 17, 56, 43, 8, 0xef, 14]);
        let damaged = called(&mut heap, b"datetime", &[damaged]);
        assert_eq!(WallTime::of(&heap, damaged), None);
    }

    #[test]
    fn zones_follow_from_what_was_recorded() {
        let hour_micros = 3_600_000_000;
        for (ahead, zone) in
            [(0, Some(0)), (2 * hour_micros, Some(8)), (-19_800_000_000, Some(-22)), (20 * hour_micros, None)]
        {
            let shown = WallTime { micros: 1_795_197_403_000_000 + ahead + 3_000_000 };
            assert_eq!(shown.zone_after(1_795_197_403_000_000_000), zone);
            if let Some(zone) = zone {
                assert_eq!(shown.unix_ns(zone), 1_795_197_406_000_000_000);
            }
        }
    }

    #[test]
    fn durations_are_days_seconds_and_microseconds() {
        let mut heap = Heap::default();
        let value = called(&mut heap, b"timedelta", &[Value::Int(1), Value::Int(2), Value::Int(3)]);
        assert_eq!(duration_micros(&heap, value), Some(86_402_000_003));
        let texts = [7, 72_745, 2_500_000].map(duration_text);
        assert_eq!(texts, ["7 µs", "72.745 ms", "2.500 s"]);
    }
}
