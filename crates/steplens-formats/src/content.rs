//! The content of an unpacked file: its format is found from its first bytes, then a reader takes it.

use crate::error::ReadErrorKind;
use crate::first_bytes::Collected;
use crate::reader::{Found, Reader, Room};
use crate::saved_as_text::Beginning;
use crate::sniff::{FileKind, sniff};
use steplens_core::TraceBuilder;
use steplens_messages::say;

/// The content of one file, taken slice by slice.
pub(crate) struct Content {
    room: Room,
    state: State,
    /// Its beginning, by which a text that was a binary file is known.
    beginning: Beginning,
}

enum State {
    /// Too few bytes to know the format.
    Unknown(Collected),
    Reading(Box<dyn Reader>),
    /// It is of no format that can be read.
    Refused(ReadErrorKind),
}

impl Content {
    /// Content whose format is not known yet.
    pub(crate) fn new(room: Room) -> Self {
        Self { room, state: State::Unknown(Collected::default()), beginning: Beginning::default() }
    }

    /// Content that begins with `head`, which is of this `kind`.
    pub(crate) fn of(kind: FileKind, head: &[u8], room: Room, builder: &mut TraceBuilder) -> Self {
        let mut own = Self::new(room);
        own.start(kind, head, builder);
        own
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        match &mut self.state {
            State::Reading(reader) => {
                self.beginning.push(bytes);
                reader.push(bytes, builder);
            }
            State::Refused(_) => {}
            State::Unknown(head) => {
                if head.take(&mut bytes) {
                    self.recognise(builder);
                    self.push(bytes, builder);
                }
            }
        }
    }

    /// Memory for the next `length` bytes, if they are stored unchanged and there is room for all of them.
    pub(crate) fn room(&mut self, length: usize) -> Option<&mut [u8]> {
        match &mut self.state {
            State::Reading(reader) => reader.room(length),
            State::Unknown(_) | State::Refused(_) => None,
        }
    }

    /// Finds the format: there are enough bytes, or no more will come.
    fn recognise(&mut self, builder: &mut TraceBuilder) {
        let State::Unknown(head) = &mut self.state else { return };
        let head = std::mem::take(head).into_bytes();
        self.start(sniff(&head), &head, builder);
    }

    fn start(&mut self, kind: FileKind, head: &[u8], builder: &mut TraceBuilder) {
        let refused = |what, advice| State::Refused(ReadErrorKind::OtherFormat { what, advice });
        self.state = match kind {
            _ if head.is_empty() => State::Refused(ReadErrorKind::Empty),
            FileKind::Trace(format) => State::Reading((format.reader)(self.room)),
            FileKind::Gzip => refused(say!("other-gzip-within"), say!("advice-unpack-once")),
            FileKind::Zstd => refused(say!("other-zstd-within"), say!("advice-unpack-once")),
            FileKind::Markup => refused(say!("other-markup"), say!("advice-export")),
            FileKind::Other(what, advice) => refused(what, advice),
        };
        self.push(head, builder);
    }

    /// Why nothing of it is read, once that is known.
    pub(crate) fn refused(&self) -> Option<&ReadErrorKind> {
        match &self.state {
            State::Refused(why) => Some(why),
            State::Unknown(_) | State::Reading(_) => None,
        }
    }

    /// Whether nothing of the rest can be read.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(&self.state, State::Reading(reader) if reader.is_stopped())
    }

    /// Ends the file.
    pub(crate) fn finish(mut self, builder: &mut TraceBuilder) -> Found {
        self.recognise(builder);
        match self.state {
            State::Reading(reader) => self.beginning.judge(reader.finish(builder)),
            State::Refused(why) => Found::Nothing(why),
            State::Unknown(_) => Found::Nothing(ReadErrorKind::Empty),
        }
    }
}
