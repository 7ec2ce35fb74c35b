//! Unpacking while a file is read.
//!
//! | module | unpacks |
//! |---|---|
//! | [`gzip`] | one or more gzip members |
//! | [`zstd`] | one or more zstd frames |
//! | [`page`] | the trace in a shared page |
//!
//! The output is passed on in slices at once, however small the packed file is: a bomb cannot fill the memory.
//!
//! An [`Opener`](crate::Opener) unpacks by itself. A caller with a second thread can unpack there while the opener reads: the
//! program with an [`Unpacker`], the page with the browser's decompression.

mod gzip;
pub(crate) mod page;
mod zstd;

use crate::error::ReadErrorKind;
use crate::session::Shown;
use crate::sniff::{self, FileKind};
use steplens_messages::say;

/// The packing of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the packings")]
pub enum Packing {
    Gzip,
    Zstd,
    Page,
}

impl Packing {
    /// The packing of a file that begins with `head`, which must be as long as [`sniff::sniff`] needs; `None` if the file is not
    /// packed, or in another way.
    pub fn of(head: &[u8]) -> Option<Self> {
        Self::of_kind(sniff::sniff(head))
    }

    pub(crate) fn of_kind(kind: FileKind) -> Option<Self> {
        match kind {
            FileKind::Gzip => Some(Self::Gzip),
            FileKind::Zstd => Some(Self::Zstd),
            FileKind::Markup => Some(Self::Page),
            FileKind::Trace(_) | FileKind::Other(..) => None,
        }
    }

    /// Whether the unpacked bytes are all of the content. A shared page also has a note of what was shown of the trace.
    pub fn is_bytes_alone(self) -> bool {
        self != Self::Page
    }

    /// The suffix of the format's name.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
            Self::Page => ".html",
        }
    }
}

/// Unpacks one file.
pub struct Unpacker(Kind);

enum Kind {
    Gzip(Box<gzip::Gunzip>),
    Zstd(Box<zstd::Unzstd>),
    Page(Box<page::Page>),
}

/// Why unpacking stopped before the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// As in [`ReadErrorKind::Packed`].
    pub(crate) code: &'static str,
    pub(crate) packing: &'static str,
    pub(crate) why: String,
}

impl Unpacker {
    /// An unpacker for `packing`, which may use `memory_bytes`.
    pub fn new(packing: Packing, memory_bytes: usize) -> Self {
        Self(match packing {
            Packing::Gzip => Kind::Gzip(Box::default()),
            Packing::Zstd => Kind::Zstd(Box::new(zstd::Unzstd::new(memory_bytes))),
            Packing::Page => Kind::Page(Box::default()),
        })
    }

    /// Unpacks `packed` and calls `sink` with the output. After damage everything is ignored.
    pub fn push(&mut self, packed: &[u8], sink: impl FnMut(&[u8])) {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.push(packed, sink),
            Kind::Zstd(unzstd) => unzstd.push(packed, sink),
            Kind::Page(page) => page.push(packed, sink),
        }
    }

    /// Passes on the rest of the output.
    pub fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        match &mut self.0 {
            Kind::Gzip(gunzip) => gunzip.finish(sink),
            Kind::Zstd(unzstd) => unzstd.finish(sink),
            Kind::Page(page) => page.finish(sink),
        }
    }

    /// What was shown of the trace: `Some(None)` if such a file does not say it, `None` if what it says is damaged.
    pub(crate) fn shown(&self) -> Option<Option<Shown>> {
        match &self.0 {
            Kind::Page(page) => page.shown().map(Some),
            Kind::Gzip(_) | Kind::Zstd(_) => Some(None),
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
