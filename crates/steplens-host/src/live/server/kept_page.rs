//! The page as it is sent: packed for who takes gzip, and not again to who has it.

use super::answer::{Answer, plain};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{StatusCode, http};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use tokio::task::spawn_blocking;

const HTML: &str = "text/html; charset=utf-8";

/// The page, its hash, and, once somebody wanted it, the page packed.
#[derive(Debug)]
pub(super) struct Page {
    plain: Bytes,
    tag: String,
    packed: OnceLock<Bytes>,
}

impl Page {
    pub(super) fn new(page: Vec<u8>) -> Self {
        let mut hash = DefaultHasher::new();
        hash.write(&page);
        // Weak: the packed page has the same.
        let tag = format!("W/\"{:016x}\"", hash.finish());
        Self { plain: page.into(), tag, packed: OnceLock::new() }
    }

    fn packed(&self) -> io::Result<Bytes> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed.clone());
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(&self.plain)?;
        let packed = Bytes::from(packer.finish()?);
        Ok(self.packed.get_or_init(|| packed).clone())
    }
}

/// The answer to who asks for the page with these headers. A browser keeps it, and asks each time whether it is still this one.
pub(super) async fn answer(page: Arc<Page>, asked: &HeaderMap) -> Answer {
    let tag = HeaderValue::from_str(&page.tag).ok();
    let mut answer = if listed(asked, &header::IF_NONE_MATCH).any(|own| own == page.tag) {
        plain(StatusCode::NOT_MODIFIED, HTML, "")
    } else if listed(asked, &header::ACCEPT_ENCODING).any(is_gzip) {
        let own = Arc::clone(&page);
        match spawn_blocking(move || own.packed()).await {
            Ok(Ok(packed)) => {
                let mut answer = plain(StatusCode::OK, HTML, packed);
                answer.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                answer
            }
            // It can be read as it is.
            Ok(Err(_)) | Err(_) => plain(StatusCode::OK, HTML, page.plain.clone()),
        }
    } else {
        plain(StatusCode::OK, HTML, page.plain.clone())
    };
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    tag.into_iter().for_each(|tag| _ = headers.insert(header::ETAG, tag));
    answer
}

/// The parts of a header that is a list, in each of its lines.
fn listed<'a>(headers: &'a HeaderMap, name: &http::HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

/// Whether a part of `Accept-Encoding` takes gzip.
fn is_gzip(part: &str) -> bool {
    let (name, quality) = part.split_once(';').unwrap_or((part, "q=1"));
    let quality = quality.trim().strip_prefix("q=").and_then(|own| own.parse::<f32>().ok());
    name.trim().eq_ignore_ascii_case("gzip") && quality.is_none_or(|own| own > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_gzip_says_so() {
        for (part, takes) in
            [("gzip", true), ("GZIP;q=0.5", true), ("gzip; q=0", false), ("gzip;q=0.0", false), ("br", false)]
        {
            assert_eq!(is_gzip(part), takes, "{part}");
        }
    }
}
