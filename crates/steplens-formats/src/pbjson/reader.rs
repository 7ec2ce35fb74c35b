//! Converts JSON to the text format of protobuf, token by token.

use super::FORMAT;
use super::fields::{self, Kind};
use super::within_text::WithinText;
use crate::base64::Decoder;
use crate::chrome::lexer::{Lexer, Token};
use crate::chrome::text::unescape;
use crate::pbtxt::TextReader;
use crate::reader::{Found, Reader};
use steplens_core::TraceBuilder;
use steplens_messages::say;

/// Messages are not nested deeper; what is, is no RunMetadata.
const MAX_DEPTH: usize = 64;

/// Reads the JSON of one file.
pub(crate) struct JsonReader {
    reader: Box<TextReader>,
    lexer: Lexer,
    /// The text that the file is, if it is one, and whether that is known.
    within: Option<WithinText>,
    has_begun: bool,
    open: Vec<Open>,
    /// The last key, as the text format calls it.
    name: Vec<u8>,
    expects_key: bool,
    /// What goes to the reader of the text format.
    out: Vec<u8>,
    text: Vec<u8>,
    /// Nothing of the rest can be read.
    is_stopped: bool,
}

/// An open bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Open {
    /// A message; the outermost has no braces in the text format.
    Message { is_root: bool },
    /// A list of the field of this name.
    List { name: Vec<u8> },
    /// A map of this name: its keys are values.
    Map { name: Vec<u8> },
    /// The value of an entry of a map, which is a message.
    Entry,
}

impl JsonReader {
    /// A reader that stops when the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        Self {
            reader: Box::new(TextReader::new(memory_limit)),
            lexer: Lexer::default(),
            within: None,
            has_begun: false,
            open: Vec::new(),
            name: Vec::new(),
            expects_key: false,
            out: Vec::new(),
            text: Vec::new(),
            is_stopped: false,
        }
    }
}

impl Reader for JsonReader {
    fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        if !self.has_begun {
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
            self.has_begun = !text.is_empty();
            self.within = text.starts_with(b"\"").then(WithinText::default);
        }
        let mut inner = Vec::new();
        let mut rest = bytes;
        if let Some(within) = &mut self.within {
            within.push(bytes, &mut inner);
            rest = &inner;
        }
        let mut lexer = std::mem::take(&mut self.lexer);
        while let Some((_, token)) = lexer.next(&mut rest).filter(|_| !self.is_stopped) {
            self.take(token);
        }
        self.lexer = lexer;
        let out = std::mem::take(&mut self.out);
        self.reader.push(&out, builder);
        self.out = out;
        self.out.clear();
    }

    fn finish(self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        match self.reader.finish(builder) {
            Found::Trace(mut found) => {
                found.format = FORMAT.name;
                let is_cut = !self.open.is_empty() && !self.is_stopped;
                if is_cut && found.problems.count("truncated") == 0 {
                    let at = found.bytes;
                    found.problems.add("truncated", at, || say!("truncated-text", at));
                }
                Found::Trace(found)
            }
            other => other,
        }
    }
}

impl JsonReader {
    fn take(&mut self, token: Token<'_>) {
        match token {
            Token::Comma => self.expects_key = !matches!(self.open.last(), Some(Open::List { .. })),
            Token::Colon => {}
            Token::Text { raw, escaped } => {
                self.text.clear();
                match escaped {
                    true => _ = unescape(raw, &mut self.text),
                    false => self.text.extend_from_slice(raw),
                }
                if std::mem::take(&mut self.expects_key) { self.key() } else { self.text_value() }
            }
            Token::Bare(raw) => {
                if !matches!(raw, b"null") {
                    self.begin_value();
                    self.out.extend_from_slice(b": ");
                    self.out.extend_from_slice(raw);
                    self.end_value();
                }
            }
            Token::Open(bracket) => self.enter(bracket),
            Token::Close(_) => self.leave(),
            // The reader of the text format says that something is wrong here.
            Token::Bad => {
                self.out.extend_from_slice(b" ] ");
                self.is_stopped = true;
            }
        }
    }

    /// Takes the key in `text`.
    fn key(&mut self) {
        self.name.clear();
        match self.open.last() {
            Some(Open::Map { .. }) => self.name.extend_from_slice(&self.text),
            _ => fields::push_name(&self.text, &mut self.name),
        }
    }

    /// Writes the name of the field of the next value.
    fn begin_value(&mut self) {
        match self.open.last() {
            Some(Open::List { name }) => self.out.extend_from_slice(name),
            Some(Open::Map { name }) => {
                let is_text = name == b"attr";
                self.out.extend_from_slice(name);
                self.out.extend_from_slice(b" { key: ");
                let key = std::mem::take(&mut self.name);
                if is_text {
                    self.quoted(&key)
                } else {
                    self.out.extend_from_slice(&key)
                }
                self.out.extend_from_slice(b" value");
            }
            _ => self.out.extend_from_slice(&self.name),
        }
    }

    fn end_value(&mut self) {
        let is_entry = matches!(self.open.last(), Some(Open::Map { .. }));
        self.out.extend_from_slice(if is_entry { b" }\n" } else { b"\n" });
    }

    /// Takes the value in `text`.
    fn text_value(&mut self) {
        let kind = match self.open.last() {
            Some(Open::List { name }) => fields::kind(name),
            Some(Open::Map { .. }) => Kind::Text,
            _ => fields::kind(&self.name),
        };
        self.begin_value();
        self.out.extend_from_slice(b": ");
        let text = std::mem::take(&mut self.text);
        match kind {
            Kind::Text => self.quoted(&text),
            Kind::Bytes => {
                let mut decoder = Decoder::default();
                let bytes = text.iter().filter_map(|&letter| decoder.take(letter).ok().flatten());
                let bytes: Vec<u8> = bytes.collect();
                self.quoted(&bytes);
            }
            // A text that is no word would be taken for more of the format.
            Kind::Word
                if !text.is_empty()
                    && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-+".contains(byte)) =>
            {
                self.out.extend_from_slice(&text);
            }
            Kind::Word => self.quoted(&text),
        }
        self.text = text;
        self.end_value();
    }

    /// Writes a text of the text format.
    fn quoted(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for &byte in text {
            match byte {
                b'"' | b'\\' => self.out.extend_from_slice(&[b'\\', byte]),
                b'\n' => self.out.extend_from_slice(b"\\n"),
                b'\r' => self.out.extend_from_slice(b"\\r"),
                0 => self.out.extend_from_slice(b"\\000"),
                _ => self.out.push(byte),
            }
        }
        self.out.push(b'"');
    }

    fn enter(&mut self, bracket: u8) {
        if self.open.len() >= MAX_DEPTH {
            self.is_stopped = true;
            return;
        }
        self.expects_key = bracket == b'{';
        let of_list = match self.open.last() {
            Some(Open::List { name }) => Some(name.clone()),
            _ => None,
        };
        let next = match (self.open.last(), bracket) {
            (None, b'{') => Open::Message { is_root: true },
            (_, b'[') => Open::List { name: of_list.unwrap_or_else(|| self.name.clone()) },
            (Some(Open::Map { .. }), _) => {
                self.begin_value();
                self.out.extend_from_slice(b" {\n");
                Open::Entry
            }
            (Some(Open::Message { .. } | Open::Entry), _) if fields::is_map(&self.name) => {
                Open::Map { name: self.name.clone() }
            }
            _ => {
                self.begin_value();
                self.out.extend_from_slice(b" {\n");
                Open::Message { is_root: false }
            }
        };
        self.open.push(next);
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some(Open::Message { is_root: false }) => self.out.extend_from_slice(b"}\n"),
            Some(Open::Entry) => self.out.extend_from_slice(b"} }\n"),
            _ => {}
        }
        self.expects_key = false;
    }
}
