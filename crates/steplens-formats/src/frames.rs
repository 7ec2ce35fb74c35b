//! The framing of a protobuf with too many messages for memory: which message is open, where it ends, what of it is read
//! whole and what is skipped.
//!
//! Damage is local: a message whose framing breaks is skipped to its end, which its parent knows; only at the top, where
//! no end is known, reading stops.

use crate::wire::{Tag, Wire, varint};
use steplens_core::Problems;

/// The longest message that is taken into memory.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;
/// A tag and a length take at most ten bytes each.
const MAX_HEAD_BYTES: usize = 20;

/// The messages whose fields are read one by one, because they are as large as the file allows.
pub(crate) trait Schema: Copy + 'static {
    /// What is read whole: messages, texts and numbers.
    type Whole: Copy;
    /// What a field leads to.
    fn step(self, field: u32, wire: Wire) -> Step<Self, Self::Whole>;
    /// What the message is called.
    fn word(self) -> &'static str;
}

/// What a field leads to.
pub(crate) enum Step<P, W> {
    Enter(P),
    Read(W),
    /// Known to the schema, of no use here.
    Skip,
    /// Not in the schema: a newer writer's, or damage that looks like a field.
    Unknown,
}

/// What comes next.
pub(crate) enum Frame<'a, P: Schema> {
    /// A message that begins, tag and all, at the byte `at`.
    Entered {
        place: P,
        at: u64,
    },
    Left(P),
    /// A message or a text that begins at the byte `at`.
    Message {
        what: P::Whole,
        bytes: &'a [u8],
        at: u64,
    },
    Number {
        what: P::Whole,
        value: u64,
    },
}

struct Open<P> {
    place: P,
    /// The offset after its last byte; `u64::MAX` for the outermost, whose end nobody wrote down.
    end: u64,
}

enum State<W> {
    /// Before a tag.
    Head,
    /// Within a message that is read whole.
    Within { what: W, length: usize },
    /// Within bytes that nobody needs.
    Skipping { left: u64 },
    /// Nothing more can be read.
    Stopped,
}

enum Head {
    /// The value is that of a number, or the length of what follows.
    Complete {
        tag: Tag,
        value: u64,
        taken: usize,
    },
    Incomplete,
    Damaged,
}

/// Follows the framing of one file, slice by slice.
pub(crate) struct Frames<P: Schema> {
    open: Vec<Open<P>>,
    state: State<P::Whole>,
    /// The offset of the next byte to come.
    at: u64,
    /// What is there of a head or message that earlier slices did not complete.
    held: Vec<u8>,
    /// What is held was given away whole.
    is_held_done: bool,
    /// What was wrong so far.
    pub(crate) problems: Problems,
    stopped_at: Option<(u64, String)>,
}

impl<P: Schema> Frames<P> {
    /// The framing of a file whose outermost message is `place`.
    pub(crate) fn of(place: P) -> Self {
        Self {
            open: vec![Open { place, end: u64::MAX }],
            state: State::Head,
            at: 0,
            held: Vec::new(),
            is_held_done: false,
            problems: Problems::default(),
            stopped_at: None,
        }
    }

    /// The offset of the next byte to come.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Where and why reading had to stop before the end, if it did.
    pub(crate) fn stopped_at(&self) -> Option<&(u64, String)> {
        self.stopped_at.as_ref()
    }

    /// The next frame of `bytes`, which lose what was read; `None` when all of it is.
    pub(crate) fn next<'a, 'b: 'a>(&'a mut self, bytes: &mut &'b [u8]) -> Option<Frame<'a, P>> {
        if self.is_held_done {
            self.is_held_done = false;
            self.held.clear();
        }
        loop {
            let is_between = matches!(self.state, State::Head) && self.held.is_empty();
            if is_between && self.open.len() > 1 && self.room(self.at) == 0 {
                return self.open.pop().map(|open| Frame::Left(open.place));
            }
            if bytes.is_empty() && !matches!(self.state, State::Within { length: 0, .. }) {
                return None;
            }
            match self.state {
                State::Head => {
                    if let Some(frame) = self.read_head(bytes) {
                        return Some(frame);
                    }
                }
                State::Within { what, length } => {
                    if self.held.is_empty() && bytes.len() >= length {
                        let at = self.at;
                        self.state = State::Head;
                        return Some(Frame::Message { what, bytes: self.take(bytes, length), at });
                    }
                    let more = self.take(bytes, length - self.held.len());
                    self.held.extend_from_slice(more);
                    if self.held.len() == length {
                        (self.state, self.is_held_done) = (State::Head, true);
                        return Some(Frame::Message { what, bytes: &self.held, at: self.at - length as u64 });
                    }
                }
                State::Skipping { left } => {
                    let count = self.take(bytes, usize::try_from(left).unwrap_or(usize::MAX)).len() as u64;
                    self.skip(left - count);
                }
                State::Stopped => _ = self.take(bytes, usize::MAX),
            }
        }
    }

    /// Reads nothing more: of what comes next the file has more than can be held.
    pub(crate) fn stop(&mut self, code: &'static str, got: &str, at: u64) {
        self.problems.add(code, at, || {
            format!("{got} at byte {at}; everything before it is shown, the rest is left out")
        });
        self.stopped_at = Some((at, got.to_owned()));
        self.state = State::Stopped;
    }

    /// Says that the file is over: whether that was within something.
    pub(crate) fn finish(&mut self) {
        let is_whole = match self.state {
            State::Stopped => true,
            State::Head => self.open.len() == 1 && (self.held.is_empty() || self.is_held_done),
            State::Within { .. } | State::Skipping { .. } => false,
        };
        if !is_whole {
            let (at, place) = (self.at, self.place().map_or("the file", P::word));
            self.problems.add("truncated", at, || {
                format!("the file ends at byte {at} inside {place}; everything before it is shown")
            });
        }
    }

    fn place(&self) -> Option<P> {
        self.open.last().map(|open| open.place)
    }

    /// How many bytes of the innermost message are still to come, counted from `at`.
    fn room(&self, at: u64) -> u64 {
        self.open.last().map_or(0, |open| open.end.saturating_sub(at))
    }

    fn take<'b>(&mut self, bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
        let (taken, rest) = bytes.split_at(count.min(bytes.len()));
        *bytes = rest;
        self.at += taken.len() as u64;
        taken
    }

    fn skip(&mut self, left: u64) {
        self.state = if left > 0 { State::Skipping { left } } else { State::Head };
    }

    fn read_head(&mut self, bytes: &mut &[u8]) -> Option<Frame<'static, P>> {
        let start = self.at - self.held.len() as u64;
        let room = usize::try_from(self.room(start)).unwrap_or(usize::MAX).min(MAX_HEAD_BYTES);
        let head = if self.held.is_empty() {
            let visible = &bytes[..room.min(bytes.len())];
            let head = parse_head(visible);
            let count = match head {
                Head::Complete { taken, .. } => taken,
                Head::Incomplete => {
                    self.held.extend_from_slice(visible);
                    visible.len()
                }
                Head::Damaged => 0,
            };
            self.take(bytes, count);
            head
        } else {
            let mut head = Head::Incomplete;
            while matches!(head, Head::Incomplete) && !bytes.is_empty() && self.held.len() < room {
                let byte = self.take(bytes, 1);
                self.held.extend_from_slice(byte);
                head = parse_head(&self.held);
            }
            head
        };
        match head {
            Head::Complete { tag, value, .. } => {
                self.held.clear();
                self.follow(tag, value, start)
            }
            Head::Incomplete if self.held.len() < room => None,
            Head::Incomplete | Head::Damaged => {
                self.held.clear();
                self.damaged(start, "a tag or length that no message may hold");
                None
            }
        }
    }

    /// Decides about the field whose value comes next, or, if it is a number, was read.
    fn follow(&mut self, tag: Tag, value: u64, start: u64) -> Option<Frame<'static, P>> {
        let place = self.place()?;
        let length = match tag.wire {
            Wire::Varint => 0,
            Wire::Fixed64 => 8,
            Wire::Fixed32 => 4,
            Wire::Length => value,
        };
        if length > self.room(self.at) {
            let (word, room) = (place.word(), self.room(self.at));
            self.damaged(start, &format!("a field of {length} bytes where {word} has {room} left"));
            return None;
        }
        match place.step(tag.field, tag.wire) {
            Step::Enter(place) => {
                self.open.push(Open { place, end: self.at.saturating_add(length) });
                return Some(Frame::Entered { place, at: start });
            }
            Step::Read(what) if tag.wire == Wire::Varint => return Some(Frame::Number { what, value }),
            Step::Read(what) if length <= MAX_MESSAGE_BYTES => {
                self.state = State::Within { what, length: length as usize };
                return None;
            }
            Step::Read(_) => self.problems.add("oversized-message", start, || {
                format!("the message at byte {start} has {length} bytes, more than the {MAX_MESSAGE_BYTES} that are read; left out")
            }),
            Step::Skip => {}
            Step::Unknown => self.problems.add("unknown-field", start, || {
                let (word, field) = (place.word(), tag.field);
                format!("{word} holds field {field} at byte {start}, which its schema does not have; left out")
            }),
        }
        self.skip(length);
        None
    }

    /// The framing broke at `start`: the rest of the innermost message cannot be trusted.
    fn damaged(&mut self, start: u64, got: &str) {
        if self.open.len() == 1 {
            return self.stop("unreadable-tail", got, start);
        }
        // Counted from `start`: how much of the head was taken by now depends on the slices.
        let (lost, word) = (self.room(start), self.place().map_or("the file", P::word));
        self.problems.add("damaged-message", start, || {
            format!("{word} holds {got} at byte {start}; its last {lost} bytes are left out")
        });
        self.skip(self.room(self.at));
    }
}

/// Reads a tag and, unless its value has a fixed width, the number after it.
fn parse_head(bytes: &[u8]) -> Head {
    let incomplete = |rest: &[u8]| {
        if rest.len() >= 10 { Head::Damaged } else { Head::Incomplete }
    };
    let Some((raw, tag_length)) = varint(bytes) else { return incomplete(bytes) };
    let Some(tag) = Tag::from_varint(raw) else { return Head::Damaged };
    let rest = &bytes[tag_length..];
    match tag.wire {
        Wire::Fixed64 | Wire::Fixed32 => Head::Complete { tag, value: 0, taken: tag_length },
        Wire::Varint | Wire::Length => match varint(rest) {
            Some((value, length)) => Head::Complete { tag, value, taken: tag_length + length },
            None => incomplete(rest),
        },
    }
}
