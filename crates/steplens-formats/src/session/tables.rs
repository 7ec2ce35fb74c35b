//! The message of a session that is being read: its tables, and their columns.

use super::codec::Column;
use super::{CHECKSUM, CHECKSUM_BYTES, Damage, START, Shown, blocks};
use crate::crc32c::Crc32c;
use crate::reader::Checked;
use bytes::Bytes;
use prost::Message;
use steplens_messages::say;
use steplens_proto::sessions::{self, Ops, Session};

/// By how much the columns of ops may grow when blocks are joined, of which each has as few bytes a value as it needs.
const MOST_GROWTH: usize = 16;

pub(super) struct Tables {
    pub(super) session: Session,
    /// How many bytes are of fields and columns that are not known here.
    pub(super) unknown: u64,
    /// Where the file is in memory. The data of columns are slices of it, but those of ops in several blocks.
    file: std::ops::Range<usize>,
    /// All ops; those of the message are taken.
    pub(super) ops: Option<Ops>,
}

impl Tables {
    /// The tables of `file`, which has a magic and a version.
    pub(super) fn of(file: &Bytes) -> Result<Self, Damage> {
        let damaged = || Damage::new(START as u64, say!("got-other-message"));
        if file.len() < START {
            return Err(damaged());
        }
        let message = file.slice(START..);
        let mut session = Session::decode(message.clone()).map_err(|_| damaged())?;
        // What is not known is skipped, and the rest takes as many bytes as when it was written.
        let unknown = message.len().saturating_sub(session.encoded_len()) as u64;
        let ops =
            blocks::joined(std::mem::take(&mut session.ops), message.len().saturating_mul(MOST_GROWTH))?;
        let start = file.as_ptr().addr();
        Ok(Self { session, unknown, file: start..start + file.len(), ops })
    }

    /// The tables of a session that was mended. Places in it mean nothing.
    pub(super) fn mended(session: Session, ops: Option<Ops>) -> Self {
        Self { session, unknown: 0, file: 0..0, ops }
    }

    /// Whether `file`, of which these are the tables, is as it was written.
    pub(super) fn checked(&self, file: &[u8]) -> Checked {
        let Some(checksum) = self.session.checksum else { return Checked::Unknown };
        let message = &file[START.min(file.len())..];
        let is_first = message.first() == Some(&CHECKSUM);
        match message.get(CHECKSUM_BYTES..) {
            Some(rest) if is_first && Crc32c::of(rest) == checksum => Checked::Whole,
            _ => Checked::Changed,
        }
    }

    /// The number of rows of a table, and its columns. A row takes at least one byte, so that no count reserves more memory than the
    /// file justifies.
    #[inline(never)]
    pub(super) fn read<'c, const N: usize>(
        &self,
        rows: u64,
        columns: [&'c Option<sessions::Column>; N],
    ) -> Result<(usize, [Column<'c>; N]), Damage> {
        let mut read = [Column::default(); N];
        let mut most = 0;
        for (own, column) in read.iter_mut().zip(columns) {
            *own = self.column(column.as_ref())?;
            most = most.max(own.len());
        }
        match usize::try_from(rows).ok().filter(|&rows| rows <= most) {
            Some(rows) => Ok((rows, read)),
            None => Err(read.first().copied().unwrap_or_default().damage(say!("got-no-row"))),
        }
    }

    fn column<'c>(&self, column: Option<&'c sessions::Column>) -> Result<Column<'c>, Damage> {
        let Some(column) = column else { return Ok(Column::new(&[], START)) };
        let at = column.data.as_ptr().addr();
        let at = if self.file.contains(&at) { at - self.file.start } else { START };
        Column::of_planes(column, at)
    }

    /// What the page showed.
    pub(super) fn shown(&self) -> Shown {
        let text = |text: &Bytes| String::from_utf8_lossy(text).into_owned();
        let Session { view, communication, past, .. } = &self.session;
        Shown { view: text(view), communication: communication.iter().map(text).collect(), past: text(past) }
    }
}
