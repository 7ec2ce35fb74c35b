//! The single-file page: the page's template with a session and view put inside.
//!
//! The template is the whole page in one HTML file, in UTF-16LE. What is put in stands in data blocks that no browser runs: JSON
//! with every `<` escaped, and bytes in letters of UTF-16. The page does the same in `www/src/engine/export.ts`.

use crate::{session, text_utf16};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::Value;
use std::io::{Read, Write};

/// Where the data goes in the template.
pub const MARKER: &str = "<!--steplens:data-->";

/// What an export holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The version of Steplens that writes it.
    pub version: String,
    /// The view to open with: the page's URL fragment, or nothing.
    pub view: String,
    /// The user's patterns for communication.
    pub communication: Vec<String>,
    /// What to call the session.
    pub name: String,
    /// The trace, as [`session::write`](crate::session::write) gives it.
    pub session: Vec<u8>,
}

/// `template` with `contents` in it; `None` if it is no template.
pub fn single_file(template: &[u8], contents: &Contents) -> Option<Vec<u8>> {
    #[derive(Serialize)]
    struct Export<'a> {
        schema: &'static str,
        version: &'a str,
        view: &'a str,
        files: [File<'a>; 1],
        options: Options<'a>,
    }
    #[derive(Serialize)]
    struct File<'a> {
        name: &'a str,
        bytes: usize,
    }
    #[derive(Serialize)]
    struct Options<'a> {
        communication: &'a [String],
    }
    let marker = text_utf16::bytes_of(MARKER);
    let at = 2 * template.windows(marker.len()).step_by(2).position(|text| text == marker)?;
    let (before, after) = (&template[..at], &template[at + marker.len()..]);
    let export = Export {
        schema: "steplens.export/1",
        version: &contents.version,
        view: &contents.view,
        files: [File { name: &contents.name, bytes: contents.session.len() }],
        options: Options { communication: &contents.communication },
    };
    let json = serde_json::to_string(&export).unwrap_or_default().replace('<', "\\u003c");
    let note = format!(
        r#"<script type="application/json" id="steplens-export">{json}</script>
<script type="application/gzip" class="steplens-file" data-letters="utf-16">"#
    );
    let letters = text_utf16::encode(&gzip(&contents.session));
    Some([before, &text_utf16::bytes_of(&note), &letters, &text_utf16::bytes_of("</script>"), after].concat())
}

/// Every string in the data of the page `html`, as whoever gets it can read it; `None` where it has none that can be read.
pub fn strings_of(html: &[u8]) -> Option<Vec<String>> {
    let html = text_utf16::text_of(html);
    let after = |text: &'static str| html.split_once(text).map(|(_, rest)| rest);
    let (note, _) = after(r#"id="steplens-export">"#)?.split_once("</script>")?;
    let (letters, _) = after(r#"data-letters="utf-16">"#)?.split_once("</script>")?;
    let mut session = Vec::new();
    GzDecoder::new(&*text_utf16::decode(letters)).read_to_end(&mut session).ok()?;
    let mut strings = session::strings(&session)?;
    let mut values = vec![serde_json::from_str(note).ok()?];
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

/// `bytes` packed with gzip, always the same way: no name, no time.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Memory is the only writer: neither step can fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_data() {
        let name = "</script><img src=x onerror=alert(1)>.pb".to_owned();
        let contents = Contents { name, session: vec![1, 2, 3], ..Contents::default() };
        let template = text_utf16::bytes_of(&format!("\u{feff}<html>{MARKER}</html>"));
        let page = single_file(&template, &contents).unwrap();
        assert!(page.starts_with(&[0xff, 0xfe]));
        let page = text_utf16::text_of(&page);
        assert!(!page.contains("<img"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.starts_with("\u{feff}<html><script") && page.ends_with("</script></html>"));
        assert_eq!(single_file(&text_utf16::bytes_of("<html></html>"), &contents), None);
        // The place of an older page, in UTF-8.
        assert_eq!(single_file(MARKER.as_bytes(), &contents), None);
    }
}
