//! The tables of a session whose message cannot be decoded: what is whole stays as it is, of what is cut there is as much as the file holds, and
//! behind a broken length the next table, or the next column, is sought.
//!
//! A place counts as the next table only if the lengths within it fill it to the last byte and others follow, and as the next column only if that and
//! all behind it fill the rest of the table. Both are in order of their numbers.

use super::{CHECKSUM, CHECKSUM_BYTES, START};
use crate::wire;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use steplens_proto::sessions;

/// The numbers of the tables.
const FIRST_TABLE: u32 = 10;
const LAST_TABLE: u32 = 35;
const OPS: u32 = 20;
/// The column with the highest number, with room for what a newer Steplens adds.
const MOST_COLUMNS: u32 = 31;
/// What is found by searching has at least this length, in bytes: less is found anywhere.
const LEAST_FOUND: usize = 6;
/// How many tables one after the other are no accident.
const ENOUGH_TABLES: usize = 3;

/// A session that can be decoded, made of what is left of another.
pub(super) struct Rebuilt {
    pub(super) file: Vec<u8>,
    /// The numbers of tables that are not whole, and whether they have no rows left.
    pub(super) broken: Vec<(u32, bool)>,
    /// Whether bytes are left that are of no table that is known.
    pub(super) is_open: bool,
}

/// The start of a field: its number, how it is written, where its content begins, and where that ends if the length is right.
#[derive(Clone, Copy)]
struct Head {
    number: u32,
    wire: u64,
    start: usize,
    /// May lie behind the end of the bytes.
    end: usize,
}

const VARINT: u64 = WireType::Varint as u64;
const BYTES: u64 = WireType::LengthDelimited as u64;
const FOUR: u64 = WireType::ThirtyTwoBit as u64;

fn head(bytes: &[u8]) -> Option<Head> {
    let (key, key_bytes) = wire::varint(bytes)?;
    let number = u32::try_from(key >> 3).ok().filter(|&number| number > 0)?;
    let (wire, rest) = (key & 7, &bytes[key_bytes..]);
    let (start, length) = match wire {
        VARINT => (key_bytes, wire::varint(rest)?.1 as u64),
        FOUR => (key_bytes, 4),
        BYTES => {
            let (length, length_bytes) = wire::varint(rest)?;
            (key_bytes + length_bytes, length)
        }
        _ => return None,
    };
    let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length))?;
    Some(Head { number, wire, start, end })
}

/// Whether `bytes` are a column: an encoding, a width and the data, and nothing else.
fn is_column(bytes: &[u8]) -> bool {
    let (mut at, mut last) = (0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let wire_of = |number| if number == 3 { BYTES } else { VARINT };
        match head(rest) {
            Some(own)
                if own.number > last
                    && own.number <= 3
                    && own.wire == wire_of(own.number)
                    && own.end <= rest.len() =>
            {
                (at, last) = (at + own.end, own.number);
            }
            _ => return false,
        }
    }
    true
}

/// The whole column at the start of `bytes`, whose number is higher than `last`.
fn column(bytes: &[u8], last: u32) -> Option<Head> {
    let own = head(bytes)?;
    let is_next = own.wire == BYTES && own.number > last.max(1) && own.number <= MOST_COLUMNS;
    (is_next && own.end <= bytes.len() && is_column(&bytes[own.start..own.end])).then_some(own)
}

/// Whether columns with numbers higher than `last` fill `bytes`.
fn are_columns(bytes: &[u8], mut last: u32) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let Some(own) = column(&bytes[at..], last) else { return false };
        (at, last) = (at + own.end, own.number);
    }
    true
}

/// The number of rows at the start of a table, and how many bytes say it.
fn rows(bytes: &[u8]) -> Option<usize> {
    head(bytes).filter(|own| own.number == 1 && own.wire == VARINT).map(|own| own.end)
}

fn is_table(bytes: &[u8]) -> bool {
    are_columns(&bytes[rows(bytes).unwrap_or(0)..], 1)
}

/// The whole field at the start of `bytes`, whose number is at least `last`.
fn field(bytes: &[u8], last: u32) -> Option<Head> {
    let own = head(bytes).filter(|own| own.end <= bytes.len())?;
    let is_whole = match own.number {
        6 => return (own.wire == FOUR).then_some(own),
        1 => own.wire == VARINT,
        FIRST_TABLE..=LAST_TABLE => table(bytes, last).is_some(),
        // A text, zeros, or what a newer Steplens wrote.
        _ => own.wire == BYTES,
    };
    // What follows tells whether the length is right: a table without its last column is one, too.
    let is_followed = own.end == bytes.len() || is_start(&bytes[own.end..], own.number);
    (is_whole && is_followed && own.number >= last).then_some(own)
}

/// The whole table at the start of `bytes`, which may stand behind `last`.
fn table(bytes: &[u8], last: u32) -> Option<Head> {
    let is_next =
        |own: &Head| (FIRST_TABLE..=LAST_TABLE).contains(&own.number) && is_behind(own.number, last);
    let own = head(bytes).filter(|own| own.wire == BYTES && own.end <= bytes.len() && is_next(own))?;
    is_table(&bytes[own.start..own.end]).then_some(own)
}

/// Whether a table may stand behind another. Only of ops there are several.
fn is_behind(number: u32, last: u32) -> bool {
    number > last || (number == OPS && last == OPS)
}

/// Whether `bytes` start like a field whose number is at least `last`.
fn is_start(bytes: &[u8], last: u32) -> bool {
    head(bytes).is_some_and(|own| own.number >= last && own.wire == BYTES && own.number < 128)
}

/// The first place from `from` on where a whole table begins, behind `last`; the end if there is none.
fn next_table(bytes: &[u8], from: usize, last: u32) -> usize {
    (from..bytes.len()).find(|&at| are_tables(bytes, at, last)).unwrap_or(bytes.len())
}

/// Whether whole tables stand at `at`, several of them or all up to the end: small numbers look like a single one now and then.
fn are_tables(bytes: &[u8], mut at: usize, mut last: u32) -> bool {
    let Some(first) = table(&bytes[at..], last) else { return false };
    if first.end - first.start < LEAST_FOUND {
        return false;
    }
    for _ in 0..ENOUGH_TABLES {
        let rest = &bytes[at..];
        if rest.is_empty() {
            return true;
        }
        let Some(own) = table(rest, last).or_else(|| field(rest, last)) else { return false };
        (at, last) = (at + own.end, own.number);
    }
    true
}

/// Makes a session of what is left of `file`, which begins with a magic and a version.
pub(super) fn rebuilt(file: &[u8]) -> Rebuilt {
    let (head_of_file, message) = file.split_at(START.min(file.len()));
    let mut rebuilt = Rebuilt { file: Vec::with_capacity(file.len()), broken: Vec::new(), is_open: false };
    rebuilt.file.extend_from_slice(head_of_file);
    let (mut at, mut last) = (0, 0);
    while at < message.len() {
        let rest = &message[at..];
        if let Some(own) = field(rest, last) {
            // The checksum is of the bytes as they were.
            if own.number != 6 {
                rebuilt.file.extend_from_slice(&rest[..own.end]);
                last = own.number;
            }
            at += own.end;
            continue;
        }
        let next = next_table(message, at + 1, last);
        let known = head(rest).filter(|own| {
            own.wire == BYTES
                && is_behind(own.number, last)
                && (FIRST_TABLE..=LAST_TABLE).contains(&own.number)
        });
        match known {
            Some(own) => {
                let content = &message[(at + own.start).min(next)..next];
                let table = table_of(content);
                encode_key(own.number, WireType::LengthDelimited, &mut rebuilt.file);
                encode_varint(table.len() as u64, &mut rebuilt.file);
                rebuilt.file.extend_from_slice(&table);
                // Where only the length was wrong, all of it is there.
                if table != content {
                    let is_empty =
                        rows(&table).is_none_or(|end| table.get(1..end).is_none_or(|own| own == [0]));
                    rebuilt.broken.push((own.number, is_empty));
                }
                last = own.number;
            }
            None => rebuilt.is_open = true,
        }
        at = next;
    }
    rebuilt
}

/// The table that is left of `bytes`.
fn table_of(bytes: &[u8]) -> Vec<u8> {
    let mut table = Vec::with_capacity(bytes.len());
    let mut at = rows(bytes).unwrap_or(0);
    table.extend_from_slice(&bytes[..at]);
    let mut last = 1;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(own) = column(rest, last) {
            table.extend_from_slice(&rest[..own.end]);
            (at, last) = (at + own.end, own.number);
            continue;
        }
        let is_next = |&place: &usize| {
            let rest = &bytes[place..];
            let own = column(rest, last).filter(|own| own.end - own.start >= LEAST_FOUND);
            own.is_some_and(|own| are_columns(&rest[own.end..], own.number))
        };
        let next = (at + 1..bytes.len()).find(is_next).unwrap_or(bytes.len());
        let known =
            head(rest).filter(|own| own.wire == BYTES && own.number > last && own.number <= MOST_COLUMNS);
        if let Some(own) = known {
            let left = column_of(&bytes[(at + own.start).min(next)..next]).encode_to_vec();
            encode_key(own.number, WireType::LengthDelimited, &mut table);
            encode_varint(left.len() as u64, &mut table);
            table.extend_from_slice(&left);
            last = own.number;
        }
        at = next;
    }
    table
}

/// The column that is left of `bytes`: its data goes up to their end, whatever its length says.
fn column_of(bytes: &[u8]) -> sessions::Column {
    let mut column = sessions::Column::default();
    let mut at = 0;
    while let Some(own) = head(&bytes[at..]) {
        let value = || wire::varint(&bytes[at + own.start..]).map_or(0, |(value, _)| value as u32);
        match (own.number, own.wire) {
            (1, VARINT) => column.encoding = value() as i32,
            (2, VARINT) => column.width = value(),
            (3, BYTES) => {
                column.data = bytes[at + own.start..].to_vec().into();
                break;
            }
            _ => break,
        }
        at += own.end;
    }
    column
}

/// The checksum that a session says it has, and whether the rest fits it; `None` if it begins with none.
pub(super) fn is_as_written(file: &[u8]) -> Option<bool> {
    let message = file.get(START..)?;
    let (checksum, rest) = message.split_at_checked(CHECKSUM_BYTES)?;
    let (&key, sum) = checksum.split_first()?;
    (key == CHECKSUM).then(|| crate::crc32c::Crc32c::of(rest).to_le_bytes() == sum)
}
