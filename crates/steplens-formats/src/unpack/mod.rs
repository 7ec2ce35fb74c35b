//! Packings, taken off as a file arrives.
//!
//! | module | unpacks |
//! |---|---|
//! | [`gzip`] | one or more gzip members |
//! | [`zstd`] | one or more zstd frames |
//!
//! What comes out is handed on in slices at once, however small the packed file is: no bomb swells anything here.

mod gzip;
mod zstd;

use crate::error::ReadErrorKind;
use crate::sniff::FileKind;

/// Takes one packing off.
pub(crate) enum Unpacker {
    Gzip(Box<gzip::Gunzip>),
    Zstd(Box<zstd::Unzstd>),
}

/// Why unpacking stopped before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stopped {
    /// As of a [`ReadErrorKind::Packed`].
    pub(crate) code: &'static str,
    pub(crate) packing: &'static str,
    pub(crate) why: String,
}

impl Unpacker {
    /// What takes the packing `kind` off, if it is one that is taken off here; it may take `memory_bytes`.
    pub(crate) fn of(kind: FileKind, memory_bytes: usize) -> Option<Self> {
        match kind {
            FileKind::Gzip => Some(Self::Gzip(Box::default())),
            FileKind::Zstd => Some(Self::Zstd(Box::new(zstd::Unzstd::new(memory_bytes)))),
            _ => None,
        }
    }

    /// Unpacks `packed` and calls `sink` with what comes out. After damage everything is ignored.
    pub(crate) fn push(&mut self, packed: &[u8], sink: impl FnMut(&[u8])) {
        match self {
            Self::Gzip(gunzip) => gunzip.push(packed, sink),
            Self::Zstd(unzstd) => unzstd.push(packed, sink),
        }
    }

    /// Hands on what is left.
    pub(crate) fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        match self {
            Self::Gzip(gunzip) => gunzip.finish(sink),
            Self::Zstd(unzstd) => unzstd.finish(sink),
        }
    }

    /// What is put behind the name of the format.
    pub(crate) fn suffix(&self) -> &'static str {
        match self {
            Self::Gzip(_) => ".gz",
            Self::Zstd(_) => ".zst",
        }
    }
}

impl From<Stopped> for ReadErrorKind {
    fn from(Stopped { code, packing, why }: Stopped) -> Self {
        Self::Packed { code, packing, why }
    }
}
