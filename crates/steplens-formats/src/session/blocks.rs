//! The ops of a session in blocks: of a file that ends early, those before are whole. Their columns together are one column: differences go on from
//! one block to the next, and a block has as many bytes a value as its own values need.

use super::codec::{Column, Encoding};
use super::{Damage, START};
use steplens_messages::say;
use steplens_proto::sessions::{self, Ops};

/// How many ops a block has. Half as many would take 2 % more when packed, which all take 3 % more than one block.
pub(super) const ROWS: usize = 1 << 14;

fn columns(ops: &mut Ops) -> [&mut Option<sessions::Column>; 10] {
    let Ops { node, start, length, flags, queued, kernel_start, after_kernel, thread, .. } = ops;
    let Ops { output_count, report_count, .. } = ops;
    [node, start, length, flags, queued, kernel_start, after_kernel, thread, output_count, report_count]
}

/// The values of `column`, which has `rows`, in `range`; `None` if they are not all there.
fn part(column: &sessions::Column, rows: usize, range: std::ops::Range<usize>) -> Option<sessions::Column> {
    let mut planes = Vec::new();
    for plane in 0..column.width as usize {
        let first = plane.checked_mul(rows)?;
        planes.push(column.data.get(first.checked_add(range.start)?..first.checked_add(range.end)?)?);
    }
    let has_data = !planes.is_empty();
    while planes.len() > 1 && planes.last().is_some_and(|plane| plane.iter().all(|&byte| byte == 0)) {
        planes.pop();
    }
    (has_data || column.data.is_empty()).then(|| sessions::Column {
        encoding: column.encoding,
        width: planes.len() as u32,
        data: planes.concat().into(),
    })
}

/// The rows of `ops` in `range`. A column that lacks any of these rows is left out.
pub(super) fn rows_of(ops: &Ops, range: std::ops::Range<usize>) -> Ops {
    let rows = usize::try_from(ops.rows).unwrap_or(usize::MAX);
    let mut own = ops.clone();
    for column in columns(&mut own) {
        *column = column.as_ref().and_then(|column| part(column, rows, range.clone()));
    }
    own.rows = range.len() as u64;
    own
}

/// `ops` in blocks.
pub(super) fn split(ops: Ops) -> Vec<Ops> {
    let rows = ops.rows as usize;
    if rows <= ROWS {
        return vec![ops];
    }
    (0..rows).step_by(ROWS).map(|first| rows_of(&ops, first..rows.min(first + ROWS))).collect()
}

/// Whether each column has all of its rows.
pub(super) fn is_whole(ops: &Ops) -> bool {
    let rows = usize::try_from(ops.rows).unwrap_or(usize::MAX);
    let mut own = ops.clone();
    let of_rows =
        |column: &sessions::Column| (column.width as usize).checked_mul(rows) == Some(column.data.len());
    rows > 0 && columns(&mut own).into_iter().all(|column| column.as_ref().is_some_and(of_rows))
}

/// The ops of all `blocks`, whose columns may take `most_bytes` when they are joined; `None` if there is none.
pub(super) fn joined(mut blocks: Vec<Ops>, most_bytes: usize) -> Result<Option<Ops>, Damage> {
    if blocks.len() < 2 {
        return Ok(blocks.pop());
    }
    let damage = |got| Damage::new(START as u64, got);
    let mut counts = Vec::new();
    let mut rows = 0_usize;
    for block in &blocks {
        let own = usize::try_from(block.rows).ok().filter(|&own| own <= u32::MAX as usize);
        let own = own.ok_or_else(|| damage(say!("got-large-number")))?;
        counts.push(own);
        rows = rows.saturating_add(own);
    }
    let mut taken = 0_usize;
    let mut all = Ops { rows: rows as u64, ..Ops::default() };
    for (place, joined) in columns(&mut all).into_iter().enumerate() {
        let own: Vec<_> =
            blocks.iter_mut().map(|block| columns(block)[place].take().unwrap_or_default()).collect();
        // A block without a column may claim any number of rows: those of the nodes, which are always written, come first and bound it.
        if place == 0 && own.iter().zip(&counts).any(|(column, &count)| column.data.len() < count) {
            return Err(damage(say!("got-no-row")));
        }
        let width = own.iter().map(|column| column.width as usize).max().unwrap_or(0);
        let with_data = own.iter().find(|column| !column.data.is_empty());
        let Some(encoding) = with_data.map(|column| column.encoding) else {
            *joined = Some(sessions::Column::default());
            continue;
        };
        let mut bytes = 0_usize;
        for (column, &count) in own.iter().zip(&counts) {
            let read = Column::of_planes(column, START)?;
            if !column.data.is_empty()
                && (column.encoding != encoding || column.encoding == i32::from(Encoding::Text))
            {
                return Err(read.damage(say!("got-other-width")));
            }
            // All of it is there, or nothing, which is zeros.
            read.values(count)?;
            bytes = bytes.saturating_add(width.saturating_mul(count));
        }
        taken = taken.saturating_add(bytes);
        if taken > most_bytes {
            return Err(damage(say!("got-more-values")));
        }
        let mut data = Vec::with_capacity(bytes);
        for plane in 0..width {
            for (column, &count) in own.iter().zip(&counts) {
                match column.data.get(plane * count..(plane + 1) * count) {
                    Some(values) if plane < column.width as usize => data.extend_from_slice(values),
                    _ => data.resize(data.len() + count, 0),
                }
            }
        }
        *joined = Some(sessions::Column { encoding, width: width as u32, data: data.into() });
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests {
    use super::super::codec::Writing;
    use super::*;

    #[test]
    fn blocks_together_are_what_was_split() {
        for rows in [0, 1, ROWS, ROWS + 1, 3 * ROWS - 7] {
            let mut ops = Ops { rows: rows as u64, ..Ops::default() };
            for (place, column) in columns(&mut ops).into_iter().enumerate() {
                let mut writing =
                    if place == 0 { Writing::default() } else { Writing::sparse(Encoding::Plain) };
                for row in 0..rows as i64 {
                    match place {
                        0 => writing.delta(row * 7 % 1_000),
                        // Large in one block, 0 in another, 0 in all.
                        1 => writing.number(if row == 5 { 1 << 40 } else { row as u64 % 3 }),
                        2 => writing.signed(if row < ROWS as i64 { 0 } else { -row }),
                        3 => writing.number(0),
                        _ => writing.number(row as u64),
                    }
                }
                *column = writing.message();
            }
            let blocks = split(ops.clone());
            assert_eq!(blocks.len(), rows.div_ceil(ROWS).max(1));
            let again = joined(blocks, usize::MAX).unwrap().unwrap();
            let [mut ops, mut again] = [ops, again];
            for (own, other) in columns(&mut ops).into_iter().zip(columns(&mut again)) {
                let [own, other] = [own, other].map(|column| column.clone().unwrap_or_default());
                let values = |column: &sessions::Column| {
                    let mut values = Column::of_planes(column, 0).unwrap().values(rows).unwrap();
                    (0..rows).map(|_| values.take_one()).collect::<Vec<_>>()
                };
                assert!(values(&own) == values(&other), "{rows} rows");
            }
        }
    }
}
