//! A page written by Share or `report`, read while it comes: the element with the trace has the letters of bytes packed with gzip, in base64.

use super::Stopped;
use super::gzip::Gunzip;
use crate::base64;
use crate::crc32c::Crc32c;
use crate::session::Shown;
use serde_json::Value;
use steplens_messages::say;

/// How much of a tag is read: the tags of our pages are shorter.
const MOST_OF_TAG: usize = 512;
/// How much of the note is kept: it has the marks and notes of a view.
const MOST_OF_NOTE: usize = 16 << 20;

/// What stands before the checksum of the note, as eight hexadecimal digits, in its tag.
pub(crate) const NOTE_CHECKSUM: &str = r#"data-crc32c=""#;

/// What is being read.
#[derive(Default)]
enum Place {
    #[default]
    Text,
    /// Between `<` and `>`.
    Tag(Vec<u8>),
    Note,
    Base64(base64::Decoder),
    AfterTrace,
}

/// Finds the trace in the slices of a page.
#[derive(Default)]
pub(crate) struct Page {
    place: Place,
    note: Vec<u8>,
    /// The note's checksum, as its tag has it. Earlier versions wrote none.
    note_checksum: Option<u32>,
    /// `None` until there is something to unpack, because most HTML files are not pages of Steplens.
    gunzip: Option<Gunzip>,
    /// Whether it is a page of Steplens, with or without a trace.
    is_ours: bool,
    is_damaged: bool,
}

impl Page {
    /// Takes the next slice, of any size, and calls `sink` with the unpacked bytes of the trace.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: impl FnMut(&[u8])) {
        let mut packed = Vec::new();
        bytes.iter().for_each(|&byte| self.take(byte, &mut packed));
        if !packed.is_empty() {
            self.gunzip.get_or_insert_default().push(&packed, sink);
        }
    }

    fn take(&mut self, byte: u8, packed: &mut Vec<u8>) {
        match &mut self.place {
            Place::AfterTrace => {}
            Place::Base64(_) if byte == b'<' => self.place = Place::AfterTrace,
            Place::Text | Place::Note if byte == b'<' => self.place = Place::Tag(Vec::new()),
            Place::Text => {}
            Place::Note if self.note.len() < MOST_OF_NOTE => self.note.push(byte),
            Place::Note => self.is_damaged = true,
            Place::Tag(tag) if byte == b'>' => {
                let tag = String::from_utf8_lossy(tag).into_owned();
                self.place = self.after(&tag);
            }
            Place::Tag(tag) if tag.len() < MOST_OF_TAG => tag.push(byte),
            Place::Tag(_) => {}
            Place::Base64(decoder) => match decoder.take(byte) {
                Ok(byte) => packed.extend(byte),
                Err(()) => self.is_damaged = true,
            },
        }
    }

    /// What comes after `tag`.
    fn after(&mut self, tag: &str) -> Place {
        let has = |attribute: &str| tag.contains(attribute);
        self.is_ours |= has(r#"id="steplens-wasm""#) || has(r#"id="steplens-export""#);
        if has(r#"id="steplens-export""#) {
            self.note_checksum = tag.split_once(NOTE_CHECKSUM).map(|(_, rest)| {
                // A damaged one is a checksum that no note has, but for one in four thousand millions.
                let letters = rest.split('"').next().unwrap_or_default();
                u32::from_str_radix(letters, 16).unwrap_or_default()
            });
            Place::Note
        } else if has(r#"class="steplens-file""#) {
            Place::Base64(base64::Decoder::default())
        } else {
            Place::Text
        }
    }

    /// Passes on the rest of the output.
    pub(crate) fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        let damaged = |why: String| Err(Stopped { code: "page-damaged", packing: "HTML", why });
        let unpacked = self.gunzip.as_mut().map_or(Ok(()), |own| own.finish(sink));
        match self.place {
            Place::AfterTrace if !self.is_damaged => unpacked.or_else(|stopped| damaged(stopped.why)),
            Place::AfterTrace => damaged(say!("page-other-letters").to_owned()),
            Place::Base64(_) => damaged(say!("page-cut").to_owned()),
            _ if self.is_ours => damaged(say!("page-no-trace").to_owned()),
            _ => Err(Stopped { code: "other-format", packing: "HTML", why: String::new() }),
        }
    }

    /// What the page that wrote the file showed; `None` if its note is not there, or was changed.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let is_changed = self.note_checksum.is_some_and(|checksum| Crc32c::of(&self.note) != checksum);
        let note = self.note().filter(|_| !is_changed)?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let communication = note.pointer("/options/communication").and_then(Value::as_array);
        Some(Shown {
            view: text(note.get("view")?)?,
            communication: communication.into_iter().flatten().filter_map(text).collect(),
            ..Shown::default()
        })
    }

    /// The note next to the trace; `None` if there is no readable note.
    pub(crate) fn note(&self) -> Option<Value> {
        serde_json::from_slice(&self.note).ok()
    }
}
