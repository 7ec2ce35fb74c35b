//! Packings, taken off as a file arrives.
//!
//! | module | unpacks |
//! |---|---|
//! | [`gzip`] | one or more gzip members |
//! | [`zstd`] | one or more zstd frames |
//! | [`page`] | the trace in a shared page |
//!
//! What comes out is handed on in slices at once, however small the packed file is: no bomb swells anything here.

mod gzip;
mod letters_utf16;
pub(crate) mod page;
mod zstd;

use crate::error::ReadErrorKind;
use crate::session::Shown;
use crate::sniff::FileKind;
use steplens_messages::say;

/// Takes one packing off.
pub(crate) enum Unpacker {
    Gzip(Box<gzip::Gunzip>),
    Zstd(Box<zstd::Unzstd>),
    Page(Box<page::Page>),
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
            FileKind::Markup => Some(Self::Page(Box::default())),
            _ => None,
        }
    }

    /// Unpacks `packed` and calls `sink` with what comes out. After damage everything is ignored.
    pub(crate) fn push(&mut self, packed: &[u8], sink: impl FnMut(&[u8])) {
        match self {
            Self::Gzip(gunzip) => gunzip.push(packed, sink),
            Self::Zstd(unzstd) => unzstd.push(packed, sink),
            Self::Page(page) => page.push(packed, sink),
        }
    }

    /// Hands on what is left.
    pub(crate) fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        match self {
            Self::Gzip(gunzip) => gunzip.finish(sink),
            Self::Zstd(unzstd) => unzstd.finish(sink),
            Self::Page(page) => page.finish(sink),
        }
    }

    /// What is put behind the name of the format.
    pub(crate) fn suffix(&self) -> &'static str {
        match self {
            Self::Gzip(_) => ".gz",
            Self::Zstd(_) => ".zst",
            Self::Page(_) => ".html",
        }
    }

    /// What was shown of the trace within, where the packing says so.
    pub(crate) fn shown(&self) -> Option<Shown> {
        match self {
            Self::Page(page) => page.shown(),
            _ => None,
        }
    }
}

impl From<Stopped> for ReadErrorKind {
    fn from(Stopped { code, packing, why }: Stopped) -> Self {
        match code {
            "other-format" => Self::OtherFormat { what: say!("other-markup"), advice: say!("advice-export") },
            _ => Self::Packed { code, packing, why },
        }
    }
}
