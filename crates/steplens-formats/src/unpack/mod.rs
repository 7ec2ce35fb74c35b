//! Packings, taken off as a file arrives.
//!
//! | module | unpacks |
//! |---|---|
//! | [`gzip`] | one or more gzip members |
//! | [`zstd`] | one or more zstd frames |
//!
//! What comes out is handed on in slices at once, however small the packed file is: no bomb swells anything here.
//!
//! An [`Opener`](crate::Opener) unpacks by itself. A caller with a second thread unpacks there while the opener reads: the program with an
//! [`Unpacker`], the page with the browser's own.

mod gzip;
mod zstd;

use crate::error::ReadErrorKind;
use crate::sniff::{self, FileKind};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the packings")]
pub enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// That of a file which begins with `head`, as [`sniff::sniff`] wants it; `None` if it is not packed in a way that is taken off here.
    pub fn of(head: &[u8]) -> Option<Self> {
        match sniff::sniff(head) {
            FileKind::Gzip => Some(Self::Gzip),
            FileKind::Zstd => Some(Self::Zstd),
            _ => None,
        }
    }

    /// What is put behind the name of the format.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
        }
    }
}

/// Takes one packing off.
pub struct Unpacker(Kind);

enum Kind {
    Gzip(Box<gzip::Gunzip>),
    Zstd(Box<zstd::Unzstd>),
}

/// Why unpacking stopped before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// As of a [`ReadErrorKind::Packed`].
    pub(crate) code: &'static str,
    pub(crate) packing: &'static str,
    pub(crate) why: String,
}

impl Unpacker {
    /// What takes `packing` off; it may take `memory_bytes`.
    pub fn new(packing: Packing, memory_bytes: usize) -> Self {
        Self(match packing {
            Packing::Gzip => Kind::Gzip(Box::default()),
            Packing::Zstd => Kind::Zstd(Box::new(zstd::Unzstd::new(memory_bytes))),
        })
    }

    /// Unpacks `packed` and calls `sink` with what comes out. After damage everything is ignored.
    pub fn push(&mut self, packed: &[u8], sink: impl FnMut(&[u8])) {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.push(packed, sink),
            Kind::Zstd(unzstd) => unzstd.push(packed, sink),
        }
    }

    /// Hands on what is left.
    pub fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.finish(sink),
            Kind::Zstd(unzstd) => unzstd.finish(sink),
        }
    }
}

impl From<Stopped> for ReadErrorKind {
    fn from(Stopped { code, packing, why }: Stopped) -> Self {
        Self::Packed { code, packing, why }
    }
}
