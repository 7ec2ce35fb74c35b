//! Columns of a session as columns of a trace: from planes of bytes directly to the trace's form, in one loop if possible.

use super::Damage;
use super::codec::{Column, Encoding, Planes, Values};
use steplens_core::storage::column::{Column as Stored, ColumnBuilder, extent};
use steplens_core::storage::ranges::Ranges;
use steplens_messages::say;

/// The column with its values unchanged.
pub(super) fn any(column: &Column<'_>, rows: usize) -> Result<Stored, Damage> {
    below(column, rows, usize::MAX)
}

/// The column, whose values must be rows of a table of `most` rows; with the highest `most` any value is allowed.
#[inline(never)]
pub(super) fn below(column: &Column<'_>, rows: usize, most: usize) -> Result<Stored, Damage> {
    let values = column.values(rows)?;
    if column.is_nothing() && most > 0 {
        return Ok(Stored::same(0));
    }
    let is_row = most < usize::MAX;
    let is_signed = column.encoding() == Encoding::Zigzag;
    if let Some((stored, highest)) = straight(column).filter(|_| !(is_row && is_signed)) {
        return match is_row && rows > 0 && highest >= most as u64 {
            false => Ok(stored),
            true => Err(values.damage(say!("got-no-row"))),
        };
    }
    let (stored, met) = stored(rows, column.likely_extent(), &values);
    // Columns with values of eight bytes report no extent.
    if is_row && rows > 0 && (met.0 < 0 || met.1 as u64 >= most as u64) {
        return Err(values.damage(say!("got-no-row")));
    }
    Ok(stored)
}

/// The column from planes of up to four bytes, and its highest value if it has no signs; `None` if the values do not fit.
fn straight(column: &Column<'_>) -> Option<(Stored, u64)> {
    match (column.encoding(), column.planes()?) {
        (Encoding::Plain, planes @ (Planes::One(_) | Planes::Two(..))) => narrow(planes, u64::from),
        (Encoding::Plain, planes @ Planes::Three(..)) => three_bytes(planes, u64::from),
        (Encoding::Delta, planes @ (Planes::One(_) | Planes::Two(..))) => narrow(planes, sums()),
        (Encoding::Delta, planes @ Planes::Three(..)) => three_bytes(planes, sums()),
        (Encoding::Zigzag, planes) => with_signs(planes, |_| true).map(|stored| (stored, 0)),
        _ => None,
    }
}

/// Sums up differences. A negative sum is a large number, because it has no sign.
fn sums() -> impl FnMut(u32) -> u64 {
    let mut sum = 0_i64;
    move |value| {
        sum = sum.wrapping_add(i64::from(signed(value)));
        sum as u64
    }
}

/// Like `unzigzag`, for four bytes.
#[inline(always)]
fn signed(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// A column with two bytes per value, and its highest value.
#[inline(always)]
fn narrow(planes: Planes<'_>, mut decoded: impl FnMut(u32) -> u64) -> Option<(Stored, u64)> {
    let mut most = 0;
    let values = planes.map(|value| {
        let value = decoded(value);
        most = most.max(value);
        value as u16
    });
    Stored::narrow(values, most).map(|stored| (stored, most))
}

/// A column with three bytes per value, and its highest value.
#[inline(always)]
fn three_bytes(planes: Planes<'_>, mut decoded: impl FnMut(u32) -> u64) -> Option<(Stored, u64)> {
    let mut most = 0;
    let values = planes.map(|value| {
        let value = decoded(value);
        most = most.max(value);
        Stored::three_bytes(value as u32)
    });
    Stored::packed(values, most).map(|stored| (stored, most))
}

/// The column of the signed values of the rows for which `flags` has the flag `wanted`, and no value for others; `None` if it is no
/// column of planes of up to four bytes.
pub(super) fn with_flag(column: &Column<'_>, flags: &Column<'_>, wanted: u64) -> Option<Stored> {
    match (column.planes()?, flags.planes()?) {
        (planes, Planes::One(flags))
            if column.encoding() == Encoding::Zigzag && flags.len() == planes.len() =>
        {
            with_signs(planes, |row| u64::from(flags[row]) & wanted != 0)
        }
        _ => None,
    }
}

/// A column with three or four bytes per signed value, for the rows with a value.
#[inline(always)]
fn with_signs(planes: Planes<'_>, has_value: impl Fn(usize) -> bool) -> Option<Stored> {
    let (mut most, mut row) = (0, 0);
    let mut decoded = |value| {
        most = most.max(value);
        row += 1;
        has_value(row - 1).then(|| signed(value))
    };
    // The range of values whose zigzag code is at most this.
    let extent = |most: u32| (-i64::from(most / 2) - 1, i64::from(most / 2));
    if let Planes::Four(..) = planes {
        let values = planes.map(|value| Stored::four_bytes(decoded(value)));
        return Stored::medium(values, extent(most).0);
    }
    let values = planes.map(|value| Stored::three_signed_bytes(decoded(value)));
    Stored::packed_signed(values, extent(most))
}

/// The column of values that are `likely` in this range, and their real range.
fn stored(rows: usize, likely: (i64, i64), values: &Values<'_>) -> (Stored, (i64, i64)) {
    let (stored, met) = Stored::of_blocks(rows, likely, values.clone());
    if met.0 >= likely.0 && met.1 <= likely.1 {
        return (stored, met);
    }
    let met = extent(values.clone());
    (Stored::of_blocks(rows, met, values.clone()).0, met)
}

/// Ranges with the lengths in `column`, whose sum must be `total`.
#[inline(never)]
pub(super) fn ranges(column: &Column<'_>, rows: usize, total: usize) -> Result<Ranges, Damage> {
    let mut values = column.values(rows)?;
    let mut sum = 0_u64;
    let ranges = match column.planes() {
        Some(Planes::One(lengths)) if column.encoding() == Encoding::Plain => {
            sum = lengths.iter().map(|&length| u64::from(length)).sum();
            Ranges::of_bytes(lengths)
        }
        _ => {
            let length = |_| {
                let length = values.take_one() as u64;
                sum = sum.saturating_add(length);
                length as u32
            };
            Ranges::of(rows, (0..rows).map(length))
        }
    };
    // If the sum is right, no length is too large.
    if sum != total as u64 || total > u32::MAX as usize {
        return Err(values.damage(say!("got-more-values")));
    }
    Ok(ranges)
}

/// For each row in `column`, which are rows of kinds, the row in the builder.
pub(super) fn of_kinds(column: &Column<'_>, rows: usize, kinds: &[u32]) -> Result<Stored, Damage> {
    if kinds.iter().enumerate().all(|(row, &kind)| row == kind as usize) {
        return below(column, rows, kinds.len());
    }
    // The file has a kind twice.
    let mut values = column.values(rows)?;
    let mut stored = ColumnBuilder::default();
    for _ in 0..rows {
        let kind = usize::try_from(values.take_one()).ok().and_then(|row| kinds.get(row));
        stored.push(i64::from(*kind.ok_or_else(|| values.damage(say!("got-no-row")))?));
    }
    Ok(stored.in_order())
}

#[cfg(test)]
mod tests {
    use super::super::codec::Writing;
    use super::*;

    /// Values at the edges of every width, in planes of `encoding`.
    fn written(encoding: Encoding, most: i64) -> (Vec<i64>, Writing) {
        let near = |edge: i64| (edge - 4..=edge + 1).filter(move |&value| value <= most);
        let edges = [4, 0xff, 0xffff, 0x7f_ffff, 0xff_ffff, 0x7fff_ffff, 0xffff_ffff, 1 << 40];
        let mut values: Vec<i64> = edges.into_iter().flat_map(near).collect();
        if encoding == Encoding::Zigzag {
            let negative: Vec<i64> = values.iter().map(|value| -value).collect();
            values.extend(negative);
        }
        let mut column = Writing::default();
        for &value in &values {
            match encoding {
                Encoding::Zigzag => column.signed(value),
                Encoding::Delta => column.delta(value),
                _ => column.number(value as u64),
            }
        }
        (values, column)
    }

    #[test]
    fn values_at_the_edges_of_every_width_come_back() {
        for encoding in [Encoding::Plain, Encoding::Zigzag, Encoding::Delta] {
            for bits in 4..42 {
                for most in (1_i64 << bits) - 5..=(1 << bits) + 2 {
                    let (values, column) = written(encoding, most);
                    let message = column.message().unwrap();
                    let width = message.width;
                    let column = Column::of_planes(&message, 0).unwrap();
                    let stored = any(&column, values.len()).unwrap();
                    let of_rows = |(row, &value): (usize, &i64)| stored.get_option(row) == Some(value);
                    assert!(values.iter().enumerate().all(of_rows), "{encoding:?} up to {most}");
                    assert!(any(&column, values.len() + 1).is_err());
                    let highest = values.iter().copied().max().unwrap_or(0) as usize;
                    assert!(below(&column, values.len(), highest).is_err(), "{encoding:?} {most}");
                    // Row numbers never need more than four bytes.
                    let are_rows = encoding != Encoding::Zigzag && width <= 4;
                    assert_eq!(below(&column, values.len(), highest + 1).is_ok(), are_rows);
                }
            }
        }
    }

    #[test]
    fn rows_without_the_flag_have_no_value() {
        for most in [100, 0x7f_fffd, 0x7f_ffff, 0x7fff_fffd, 0x7fff_ffff] {
            let (values, column) = written(Encoding::Zigzag, most);
            let mut flags = Writing::default();
            (0..values.len()).for_each(|row| flags.number([1, 2, 3][row % 3]));
            let [column, flags] = [column, flags].map(|own| own.message().unwrap());
            let [column, flags] = [&column, &flags].map(|own| Column::of_planes(own, 0).unwrap());
            let Some(stored) = with_flag(&column, &flags, 1) else {
                assert!(most > 0x7f_fffd, "{most} fits");
                continue;
            };
            let wanted = |row: usize| (row % 3 != 1).then_some(values[row]);
            assert!((0..values.len()).all(|row| stored.get_option(row) == wanted(row)));
        }
    }

    #[test]
    fn lengths_are_ranges_if_they_are_as_many_as_they_should_be() {
        for lengths in [&[0, 3, 255, 1, 254][..], &[0, 0], &[700, 2], &[]] {
            let mut column = Writing::default();
            lengths.iter().for_each(|&length| column.number(length));
            let total = lengths.iter().sum::<u64>() as usize;
            let message = column.message().unwrap();
            let column = Column::of_planes(&message, 0).unwrap();
            let ranges = ranges(&column, lengths.len(), total).unwrap();
            let mut next = 0;
            for (row, &length) in lengths.iter().enumerate() {
                let range = ranges.get(row);
                assert!(total == 0 || range.start == next);
                assert_eq!(range.len(), length as usize);
                next = range.end;
            }
            assert!(super::ranges(&column, lengths.len(), total + 1).is_err());
        }
    }
}
