//! The envelope of a session that is being written: a message of `proto/steplens/session.proto`, with its fields in the order of
//! their numbers.

use super::Shown;
use super::VERSION;
use super::codec::{Encoding, Writing};
use super::fields::{column, session};
use super::tables::{FIRST_COLUMN, field_of};

/// A message that is being written.
#[derive(Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Adds a number; 0 is not written.
    fn number(&mut self, field: u32, value: u64) {
        if value > 0 {
            self.varint(u64::from(field) << 3);
            self.varint(value);
        }
    }

    /// Adds bytes, a text or a message.
    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// The start of a session, with what was shown of it. The magic and the version come before it.
    pub(super) fn session(shown: &Shown) -> Self {
        let mut out = Self::default();
        out.number(session::VERSION, u64::from(VERSION));
        out.bytes(session::WRITER, env!("CARGO_PKG_VERSION").as_bytes());
        if !shown.view.is_empty() {
            out.bytes(session::VIEW, shown.view.as_bytes());
        }
        shown.communication.iter().for_each(|own| out.bytes(session::COMMUNICATION, own.as_bytes()));
        out
    }

    /// Adds the table with this `tag`, which older versions used.
    pub(super) fn table<const N: usize>(&mut self, tag: [u8; 4], rows: usize, columns: [Writing; N]) {
        self.columns(tag, rows, columns.into());
    }

    /// Adds a table with any number of columns.
    #[inline(never)]
    pub(super) fn columns(&mut self, tag: [u8; 4], rows: usize, columns: Vec<Writing>) {
        let mut table = Self::default();
        table.number(1, rows as u64);
        for (place, own) in columns.into_iter().enumerate() {
            table.column(FIRST_COLUMN + place as u32, &own);
        }
        self.bytes(field_of(tag), &table.0);
    }

    #[inline(never)]
    fn column(&mut self, field: u32, own: &Writing) {
        let (width, data) = own.planes();
        let mut message = Self::default();
        let place = Encoding::ALL.iter().position(|&encoding| encoding == own.encoding);
        message.number(column::ENCODING, place.unwrap_or(0) as u64);
        message.number(column::WIDTH, width as u64);
        if !data.is_empty() {
            message.bytes(column::DATA, &data);
        }
        self.bytes(field, &message.0);
    }

    /// Ends a session with this many `zeros`.
    pub(super) fn fill(&mut self, zeros: usize) {
        if zeros > 0 {
            self.bytes(session::FILL, &vec![0; zeros]);
        }
    }
}
