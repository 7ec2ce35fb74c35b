//! Reads an event that is complete in a slice at once: without tokens, states, or a copy of each text.
//!
//! It accepts only what [`Parser`](super::reader) would accept, with the same result. Anything unusual in an event, or cut by the
//! end of a slice, is left to that parser, from the event's first byte on.

use super::arguments::{ArgumentSpans, Worth};
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

/// Reads where the arguments of an object are, starting at its `{`; eight bytes must follow the object. Reading stops at a syntax
/// error.
pub(super) fn read_object(bytes: &[u8], arguments: &mut ArgumentSpans) {
    let mut cursor = Cursor { bytes, at: 1 };
    _ = cursor.arguments(arguments);
}

/// The open object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Event,
    Args,
    Snapshot,
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
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

    /// Reads the arguments of an object up to its `}`.
    fn arguments(&mut self, arguments: &mut ArgumentSpans) -> Option<()> {
        while self.key_or_end()? == b'"' {
            let key_at = self.at;
            let key = (key_at, key_at + self.text()?.0.len());
            if self.next()? != b':' {
                return None;
            }
            let (at, worth) = match self.next()? {
                b'"' => {
                    let at = self.at;
                    self.text()?;
                    arguments.push(key, (at, self.at - 1), Worth::Text);
                    if self.next()? != b',' {
                        return Some(());
                    }
                    continue;
                }
                b'{' | b'[' => {
                    let at = self.at - 1;
                    self.skip()?;
                    (at, Worth::Json)
                }
                _ => {
                    self.at -= 1;
                    let at = self.at;
                    self.bare()?;
                    (at, Worth::Bare)
                }
            };
            arguments.push(key, (at, self.at), worth);
            if self.next()? != b',' {
                return Some(());
            }
        }
        Some(())
    }

    /// The quote of a key, or the end of an object, which may follow its last comma.
    fn key_or_end(&mut self) -> Option<u8> {
        self.next().filter(|first| matches!(first, b'"' | b'}'))
    }

    /// Takes the first byte of the next token.
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        // White space, or a byte order mark.
        if byte <= b' ' || byte > 0x7f { self.after_space() } else { Some(byte) }
    }

    /// Like `next`, if the byte that was taken may be white space.
    #[inline]
    fn after_space(&mut self) -> Option<u8> {
        const SPACES: u64 = 0x2020_2020_2020_2020;
        self.at -= 1;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0xef | 0xbb | 0xbf) {
                return Some(byte);
            }
            loop {
                let others = self.word()? ^ SPACES;
                if others != 0 {
                    self.at += (others.trailing_zeros() / 8) as usize;
                    break;
                }
                self.at += 8;
            }
        }
    }

    /// The next eight bytes, the first byte lowest.
    #[inline(always)]
    fn word(&self) -> Option<u64> {
        self.bytes.get(self.at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
    }

    /// A text up to its quote, which is taken, too; and whether it has a backslash.
    #[inline]
    fn text(&mut self) -> Option<(&'a [u8], bool)> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // The lowest set bit marks the first zero byte; higher bits may be wrong.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
        let start = self.at;
        let mut escaped = false;
        loop {
            let word = self.word()?;
            let found = zeros(word ^ (ONES * b'"' as u64))
                | zeros(word ^ (ONES * b'\\' as u64))
                | zeros(word ^ (ONES * b'\n' as u64));
            if found == 0 {
                self.at += 8;
                continue;
            }
            self.at += (found.trailing_zeros() / 8) as usize;
            match *self.bytes.get(self.at)? {
                b'"' => {
                    let raw = self.bytes.get(start..self.at)?;
                    self.at += 1;
                    return Some((raw, escaped));
                }
                b'\\' => {
                    escaped = true;
                    self.at += 2;
                }
                _ => return None,
            }
        }
    }

    /// A number or a word.
    #[inline]
    fn bare(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        while IN_WORD[usize::from(*self.bytes.get(self.at)?)] {
            self.at += 1;
        }
        self.bytes.get(start..self.at).filter(|raw| !raw.is_empty())
    }

    /// Skips a value that is not needed, up to the bracket that closes it.
    fn skip(&mut self) -> Option<()> {
        let mut open = 1_u64;
        while open > 0 {
            match self.next()? {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                b':' | b',' => {}
                b'"' => _ = self.text()?,
                _ => {
                    self.at -= 1;
                    self.bare()?;
                }
            }
        }
        Some(())
    }
}

/// Whether a byte belongs to a number or a word.
const IN_WORD: [bool; 256] = {
    let mut belongs = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        belongs[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'+' | b'-' | b'.' | b'_');
        byte += 1;
    }
    belongs
};
