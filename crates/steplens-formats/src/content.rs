//! The content of an unpacked file: its format is found from its first bytes, then it is read.

use crate::containers::Container;
use crate::error::ReadErrorKind;
use crate::found::FoundTrace;
use crate::run_metadata::RunMetadataReader;
use crate::session;
use crate::sniff::{self, FileKind};
use steplens_core::TraceBuilder;
use steplens_messages::say;

/// The content of one file, taken slice by slice.
pub(crate) struct Content {
    memory_bytes: usize,
    /// The expected number of bytes; 0 if it is not known.
    expected: u64,
    kind: ContentReader,
}

enum ContentReader {
    /// Too few bytes to know the format.
    Unknown(Vec<u8>),
    RunMetadata(Box<RunMetadataReader>),
    StepStats(Box<RunMetadataReader>),
    Container(Container),
    /// The whole session so far, because a session is read column by column; at most the allowed memory.
    Session(Vec<u8>),
    Refused(ReadErrorKind),
}

/// The content of a file, after reading.
pub(crate) enum ReadContent {
    /// Ops: a RunMetadata, a part of one, or a Chrome trace.
    Trace(FoundTrace),
    /// A session: the files it was made from, and what was shown.
    Session(Result<session::Found, ReadErrorKind>),
    /// Content that is not supported.
    Refused(ReadErrorKind),
}

impl Content {
    /// Content that may use `memory_bytes`. `expected` is its number of bytes; 0 if it is not known.
    pub(crate) fn new(memory_bytes: usize, expected: u64) -> Self {
        Self { memory_bytes, expected, kind: ContentReader::Unknown(Vec::new()) }
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        match &mut self.kind {
            ContentReader::RunMetadata(reader) | ContentReader::StepStats(reader) => {
                reader.push(bytes, builder)
            }
            ContentReader::Container(container) => container.push(bytes, builder),
            // One byte more than is allowed shows that the session is too large.
            ContentReader::Session(held) => {
                let room = (self.memory_bytes + 1).saturating_sub(held.len());
                held.extend_from_slice(&bytes[..room.min(bytes.len())]);
            }
            ContentReader::Refused(_) => {}
            ContentReader::Unknown(head) => {
                let missing = sniff::ENOUGH - head.len();
                let (first, rest) = bytes.split_at(missing.min(bytes.len()));
                head.extend_from_slice(first);
                if head.len() == sniff::ENOUGH {
                    self.start(builder);
                    self.push(rest, builder);
                }
            }
        }
    }

    /// Memory for the next `length` bytes, if they are stored unchanged and there is room for all of them.
    pub(crate) fn room(&mut self, length: usize) -> Option<&mut [u8]> {
        let ContentReader::Session(held) = &mut self.kind else { return None };
        let start = held.len();
        let end = start.checked_add(length).filter(|&end| end <= self.memory_bytes)?;
        held.resize(end, 0);
        held.get_mut(start..)
    }

    /// Starts reading: there are enough bytes to know the format, or no more will come.
    fn start(&mut self, builder: &mut TraceBuilder) {
        let ContentReader::Unknown(head) = &mut self.kind else { return };
        let head = std::mem::take(head);
        let limit = self.memory_bytes;
        let refused = |what, advice| ContentReader::Refused(ReadErrorKind::OtherFormat { what, advice });
        self.kind = match sniff::sniff(&head) {
            _ if head.is_empty() => ContentReader::Refused(ReadErrorKind::Empty),
            FileKind::RunMetadata => ContentReader::RunMetadata(Box::new(RunMetadataReader::new(limit))),
            FileKind::StepStats => {
                ContentReader::StepStats(Box::new(RunMetadataReader::of_step_stats(limit)))
            }
            FileKind::Session => {
                let mut held = Vec::new();
                // If there is no room for all of it, there may still be room for the part that comes.
                _ = held.try_reserve_exact(usize::try_from(self.expected).unwrap_or(0).min(limit));
                ContentReader::Session(held)
            }
            FileKind::Gzip => refused(say!("other-gzip-within"), say!("advice-unpack-once")),
            FileKind::Markup => refused(say!("other-markup"), say!("advice-export")),
            FileKind::Other(what, advice) => refused(what, advice),
            kind => Container::of(kind, limit).map_or_else(ContentReader::Refused, ContentReader::Container),
        };
        self.push(&head, builder);
    }

    /// Why nothing of it is read, once that is known.
    pub(crate) fn refused(&self) -> Option<&ReadErrorKind> {
        match &self.kind {
            ContentReader::Refused(why) => Some(why),
            _ => None,
        }
    }

    /// Whether nothing of the rest can be read.
    pub(crate) fn is_stopped(&self) -> bool {
        match &self.kind {
            ContentReader::RunMetadata(reader) | ContentReader::StepStats(reader) => {
                reader.stopped_at().is_some()
            }
            _ => false,
        }
    }

    /// Ends the file.
    pub(crate) fn finish(mut self, builder: &mut TraceBuilder) -> ReadContent {
        self.start(builder);
        match self.kind {
            ContentReader::RunMetadata(reader) => finish_binary("run-metadata", *reader, builder),
            ContentReader::StepStats(reader) => finish_binary("step-stats", *reader, builder),
            ContentReader::Container(container) => ReadContent::Trace(container.finish(builder)),
            ContentReader::Unknown(_) => ReadContent::Refused(ReadErrorKind::Empty),
            ContentReader::Refused(kind) => ReadContent::Refused(kind),
            ContentReader::Session(bytes) if bytes.len() > self.memory_bytes => {
                let got = say!("got-more-than-memory");
                ReadContent::Session(Err(ReadErrorKind::SessionDamaged { offset: bytes.len() as u64, got }))
            }
            ContentReader::Session(bytes) => {
                let found = session::read(&bytes, self.memory_bytes, builder);
                let damaged = |damage: session::Damage| ReadErrorKind::SessionDamaged {
                    offset: damage.at,
                    got: damage.got,
                };
                ReadContent::Session(found.map_err(damaged))
            }
        }
    }
}

fn finish_binary(
    format: &'static str,
    mut reader: RunMetadataReader,
    builder: &mut TraceBuilder,
) -> ReadContent {
    ReadContent::Trace(FoundTrace {
        format,
        nothing: None,
        problems: reader.finish(builder),
        stopped_at: reader.stopped_at().cloned(),
        full_at: reader.full_at(),
        bytes: reader.bytes_read(),
    })
}
