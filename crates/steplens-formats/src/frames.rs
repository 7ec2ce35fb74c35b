//! The framing of a protobuf with too many messages for memory: which message is open, where it ends, what of it is read
//! whole and what is skipped.
//!
//! Damage is local: a message whose framing breaks is skipped to its end, which its parent knows; only at the top, where
//! no end is known, reading stops.

use crate::wire::{Fields, Head, MAX_HEAD_BYTES, Message, Tag, Value, Wire, parse_head};
use steplens_core::Problems;
use steplens_messages::say;

/// The longest message (an op, a graph node, a name) that is taken into memory. TensorFlow's are a few hundred
/// bytes; constants in a graph can be megabytes.
pub(crate) const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// The messages whose fields are read one by one, because they are as large as the file allows.
pub(crate) trait Schema: Copy + 'static {
    /// What is read whole, or given on as it comes: messages, texts and numbers.
    type Whole: Copy;
    /// What a field leads to.
    fn step(self, field: u32, wire: Wire) -> Step<Self, Self::Whole>;
    /// What the message is called.
    fn word(self) -> &'static str;
    /// Whether it is a part of another message that may also be a file of its own: its damage is said as that part's then.
    fn may_be_bare(self) -> bool {
        false
    }
    /// How many bytes are read of `what`; a longer one is left out.
    fn most(_what: Self::Whole) -> u64 {
        MAX_MESSAGE_BYTES
    }
}

/// What a field leads to.
pub(crate) enum Step<P, W> {
    Enter(P),
    Read(W),
    /// Bytes that are given on as they come.
    Pass(W),
    /// Known to the schema, of no use here.
    Skip,
    /// Not in the schema: a newer writer's, or damage that looks like a field.
    Unknown,
}

/// What becomes of what was read: reading goes on, or there is more than can be held.
pub(crate) type Flow = Result<(), Box<Stop>>;

/// Why nothing more is read, and where.
pub(crate) struct Stop {
    pub(crate) code: &'static str,
    pub(crate) got: &'static str,
    pub(crate) at: u64,
}

/// Takes what is read. Offsets are those in the file; `after` is the next byte.
pub(crate) trait Sink<P: Schema> {
    /// Whether what comes is not wanted: it is skipped then.
    fn skips(&mut self, _what: P::Whole) -> bool {
        false
    }
    /// A message begins with its tag at `at`.
    fn entered(&mut self, place: P, at: u64, after: u64) -> Flow;
    /// It is over.
    fn left(&mut self, place: P, after: u64) -> Flow;
    /// A message or a text that begins at `at`.
    fn message(&mut self, what: P::Whole, message: Message<'_>, at: u64) -> Flow;
    fn number(&mut self, _what: P::Whole, _value: u64, _after: u64) -> Flow {
        Ok(())
    }
    /// Bytes begin that are given on.
    fn pass_begins(&mut self, _what: P::Whole, _at: u64) -> Flow {
        Ok(())
    }
    fn pass(&mut self, _what: P::Whole, _bytes: &[u8]) {}
    fn pass_ends(&mut self, _what: P::Whole) {}
    fn fault(&mut self, fault: Fault<P>);
}

/// What is wrong with the framing.
pub(crate) enum Fault<P: Schema> {
    /// A message's framing breaks at `at`; the rest of it is left out: so many bytes, if it is known where it ends.
    Damaged {
        place: P,
        at: u64,
        got: String,
        lost: Option<u64>,
    },
    /// Nothing more can be read.
    Stopped {
        code: &'static str,
        at: u64,
        got: String,
    },
    /// A field at `at` has more bytes, from `begins` on, than are read.
    Oversized {
        what: P::Whole,
        at: u64,
        begins: u64,
        length: u64,
        most: u64,
    },
    Unknown {
        place: P,
        at: u64,
        field: u32,
    },
}

impl<P: Schema> Fault<P> {
    /// Says it in the words of most readers.
    pub(crate) fn add_to(self, problems: &mut Problems) {
        match self {
            Self::Damaged { place, at, got, lost } => problems.add("damaged-message", at, || {
                let word = place.word();
                match lost {
                    Some(lost) => say!("message-damaged-to-end", word, got, at, lost),
                    None => say!("message-damaged", word, got, at),
                }
            }),
            Self::Stopped { code, at, got } => problems.add(code, at, || say!("reading-stopped", got, at)),
            Self::Oversized { at, length, most, .. } => {
                problems.add("oversized-message", at, || say!("oversized-message", at, length, most))
            }
            Self::Unknown { place, at, field } => {
                problems.add("unknown-field", at, || say!("unknown-field", word = place.word(), field, at))
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Open<P> {
    place: P,
    /// The offset after its last byte; `u64::MAX` for an outermost one whose end nobody wrote down.
    end: u64,
}

#[derive(Clone, Copy)]
enum State<W> {
    /// Before a tag.
    Head,
    /// Within a message that is read whole, and cut by the end of a slice.
    Within { what: W, length: usize },
    /// Within bytes that are given on.
    Passing { what: W, left: u64 },
    /// Within bytes that nobody needs.
    Skipping { left: u64 },
    /// Nothing more can be read.
    Stopped,
}

/// Within what the bytes so far end.
pub(crate) enum Inside<P: Schema> {
    Nothing,
    Head,
    Whole(P::Whole),
    Skipped,
    OpenMessage(P),
}

/// Follows the framing of one file, slice by slice.
pub(crate) struct Frames<P: Schema> {
    open: Vec<Open<P>>,
    state: State<P::Whole>,
    /// The offset of the next byte to come.
    at: u64,
    /// What is there of a head or message that earlier slices did not complete.
    held: Vec<u8>,
    stopped_at: Option<(u64, String)>,
}

impl<P: Schema> Frames<P> {
    /// The framing of a file whose outermost message is `place`.
    pub(crate) fn of(place: P) -> Self {
        let open = vec![Open { place, end: u64::MAX }];
        Self { open, state: State::Head, at: 0, held: Vec::new(), stopped_at: None }
    }

    /// Begins another message of the same kind, which lies at `at` in the file and ends at `end`.
    pub(crate) fn begin(&mut self, at: u64, end: u64) {
        self.open.truncate(1);
        self.open.iter_mut().for_each(|outermost| outermost.end = end);
        self.state = State::Head;
        self.held.clear();
        self.at = at;
    }

    /// Says where in the file the next bytes come from. Only between fields of the outermost message.
    pub(crate) fn set_at(&mut self, at: u64) {
        self.at = at;
    }

    /// The offset of the next byte to come.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Where and why reading had to stop before the end, if it did.
    pub(crate) fn stopped_at(&self) -> Option<&(u64, String)> {
        self.stopped_at.as_ref()
    }

    /// Within what the bytes so far end.
    pub(crate) fn inside(&self) -> Inside<P> {
        match (self.state, self.open.last()) {
            (State::Stopped, _) => Inside::Nothing,
            (State::Within { what, .. } | State::Passing { what, .. }, _) => Inside::Whole(what),
            (State::Skipping { .. }, _) => Inside::Skipped,
            (State::Head, _) if !self.held.is_empty() => Inside::Head,
            (State::Head, Some(open)) if self.open.len() > 1 => Inside::OpenMessage(open.place),
            (State::Head, _) => Inside::Nothing,
        }
    }

    /// What is there of a message that the bytes so far end within.
    pub(crate) fn held(&self) -> &[u8] {
        &self.held
    }

    /// The innermost message that is open.
    pub(crate) fn place(&self) -> Option<P> {
        self.open.last().map(|open| open.place)
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, mut bytes: &[u8], sink: &mut impl Sink<P>) {
        while !bytes.is_empty() {
            let flow = match self.state {
                State::Head if self.held.is_empty() => self
                    .read_whole(&mut bytes, sink)
                    .and_then(|()| if bytes.is_empty() { Ok(()) } else { self.read_head(&mut bytes, sink) }),
                State::Head => self.read_head(&mut bytes, sink),
                State::Within { what, length } => self.read_cut(&mut bytes, what, length, sink),
                State::Passing { what, left } => {
                    let taken = self.take(&mut bytes, left);
                    sink.pass(what, taken);
                    self.pass(what, left - taken.len() as u64, sink);
                    Ok(())
                }
                State::Skipping { left } => {
                    let count = self.take(&mut bytes, left).len() as u64;
                    self.skip(left - count);
                    Ok(())
                }
                State::Stopped => {
                    self.take(&mut bytes, u64::MAX);
                    Ok(())
                }
            };
            if let Err(stop) = flow.and_then(|()| self.close_ended(sink)) {
                self.stop(stop.code, stop.at, stop.got.to_owned(), sink);
            }
        }
    }

    /// Reads what lies whole in `bytes`, which lose it: all fields up to one that their end cuts, or that is odd in any way.
    /// What is common is read here alone, without a state from field to field.
    fn read_whole(&mut self, bytes: &mut &[u8], sink: &mut impl Sink<P>) -> Flow {
        let (slice, base) = (*bytes, self.at);
        let mut here = 0;
        let mut flow = Ok(());
        while let Some(&Open { place, end }) = self.open.last() {
            let room = usize::try_from(end.saturating_sub(base)).unwrap_or(usize::MAX);
            let mut fields = Fields::between(slice, here, room);
            let (read, entered) = Self::read_fields(place, &mut fields, base, sink);
            here = fields.at();
            flow = read;
            if flow.is_err() {
                break;
            }
            if let Some((place, length)) = entered {
                // The fields of the message that was entered come next.
                let start = here - length;
                self.open.push(Open { place, end: base + here as u64 });
                here = start;
            } else if here < room || self.open.len() == 1 {
                break;
            } else {
                self.open.pop();
                flow = sink.left(place, base + here as u64);
                if flow.is_err() {
                    break;
                }
            }
        }
        self.at = base + here as u64;
        *bytes = slice.get(here..).unwrap_or_default();
        flow
    }

    /// Reads the fields of `place` up to a message that is entered, which is returned with its length, the end of `fields`, or
    /// something odd: `fields` stand before that then.
    fn read_fields(
        place: P,
        fields: &mut Fields<'_>,
        base: u64,
        sink: &mut impl Sink<P>,
    ) -> (Flow, Option<(P, usize)>) {
        loop {
            let before = *fields;
            let Ok(Some((field, value))) = fields.next() else {
                *fields = before;
                return (Ok(()), None);
            };
            let at = base + before.at() as u64;
            let after = base + fields.at() as u64;
            let flow = match value {
                Value::Bytes(bytes) => match place.step(field, Wire::Length) {
                    Step::Read(what) if bytes.len() as u64 <= P::most(what) => {
                        if sink.skips(what) {
                            Ok(())
                        } else {
                            sink.message(what, fields.message(bytes), after - bytes.len() as u64)
                        }
                    }
                    Step::Enter(entered) => {
                        let flow = sink.entered(entered, at, after - bytes.len() as u64);
                        return (flow, Some((entered, bytes.len())));
                    }
                    Step::Skip => Ok(()),
                    Step::Read(_) | Step::Pass(_) | Step::Unknown => {
                        *fields = before;
                        return (Ok(()), None);
                    }
                },
                Value::Varint(value) => match place.step(field, Wire::Varint) {
                    Step::Read(what) => sink.number(what, value, after),
                    Step::Skip => Ok(()),
                    _ => {
                        *fields = before;
                        return (Ok(()), None);
                    }
                },
                Value::Fixed(_) => {
                    *fields = before;
                    return (Ok(()), None);
                }
            };
            if flow.is_err() {
                return (flow, None);
            }
        }
    }

    /// Goes on with a message that the end of a slice cut.
    fn read_cut(
        &mut self,
        bytes: &mut &[u8],
        what: P::Whole,
        length: usize,
        sink: &mut impl Sink<P>,
    ) -> Flow {
        let more = self.take(bytes, (length - self.held.len()) as u64);
        self.held.extend_from_slice(more);
        if self.held.len() < length {
            return Ok(());
        }
        self.state = State::Head;
        let held = std::mem::take(&mut self.held);
        let flow = sink.message(what, Message::of(&held), self.at - length as u64);
        self.held = held;
        self.held.clear();
        flow
    }

    fn close_ended(&mut self, sink: &mut impl Sink<P>) -> Flow {
        while matches!(self.state, State::Head)
            && self.held.is_empty()
            && self.open.len() > 1
            && self.room(self.at) == 0
        {
            if let Some(open) = self.open.pop() {
                sink.left(open.place, self.at)?;
            }
        }
        Ok(())
    }

    /// How many bytes of the innermost message are still to come, counted from `at`.
    fn room(&self, at: u64) -> u64 {
        self.open.last().map_or(0, |open| open.end.saturating_sub(at))
    }

    fn take<'b>(&mut self, bytes: &mut &'b [u8], count: u64) -> &'b [u8] {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len());
        let (taken, rest) = bytes.split_at(count);
        *bytes = rest;
        self.at += taken.len() as u64;
        taken
    }

    fn skip(&mut self, left: u64) {
        self.state = if left > 0 { State::Skipping { left } } else { State::Head };
    }

    fn pass(&mut self, what: P::Whole, left: u64, sink: &mut impl Sink<P>) {
        if left > 0 {
            self.state = State::Passing { what, left };
        } else {
            self.state = State::Head;
            sink.pass_ends(what);
        }
    }

    /// Reads one head, which may be cut, and what it leads to if that has no bytes.
    fn read_head(&mut self, bytes: &mut &[u8], sink: &mut impl Sink<P>) -> Flow {
        let start = self.at - self.held.len() as u64;
        let room = usize::try_from(self.room(start)).unwrap_or(usize::MAX).min(MAX_HEAD_BYTES);
        if room == 0 {
            // Nothing belongs to a message that is over.
            self.take(bytes, u64::MAX);
            return Ok(());
        }
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
            self.take(bytes, count as u64);
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
            Head::Complete { tag, number, length, .. } => {
                self.held.clear();
                self.follow(tag, number, length, start, sink)
            }
            Head::Incomplete if self.held.len() < room => Ok(()),
            Head::Incomplete | Head::Damaged => {
                self.held.clear();
                self.damaged(start, say!("got-bad-tag").to_owned(), sink);
                Ok(())
            }
        }
    }

    /// Decides about the field whose value comes next, or, if it is a number, was read.
    fn follow(&mut self, tag: Tag, number: u64, length: u64, start: u64, sink: &mut impl Sink<P>) -> Flow {
        let Some(place) = self.place() else { return Ok(()) };
        if length > self.room(self.at) {
            let (word, room) = (place.word(), self.room(self.at));
            self.damaged(start, say!("got-long-field", length, word, room), sink);
            return Ok(());
        }
        match place.step(tag.field, tag.wire) {
            Step::Enter(place) => {
                self.open.push(Open { place, end: self.at.saturating_add(length) });
                return sink.entered(place, start, self.at);
            }
            Step::Read(what) if tag.wire == Wire::Varint => return sink.number(what, number, self.at),
            Step::Read(what) if sink.skips(what) => {}
            Step::Read(what) if length <= P::most(what) => {
                // An empty message has no byte to wait for.
                if length == 0 {
                    return sink.message(what, Message::of(&[]), self.at);
                }
                self.state = State::Within { what, length: length as usize };
                return Ok(());
            }
            Step::Read(what) => {
                let (begins, most) = (self.at, P::most(what));
                sink.fault(Fault::Oversized { what, at: start, begins, length, most });
            }
            Step::Pass(what) => {
                sink.pass_begins(what, self.at)?;
                self.pass(what, length, sink);
                return Ok(());
            }
            Step::Skip => {}
            Step::Unknown => sink.fault(Fault::Unknown { place, at: start, field: tag.field }),
        }
        self.skip(length);
        Ok(())
    }

    /// The framing broke at `start`: the rest of the innermost message cannot be trusted.
    fn damaged(&mut self, start: u64, got: String, sink: &mut impl Sink<P>) {
        match self.open.last() {
            Some(&Open { place, end }) if self.open.len() > 1 || end < u64::MAX => {
                // Counted from `start`: how much of the head was taken by now depends on the slices.
                sink.fault(Fault::Damaged { place, at: start, got, lost: Some(self.room(start)) });
                self.skip(self.room(self.at));
            }
            Some(&Open { place, .. }) if place.may_be_bare() => {
                sink.fault(Fault::Damaged { place, at: start, got: got.clone(), lost: None });
                self.stopped_at = Some((start, got));
                self.state = State::Stopped;
            }
            _ => self.stop("unreadable-tail", start, got, sink),
        }
    }

    /// Reads nothing more.
    fn stop(&mut self, code: &'static str, at: u64, got: String, sink: &mut impl Sink<P>) {
        sink.fault(Fault::Stopped { code, at, got: got.clone() });
        self.stopped_at = Some((at, got));
        self.state = State::Stopped;
    }
}
