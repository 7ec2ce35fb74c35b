//! Packings, taken off as a file arrives.
//!
//! | module | unpacks |
//! |---|---|
//! | [`gzip`] | one or more gzip members |
//! | [`zstd`] | one or more zstd frames |
//! | [`page`] | the trace in a shared page |
//!
//! What comes out is handed on in slices at once, however small the packed file is: no bomb swells anything here.
//!
//! An [`Opener`](crate::Opener) unpacks by itself. A caller with a second thread unpacks there while the opener reads: the program with an
//! [`Unpacker`], the page with the browser's own.

mod gzip;
mod letters_utf16;
pub(crate) mod page;
mod zstd;

use crate::error::ReadErrorKind;
use crate::session::Shown;
use crate::sniff::{self, FileKind};
use steplens_messages::say;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the packings")]
pub enum Packing {
    Gzip,
    Zstd,
    Page,
}

impl Packing {
    /// That of a file which begins with `head`, as [`sniff::sniff`] wants it; `None` if it is not packed in a way that is taken off here.
    pub fn of(head: &[u8]) -> Option<Self> {
        match sniff::sniff(head) {
            FileKind::Gzip => Some(Self::Gzip),
            FileKind::Zstd => Some(Self::Zstd),
            FileKind::Markup => Some(Self::Page),
            _ => None,
        }
    }

    /// Whether what comes out of it is all that it holds: next to the trace in a shared page stands what was shown of it.
    pub fn is_bytes_alone(self) -> bool {
        self != Self::Page
    }

    /// What is put behind the name of the format.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
            Self::Page => ".html",
        }
    }
}

/// Takes one packing off.
pub struct Unpacker(Kind);

enum Kind {
    Gzip(Box<gzip::Gunzip>),
    Zstd(Box<zstd::Unzstd>),
    Page(Box<page::Page>),
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
            Packing::Page => Kind::Page(Box::default()),
        })
    }

    /// Unpacks `packed` and calls `sink` with what comes out. After damage everything is ignored.
    pub fn push(&mut self, packed: &[u8], sink: impl FnMut(&[u8])) {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.push(packed, sink),
            Kind::Zstd(unzstd) => unzstd.push(packed, sink),
            Kind::Page(page) => page.push(packed, sink),
        }
    }

    /// Hands on what is left.
    pub fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.finish(sink),
            Kind::Zstd(unzstd) => unzstd.finish(sink),
            Kind::Page(page) => page.finish(sink),
        }
    }

    /// What was shown of the trace within, where the packing says so.
    pub(crate) fn shown(&self) -> Option<Shown> {
        match &self.0 {
            Kind::Page(page) => page.shown(),
            Kind::Gzip(_) | Kind::Zstd(_) => None,
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
