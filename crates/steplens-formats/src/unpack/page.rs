//! A page written by Share or `report`, read while it comes: the element with the trace has the letters of bytes packed with gzip.
//!
//! Pages are UTF-8 with base64. Those of version 0.1.0 are UTF-16 with a byte order mark, and their letters are those of
//! `letters_utf16`.

use super::Stopped;
use super::gzip::Gunzip;
use super::letters_utf16 as utf16;
use crate::base64;
use crate::session::Shown;
use serde_json::Value;
use steplens_messages::say;

/// A byte order mark of UTF-16LE.
pub(crate) const WIDE: [u8; 2] = [0xff, 0xfe];
/// How much of a tag is read: the tags of our pages are shorter.
const MOST_OF_TAG: usize = 512;
/// How much of the note is kept: it has the marks and notes of a view.
const MOST_OF_NOTE: usize = 16 << 20;

/// What is being read. A unit is a byte, or two bytes in UTF-16.
#[derive(Default)]
enum Place {
    #[default]
    Text,
    /// Between `<` and `>`.
    Tag(Vec<u16>),
    Note,
    Base64(base64::Decoder),
    Utf16(utf16::Decoder),
    AfterTrace,
}

/// Finds the trace in the slices of a page.
#[derive(Default)]
pub(crate) struct Page {
    is_wide: bool,
    /// The first byte of a unit whose second byte has not come yet.
    half: Option<u8>,
    has_started: bool,
    place: Place,
    note: Vec<u16>,
    /// `None` until there is something to unpack, because most HTML files are not pages of Steplens.
    gunzip: Option<Gunzip>,
    /// Whether it is a page of Steplens, with or without a trace.
    is_ours: bool,
    is_damaged: bool,
}

impl Page {
    /// Takes the next slice and calls `sink` with the unpacked bytes of the trace. Slices may have any size, but the first must
    /// have enough bytes to show the encoding.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: impl FnMut(&[u8])) {
        if !self.has_started && !bytes.is_empty() {
            self.has_started = true;
            self.is_wide = bytes.starts_with(&WIDE);
        }
        let mut packed = Vec::new();
        for &byte in bytes {
            if !self.is_wide {
                self.take(u16::from(byte), &mut packed);
            } else if let Some(low) = self.half.take() {
                self.take(u16::from_le_bytes([low, byte]), &mut packed);
            } else {
                self.half = Some(byte);
            }
        }
        if !packed.is_empty() {
            self.gunzip.get_or_insert_default().push(&packed, sink);
        }
    }

    fn take(&mut self, unit: u16, packed: &mut Vec<u8>) {
        const LESS: u16 = b'<' as u16;
        const GREATER: u16 = b'>' as u16;
        match &mut self.place {
            Place::AfterTrace => {}
            Place::Base64(_) | Place::Utf16(_) if unit == LESS => self.place = Place::AfterTrace,
            Place::Text | Place::Note if unit == LESS => self.place = Place::Tag(Vec::new()),
            Place::Text => {}
            Place::Note if self.note.len() < MOST_OF_NOTE => self.note.push(unit),
            Place::Note => self.is_damaged = true,
            Place::Tag(tag) if unit == GREATER => {
                let tag = String::from_utf16_lossy(tag);
                self.place = self.after(&tag);
            }
            Place::Tag(tag) if tag.len() < MOST_OF_TAG => tag.push(unit),
            Place::Tag(_) => {}
            Place::Base64(decoder) => {
                match u8::try_from(unit).map_err(drop).and_then(|unit| decoder.take(unit)) {
                    Ok(byte) => packed.extend(byte),
                    Err(()) => self.is_damaged = true,
                }
            }
            Place::Utf16(decoder) => self.is_damaged |= decoder.take(unit, packed).is_none(),
        }
    }

    /// What comes after `tag`.
    fn after(&mut self, tag: &str) -> Place {
        let has = |attribute: &str| tag.contains(attribute);
        self.is_ours |= has(r#"id="steplens-wasm""#) || has(r#"id="steplens-export""#);
        if has(r#"id="steplens-export""#) {
            Place::Note
        } else if !has(r#"class="steplens-file""#) {
            Place::Text
        } else if has(r#"data-letters="utf-16""#) {
            Place::Utf16(utf16::Decoder::default())
        } else {
            Place::Base64(base64::Decoder::default())
        }
    }

    /// Passes on the rest of the output.
    pub(crate) fn finish(&mut self, sink: impl FnMut(&[u8])) -> Result<(), Stopped> {
        let damaged = |why: String| Err(Stopped { code: "page-damaged", packing: "HTML", why });
        let unpacked = self.gunzip.as_mut().map_or(Ok(()), |own| own.finish(sink));
        match self.place {
            Place::AfterTrace if !self.is_damaged => unpacked.or_else(|stopped| damaged(stopped.why)),
            Place::AfterTrace => damaged(say!("page-other-letters").to_owned()),
            Place::Base64(_) | Place::Utf16(_) => damaged(say!("page-cut").to_owned()),
            _ if self.is_ours => damaged(say!("page-no-trace").to_owned()),
            _ => Err(Stopped { code: "other-format", packing: "HTML", why: String::new() }),
        }
    }

    /// What the page that wrote the file showed.
    pub(crate) fn shown(&self) -> Option<Shown> {
        let note = self.note()?;
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
        let note = match self.is_wide {
            true => String::from_utf16(&self.note).ok()?,
            false => String::from_utf8(self.note.iter().map(|&unit| unit as u8).collect()).ok()?,
        };
        serde_json::from_str(&note).ok()
    }
}
