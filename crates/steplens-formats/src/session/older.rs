//! Versions 1 and 2 as version 3 has them: the same tables, whose columns are varints in sections.

use super::codec::{Column, Encoding, Writing, zigzag};
use super::envelope::Message;
use super::ops::{HAS_KERNEL, IS_QUEUED};
use super::tables::field_of;
use super::{Damage, Shown};
use steplens_messages::say;

use Encoding::{Delta, Plain, Text, Zigzag};

/// What columns are that the reader does not ask value by value; all others may be called plain.
const ENCODINGS: [([u8; 4], &[Encoding]); 6] = [
    (*b"strs", &[Plain, Plain, Text]),
    (*b"oper", &[Delta, Plain, Plain, Plain, Zigzag, Zigzag, Zigzag, Zigzag, Plain, Plain]),
    (*b"outs", &[Plain, Zigzag]),
    (*b"mems", &[Plain, Plain]),
    (*b"recs", &[Zigzag, Zigzag]),
    (*b"optp", &[Delta]),
];

/// The session of `version` whose sections are all of `file`, as version 3 has it.
#[cold]
#[inline(never)]
pub(super) fn renewed(version: u8, mut file: Column<'_>) -> Result<Vec<u8>, Damage> {
    let mut out = Message::session(&Shown::default());
    while file.len() > 0 {
        let tag = file.take(4)?.first_chunk().copied().unwrap_or_default();
        let length = file.number()?;
        let mut body = file.part(length)?;
        let most = body.len();
        if field_of(tag) == 0 || most == 0 {
            continue;
        }
        let mut rows = body.row(most)?;
        let mut columns = Vec::new();
        while body.len() > 0 {
            let length = body.number()?;
            let column = body.part(length)?;
            let known = ENCODINGS.iter().find(|(own, _)| *own == tag);
            let encoding = known.and_then(|(_, all)| all.get(columns.len()).copied()).unwrap_or_default();
            columns.push(numbers(column, encoding)?);
        }
        match &tag {
            // All times count from the first start.
            b"head" => columns.push(Writing::of(Zigzag, vec![0])),
            b"devs" if version == 1 => columns.push(Writing::of(Plain, vec![0; rows])),
            b"oper" => dense(&mut columns, &body)?,
            b"muse" => rows = sparse(&mut columns),
            _ => {}
        }
        out.columns(tag, rows, columns);
    }
    Ok(out.0)
}

/// All of `column`.
fn numbers(mut column: Column<'_>, encoding: Encoding) -> Result<Writing, Damage> {
    if encoding == Text {
        let mut rests = Writing::of(encoding, Vec::new());
        rests.text = column.take(column.len() as u64)?.to_vec();
        return Ok(rests);
    }
    let mut values = Vec::new();
    while column.len() > 0 {
        values.push(column.number()?);
    }
    Ok(Writing::of(encoding, values))
}

/// Gives every op a row of what only those have that say so, and threads their sign.
fn dense(columns: &mut [Writing], body: &Column<'_>) -> Result<(), Damage> {
    let [_, _, _, flags, queued, kernel_start, after_kernel, threads, ..] = columns else {
        return Err(body.damage(say!("got-early-data-end")));
    };
    for (column, flag) in [(queued, IS_QUEUED), (kernel_start, HAS_KERNEL), (after_kernel, HAS_KERNEL)] {
        let mut own = column.values.iter().copied();
        let rows = flags.values.iter().map(|&flags| if flags & flag != 0 { own.next() } else { Some(0) });
        let rows = rows.collect::<Option<Vec<u64>>>().filter(|_| own.next().is_none());
        column.values = rows.ok_or_else(|| body.damage(say!("got-more-values")))?;
    }
    for thread in &mut threads.values {
        let own = u32::try_from(*thread).map_err(|_| body.damage(say!("got-large-number")))?;
        *thread = zigzag(i64::from(own as i32));
    }
    Ok(())
}

/// Leaves only the reports with something in use, and says how many these are.
fn sparse(columns: &mut Vec<Writing>) -> usize {
    let [mut reports, mut in_use] = [(); 2].map(|()| Writing::default());
    for (report, &bytes) in columns.iter().take(1).flat_map(|column| column.values.iter().enumerate()) {
        if let Some(bytes) = bytes.checked_sub(1) {
            reports.delta(report as i64);
            in_use.number(bytes);
        }
    }
    let rows = in_use.values.len();
    *columns = vec![reports, in_use];
    rows
}
