//! The tables of a session: the fields of the message that `proto/steplens/session.proto` describes.

use super::codec::{Column, Encoding};
use super::{Damage, Shown};
use crate::wire::{Tag, Wire};
use std::cell::Cell;
use steplens_messages::say;
use steplens_wire::sessions::{column, session};

/// Every table: its tag in versions 1 and 2, and its field in the envelope.
const TABLES: [([u8; 4], u32); 26] = [
    (*b"head", session::HEAD),
    (*b"strs", session::STRINGS),
    (*b"devs", session::DEVICES),
    (*b"thrd", session::THREADS),
    (*b"grph", session::GRAPH),
    (*b"attr", session::GRAPH_ATTRIBUTES),
    (*b"node", session::NODES),
    (*b"catg", session::CATEGORIES),
    (*b"opnd", session::OUTPUT_KINDS),
    (*b"alls", session::REPORT_KINDS),
    (*b"oper", session::OPS),
    (*b"call", session::CALLS),
    (*b"mark", session::MARKS),
    (*b"outs", session::OUTPUTS),
    (*b"repl", session::REPLACED),
    (*b"mems", session::REPORTS),
    (*b"muse", session::IN_USE),
    (*b"recs", session::RECORDS),
    (*b"file", session::FILES),
    (*b"part", session::PARTS),
    (*b"optp", session::PARTS_OF_OPS),
    (*b"argf", session::ARGUMENT_FORMS),
    (*b"args", session::ARGUMENTS),
    (*b"cntr", session::COUNTERS),
    (*b"pnts", session::POINTS),
    (*b"inst", session::INSTANTS),
];

/// The field of each table with the number of its rows.
pub(super) const ROWS: u32 = 1;
/// The field of the first column of each table; the others follow.
pub(super) const FIRST_COLUMN: u32 = 2;

/// The field of the table with this `tag`, which older versions used.
pub(super) fn field_of(tag: [u8; 4]) -> u32 {
    TABLES.iter().find(|(own, _)| *own == tag).map_or(0, |&(_, field)| field)
}

/// The tables of a file.
pub(super) struct Tables<'a> {
    bodies: [Column<'a>; TABLES.len()],
    /// What the page showed.
    pub(super) shown: Shown,
    /// The number of fields and columns that are not known here.
    unknown: Cell<u64>,
}

impl<'a> Tables<'a> {
    /// Finds the tables of the envelope `file`.
    pub(super) fn of_envelope(mut file: Column<'a>) -> Result<Self, Damage> {
        let bodies = [Column::default(); TABLES.len()];
        let mut tables = Self { bodies, shown: Shown::default(), unknown: Cell::new(0) };
        while file.len() > 0 {
            let (field, own) = next_field(&mut file)?;
            if let Some(known) = TABLES.iter().position(|&(_, own)| own == field) {
                tables.bodies[known] = own.value();
                continue;
            }
            match field {
                session::VIEW => tables.shown.view = own.text(),
                session::COMMUNICATION => tables.shown.communication.push(own.text()),
                session::PAST => tables.shown.past = own.text(),
                session::VERSION | session::WRITER | session::FILL => {}
                _ => tables.unknown.set(tables.unknown.get() + 1),
            }
        }
        Ok(tables)
    }

    /// The number of fields and columns that are not known here: in the envelope, and in the tables that were read.
    pub(super) fn unknown(&self) -> u64 {
        self.unknown.get()
    }

    /// The rows and columns of a table, by its tag; no rows and empty columns if it does not exist.
    #[inline(never)]
    fn fill(&self, tag: [u8; 4], columns: &mut [Column<'a>]) -> Result<usize, Damage> {
        let known = TABLES.iter().position(|(known, _)| *known == tag);
        let mut body = known.map_or(Column::default(), |known| self.bodies[known]);
        // A row takes at least one byte, so that no count reserves more memory than the file justifies.
        let most = body.len();
        if most == 0 {
            return Ok(0);
        }
        let mut rows = 0;
        while body.len() > 0 {
            let (field, own) = next_field(&mut body)?;
            let place = field.checked_sub(FIRST_COLUMN).map(|place| place as usize);
            match (field, place.and_then(|place| columns.get_mut(place))) {
                (ROWS, _) => rows = body.as_row(usize::try_from(own.number), most)?,
                (_, Some(column)) => *column = column_of(own.value())?,
                _ => self.unknown.set(self.unknown.get() + 1),
            }
        }
        Ok(rows)
    }

    /// The rows and columns of a table, by its tag.
    pub(super) fn get<const M: usize>(&self, tag: [u8; 4]) -> Result<(usize, [Column<'a>; M]), Damage> {
        let mut columns = [Column::default(); M];
        let rows = self.fill(tag, &mut columns)?;
        Ok((rows, columns))
    }
}

/// A field of a message.
struct Field<'a> {
    number: u64,
    body: Option<Column<'a>>,
}

impl<'a> Field<'a> {
    fn value(&self) -> Column<'a> {
        self.body.unwrap_or_default()
    }

    fn text(&self) -> String {
        let mut body = self.value();
        let bytes = body.take(body.len() as u64).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// The next field of `message`: its number, and its value.
fn next_field<'a>(message: &mut Column<'a>) -> Result<(u32, Field<'a>), Damage> {
    let raw = message.number()?;
    let Some(tag) = Tag::from_varint(raw) else {
        return Err(message.damage(say!("got-other-message")));
    };
    let mut field = Field { number: 0, body: None };
    match tag.wire {
        Wire::Varint => field.number = message.number()?,
        Wire::Fixed64 => _ = message.take(8)?,
        Wire::Fixed32 => _ = message.take(4)?,
        Wire::Length => {
            let length = message.number()?;
            field.body = Some(message.part(length)?);
        }
    }
    Ok((tag.field, field))
}

/// The column in `message`.
fn column_of(mut message: Column<'_>) -> Result<Column<'_>, Damage> {
    let (mut encoding, mut width, mut bytes) = (0, 0, Column::default());
    let start = message;
    while message.len() > 0 {
        let (field, own) = next_field(&mut message)?;
        match field {
            column::ENCODING => encoding = own.number,
            column::WIDTH => width = own.number,
            column::DATA => bytes = own.value(),
            _ => {}
        }
    }
    let known = usize::try_from(encoding).ok().and_then(|encoding| Encoding::ALL.get(encoding));
    let encoding = *known.ok_or_else(|| start.damage(say!("got-newer-session")))?;
    Column::of_planes(bytes, width, encoding)
}
