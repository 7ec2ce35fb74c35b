//! The first bytes of a file, as formats look at them to recognise their own.

use crate::wire::varint;

/// The number of first bytes that are enough to recognise a format.
pub(crate) const ENOUGH: usize = 256;

/// The first [`ENOUGH`] bytes of a file, or all bytes of a shorter file.
pub(crate) struct FirstBytes<'a> {
    pub(crate) bytes: &'a [u8],
    /// The same without what may stand before a text: a byte order mark and white space.
    pub(crate) text: &'a [u8],
}

impl<'a> FirstBytes<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        // A line feed is also the tag of a RunMetadata's first field, and `{`, `[` and `<` may be the lengths of short ones.
        let text = if is_nested(bytes) {
            bytes
        } else {
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
        };
        Self { bytes, text }
    }

    /// The content of field 1 of the message with which a protobuf begins; `None` if it begins in another way.
    pub(crate) fn first_message(&self) -> Option<&'a [u8]> {
        field_1(self.bytes)
    }

    /// The text with which that message begins, and what follows it; `None` if it begins in another way.
    pub(crate) fn first_text(&self) -> Option<(&'a [u8], Option<u8>)> {
        let message = self.first_message()?;
        let text = field_1(message).filter(|text| starts_graphic(text))?;
        let length = message.get(1..).and_then(varint).map_or(0, |(length, _)| length);
        let next = usize::try_from(length).ok().and_then(|length| text.get(length));
        Some((text, next.copied()))
    }
}

/// Collects the first bytes of a file from its slices.
#[derive(Default)]
pub(crate) struct Collected(Vec<u8>);

impl Collected {
    /// How many bytes are missing.
    pub(crate) fn missing(&self) -> usize {
        ENOUGH - self.0.len()
    }

    /// Takes what is missing from the start of `bytes`; returns whether there are enough now.
    pub(crate) fn take(&mut self, bytes: &mut &[u8]) -> bool {
        let (first, rest) = bytes.split_at(self.missing().min(bytes.len()));
        self.0.extend_from_slice(first);
        *bytes = rest;
        self.missing() == 0
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Whether `head` starts with a `step_stats` that contains a `dev_stats`, each of less than 128 bytes, and a field of the latter.
fn is_nested(head: &[u8]) -> bool {
    matches!(head, &[0x0a, outer @ ..0x80, 0x0a, inner, 0x0a | 0x12 | 0x1a, ..] if inner.saturating_add(2) <= outer)
}

/// The bytes after the tag and the length of field 1.
fn field_1(message: &[u8]) -> Option<&[u8]> {
    after_varint(message.strip_prefix(&[0x0a])?)
}

/// The bytes after a number.
pub(crate) fn after_varint(bytes: &[u8]) -> Option<&[u8]> {
    let (_, length) = varint(bytes)?;
    bytes.get(length..)
}

/// Whether `text` begins with a letter, a digit or a sign.
pub(crate) fn starts_graphic(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_graphic)
}
