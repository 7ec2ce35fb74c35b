//! The arguments of an event: where they are in its bytes, and what a trace keeps of them.
//!
//! Most events have the same arguments as an earlier one, except for numbers. So all bytes except those of numbers are looked up at
//! once, and only new ones are parsed.

use super::cursor::Cursor;
use super::text::unescape;
use std::borrow::Cow;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::arguments::{Decimal, Given, MAX_ARGUMENTS, MAX_VALUE_BYTES};

/// The longest name, in bytes.
const MAX_NAME_BYTES: usize = 1 << 10;
/// Placeholders in a skeleton for a value that is left out, and for a number: plus one for every digit after the point. These bytes
/// do not occur outside of texts in JSON.
const LEFT_OUT: u8 = 1;
const NUMBER: u8 = 2;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    Text,
    /// A list or an object.
    Json,
    /// A number or a word.
    Bare,
    /// Too long.
    LeftOut,
}

/// Where an argument is, without quotes.
#[derive(Clone, Copy, Debug)]
struct Span {
    key: (usize, usize),
    value: (usize, usize),
    worth: Worth,
}

/// Where the arguments of the current event are. The memory is reused for the next event.
#[derive(Default)]
pub(super) struct ArgumentSpans {
    all: Vec<Span>,
    /// The number of arguments beyond the maximum.
    more: u64,
    /// The bytes that the spans refer to, if these are not the bytes of the event in the file.
    own: Vec<u8>,
    is_own: bool,
    /// The key of the next value, in `own`.
    key: (usize, usize),
}

/// The arguments at the beginning of an op, until its end is read.
pub(super) struct Saved {
    bytes: Vec<u8>,
    all: Vec<Span>,
}

/// Buffers of a document for its arguments, so that no op allocates.
#[derive(Default)]
pub(super) struct Kept {
    skeleton: Vec<u8>,
    numbers: Vec<i64>,
}

impl ArgumentSpans {
    /// Every argument: its name, and its value as the file writes it, without the quotes of a text. What is too long is counted.
    pub(super) fn each(&self, bytes: &[u8], mut each: impl FnMut(&[u8], Worth, &[u8])) -> u64 {
        let mut left_out = self.more;
        for own in &self.all {
            match own.worth {
                Worth::LeftOut => left_out += 1,
                worth => each(&meant(&bytes[own.key.0..own.key.1]), worth, &bytes[own.value.0..own.value.1]),
            }
        }
        left_out
    }

    /// Appends all arguments to `out` as one object in JSON; nothing if there are none. Returns the number of those that are too long.
    pub(super) fn write_json(&self, bytes: &[u8], out: &mut Vec<u8>) -> u64 {
        let start = out.len();
        let left_out = self.each(bytes, |name, worth, raw| {
            out.extend_from_slice(if out.len() == start { b"{" } else { b", " });
            push_text(name, out);
            out.extend_from_slice(b": ");
            match worth {
                Worth::Json => out.extend_from_slice(&spaced(raw)),
                Worth::Bare if serde_json::from_slice::<serde_json::Value>(raw).is_ok() => {
                    out.extend_from_slice(raw);
                }
                // A word like `NaN` is no JSON.
                _ => push_text(&meant(raw), out),
            }
        });
        out.extend_from_slice(if out.len() == start { b"" } else { b"}" });
        left_out
    }

    /// Removes all arguments.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.own.clear();
        (self.more, self.is_own) = (0, false);
    }

    /// Whether it is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.more == 0
    }

    /// Adds an argument.
    #[inline]
    pub(super) fn push(&mut self, key: (usize, usize), value: (usize, usize), worth: Worth) {
        if self.all.len() >= MAX_ARGUMENTS {
            self.more += 1;
            return;
        }
        let is_long = value.1 - value.0 > MAX_VALUE_BYTES || key.1 - key.0 > MAX_NAME_BYTES;
        self.all.push(Span { key, value, worth: if is_long { Worth::LeftOut } else { worth } });
    }

    /// The bytes that the spans refer to, if these are not the bytes of the event itself.
    pub(super) fn own_bytes(&self) -> Option<&[u8]> {
        self.is_own.then_some(&self.own)
    }

    /// Adds a key, for an event that is read token by token.
    pub(super) fn key(&mut self, raw: &[u8]) {
        self.is_own = true;
        self.own.extend_from_slice(b",\"");
        let start = self.own.len();
        self.own.extend_from_slice(raw);
        self.key = (start, self.own.len());
        self.own.extend_from_slice(b"\":");
    }

    /// Adds the value of the key, a text or a word.
    pub(super) fn value(&mut self, raw: &[u8], worth: Worth) {
        let quote: &[u8] = if worth == Worth::Text { b"\"" } else { b"" };
        self.own.extend_from_slice(quote);
        let start = self.own.len();
        self.own.extend_from_slice(raw);
        let end = self.own.len();
        self.own.extend_from_slice(quote);
        self.push(self.key, (start, end), worth);
    }

    /// Adds bytes of a list or an object. If it is too long, only enough is kept to know that.
    pub(super) fn nested(&mut self, is_text: bool, raw: &[u8]) {
        if self.own.len() - self.key.1 <= MAX_VALUE_BYTES + 2 {
            let quote: &[u8] = if is_text { b"\"" } else { b"" };
            [quote, raw, quote].iter().for_each(|part| self.own.extend_from_slice(part));
        }
    }

    /// Ends the list or object.
    pub(super) fn end_nested(&mut self) {
        self.push(self.key, (self.key.1 + 2, self.own.len()), Worth::Json);
    }

    /// The range from the first argument to the last.
    fn extent(&self) -> (usize, usize) {
        let (first, last) = (self.all.first(), self.all.last());
        first.zip(last).map_or((0, 0), |(first, last)| (first.key.0, last.value.1))
    }

    /// Copies the arguments out of `bytes`, which they refer to; `None` if there are none.
    pub(super) fn save(&self, bytes: &[u8]) -> Option<Box<Saved>> {
        let (first, end) = self.extent();
        let back = |(from, to): (usize, usize)| (from - first, to - first);
        let all = self.all.iter().map(|own| Span { key: back(own.key), value: back(own.value), ..*own });
        let bytes = bytes.get(first..end)?.to_vec();
        (!self.all.is_empty()).then(|| Box::new(Saved { bytes, all: all.collect() }))
    }

    /// Puts the arguments from the beginning of an op before these, which refer to `bytes`.
    pub(super) fn put_before(&mut self, saved: Saved, bytes: &[u8]) {
        let own = self.save(bytes);
        let more = self.more;
        self.clear();
        let Saved { bytes, all } = saved;
        (self.own, self.is_own, self.all, self.more) = (bytes, true, all, more);
        if let Some(own) = own {
            self.own.push(b',');
            let by = self.own.len();
            self.own.extend_from_slice(&own.bytes);
            for Span { key, value, worth } in own.all {
                self.push((key.0 + by, key.1 + by), (value.0 + by, value.1 + by), worth);
            }
        }
    }

    /// Replaces the arguments by those in the object that is the value of `name`.
    pub(super) fn unfold(&mut self, name: &[u8], bytes: &[u8]) {
        let object = self.all.iter().find(|own| {
            own.worth == Worth::Json && bytes.get(own.key.0..own.key.1).is_some_and(|key| key == name)
        });
        let object = object.and_then(|own| bytes.get(own.value.0..own.value.1)).map(<[u8]>::to_vec);
        self.clear();
        if let Some(mut object) = object.filter(|object| object.starts_with(b"{")) {
            // The reader of complete events reads eight bytes ahead.
            object.extend_from_slice(&[b' '; 8]);
            _ = self.read(&object);
            (self.own, self.is_own) = (object, true);
        }
    }

    /// Reads where the arguments of an object are, whose `{` is the first of `bytes`; eight bytes must follow the object. Reading stops at a syntax
    /// error.
    fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let mut cursor = Cursor { bytes, at: 1 };
        while cursor.key_or_end()? == b'"' {
            let key_at = cursor.at;
            let key = (key_at, key_at + cursor.text()?.0.len());
            if cursor.next()? != b':' {
                return None;
            }
            let (at, worth) = match cursor.next()? {
                b'"' => {
                    let at = cursor.at;
                    cursor.text()?;
                    self.push(key, (at, cursor.at - 1), Worth::Text);
                    if cursor.next()? != b',' {
                        return Some(());
                    }
                    continue;
                }
                b'{' | b'[' => {
                    let at = cursor.at - 1;
                    cursor.skip()?;
                    (at, Worth::Json)
                }
                _ => {
                    cursor.at -= 1;
                    let at = cursor.at;
                    cursor.bare()?;
                    (at, Worth::Bare)
                }
            };
            self.push(key, (at, cursor.at), worth);
            if cursor.next()? != b',' {
                return Some(());
            }
        }
        Some(())
    }

    /// Gives the arguments, which refer to `bytes`, to the newest op of `builder`.
    pub(super) fn give(&self, bytes: &[u8], kept: &mut Kept, builder: &mut TraceBuilder) {
        if self.is_empty() {
            return;
        }
        let Kept { skeleton, numbers } = kept;
        skeleton.clear();
        numbers.clear();
        let mut from = self.extent().0;
        let mut left_out = self.more;
        for own in &self.all {
            let stands_for = match own.worth {
                Worth::Text | Worth::Json => continue,
                Worth::Bare => match Decimal::read(&bytes[own.value.0..own.value.1]) {
                    Some(Decimal { digits, scale }) => {
                        numbers.push(digits);
                        NUMBER + scale
                    }
                    None => continue,
                },
                Worth::LeftOut => {
                    left_out += 1;
                    skeleton.extend_from_slice(&bytes[from..own.key.0]);
                    skeleton.push(LEFT_OUT);
                    from = own.value.1;
                    continue;
                }
            };
            skeleton.extend_from_slice(&bytes[from..own.value.0]);
            skeleton.push(stands_for);
            from = own.value.1;
        }
        skeleton.extend_from_slice(&bytes[from..self.extent().1.max(from)]);
        let forms = builder.argument_forms();
        if left_out > 0 {
            forms.left_out(left_out);
        }
        let form = match forms.known(skeleton) {
            Some(form) => Some(form),
            None => {
                let texts = self.texts(bytes);
                let given = texts.iter().map(|(name, value)| (&**name, value.given()));
                forms.form(skeleton, given)
            }
        };
        if let Some(form) = form {
            builder.arguments(form, numbers);
        }
    }

    /// All arguments that are kept, with their meaning.
    #[cold]
    #[inline(never)]
    fn texts<'a>(&self, bytes: &'a [u8]) -> Vec<(Cow<'a, [u8]>, Meaning<'a>)> {
        let taken = self.all.iter().filter(|own| own.worth != Worth::LeftOut);
        let text = |own: &Span| {
            let raw = &bytes[own.value.0..own.value.1];
            let value = match (own.worth, Decimal::read(raw)) {
                (Worth::Bare, Some(number)) => Meaning::Number(number.scale),
                (Worth::Text, _) => Meaning::Text(meant(raw)),
                _ => Meaning::Json(spaced(raw)),
            };
            (meant(&bytes[own.key.0..own.key.1]), value)
        };
        taken.map(text).collect()
    }
}

/// The meaning of an argument.
enum Meaning<'a> {
    Text(Cow<'a, [u8]>),
    Json(Vec<u8>),
    Number(u8),
}

impl Meaning<'_> {
    fn given(&self) -> Given<'_> {
        match self {
            Self::Text(text) => Given::Text(text),
            Self::Json(text) => Given::Json(text),
            Self::Number(scale) => Given::Number(*scale),
        }
    }
}

/// Appends a text as JSON.
fn push_text(text: &[u8], out: &mut Vec<u8>) {
    let text = serde_json::Value::from(String::from_utf8_lossy(text));
    out.extend_from_slice(text.to_string().as_bytes());
}

fn meant(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = Vec::with_capacity(raw.len());
    _ = unescape(raw, &mut text);
    Cow::Owned(text)
}

/// JSON with one space after each comma and colon and no other spaces, because the layout of the writer has no meaning.
fn spaced(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw.iter();
    while let Some(&byte) = rest.next() {
        match byte {
            // A byte order mark occurs where files were joined.
            b' ' | b'\n' | b'\r' | b'\t' | 0xef | 0xbb | 0xbf => {}
            b',' | b':' => out.extend_from_slice(&[byte, b' ']),
            b'"' => {
                out.push(byte);
                while let Some(&byte) = rest.next() {
                    out.push(byte);
                    match byte {
                        // Steplens writes this for `<`.
                        b'\\' if rest.as_slice().starts_with(b"u003c") => {
                            out.pop();
                            out.push(b'<');
                            rest.nth(4);
                        }
                        b'\\' => out.extend(rest.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_nothing_that_json_says() {
        let read = |raw: &str| String::from_utf8(spaced(raw.as_bytes())).unwrap();
        assert_eq!(read("[ [2,3],\n  [ ] ]"), "[[2, 3], []]");
        assert_eq!(read(r#"{"a, b" : "x \" : y", "c":true}"#), r#"{"a, b": "x \" : y", "c": true}"#);
    }
}
