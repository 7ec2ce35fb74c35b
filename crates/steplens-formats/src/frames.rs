//! The framing of a protobuf that is too large for memory: which message is open, where it ends, which parts are read at once and
//! which are skipped.
//!
//! Damage is local: a message with broken framing is skipped to its end, which its parent knows. Only at the top level, where no
//! end is known, reading stops.

use crate::wire::{Fields, Head, MAX_HEAD_BYTES, Message, Tag, Value, Wire, parse_head};
use steplens_core::Problems;
use steplens_messages::say;

/// The longest message (an op, a graph node, a name) that is loaded into memory. Those of TensorFlow have a few hundred bytes;
/// constants in a graph can have megabytes.
pub(crate) const MAX_MESSAGE_BYTES: u64 = 64 << 20;

/// The messages whose fields are read one by one, because they may be as large as the file.
pub(crate) trait Schema: Copy + 'static {
    /// The values that are read at once, or passed on as they come: messages, texts and numbers.
    type Whole: Copy;
    /// What to do with a field.
    fn step(self, field: u32, wire: Wire) -> Step<Self, Self::Whole>;
    /// The name of the message.
    fn word(self) -> &'static str;
    /// Whether the message may also be a file of its own. Its damage is then reported like that of a message inside another.
    fn may_be_bare(self) -> bool {
        false
    }
    /// The most bytes that are read of `what`; a longer one is left out.
    fn most(_what: Self::Whole) -> u64 {
        MAX_MESSAGE_BYTES
    }
}

/// What to do with a field.
pub(crate) enum Step<P, W> {
    Enter(P),
    Read(W),
    /// Pass the bytes on as they come.
    Pass(W),
    /// In the schema, but not needed here.
    Skip,
    /// Not in the schema: from a newer writer, or damage that looks like a field.
    Unknown,
}

/// Whether reading continues, or there is more than the tables can hold.
pub(crate) type Flow = Result<(), Box<Stop>>;

/// Why and where reading stops.
pub(crate) struct Stop {
    pub(crate) code: &'static str,
    pub(crate) got: &'static str,
    pub(crate) at: u64,
}

/// Receives what is read. Offsets are those in the file; `after` is the offset of the next byte.
pub(crate) trait Sink<P: Schema> {
    /// Whether the next value is not wanted, and should be skipped.
    fn skips(&mut self, _what: P::Whole) -> bool {
        false
    }
    /// A message begins with its tag at `at`.
    fn entered(&mut self, place: P, at: u64, after: u64) -> Flow;
    /// The message ends.
    fn left(&mut self, place: P, after: u64) -> Flow;
    /// A message or a text that begins at `at` was read.
    fn message(&mut self, what: P::Whole, message: Message<'_>, at: u64) -> Flow;
    fn number(&mut self, _what: P::Whole, _value: u64, _after: u64) -> Flow {
        Ok(())
    }
    /// A value begins whose bytes are passed on.
    fn pass_begins(&mut self, _what: P::Whole, _at: u64) -> Flow {
        Ok(())
    }
    fn pass(&mut self, _what: P::Whole, _bytes: &[u8]) {}
    fn pass_ends(&mut self, _what: P::Whole) {}
    fn fault(&mut self, fault: Fault<P>);
}

/// A fault in the framing.
pub(crate) enum Fault<P: Schema> {
    /// The framing of a message breaks at `at`, and the rest of the message is left out. `lost` is the number of these bytes, if
    /// its end is known.
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
    /// The field at `at` is longer than the limit.
    Oversized {
        what: P::Whole,
        at: u64,
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
    /// Adds the fault to `problems`, in the words that most readers use.
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
    /// The offset after the last byte; `u64::MAX` for an outermost message whose end is not written.
    end: u64,
}

#[derive(Clone, Copy)]
enum State<W> {
    /// Before a tag.
    Head,
    /// Inside a message that is read at once, but was cut by the end of a slice.
    Within { what: W, length: usize },
    /// Inside bytes that are passed on.
    Passing { what: W, left: u64 },
    /// Inside bytes that are not needed.
    Skipping { left: u64 },
    /// Nothing more can be read.
    Stopped,
}

/// What the bytes so far end inside of.
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
    /// The offset of the next byte.
    at: u64,
    /// The beginning of a head or message that is not complete yet.
    held: Vec<u8>,
    stopped_at: Option<(u64, String)>,
}

impl<P: Schema> Frames<P> {
    /// The framing of a file whose outermost message is `place`.
    pub(crate) fn of(place: P) -> Self {
        let open = vec![Open { place, end: u64::MAX }];
        Self { open, state: State::Head, at: 0, held: Vec::new(), stopped_at: None }
    }

    /// Begins another message of the same kind, which is at `at` in the file and ends at `end`.
    pub(crate) fn begin(&mut self, at: u64, end: u64) {
        self.open.truncate(1);
        self.open.iter_mut().for_each(|outermost| outermost.end = end);
        self.state = State::Head;
        self.held.clear();
        self.at = at;
    }

    /// Sets where in the file the next bytes come from. Only allowed between fields of the outermost message.
    pub(crate) fn set_at(&mut self, at: u64) {
        self.at = at;
    }

    /// The offset of the next byte.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Where and why reading stopped before the end, if it did.
    pub(crate) fn stopped_at(&self) -> Option<&(u64, String)> {
        self.stopped_at.as_ref()
    }

    /// What the bytes so far end inside of.
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

    /// The beginning of the message that is not complete yet.
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

    /// Reads all complete fields in `bytes` and removes them, up to one that is cut or unusual in any way. The usual case is only
    /// handled here, without a change of state from field to field.
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
                // The fields of the entered message come next.
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

    /// Reads the fields of `place` until a message is entered, which is returned with its length, until the end of `fields`, or
    /// until an unusual field, where `fields` then stands.
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

    /// Continues with a message that was cut by the end of a slice.
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

    /// The number of bytes of the innermost message from `at` to its end.
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

    /// Reads one head, which may be cut; and its value, if that has no bytes of its own.
    fn read_head(&mut self, bytes: &mut &[u8], sink: &mut impl Sink<P>) -> Flow {
        let start = self.at - self.held.len() as u64;
        let room = usize::try_from(self.room(start)).unwrap_or(usize::MAX).min(MAX_HEAD_BYTES);
        if room == 0 {
            // After the end of the message, bytes belong to nothing.
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

    /// Decides what to do with a field. Its value comes next, or was read already if it is a number.
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
                let most = P::most(what);
                sink.fault(Fault::Oversized { what, at: start, length, most });
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

    /// Handles broken framing at `start`: the rest of the innermost message cannot be trusted.
    fn damaged(&mut self, start: u64, got: String, sink: &mut impl Sink<P>) {
        match self.open.last() {
            Some(&Open { place, end }) if self.open.len() > 1 || end < u64::MAX => {
                // Counted from `start`, because it depends on the slices how much of the head was read.
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

    /// Stops reading.
    fn stop(&mut self, code: &'static str, at: u64, got: String, sink: &mut impl Sink<P>) {
        sink.fault(Fault::Stopped { code, at, got: got.clone() });
        self.stopped_at = Some((at, got));
        self.state = State::Stopped;
    }
}
