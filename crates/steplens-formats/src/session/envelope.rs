//! The envelope of a session that is being written: a message of `proto/steplens/session.proto`, with its fields in the order of
//! their numbers.

use super::Shown;
use super::VERSION;
use super::codec::{Encoding, Writing};
use super::tables::{FIRST_COLUMN, ROWS, field_of};
use steplens_wire::Message;
use steplens_wire::sessions::{column, session};

/// A session that is being written, without its magic and version.
#[derive(Default)]
pub(super) struct Envelope(Message);

impl Envelope {
    /// The start of a session, with what was shown of it. The magic and the version come before it.
    pub(super) fn session(shown: &Shown) -> Self {
        let mut out = Self::default();
        out.0.some_number(session::VERSION, u64::from(VERSION));
        out.0.text(session::WRITER, env!("CARGO_PKG_VERSION"));
        out.0.some_text(session::VIEW, &shown.view);
        shown.communication.iter().for_each(|own| out.0.text(session::COMMUNICATION, own));
        out.0.some_text(session::PAST, &shown.past);
        out
    }

    /// Adds the table with this `tag`, which older versions used.
    pub(super) fn table<const N: usize>(&mut self, tag: [u8; 4], rows: usize, columns: [Writing; N]) {
        self.columns(tag, rows, columns.into());
    }

    /// Adds a table with any number of columns.
    #[inline(never)]
    pub(super) fn columns(&mut self, tag: [u8; 4], rows: usize, columns: Vec<Writing>) {
        let mut table = Message::default();
        table.some_number(ROWS, rows as u64);
        for (place, own) in columns.into_iter().enumerate() {
            add_column(&mut table, FIRST_COLUMN + place as u32, &own);
        }
        self.0.data(field_of(tag), table.bytes());
    }

    /// Ends a session with this many `zeros`.
    pub(super) fn fill(&mut self, zeros: usize) {
        if zeros > 0 {
            self.0.data(session::FILL, &vec![0; zeros]);
        }
    }

    /// All bytes so far.
    pub(super) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }
}

#[inline(never)]
fn add_column(table: &mut Message, field: u32, own: &Writing) {
    let (width, data) = own.planes();
    let mut message = Message::default();
    let place = Encoding::ALL.iter().position(|&encoding| encoding == own.encoding);
    message.some_number(column::ENCODING, place.unwrap_or(0) as u64);
    message.some_number(column::WIDTH, width as u64);
    if !data.is_empty() {
        message.data(column::DATA, &data);
    }
    table.data(field, message.bytes());
}
