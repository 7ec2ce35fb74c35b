//! Reads an event that is complete in a slice at once: without tokens, states, or a copy of each text.
//!
//! It accepts only what [`Parser`](super::reader) would accept, with the same result. Anything unusual in an event, or cut by the
//! end of a slice, is left to that parser, from the event's first byte on.

use super::arguments::Worth;
use super::cursor::Cursor;
use super::event::{Event, Key};

/// The place of an event.
pub(super) struct EventSpan {
    /// Its `{`.
    pub(super) start: usize,
    /// Its `}`.
    pub(super) end: usize,
}

/// Reads the next event in `bytes`, after white space and commas.
pub(super) fn read(bytes: &[u8], event: &mut Event) -> Option<EventSpan> {
    let mut cursor = Cursor { bytes, at: 0 };
    let mut first = cursor.next()?;
    while first == b',' {
        first = cursor.next()?;
    }
    if first != b'{' {
        return None;
    }
    let start = cursor.at - 1;
    event.clear();
    cursor.fields(event, start)?;
    let end = cursor.at - 1;
    event.end_whole(&bytes[start..=end]);
    Some(EventSpan { start, end })
}

/// The open object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Event,
    Args,
    Snapshot,
}

impl Cursor<'_> {
    /// Reads the fields of an event up to its `}`.
    fn fields(&mut self, event: &mut Event, start: usize) -> Option<()> {
        let mut depth = Depth::Event;
        let mut first = self.key_or_end()?;
        loop {
            if first == b'"' {
                let key_at = self.at - start;
                let (raw, _) = self.text()?;
                let key_end = key_at + raw.len();
                let key = match depth {
                    Depth::Event => Key::of_object(raw),
                    Depth::Args => Key::of_args(raw),
                    Depth::Snapshot => Key::of_snapshot(raw),
                };
                if self.next()? != b':' || !key.is_of_event() {
                    return None;
                }
                match (self.next()?, depth, key) {
                    (b'"', ..) => {
                        let at = self.at - start;
                        let (raw, escaped) = self.text()?;
                        event.set_at(key, raw, at, escaped);
                        if depth == Depth::Args {
                            event.arguments.push((key_at, key_end), (at, at + raw.len()), Worth::Text);
                        }
                    }
                    (b'{', Depth::Event, Key::Args) => {
                        depth = Depth::Args;
                        first = self.key_or_end()?;
                        continue;
                    }
                    (b'{', Depth::Args, Key::Snapshot) => {
                        depth = Depth::Snapshot;
                        first = self.key_or_end()?;
                        continue;
                    }
                    (b'{' | b'[', ..) => {
                        let at = self.at - 1 - start;
                        self.skip()?;
                        if depth == Depth::Args {
                            event.arguments.push((key_at, key_end), (at, self.at - start), Worth::Json);
                        }
                    }
                    _ => {
                        self.at -= 1;
                        let at = self.at - start;
                        let raw = self.bare()?;
                        event.set_at(key, raw, at, false);
                        if depth == Depth::Args {
                            event.arguments.push((key_at, key_end), (at, at + raw.len()), Worth::Bare);
                        }
                    }
                }
                first = self.next()?;
            }
            while first == b'}' {
                depth = match depth {
                    Depth::Event => return Some(()),
                    Depth::Args => Depth::Event,
                    Depth::Snapshot => Depth::Args,
                };
                first = self.next()?;
            }
            if first != b',' {
                return None;
            }
            first = self.key_or_end()?;
        }
    }
}
