//! A JSON writer that never holds the whole text in memory.

use crate::buffer::{self, FULL};
use std::io::{self, Write};

/// Writes JSON to a sink. Commas are inserted automatically.
pub(crate) struct Json<'a> {
    out: &'a mut dyn Write,
    line: Vec<u8>,
    needs_comma: bool,
}

impl<'a> Json<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, line: Vec::with_capacity(FULL + 4096), needs_comma: false }
    }

    /// Opens a value with `{` or `[`.
    pub(crate) fn open(&mut self, bracket: u8) {
        self.comma();
        self.line.push(bracket);
        self.needs_comma = false;
    }

    /// Closes a value with `}` or `]`.
    pub(crate) fn close(&mut self, bracket: u8) {
        self.line.push(bracket);
        self.needs_comma = true;
    }

    /// Passes the buffered bytes to the sink, if there are enough of them.
    pub(crate) fn hand_over(&mut self) -> io::Result<()> {
        buffer::hand_over(&mut self.line, self.out)
    }

    /// Starts a new line of the file.
    pub(crate) fn next_line(&mut self) {
        self.comma();
        self.line.push(b'\n');
        self.needs_comma = false;
    }

    /// Writes a key. Its value must follow.
    pub(crate) fn key(&mut self, key: &str) {
        self.text(key);
        self.line.push(b':');
        self.needs_comma = false;
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.comma();
        self.line.push(b'"');
        escape(text, &mut self.line);
        self.line.push(b'"');
        self.needs_comma = true;
    }

    pub(crate) fn integer(&mut self, value: i64) {
        self.comma();
        push_integer(value, &mut self.line);
        self.needs_comma = true;
    }

    /// Writes a finite number, so that it is read as the same one.
    pub(crate) fn number(&mut self, value: f64) {
        self.comma();
        let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
        match is_whole {
            true => push_integer(value as i64, &mut self.line),
            false => self.line.extend_from_slice(format!("{value:?}").as_bytes()),
        }
        self.needs_comma = true;
    }

    /// Writes nanoseconds as microseconds, exactly, with as many decimals as needed.
    pub(crate) fn micros(&mut self, ns: i64) {
        self.comma();
        push_micros(ns, &mut self.line);
        self.needs_comma = true;
    }

    pub(crate) fn text_of(&mut self, key: &str, text: &str) {
        self.key(key);
        self.text(text);
    }

    pub(crate) fn integer_of(&mut self, key: &str, value: i64) {
        self.key(key);
        self.integer(value);
    }

    pub(crate) fn micros_of(&mut self, key: &str, ns: i64) {
        self.key(key);
        self.micros(ns);
    }

    pub(crate) fn object_of(&mut self, key: &str) {
        self.key(key);
        self.open(b'{');
    }

    /// Writes a value that is JSON already. If other readers would not accept it as JSON, it is written as a text.
    pub(crate) fn json(&mut self, text: &str) {
        if !is_json(text) {
            return self.text(text);
        }
        self.comma();
        // In valid JSON, `<` occurs only inside texts.
        let parts = text.split('<').enumerate();
        for (place, part) in parts {
            self.line.extend_from_slice(if place > 0 { b"\\u003c" } else { b"" });
            self.line.extend_from_slice(part.as_bytes());
        }
        self.needs_comma = true;
    }

    /// Ends the last line and writes what is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.line.push(b'\n');
        self.flush()?;
        self.out.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        buffer::flush(&mut self.line, self.out)
    }

    fn comma(&mut self) {
        if self.needs_comma {
            self.line.push(b',');
        }
    }
}

/// How deep brackets may be nested in a value that is copied unchanged.
const DEEPEST: usize = 64;

/// Whether `text` is exactly one JSON value.
fn is_json(text: &str) -> bool {
    after_value(text.as_bytes(), 0).is_some_and(|rest| rest.trim_ascii().is_empty())
}

/// What follows the value at the start of `bytes`.
fn after_value(bytes: &[u8], depth: usize) -> Option<&[u8]> {
    let bytes = bytes.trim_ascii_start();
    match bytes.first()? {
        b'"' => after_text(bytes),
        &open @ (b'[' | b'{') if depth < DEEPEST => {
            let close = if open == b'[' { b']' } else { b'}' };
            let mut rest = bytes[1..].trim_ascii_start();
            if rest.first() == Some(&close) {
                return Some(&rest[1..]);
            }
            loop {
                if open == b'{' {
                    rest = after_text(rest.trim_ascii_start())?.trim_ascii_start().strip_prefix(b":")?;
                }
                rest = after_value(rest, depth + 1)?.trim_ascii_start();
                match rest.split_first()? {
                    (b',', after) => rest = after,
                    (end, after) if *end == close => return Some(after),
                    _ => return None,
                }
            }
        }
        _ => {
            let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            let end = bytes.iter().position(|byte| !is_in_word(byte)).unwrap_or(bytes.len());
            let (word, rest) = bytes.split_at(end);
            (matches!(word, b"true" | b"false" | b"null") || is_number(word)).then_some(rest)
        }
    }
}

fn after_text(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(b"\"")?;
    loop {
        match rest {
            [b'"', after @ ..] => return Some(after),
            [b'\\', b'u', after @ ..] => {
                let digits = after.first_chunk::<4>()?;
                rest = after[4..].get(..).filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
            }
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', after @ ..] => rest = after,
            [b'\\' | ..b' ', ..] | [] => return None,
            [_, after @ ..] => rest = after,
        }
    }
}

/// Whether `word` is a number by the rules of JSON.
fn is_number(word: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unsigned = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(unsigned);
    let mut rest = &unsigned[whole..];
    let mut is_fine = whole == 1 || (whole > 1 && unsigned[0] != b'0');
    if let Some(after) = rest.strip_prefix(b".") {
        is_fine &= digits(after) > 0;
        rest = &after[digits(after)..];
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let after = after.strip_prefix(b"+").or(after.strip_prefix(b"-")).unwrap_or(after);
        is_fine &= digits(after) > 0;
        rest = &after[digits(after)..];
    }
    is_fine && rest.is_empty()
}

/// Writes `text` as the inside of a JSON string. `<` is written as `\u003c`, so that a page cannot take a name for markup.
fn escape(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut done = 0;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= b' ' && !matches!(byte, b'"' | b'\\' | b'<' | 0x7f) {
            continue;
        }
        out.extend_from_slice(&bytes[done..at]);
        done = at + 1;
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => out.extend_from_slice(&[
                b'\\',
                b'u',
                b'0',
                b'0',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]),
        }
    }
    out.extend_from_slice(&bytes[done..]);
}

pub(crate) fn push_integer(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    push_digits(value.unsigned_abs(), 1, out);
}

/// Appends `value` with at least `least` digits.
fn push_digits(mut value: u64, least: usize, out: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while value > 0 || digits.len() - first < least {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    out.extend_from_slice(&digits[first..]);
}

fn push_micros(ns: i64, out: &mut Vec<u8>) {
    if ns < 0 {
        out.push(b'-');
    }
    let ns = ns.unsigned_abs();
    push_digits(ns / 1_000, 1, out);
    let rest = ns % 1_000;
    if rest > 0 {
        out.push(b'.');
        push_digits(rest, 3, out);
        while out.last() == Some(&b'0') {
            out.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let mut out = Vec::new();
        escape("a\"b\\c\n\t\u{1}</script>\u{7f}é", &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "a\\\"b\\\\c\\n\\t\\u0001\\u003c/script>\\u007fé");
    }

    #[test]
    fn only_json_is_written_as_json() {
        for text in ["[]", "[[2, 3], []]", "{\"a\": [1.5e-3, null], \"b\": {}}", "\"x\\u00e9\"", "-0", "true"]
        {
            assert!(is_json(text), "{text}");
        }
        let deep = "[".repeat(70) + &"]".repeat(70);
        for text in
            ["", "[1 2]", "[1,]", "{1: 2}", "{\"a\"}", "NaN", "01", "1.", "\"a", "[] []", "\"\\q\"", &deep]
        {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_exact() {
        let text = |push: fn(i64, &mut Vec<u8>), value| {
            let mut out = Vec::new();
            push(value, &mut out);
            String::from_utf8(out).unwrap()
        };
        let integers = [0, 7, -12, i64::MAX, i64::MIN].map(|value| text(push_integer, value));
        assert_eq!(integers, ["0", "7", "-12", "9223372036854775807", "-9223372036854775808"]);
        let micros =
            [0, 1, 10, 1_000, 1_500, -1_234, 1_795_196_106_012_371_004].map(|ns| text(push_micros, ns));
        assert_eq!(micros, ["0", "0.001", "0.01", "1", "1.5", "-1.234", "1795196106012371.004"]);
    }
}
