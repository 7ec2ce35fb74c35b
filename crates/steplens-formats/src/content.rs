//! What a file holds once its packing is off: told by its first bytes, then read.

use crate::error::ReadErrorKind;
use crate::open::FileReport;
use crate::run_metadata::RunMetadataReader;
use crate::session;
use steplens_core::{Problems, TraceBuilder};

/// The content of one file, taken slice by slice.
pub(crate) struct Content {
    memory_bytes: usize,
    kind: Kind,
}

enum Kind {
    /// Too few bytes to tell.
    Unknown(Vec<u8>),
    RunMetadata(Box<RunMetadataReader>),
    /// Kept whole, because a session is read column by column; no more than the memory allowed.
    Session(Vec<u8>),
}

/// What a file turned out to hold.
pub(crate) enum Found {
    /// A RunMetadata.
    RunMetadata(FoundRunMetadata),
    /// A session: the files it was made from.
    Session(Result<Vec<FileReport>, ReadErrorKind>),
}

/// What reading a RunMetadata came to.
pub(crate) struct FoundRunMetadata {
    /// What was wrong with it.
    pub(crate) problems: Problems,
    /// Where and why reading stopped before its end.
    pub(crate) stopped_at: Option<(u64, String)>,
    /// Where the memory was full.
    pub(crate) full_at: Option<u64>,
    /// How many bytes it has, unpacked.
    pub(crate) bytes: u64,
}

impl Content {
    /// Content that may take `memory_bytes`.
    pub(crate) fn new(memory_bytes: usize) -> Self {
        Self { memory_bytes, kind: Kind::Unknown(Vec::new()) }
    }

    /// Takes the next slice.
    pub(crate) fn push(&mut self, bytes: &[u8], builder: &mut TraceBuilder) {
        match &mut self.kind {
            Kind::RunMetadata(reader) => reader.push(bytes, builder),
            // One byte more than is allowed tells that it was too much.
            Kind::Session(held) => {
                let room = (self.memory_bytes + 1).saturating_sub(held.len());
                held.extend_from_slice(&bytes[..room.min(bytes.len())]);
            }
            Kind::Unknown(head) => {
                head.extend_from_slice(bytes);
                let shared = head.len().min(session::MAGIC.len());
                if head[..shared] != session::MAGIC[..shared] {
                    let head = std::mem::take(head);
                    let mut reader = RunMetadataReader::new(self.memory_bytes);
                    reader.push(&head, builder);
                    self.kind = Kind::RunMetadata(Box::new(reader));
                } else if shared == session::MAGIC.len() {
                    self.kind = Kind::Session(std::mem::take(head));
                }
            }
        }
    }

    /// Ends the file.
    pub(crate) fn finish(self, builder: &mut TraceBuilder) -> Found {
        match self.kind {
            Kind::RunMetadata(reader) => finish_run_metadata(*reader, builder),
            Kind::Unknown(head) => {
                let mut reader = RunMetadataReader::new(self.memory_bytes);
                reader.push(&head, builder);
                finish_run_metadata(reader, builder)
            }
            Kind::Session(bytes) if bytes.len() > self.memory_bytes => {
                let got = "more bytes than fit into the memory allowed";
                Found::Session(Err(ReadErrorKind::SessionDamaged { offset: bytes.len() as u64, got }))
            }
            Kind::Session(bytes) => {
                let files = session::read(&bytes, self.memory_bytes, builder);
                let damaged = |damage: session::Damage| ReadErrorKind::SessionDamaged {
                    offset: damage.at,
                    got: damage.got,
                };
                Found::Session(files.map_err(damaged))
            }
        }
    }
}

fn finish_run_metadata(mut reader: RunMetadataReader, builder: &mut TraceBuilder) -> Found {
    Found::RunMetadata(FoundRunMetadata {
        problems: reader.finish(builder),
        stopped_at: reader.stopped_at().cloned(),
        full_at: reader.full_at(),
        bytes: reader.bytes_read(),
    })
}
