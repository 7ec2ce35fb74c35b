//! JSON that stands in a text of JSON: `"{\"stepStats\": …}"`.

use crate::chrome::text::unescape;

/// Takes the text apart, slice by slice.
#[derive(Default)]
pub(super) struct WithinText {
    has_begun: bool,
    has_ended: bool,
    /// A backslash, and what follows it, that a slice cut off.
    held: Vec<u8>,
}

/// The bytes of an escape with four digits, and of two such escapes: the halves of a pair.
const SHORT: usize = 6;
const LONGEST: usize = 12;

/// Whether an escape is the first half of a pair.
fn is_half(escape: &[u8]) -> bool {
    matches!(escape, [_, _, b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..])
}

impl WithinText {
    /// Appends what `bytes` mean to `out`.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut rest = &all[..];
        if !self.has_begun {
            rest = rest.trim_ascii_start();
            let Some(text) = rest.strip_prefix(b"\"") else { return };
            (self.has_begun, rest) = (true, text);
        }
        while !self.has_ended && !rest.is_empty() {
            let plain = rest.iter().position(|&byte| matches!(byte, b'\\' | b'"')).unwrap_or(rest.len());
            out.extend_from_slice(&rest[..plain]);
            rest = &rest[plain..];
            match rest {
                [b'"', ..] => self.has_ended = true,
                [b'\\', b'u', ..] if rest.len() < SHORT || (is_half(rest) && rest.len() < LONGEST) => {
                    self.held = rest.to_vec();
                    return;
                }
                [b'\\', b'u', ..] => {
                    let is_pair = is_half(rest) && rest[SHORT..].starts_with(b"\\u");
                    let length = if is_pair { LONGEST } else { SHORT };
                    _ = unescape(&rest[..length], out);
                    rest = &rest[length..];
                }
                [b'\\', _, ..] => {
                    _ = unescape(&rest[..2], out);
                    rest = &rest[2..];
                }
                _ => {
                    self.held = rest.to_vec();
                    return;
                }
            }
        }
    }
}

/// What the beginning of a text means, up to its end.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let (mut own, mut out) = (WithinText { has_begun: true, ..WithinText::default() }, Vec::new());
    own.push(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_any_size_are_the_same_text() {
        let file = br#"  "{\"a\": \"\\u00e9 \u00e9\n\"} padding that is longer" "#;
        let mut whole = Vec::new();
        WithinText::default().push(file, &mut whole);
        assert_eq!(String::from_utf8_lossy(&whole), "{\"a\": \"\\u00e9 é\n\"} padding that is longer");
        for size in 1..7 {
            let (mut own, mut out) = (WithinText::default(), Vec::new());
            // White space before the text may be a slice of its own.
            let start = file.iter().position(|byte| *byte == b'"').unwrap_or(0);
            file[start..].chunks(size).for_each(|slice| own.push(slice, &mut out));
            assert_eq!(out, whole, "{size}");
        }
    }
}
