//! Converts the text to the wire format, one op or graph node at a time, and passes it to the reader of that format.

use super::FORMAT;
use super::schema::{FieldType, Message, word_value};
use super::tokens::{self, Stop, Token, integer, unescape};
use crate::frames::MAX_MESSAGE_BYTES;
use crate::reader::{Found, FoundTrace, Reader};
use crate::run_metadata::RunMetadataReader;
use prost::encoding::encode_varint;
use steplens_core::model::part::PartRecord;
use steplens_core::{Problems, TraceBuilder};
use steplens_messages::say;

/// Reads the text of one file.
pub(crate) struct TextReader {
    reader: RunMetadataReader,
    problems: Problems,
    /// The beginning of a token that is not complete yet, and how much of it was read.
    held: Vec<u8>,
    seen: usize,
    /// The offset of the first held byte.
    at: u64,
    state: State,
    /// The open messages, from the outermost; the root is always open.
    open: Vec<Open>,
    /// How many unknown messages are open inside of the innermost known one.
    unknown: u64,
    in_list: bool,
    /// The device of the open `dev_stats`, and whether anything was passed on for it.
    device: Vec<u8>,
    device_told: bool,
    /// Whether the next op is the first one of a `step_stats`.
    begins_part: bool,
    /// The current message in the wire format with the messages around it, and where the lengths of these are.
    wire: Vec<u8>,
    wrapping: Vec<usize>,
    /// The offset of its beginning.
    began_at: u64,
    /// The last text: several texts after one another are one text.
    last_text: Option<LastText>,
}

#[derive(Clone, Copy)]
struct Open {
    message: Message,
    /// Where the length is in the current message; 0 for messages that are not written whole.
    length_at: usize,
}

#[derive(Clone, Copy)]
enum LastText {
    /// The device's name.
    Device,
    /// A text in the current message, with the place of its length.
    Written(usize),
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A field's name, or the end of a message.
    Field,
    /// `:` or `{`.
    AfterName(Option<(u8, FieldType)>),
    /// A value or `{`.
    Value(Option<(u8, FieldType)>),
    /// The name of an extension, in brackets.
    Extension,
}

impl TextReader {
    /// A reader that stops when the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        Self {
            reader: RunMetadataReader::new(memory_limit).in_one_part(),
            problems: Problems::default(),
            held: Vec::new(),
            seen: 0,
            at: 0,
            state: State::Field,
            open: vec![Open { message: Message::Root, length_at: 0 }],
            unknown: 0,
            in_list: false,
            device: Vec::new(),
            device_told: true,
            begins_part: false,
            wire: Vec::new(),
            wrapping: Vec::new(),
            began_at: 0,
            last_text: None,
        }
    }
}

impl Reader for TextReader {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        self.held.extend_from_slice(bytes);
        self.take_tokens(false, builder);
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        self.take_tokens(true, builder);
        if self.open.len() > 1 || self.unknown > 0 || self.state != State::Field {
            let at = self.at;
            self.problems.add("truncated", at, || say!("truncated-text", at));
        }
        for problem in self.reader.finish(builder).as_slice() {
            self.problems.merge(problem);
        }
        Found::Trace(FoundTrace {
            format: FORMAT.name,
            nothing: None,
            problems: self.problems,
            stopped_at: self.reader.stopped_at().cloned(),
            full_at: self.reader.full_at(),
            bytes: self.at,
        })
    }
}

impl TextReader {
    fn take_tokens(&mut self, last: bool, builder: &mut TraceBuilder) {
        let mut held = std::mem::take(&mut self.held);
        let mut taken = 0;
        loop {
            let rest = &held[taken..];
            let length = match tokens::next(rest, self.seen, last) {
                Ok((token, place)) => {
                    // What is before a token may be from an earlier slice or from this one: only the token's own place is certain.
                    self.at += place.start as u64;
                    taken += place.start;
                    self.take_token(token, builder);
                    place.len()
                }
                Err((start, Stop::More(seen))) => {
                    self.seen = seen;
                    self.at += start as u64;
                    taken += start;
                    break;
                }
                Err((start, Stop::Damaged(got))) => {
                    self.damaged(got, self.at + start as u64);
                    // A text without an end takes the rest of the file; otherwise one byte is wrong.
                    let is_text = matches!(rest[start], b'"' | b'\'');
                    start + if is_text { rest.len() - start } else { 1 }
                }
            };
            self.seen = 0;
            self.at += length as u64;
            taken += length;
        }
        held.drain(..taken);
        self.held = held;
    }

    fn damaged(&mut self, got: &str, at: u64) {
        self.problems.add("damaged-text", at, || say!("damaged-text", got, at));
    }

    fn take_token(&mut self, token: Token<'_>, builder: &mut TraceBuilder) {
        let last_text = self.last_text.take();
        match (self.state, token) {
            (State::Field, Token::Word(name)) => self.state = State::AfterName(self.field(name)),
            (State::Field, Token::Sign(b'}' | b'>')) => self.close(builder),
            (State::Field, Token::Sign(b',' | b';')) => {}
            (State::Field, Token::Sign(b'[')) => self.state = State::Extension,
            (State::Field, Token::Text(text)) if last_text.is_some() => self.extend(last_text, text),
            (State::Extension, Token::Sign(b']')) => self.state = State::AfterName(None),
            (State::Extension, Token::Word(_)) => {}
            (State::AfterName(field), Token::Sign(b':')) => self.state = State::Value(field),
            (State::AfterName(field) | State::Value(field), Token::Sign(b'{' | b'<')) => self.enter(field),
            (State::Value(field), Token::Sign(b'[')) if !self.in_list => {
                self.in_list = true;
                self.state = State::Value(field);
            }
            (State::Value(_), Token::Sign(b',')) if self.in_list => {}
            (State::Value(_), Token::Sign(b']')) if self.in_list => self.end_list(),
            (State::Value(field), Token::Word(word)) => self.number(field, word),
            (State::Value(field), Token::Text(text)) => self.text(field, text),
            (_, _) => {
                self.damaged(say!("got-misplaced-word"), self.at);
                self.in_list = false;
                self.state = State::Field;
            }
        }
    }

    fn field(&self, name: &[u8]) -> Option<(u8, FieldType)> {
        if self.unknown > 0 { None } else { self.open.last()?.message.field(name) }
    }

    fn end_list(&mut self) {
        self.in_list = false;
        self.state = State::Field;
    }

    fn after_value(&mut self) {
        if !self.in_list {
            self.state = State::Field;
        }
    }

    /// Begins a message. TensorFlow does not write lists of messages: the first one is taken, and the list ends.
    fn enter(&mut self, field: Option<(u8, FieldType)>) {
        self.in_list = false;
        self.state = State::Field;
        let (Some((number, FieldType::Message(message))), 0, false) = (field, self.unknown, self.is_full())
        else {
            self.unknown += 1;
            return;
        };
        match message {
            Message::StepStats => self.begins_part = true,
            Message::DevStats => {
                self.device.clear();
                self.device_told = false;
            }
            Message::Op | Message::ThreadName => self.begin_in_device(),
            // In a function's graph or another one: the place makes no difference.
            Message::GraphNode => self.begin_wrapping(&[3]),
            _ => {}
        }
        let length_at = if is_written_whole(message) { self.begin(number) } else { 0 };
        self.open.push(Open { message, length_at });
    }

    /// Ends a message, known or unknown.
    fn close(&mut self, builder: &mut TraceBuilder) {
        if self.unknown > 0 {
            self.unknown -= 1;
            return;
        }
        if self.open.len() == 1 {
            return self.damaged(say!("got-early-end"), self.at);
        }
        let Some(Open { message, length_at }) = self.open.pop() else { return };
        match message {
            Message::Op | Message::ThreadName | Message::GraphNode => {
                self.end(length_at);
                self.hand_on(builder);
            }
            Message::DevStats if !self.device_told => {
                self.begin_in_device();
                self.hand_on(builder);
            }
            _ if is_written_whole(message) => self.end(length_at),
            _ => {}
        }
    }

    /// Begins `step_stats { dev_stats { device: "..." `: each op is passed on in a message of its own, and equal devices are
    /// merged.
    fn begin_in_device(&mut self) {
        self.begin_wrapping(&[1, 1]);
        let device = self.begin(1);
        self.wire.extend_from_slice(&self.device);
        self.end(device);
        self.device_told = true;
    }

    /// Begins a message that the reader can read by itself: inside of the fields `outer`.
    fn begin_wrapping(&mut self, outer: &[u8]) {
        self.began_at = self.at;
        self.wire.clear();
        self.wrapping.clear();
        for &number in outer {
            let length_at = self.begin(number);
            self.wrapping.push(length_at);
        }
    }

    /// Ends that message, and passes it to the reader.
    fn hand_on(&mut self, builder: &mut TraceBuilder) {
        while let Some(length_at) = self.wrapping.pop() {
            self.end(length_at);
        }
        if self.is_full() {
            self.damaged(say!("got-long-message"), self.began_at);
        } else {
            if std::mem::take(&mut self.begins_part) {
                builder.begin_part(&PartRecord::default());
            }
            self.reader.set_offset(self.began_at);
            self.reader.push(&self.wire, builder);
        }
        self.wire.clear();
    }

    /// Writes the tag of a field with a length, and reserves bytes for the length; returns their place.
    fn begin(&mut self, number: u8) -> usize {
        self.wire.push(tag(number));
        self.wire.extend([0; LENGTH_BYTES]);
        self.wire.len() - LENGTH_BYTES
    }

    /// Writes the length of what was written since the [`begin`](Self::begin) that returned `length_at`, as a varint that fills the
    /// reserved bytes.
    fn end(&mut self, length_at: usize) {
        let length = self.wire.len() - length_at - LENGTH_BYTES;
        for (place, byte) in self.wire[length_at..length_at + LENGTH_BYTES].iter_mut().enumerate() {
            let more = if place + 1 < LENGTH_BYTES { 0x80 } else { 0 };
            *byte = (length >> (7 * place)) as u8 & 0x7f | more;
        }
    }

    fn number(&mut self, field: Option<(u8, FieldType)>, word: &[u8]) {
        self.after_value();
        if let Some((number, FieldType::Number)) = field.filter(|_| !self.is_full()) {
            let Some(value) = integer(word).or_else(|| word_value(word)) else {
                return self.damaged(say!("got-no-number"), self.at);
            };
            encode_varint(u64::from(number) << 3, &mut self.wire);
            encode_varint(value as u64, &mut self.wire);
        }
    }

    fn text(&mut self, field: Option<(u8, FieldType)>, text: &[u8]) {
        self.after_value();
        let Some((number, FieldType::Text)) = field.filter(|_| !self.is_full()) else { return };
        if self.open.last().is_some_and(|open| open.message == Message::DevStats) {
            self.device.clear();
            self.extend(Some(LastText::Device), text);
        } else {
            let length_at = self.begin(number);
            self.extend(Some(LastText::Written(length_at)), text);
        }
    }

    fn extend(&mut self, last_text: Option<LastText>, text: &[u8]) {
        match last_text {
            Some(LastText::Device) => unescape(text, &mut self.device),
            Some(LastText::Written(length_at)) => {
                unescape(text, &mut self.wire);
                self.end(length_at);
            }
            None => {}
        }
        self.last_text = last_text;
    }

    /// Whether the current message is longer than any that is read.
    fn is_full(&self) -> bool {
        self.wire.len() as u64 > MAX_MESSAGE_BYTES
    }
}

/// The bytes reserved for a length: enough for a message of 34 GB.
const LENGTH_BYTES: usize = 5;

/// The tag of a field with a length. All fields are below 16, so it is one byte.
fn tag(number: u8) -> u8 {
    number << 3 | 2
}

/// Whether a message is part of an op, a graph node or a thread's name, or one of these.
fn is_written_whole(message: Message) -> bool {
    use Message::{DevStats, FunctionGraphs, Graph, Root, StepStats};
    !matches!(message, Root | StepStats | DevStats | Graph | FunctionGraphs)
}
