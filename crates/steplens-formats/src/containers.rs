//! The contents of files other than binary RunMetadata and sessions, each with its reader.

use crate::chrome::ChromeReader;
use crate::error::ReadErrorKind;
use crate::events::EventFileReader;
use crate::found::FoundTrace;
use crate::paddle::PaddleReader;
use crate::pbtxt::TextReader;
use crate::pickle::PickleReader;
use crate::sniff::FileKind;
use crate::xspace::XSpaceReader;
use steplens_core::TraceBuilder;
use steplens_messages::say;

/// A content that is being read, with its reader.
pub(crate) enum Container {
    Text(Box<TextReader>),
    Chrome(Box<ChromeReader>),
    Events(Box<EventFileReader>),
    XSpace(Box<XSpaceReader>),
    Paddle(Box<PaddleReader>),
    Pickle(Box<PickleReader>),
}

impl Container {
    /// The reader for `kind`, which may use `memory_bytes`.
    pub(crate) fn of(kind: FileKind, memory_bytes: usize) -> Result<Self, ReadErrorKind> {
        let refused = |what, advice| Err(ReadErrorKind::OtherFormat { what, advice });
        match kind {
            FileKind::Text => Ok(Self::Text(Box::new(TextReader::new(memory_bytes)))),
            FileKind::Json => Ok(Self::Chrome(Box::new(ChromeReader::new(memory_bytes)))),
            FileKind::Zstd => refused(say!("other-zstd-within"), say!("advice-unpack-once")),
            FileKind::EventFile => Ok(Self::Events(Box::new(EventFileReader::new(memory_bytes)))),
            FileKind::XSpace => Ok(Self::XSpace(Box::new(XSpaceReader::new(memory_bytes)))),
            FileKind::Paddle => Ok(Self::Paddle(Box::new(PaddleReader::new(memory_bytes)))),
            FileKind::Pickle => Ok(Self::Pickle(Box::new(PickleReader::new(memory_bytes)))),
            _ => refused(say!("other-format"), say!("advice-run-metadata")),
        }
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        match self {
            Self::Text(reader) => reader.push(bytes, builder),
            Self::Chrome(reader) => reader.push(bytes, builder),
            Self::Events(reader) => reader.push(bytes, builder),
            Self::XSpace(reader) => reader.push(bytes, builder),
            Self::Paddle(reader) => reader.push(bytes, builder),
            Self::Pickle(reader) => reader.push(bytes, builder),
        }
    }

    /// Ends the file.
    pub(crate) fn finish(self, builder: &mut TraceBuilder) -> FoundTrace {
        match self {
            Self::Text(reader) => reader.finish(builder),
            Self::Chrome(reader) => reader.finish(builder),
            Self::Events(reader) => reader.finish(builder),
            Self::XSpace(reader) => reader.finish(builder),
            Self::Paddle(reader) => reader.finish(builder),
            Self::Pickle(reader) => reader.finish(builder),
        }
    }
}
