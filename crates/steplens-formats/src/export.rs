//! The single-file page: the page's template with a session and a view inserted.
//!
//! The template is the whole page in one HTML file. The inserted data is in blocks that no browser runs: JSON with every `<`
//! escaped, and bytes as base64. The page lets the core write these blocks, too, and inserts them into the same template
//! (`www/src/engine/export.ts`).

use crate::crc32c::Crc32c;
use crate::unpack::page::{NOTE_CHECKSUM, Page};
use crate::{base64, session};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::model::file::FileReport;

/// The place in the template where the data is inserted.
pub const MARKER: &str = "<!--steplens:data-->";

/// The contents of an export.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The view with which the page opens, as the fragment of its URL; may be empty.
    pub view: String,
    /// How the trace was opened.
    pub options: Options,
    /// The name of the session.
    pub name: String,
    /// The trace, as [`session::write`](crate::session::write) returns it.
    pub session: Vec<u8>,
}

/// How the trace was opened. Anyone who opens the page sees it in the same way.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Options {
    /// The user's patterns for communication.
    pub communication: Vec<String>,
    /// The pattern for devices, if not all were opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<String>,
    /// The start and the end of the window in ns from 1970, if not all of the time was opened. These are texts, because
    /// JavaScript's numbers are too coarse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_unix_ns: Option<[String; 2]>,
}

/// The name for the session of `files`.
pub fn session_name(files: &[FileReport]) -> String {
    let first = files.first().map_or("", |file| &file.name);
    format!("{}.steplens", if first.is_empty() { "trace" } else { first })
}

/// Inserts `contents` into `template`; `None` if it is no template.
pub fn single_file(template: &[u8], contents: &Contents) -> Option<Vec<u8>> {
    let at = template.windows(MARKER.len()).position(|text| text == MARKER.as_bytes())?;
    let mut page = template[..at].to_vec();
    // Writing to memory cannot fail.
    at_once(async |pace: &Pace| write_data(contents, &mut page, pace).await).ok()?;
    page.extend_from_slice(&template[at + MARKER.len()..]);
    Some(page)
}

/// The number of parts in the progress of [`write_data`]; writing the session before it has the same number.
const PARTS: u64 = 1000;
/// How many bytes are packed at a time.
const SLICE: usize = 1 << 17;
/// The number of rows reported as work after each slice, so that each ends a piece of work.
const A_PIECE: usize = 1 << 16;

/// Writes the data that replaces the marker of a template, in pieces: a note, and the session as base64.
pub async fn write_data(contents: &Contents, out: &mut dyn Write, pace: &Pace) -> io::Result<()> {
    out.write_all(before_letters(contents).as_bytes())?;
    let session = &contents.session;
    let mut gzip = GzEncoder::new(Vec::new(), LEVEL);
    for (slice, done) in session.chunks(SLICE).zip((0..).step_by(SLICE)) {
        let share = done as u64 * PARTS / session.len() as u64;
        pace.did((PARTS + share) as u32, 2 * PARTS as u32);
        gzip.write_all(slice)?;
        let packed = gzip.get_mut();
        let rest = packed.split_off(packed.len() / 3 * 3);
        out.write_all(&base64::encode(&std::mem::replace(packed, rest)))?;
        pace.worked(A_PIECE).await;
    }
    out.write_all(&base64::encode(&gzip.finish()?))?;
    out.write_all(b"</script>")
}

/// Level 9 takes 2.5 times as long, and makes a large file only 1 % smaller.
const LEVEL: Compression = Compression::new(6);

/// The note, and the tag before the base64 letters.
fn before_letters(contents: &Contents) -> String {
    #[derive(Serialize)]
    struct Export<'a> {
        schema: &'static str,
        version: &'a str,
        view: &'a str,
        files: [File<'a>; 1],
        options: &'a Options,
    }
    #[derive(Serialize)]
    struct File<'a> {
        name: &'a str,
        bytes: usize,
    }
    let export = Export {
        schema: "steplens.export/1",
        version: env!("CARGO_PKG_VERSION"),
        view: &contents.view,
        files: [File { name: &contents.name, bytes: contents.session.len() }],
        options: &contents.options,
    };
    // With `<` written as \u003c, no name can end the script element or open a comment.
    let json = serde_json::to_string(&export).unwrap_or_default().replace('<', "\\u003c");
    let checksum = Crc32c::of(json.as_bytes());
    format!(
        r#"<script type="application/json" {NOTE_CHECKSUM}{checksum:08x}" id="steplens-export">{json}</script>
<script type="application/gzip" class="steplens-file" data-letters="base64">"#
    )
}

/// Every string in the data of the page `html` that its readers can see; `None` if it has no readable data.
pub fn strings_of(html: &[u8]) -> Option<Vec<String>> {
    let (mut page, mut session) = (Page::default(), Vec::new());
    page.push(html, |bytes| session.extend_from_slice(bytes));
    page.finish(|bytes| session.extend_from_slice(bytes)).ok()?;
    let mut strings = session::strings(&session)?;
    let mut values = vec![page.note()?];
    while let Some(value) = values.pop() {
        match value {
            Value::String(text) => strings.push(text),
            Value::Array(all) => values.extend(all),
            Value::Object(fields) => values.extend(fields.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    Some(strings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_data() {
        let name = "</script><img src=x onerror=alert(1)>.pb".to_owned();
        let contents = Contents { name, session: vec![1, 2, 3], ..Contents::default() };
        let page = single_file(format!("<html>{MARKER}</html>").as_bytes(), &contents).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(!page.contains("<img"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.starts_with("<html><script") && page.ends_with("</script></html>"));
        assert_eq!(single_file(b"<html></html>", &contents), None);
    }
}
