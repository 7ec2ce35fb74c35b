//! Decodes texts and bytes: plain, or with the escapes of protocol 0; resumable at any byte.
//!
//! Below protocol 3, Python 3 has no opcode for bytes: it writes them as a text with the same code points, to be encoded as
//! Latin-1. Python 2 writes bytes as its `repr` does, or plainly.

/// The encoding of a text or of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// Not encoded.
    Plain,
    /// Bytes that are encoded as UTF-8.
    Utf8Bytes,
    /// Latin-1 with `\u` and `\U` escapes, as in UNICODE.
    RawUnicode { as_bytes: bool },
    /// Between quotes, with the escapes of Python 2's `repr`, as in STRING.
    Repr,
}

/// A sequence that an earlier byte began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    Backslash,
    /// A number in base 16 or 8, with at most `left` more digits.
    Digits {
        left: u32,
        base: u32,
        number: u32,
    },
    /// The first byte of two.
    Lead(u8),
}

/// Decodes one text.
pub(super) struct Decoder {
    writing: Writing,
    pending: Pending,
    /// The opening quote. After the closing quote nothing counts.
    quote: Option<u8>,
    is_closed: bool,
    is_damaged: bool,
}

/// Stands for a character that is not a byte.
const NO_BYTE: u8 = b'?';

impl Decoder {
    pub(super) fn new(writing: Writing) -> Self {
        Self { writing, pending: Pending::Nothing, quote: None, is_closed: false, is_damaged: false }
    }

    /// Whether the output is the same as the input.
    pub(super) fn is_plain(&self) -> bool {
        self.writing == Writing::Plain
    }

    /// Whether anything was invalid.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Appends the decoded `bytes` to `out`: at most as many bytes as the input has.
    pub(super) fn decode(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        if self.writing == Writing::Utf8Bytes && self.decode_sound_utf8(bytes, out) {
            return;
        }
        while let Some(&byte) = bytes.first() {
            let run = self.run(bytes);
            if run > 0 {
                out.extend_from_slice(&bytes[..run]);
                bytes = &bytes[run..];
            } else if let Some((number, rest)) = self.whole_escape(bytes) {
                self.code_point(number, out);
                bytes = rest;
            } else {
                bytes = &bytes[1..];
                self.take(byte, out);
            }
        }
    }

    /// Decodes UTF-8 bytes at once, without a branch that depends on their values: every byte except the first of two gives one
    /// byte of output. Does nothing and returns false if any byte is invalid.
    fn decode_sound_utf8(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let start = out.len();
        let mut before = match self.pending {
            Pending::Lead(lead) => lead,
            _ => 0,
        };
        out.resize(start + bytes.len(), 0);
        let (mut made, mut is_unsound) = (start, before >= 0xc0 && before & 0xfe != 0xc2);
        for &byte in bytes {
            let (leads, follows) = (byte >= 0xc0, byte & 0xc0 == 0x80);
            is_unsound |= (follows != (before >= 0xc0)) | (leads & (byte & 0xfe != 0xc2));
            if let Some(place) = out.get_mut(made) {
                *place = if follows { before << 6 | byte & 0x3f } else { byte };
            }
            made += usize::from(!leads);
            before = byte;
        }
        out.truncate(if is_unsound { start } else { made });
        if !is_unsound && !bytes.is_empty() {
            self.pending = if before >= 0xc0 { Pending::Lead(before) } else { Pending::Nothing };
        }
        !is_unsound
    }

    /// A `\u` escape that is complete in `bytes`, if nothing is pending: its number, and the bytes after it.
    fn whole_escape<'a>(&self, bytes: &'a [u8]) -> Option<(u32, &'a [u8])> {
        if !matches!(self.writing, Writing::RawUnicode { .. }) || self.pending != Pending::Nothing {
            return None;
        }
        let (digits, rest) = bytes.strip_prefix(b"\\u")?.split_first_chunk::<4>()?;
        let number = |number: u32, &digit: &u8| Some(number << 4 | char::from(digit).to_digit(16)?);
        Some((digits.iter().try_fold(0, number)?, rest))
    }

    /// Ends the text.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        match self.pending {
            Pending::Nothing => {}
            Pending::Digits { base: 8, number, .. } => out.push(number as u8),
            _ => self.is_damaged = true,
        }
        self.is_damaged |= self.writing == Writing::Repr && !self.is_closed;
    }

    /// How many of the next bytes stand for themselves.
    fn run(&self, bytes: &[u8]) -> usize {
        if self.pending != Pending::Nothing {
            return 0;
        }
        let end = match self.writing {
            Writing::Plain => None,
            Writing::Utf8Bytes => bytes.iter().position(|&byte| byte >= 0x80),
            Writing::RawUnicode { as_bytes: true } => bytes.iter().position(|&byte| byte == b'\\'),
            Writing::RawUnicode { as_bytes: false } => {
                bytes.iter().position(|&byte| byte == b'\\' || byte >= 0x80)
            }
            Writing::Repr => match self.quote {
                Some(quote) if !self.is_closed => {
                    bytes.iter().position(|&byte| byte == b'\\' || byte == quote)
                }
                _ => Some(0),
            },
        };
        end.unwrap_or(bytes.len())
    }

    /// Takes a byte that does not stand for itself.
    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        match (self.pending, self.writing) {
            (Pending::Nothing, _) => self.begin(byte, out),
            (Pending::Lead(lead), _) => {
                self.pending = Pending::Nothing;
                match (lead, byte) {
                    (0xc2 | 0xc3, 0x80..=0xbf) => out.push(lead << 6 | byte & 0x3f),
                    // Further bytes of a longer character arrive here as bytes that begin nothing.
                    _ => self.no_byte(out),
                }
            }
            (Pending::Backslash, Writing::Repr) => self.escape(byte, out),
            (Pending::Backslash, _) => {
                let number = |left| Pending::Digits { left, base: 16, number: 0 };
                self.pending = match byte {
                    b'u' => number(4),
                    b'U' => number(8),
                    _ => {
                        out.push(b'\\');
                        self.code_point(u32::from(byte), out);
                        Pending::Nothing
                    }
                };
            }
            (Pending::Digits { left, base, number }, _) => match char::from(byte).to_digit(base) {
                Some(digit) => {
                    let number = number.wrapping_mul(base).wrapping_add(digit);
                    self.pending = Pending::Digits { left: left - 1, base, number };
                    if left == 1 {
                        self.pending = Pending::Nothing;
                        self.code_point(number, out);
                    }
                }
                None => {
                    self.pending = Pending::Nothing;
                    // Octal numbers may be shorter.
                    if base == 8 {
                        out.push(number as u8);
                    } else {
                        self.is_damaged = true;
                    }
                    self.begin(byte, out);
                }
            },
        }
    }

    /// Takes a byte if nothing is pending.
    fn begin(&mut self, byte: u8, out: &mut Vec<u8>) {
        match (self.writing, byte) {
            (Writing::Utf8Bytes, 0xc0..) => self.pending = Pending::Lead(byte),
            (Writing::Utf8Bytes, 0x80..) => self.is_damaged = true,
            (Writing::Repr, b'\'' | b'"') if self.quote.is_none() => self.quote = Some(byte),
            (Writing::Repr, _) if self.quote.is_none() => self.is_damaged = true,
            (Writing::Repr, _) if self.is_closed => {}
            (Writing::Repr, byte) if self.quote == Some(byte) => self.is_closed = true,
            (_, b'\\') => self.pending = Pending::Backslash,
            (_, byte) => self.code_point(u32::from(byte), out),
        }
    }

    /// Takes the byte after a backslash in Python 2's `repr`.
    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.pending = Pending::Nothing;
        match byte {
            b'x' => self.pending = Pending::Digits { left: 2, base: 16, number: 0 },
            b'0'..=b'7' => {
                self.pending = Pending::Digits { left: 2, base: 8, number: u32::from(byte - b'0') }
            }
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'\\' | b'\'' | b'"' => out.push(byte),
            _ => out.extend([b'\\', byte]),
        }
    }

    fn code_point(&mut self, number: u32, out: &mut Vec<u8>) {
        match (self.writing, u8::try_from(number), char::from_u32(number)) {
            (Writing::RawUnicode { as_bytes: false }, _, Some(character)) => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            (Writing::RawUnicode { as_bytes: false }, _, None) => {
                out.extend_from_slice("\u{fffd}".as_bytes())
            }
            (_, Ok(byte), _) => out.push(byte),
            (_, Err(_), _) => self.no_byte(out),
        }
    }

    fn no_byte(&mut self, out: &mut Vec<u8>) {
        self.is_damaged = true;
        out.push(NO_BYTE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes in slices of each size, which must not change the result.
    fn decode(writing: Writing, text: &[u8]) -> (Vec<u8>, bool) {
        let mut results = (1..=text.len().max(1)).map(|size| {
            let (mut decoder, mut out) = (Decoder::new(writing), Vec::new());
            text.chunks(size).for_each(|slice| decoder.decode(slice, &mut out));
            decoder.end(&mut out);
            (out, !decoder.is_damaged())
        });
        let first = results.next().unwrap_or_default();
        assert!(results.all(|other| other == first));
        first
    }

    fn fine(bytes: &[u8]) -> (Vec<u8>, bool) {
        (bytes.to_vec(), true)
    }

    #[test]
    fn bytes_written_as_texts() {
        let every: Vec<u8> = (0..=255).collect();
        let utf8: String = every.iter().map(|&byte| char::from(byte)).collect();
        assert_eq!(decode(Writing::Utf8Bytes, utf8.as_bytes()), fine(&every));
        assert_eq!(decode(Writing::Plain, &every), fine(&every));
        let raw = Writing::RawUnicode { as_bytes: true };
        assert_eq!(decode(raw, b"a\xe9\\u005cn\\u000a\\U000000ff\\u0000"), fine(b"a\xe9\\n\n\xff\0"));
        assert_eq!(decode(raw, b"\\\\u0041\\x"), fine(b"\\\\u0041\\x"));
        for (writing, damaged) in [
            (raw, &b"a\\u20ac"[..]),
            (raw, b"a\\u00"),
            (raw, b"a\\u0g"),
            (Writing::Utf8Bytes, "a€".as_bytes()),
            (Writing::Utf8Bytes, b"a\xc3"),
            (Writing::Utf8Bytes, b"a\x80"),
        ] {
            let (out, is_fine) = decode(writing, damaged);
            assert!(!is_fine && out.starts_with(b"a"), "{damaged:?} is {out:?}");
        }
    }

    #[test]
    fn texts_become_utf8() {
        let raw = Writing::RawUnicode { as_bytes: false };
        assert_eq!(decode(raw, b"\xe9 \\u20ac \\U0001f600 \\u005cu"), fine("é € 😀 \\u".as_bytes()));
        assert_eq!(decode(raw, b"\\ud800"), fine("\u{fffd}".as_bytes()));
    }

    #[test]
    fn what_python_2_writes() {
        assert_eq!(
            decode(Writing::Repr, br#"'a\x0a\xff\n\t\\\'"\0\101\q'"#),
            fine(b"a\n\xff\n\t\\'\"\0A\\q")
        );
        assert_eq!(decode(Writing::Repr, br#""it's \7""#), fine(b"it's \x07"));
        for damaged in [&b"abc"[..], b"'abc", b"'abc\\'", b"'\\x1'"] {
            assert!(!decode(Writing::Repr, damaged).1, "{damaged:?}");
        }
    }
}
