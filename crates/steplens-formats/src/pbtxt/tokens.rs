//! The words of protobuf's text format, from slices of any size.

use std::ops::Range;
use steplens_messages::say;

/// The longest word that is loaded into memory. TensorFlow's are labels and names of a few hundred bytes; constants in a graph can
/// have megabytes.
const MAX_TOKEN_BYTES: usize = 64 << 20;

/// One word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A field's name, an enum's value, `true`, or a number with its sign: everything that is neither quoted nor punctuation.
    Word(&'a [u8]),
    /// The bytes between quotes, with their escapes.
    Text(&'a [u8]),
    /// One of `: { } < > [ ] , ;`.
    Sign(u8),
}

/// Why there is no token at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The bytes end inside of a token, or there are no more. This many of the token's bytes need not be read again.
    More(usize),
    /// What was found instead.
    Damaged(&'static str),
}

/// The first token of `bytes` and its range; otherwise where it starts, and why there is none. `last` says that nothing follows the
/// bytes, `seen` is the number in [`Stop::More`] for the token at their start.
pub(super) fn next(
    bytes: &[u8],
    seen: usize,
    last: bool,
) -> Result<(Token<'_>, Range<usize>), (usize, Stop)> {
    let start = if seen > 0 { 0 } else { blank(bytes, last).map_err(|at| (at, Stop::More(0)))? };
    let rest = &bytes[start..];
    let Some(&first) = rest.first() else { return Err((start, Stop::More(0))) };
    let token = match first {
        b':' | b'{' | b'}' | b'<' | b'>' | b'[' | b']' | b',' | b';' => Ok((Token::Sign(first), 1)),
        b'"' | b'\'' => closing_quote(rest, seen.max(1)).map(|end| (Token::Text(&rest[1..end]), end + 1)),
        _ if is_word(first) => {
            let end = rest[seen..].iter().position(|&byte| !is_word(byte)).map(|length| seen + length);
            let end = end.or(last.then_some(rest.len()));
            end.map(|end| (Token::Word(&rest[..end]), end)).ok_or(rest.len())
        }
        _ => return Err((start, Stop::Damaged(say!("got-bad-byte")))),
    };
    match token {
        Ok((token, length)) => Ok((token, start..start + length)),
        Err(_) if rest.len() > MAX_TOKEN_BYTES => Err((start, Stop::Damaged(say!("got-long-word")))),
        Err(_) if last => Err((start, Stop::Damaged(say!("got-open-text")))),
        Err(seen) => Err((start, Stop::More(seen))),
    }
}

/// The number of bytes of white space and comments; the error is where a comment without an end starts.
fn blank(bytes: &[u8], last: bool) -> Result<usize, usize> {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(at) != Some(&b'#') {
            return Ok(at);
        }
        match bytes[at..].iter().position(|&byte| byte == b'\n') {
            Some(length) => at += length,
            None if last => return Ok(bytes.len()),
            None => return Err(at),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.' | b'/')
}

/// Where the text at the start of `quoted` ends, searching from `at`; otherwise how far was searched.
fn closing_quote(quoted: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        match (quoted.get(at), quoted.get(at + 1)) {
            (None, _) | (Some(b'\\'), None) => return Err(at),
            (Some(b'\\'), Some(_)) => at += 2,
            (Some(byte), _) if *byte == quoted[0] => return Ok(at),
            _ => at += 1,
        }
    }
}

/// Appends a text with its escapes replaced, as `text_format.cc` reads them; an unknown one stands for itself.
pub(super) fn unescape(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let Some(&escaped) = rest.get(at + 1) else { return };
        rest = &rest[at + 2..];
        let simple = match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => {
                let (value, length) = digits(rest, 2, 8);
                rest = &rest[length..];
                (u32::from(escaped - b'0') << (3 * length) | value) as u8
            }
            b'x' | b'X' => {
                let (value, length) = digits(rest, 2, 16);
                rest = &rest[length..];
                value as u8
            }
            b'u' | b'U' => {
                let (value, length) = digits(rest, if escaped == b'u' { 4 } else { 8 }, 16);
                rest = &rest[length..];
                let letter = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => other,
        };
        out.push(simple);
    }
    out.extend_from_slice(rest);
}

/// The number at the start of `bytes`, with at most `most` digits, and the number of its digits.
fn digits(bytes: &[u8], most: usize, radix: u32) -> (u32, usize) {
    let values = bytes.iter().take(most).map_while(|&byte| char::from(byte).to_digit(radix));
    values
        .fold((0, 0), |(number, length), digit| (number.wrapping_mul(radix).wrapping_add(digit), length + 1))
}

/// A whole number in any form of the text: decimal, `0x`, or octal with a leading `0`, with a sign; a float loses its fraction.
pub(super) fn integer(word: &[u8]) -> Option<i64> {
    let (negative, rest) = match word.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, word),
    };
    let (radix, rest) = match rest {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => (8, rest),
        _ => (10, rest),
    };
    let whole = rest.split(|&byte| byte == b'.').next().unwrap_or(rest);
    let text = std::str::from_utf8(whole).ok()?;
    // Unsigned 64-bit values wrap, as in the wire format.
    let value = u64::from_str_radix(text, radix).ok()? as i64;
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_texts_and_signs() {
        let text = br#" a_b : # note
            -12 "x\"y" 'z' { }"#;
        let mut at = 0;
        let mut tokens = Vec::new();
        while let Ok((token, place)) = next(&text[at..], 0, true) {
            tokens.push(token);
            at += place.end;
        }
        use Token::{Sign, Text, Word};
        let expected =
            [Word(b"a_b"), Sign(b':'), Word(b"-12"), Text(br#"x\"y"#), Text(b"z"), Sign(b'{'), Sign(b'}')];
        assert_eq!(tokens, expected);
        assert_eq!(next(b"  ab", 0, false), Err((2, Stop::More(2))));
        assert_eq!(next(b"  ab", 0, true), Ok((Word(b"ab"), 2..4)));
        assert_eq!(next(br#""a\"#, 0, false), Err((0, Stop::More(2))));
        assert!(matches!(next(b" \x01", 0, true), Err((1, Stop::Damaged(_)))));
    }

    #[test]
    fn escapes_and_numbers() {
        let mut out = Vec::new();
        unescape(br#"a\n\t\\\"\101\x42\u00e9\q\0"#, &mut out);
        assert_eq!(out, "a\n\t\\\"AB\u{e9}q\0".as_bytes());
        out.clear();
        // No escape takes more digits than it may: three, two, four and eight.
        unescape(br"\1011\x411\u00411\U000000411\18", &mut out);
        assert_eq!(out, b"A1A1A1A1\x018");
        let numbers = [
            ("12", Some(12)),
            ("-1", Some(-1)),
            ("0x1f", Some(31)),
            ("010", Some(8)),
            ("0", Some(0)),
            ("18446744073709551615", Some(-1)),
            ("1.5", Some(1)),
            ("x", None),
        ];
        for (text, value) in numbers {
            assert_eq!(integer(text.as_bytes()), value, "{text}");
        }
    }
}
