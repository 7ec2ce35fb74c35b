//! Tokens to events: which object is open, what is skipped, and where to continue after damage.
//!
//! Damage is local: the event with a syntax error is left out, and reading continues at the next `{`. If the object found there is
//! no event (but the `args` of a damaged one), it is skipped.

use super::FORMAT;
use super::arguments::Worth;
use super::document::{Document, Taken};
use super::event::{Event, Field, Key};
use super::lexer::{Lexer, Token};
use super::lost::{Count, Lost};
use super::whole;
use crate::error::ReadErrorKind;
use crate::reader::{Found, FoundTrace, Reader};
use steplens_core::Problems;
use steplens_core::build::builder::TraceBuilder;
use steplens_messages::say;

/// The number of bytes between two checks of the memory in use.
const MEMORY_CHECK_BYTES: u64 = 1 << 20;
/// The open object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenScope {
    /// No object: before an event, or before or after a document.
    Between,
    /// An event, or a document around its events.
    Object,
    Args,
    Snapshot,
    /// What a document says about its process.
    Distributed,
}

/// The next token in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Key,
    Colon,
    Value,
    /// A comma or the end.
    Comma,
}

/// Reads one file.
pub(crate) struct ChromeReader {
    lexer: Lexer,
    parser: Parser,
}

struct Parser {
    place: OpenScope,
    expect: Expect,
    key: Key,
    /// The number of open brackets in a value that is not needed.
    skipping: u64,
    /// Whether an array of events is open.
    in_events: bool,
    /// Whether that array belongs to an object, or the open object had one.
    in_document: bool,
    /// A document has ended, and nothing of it was damaged: damage may end a list, too, and what follows is still of it.
    has_whole: bool,
    /// Something was no JSON.
    is_damaged: bool,
    /// Events that come after a document without the beginning of another one.
    stray: Count,
    /// Whether no complete event was read since the last damage.
    is_lost: bool,
    /// Whether what is skipped is the list of the GPUs of a machine.
    in_devices: bool,
    /// Whether reading continues at the next `{`.
    skips_to_object: bool,
    is_stopped: bool,
    event: Event,
    event_at: u64,
    events: u64,
    /// Whether the file has a list called `traceEvents`, or an event.
    is_trace: bool,
    /// Whether a list has begun, and nothing is in it so far.
    is_empty: bool,
    document: Document,
    lost: Lost,
    problems: Problems,
    memory_limit: usize,
    checked_at: u64,
    full_at: Option<u64>,
}

impl ChromeReader {
    /// A reader that only counts ops after the trace takes more than `memory_limit` bytes.
    pub(crate) fn new(memory_limit: usize) -> Self {
        let parser = Parser {
            place: OpenScope::Between,
            expect: Expect::Key,
            key: Key::Other,
            skipping: 0,
            in_events: false,
            in_document: false,
            has_whole: false,
            is_damaged: false,
            stray: Count::default(),
            is_lost: false,
            in_devices: false,
            skips_to_object: false,
            is_stopped: false,
            event: Event::default(),
            event_at: 0,
            events: 0,
            is_trace: false,
            is_empty: false,
            document: Document::default(),
            lost: Lost::default(),
            problems: Problems::default(),
            memory_limit,
            checked_at: 0,
            full_at: None,
        };
        Self { lexer: Lexer::default(), parser }
    }

    /// Sets where in its file the next bytes are, for JSON that is made of a file. Only allowed between events.
    pub(crate) fn set_at(&mut self, at: u64) {
        self.lexer.set_at(at);
    }
}

impl Reader for ChromeReader {
    fn push(&mut self, mut bytes: &[u8], builder: &mut TraceBuilder) {
        let Self { lexer, parser } = self;
        while !parser.is_stopped {
            if parser.skips_to_object {
                if !lexer.skip_to_object(&mut bytes) {
                    return;
                }
                parser.skips_to_object = false;
            }
            if parser.in_events && parser.place == OpenScope::Between && lexer.is_ready() {
                let at = lexer.at();
                if let Some(found) = whole::read(bytes, &mut parser.event) {
                    lexer.pass(&mut bytes, found.end + 1);
                    parser.take_whole(at + found.start as u64, at + found.end as u64, builder);
                    continue;
                }
            }
            let Some((at, token)) = lexer.next(&mut bytes) else { return };
            parser.take(token, at, builder);
        }
    }

    fn finish(mut self: Box<Self>, builder: &mut TraceBuilder) -> Found {
        let (parser, bytes) = (&mut self.parser, self.lexer.at());
        if !parser.is_stopped {
            parser.report_cut(bytes, !self.lexer.is_ready());
        }
        parser.document.end(builder, &mut parser.lost);
        let (stray, first) = (parser.stray.count(), parser.stray.first());
        if stray > 0 {
            parser
                .problems
                .add_many("rest-of-document", stray, first, || say!("rest-of-document", count = stray));
        }
        parser.lost.report(&mut parser.problems);
        Found::Trace(FoundTrace {
            format: FORMAT.name,
            nothing: Some(parser.why_nothing(bytes)),
            problems: std::mem::take(&mut parser.problems),
            stopped_at: None,
            full_at: parser.full_at,
            bytes,
        })
    }
}

impl Parser {
    #[inline]
    fn take(&mut self, token: Token<'_>, at: u64, builder: &mut TraceBuilder) {
        if self.skipping > 0 {
            return self.skip(token, at);
        }
        match (self.place, self.expect, token) {
            (OpenScope::Between, _, token) => self.between(token, at, builder),
            (place, Expect::Key, Token::Text { raw, .. }) => {
                self.key = match place {
                    OpenScope::Between | OpenScope::Object => Key::of_object(raw),
                    OpenScope::Args => {
                        self.event.arguments.key(raw);
                        Key::of_args(raw)
                    }
                    OpenScope::Snapshot => Key::of_snapshot(raw),
                    OpenScope::Distributed => Key::of_distributed(raw),
                };
                self.expect = Expect::Colon;
            }
            (_, Expect::Colon, Token::Colon) => self.expect = Expect::Value,
            (_, Expect::Value, Token::Text { raw, .. } | Token::Bare(raw))
                if matches!(self.key, Key::Base | Key::Rank) =>
            {
                self.document.say(self.key, raw);
                self.expect = Expect::Comma;
            }
            (place, Expect::Value, Token::Text { raw, escaped }) => {
                if place == OpenScope::Args {
                    self.event.arguments.value(raw, Worth::Text);
                }
                self.event.set(self.key, raw, escaped);
                self.expect = Expect::Comma;
            }
            (place, Expect::Value, Token::Bare(raw)) => {
                if place == OpenScope::Args {
                    self.event.arguments.value(raw, Worth::Bare);
                }
                self.event.set(self.key, raw, false);
                self.expect = Expect::Comma;
            }
            (_, Expect::Value, Token::Open(bracket)) => self.open(bracket, builder),
            (_, Expect::Comma, Token::Comma) => self.expect = Expect::Key,
            (_, Expect::Key | Expect::Comma, Token::Close(b'}')) => self.close(at, builder),
            _ => self.damaged(self.event_at),
        }
    }

    /// Takes an event between `start` and `end` that was read at once.
    fn take_whole(&mut self, start: u64, end: u64, builder: &mut TraceBuilder) {
        self.event_at = start;
        self.expect = Expect::Comma;
        self.end_event(end, builder);
    }

    /// Takes a token outside of any object.
    fn between(&mut self, token: Token<'_>, at: u64, builder: &mut TraceBuilder) {
        match token {
            Token::Comma => {}
            Token::Open(b'{') => {
                self.is_empty = false;
                self.event.clear();
                self.event_at = at;
                (self.place, self.expect) = (OpenScope::Object, Expect::Key);
            }
            Token::Open(_) if !self.in_events => {
                self.end_document(builder);
                (self.in_events, self.is_empty) = (true, true);
            }
            Token::Close(b']') if self.in_events => {
                self.in_events = false;
                if self.in_document {
                    (self.place, self.expect) = (OpenScope::Object, Expect::Comma);
                } else {
                    self.end_document(builder);
                }
            }
            // Brackets of the damaged part.
            Token::Close(_) if self.is_lost => {}
            _ => self.damaged(at),
        }
    }

    /// Takes a value that is an object or an array.
    fn open(&mut self, bracket: u8, builder: &mut TraceBuilder) {
        self.expect = Expect::Key;
        match (self.place, self.key, bracket) {
            (OpenScope::Object, Key::Args, b'{') => self.place = OpenScope::Args,
            (OpenScope::Args, Key::Snapshot, b'{') => self.place = OpenScope::Snapshot,
            (OpenScope::Object, Key::Distributed, b'{') if !self.in_events => {
                self.place = OpenScope::Distributed
            }
            (OpenScope::Object, Key::Events, b'[') if !self.in_events => {
                if !self.in_document {
                    // Statements of the new document before its events do not belong to the document before.
                    let said = self.document.take_said();
                    self.end_document(builder);
                    self.document.put_said(said);
                }
                (self.in_events, self.in_document, self.is_trace) = (true, true, true);
                self.place = OpenScope::Between;
            }
            (OpenScope::Args, ..) => {
                self.event.arguments.nested(false, &[bracket]);
                self.skipping = 1;
            }
            (OpenScope::Object, Key::Devices, b'[') if !self.in_events => {
                (self.in_devices, self.skipping) = (true, 1);
            }
            _ => self.skipping = 1,
        }
    }

    /// Ends the open object.
    fn close(&mut self, at: u64, builder: &mut TraceBuilder) {
        self.expect = Expect::Comma;
        match self.place {
            OpenScope::Snapshot => self.place = OpenScope::Args,
            OpenScope::Args | OpenScope::Distributed => self.place = OpenScope::Object,
            OpenScope::Object | OpenScope::Between => {
                self.place = OpenScope::Between;
                if self.in_document && !self.in_events {
                    self.end_document(builder);
                } else {
                    self.end_event(at, builder);
                }
            }
        }
    }

    /// Skips a value that is not needed.
    fn skip(&mut self, token: Token<'_>, at: u64) {
        if self.place == OpenScope::Args {
            let (is_text, raw): (_, &[u8]) = match &token {
                Token::Open(bracket) | Token::Close(bracket) => (false, std::slice::from_ref(bracket)),
                Token::Comma => (false, b","),
                Token::Colon => (false, b":"),
                Token::Text { raw, .. } => (true, raw),
                Token::Bare(raw) => (false, raw),
                Token::Bad => (false, b""),
            };
            self.event.arguments.nested(is_text, raw);
        }
        if self.in_devices {
            self.document.gpus().take(&token, self.skipping);
        }
        match token {
            Token::Open(_) => self.skipping += 1,
            Token::Close(_) => self.skipping -= 1,
            Token::Bad => return self.damaged(at),
            _ => {}
        }
        if self.skipping == 0 {
            self.in_devices = false;
            if self.place == OpenScope::Args {
                self.event.arguments.end_nested();
            }
            self.expect = Expect::Comma;
        }
    }

    fn end_event(&mut self, at: u64, builder: &mut TraceBuilder) {
        if !self.event.has(Field::Phase) {
            return;
        }
        if self.has_whole && !self.in_events {
            // Another writer had the file at the same time: this is what a shorter document left of a longer one.
            self.stray.add(1, self.event_at);
            self.is_lost = true;
            return;
        }
        if self.event.has_odd_escape {
            self.report("odd-escape", say!("the-event"), self.event_at, say!("has-odd-escape"));
        }
        self.events += 1;
        self.is_trace = true;
        self.is_lost = false;
        let at_event = self.event_at;
        match self.document.take(&mut self.event, at_event, &mut self.lost, builder) {
            Taken::Fine => {}
            Taken::Negative => {
                self.report("negative-duration", say!("the-event"), at_event, say!("ends-before-start"));
            }
            Taken::NoTime => {
                self.report("damaged-event", say!("the-event"), at_event, say!("has-no-time"));
            }
            Taken::TimeOutOfRange => {
                self.report("time-out-of-range", say!("the-event"), at_event, say!("time-too-far"));
            }
            Taken::TooManyOps => self.stop("too-many-ops", at_event),
            Taken::TooManyDevices => self.stop("too-many-devices", at_event),
        }
        if at - self.checked_at > MEMORY_CHECK_BYTES {
            self.checked_at = at;
            if !builder.is_full() && builder.heap_bytes() + self.document.heap_bytes() > self.memory_limit {
                builder.fill();
                self.full_at = Some(at);
            }
        }
    }

    fn end_document(&mut self, builder: &mut TraceBuilder) {
        self.in_document = false;
        self.has_whole |= self.is_trace && !self.is_damaged;
        self.document.end(builder, &mut self.lost);
    }

    /// Handles a syntax error in what began at `at`.
    fn damaged(&mut self, at: u64) {
        self.is_damaged = true;
        if !self.is_lost {
            self.report("damaged-event", say!("the-event"), at, say!("is-no-json"));
        }
        (self.is_lost, self.skips_to_object) = (true, true);
        (self.place, self.skipping) = (OpenScope::Between, 0);
    }

    /// Stops, because the tables are full.
    fn stop(&mut self, code: &'static str, at: u64) {
        self.report(code, say!("the-event"), at, say!("too-many-to-hold"));
        self.is_stopped = true;
    }

    /// Adds a problem. One function for all of them, because each one that makes a sentence takes half a kilobyte of the page.
    #[inline(never)]
    fn report(&mut self, code: &'static str, subject: &str, at: u64, what: &str) {
        self.problems.add(code, at, || say!("subject-at", subject, at, what));
    }

    /// Adds a problem if the file ends too early. A list of events without an object around it needs no end.
    fn report_cut(&mut self, at: u64, is_within_token: bool) {
        let within = match self.place {
            OpenScope::Between if is_within_token => say!("cut-in-word"),
            OpenScope::Between if self.in_events && self.in_document => {
                say!("cut-in-list")
            }
            OpenScope::Between => return,
            OpenScope::Object if self.in_document && !self.in_events => {
                say!("cut-after-events")
            }
            _ => say!("cut-in-event"),
        };
        self.report("truncated", say!("the-file-ends"), at, within);
    }

    /// Why the file has no ops, as a sentence.
    fn why_nothing(&self, bytes: u64) -> ReadErrorKind {
        let format = say!("word-chrome");
        let broken = |code| self.problems.as_slice().iter().find(|problem| problem.code == code);
        match (broken("truncated"), broken("damaged-event").or(broken("time-out-of-range"))) {
            (_, Some(damage)) if self.is_trace => ReadErrorKind::NoOpsReadable {
                format,
                offset: damage.offset,
                what: say!("got-damage").to_owned(),
            },
            (Some(_), None) => ReadErrorKind::NoOpsReadable {
                format,
                offset: bytes,
                what: say!("got-end-of-file").to_owned(),
            },
            _ if self.lost.asynchronous.count() > 0 => {
                ReadErrorKind::OnlyAsynchronous { events: self.lost.asynchronous.count() }
            }
            _ if self.lost.timelines > 0 => ReadErrorKind::NoOpsIn {
                format: say!("word-timeline-py"),
                holds: say!("timeline-allocators", events = self.events),
                advice: say!("timeline-advice"),
            },
            _ if self.is_trace => ReadErrorKind::NoEvents { events: self.events },
            (None, None) if self.in_events && self.is_empty => ReadErrorKind::EmptyTimeline,
            _ => ReadErrorKind::OtherJson,
        }
    }
}
