//! What is answered to whom has the token: the page, the list of files, a file, and a new request.

use super::answer::{Answer, plain};
use super::gate::{Refusal, Shown};
use super::{Listing, Shared, kept_page};
use crate::live::folder::new_request;
use cap_std::fs::File;
use http_body_util::{BodyExt, Limited};
use http_range_header::parse_range_header;
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use steplens_core::watched::asked::{self, RequestKind};
use steplens_core::watched::names::{FileName, ProcessName};
use steplens_messages::say;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::task::spawn_blocking;
use tokio_util::io::ReaderStream;

/// The most bytes of a new request, and how long they may take.
const MOST_ASKED: usize = 8 << 10;
const ASKING: Duration = Duration::from_secs(10);
/// So much of a file is read at once.
const CHUNK: usize = 64 << 10;
/// How long a request stands where the page does not say.
const STANDS: Duration = Duration::from_secs(60);
const MOST_STANDS: Duration = Duration::from_secs(365 * 24 * 3600);

/// What every answer says that says nothing else: it is not kept, not shown within other pages, and not taken for something else.
const ALWAYS: [(HeaderName, &str); 7] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const BYTES: &str = "application/octet-stream";

/// The answer, and whether the request has shown the token.
pub(super) async fn answer(shared: &Arc<Shared>, request: Request<Incoming>) -> (Answer, bool) {
    let (mut answer, has_token) = match shared.gate.check(&request) {
        Err(why) => (refused(why), false),
        Ok(Shown::Address) => (enter(shared), true),
        Ok(Shown::Cookie) => (route(shared, request).await, true),
    };
    for (name, value) in ALWAYS {
        // Of the page a browser may keep what has nothing of the folder in it.
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    (answer, has_token)
}

fn failed(status: StatusCode, code: &str, message: &str) -> Answer {
    let body = serde_json::json!({ "code": code, "message": message });
    plain(status, JSON, body.to_string())
}

fn refused(why: Refusal) -> Answer {
    let text = match why {
        Refusal::Host => say!("live-foreign-host"),
        Refusal::Origin => say!("live-foreign-origin"),
        Refusal::Token => say!("live-no-token"),
    };
    plain(StatusCode::FORBIDDEN, TEXT, format!("{text} [{}]\n", why.code()))
}

/// The token becomes a cookie, and the address loses it.
fn enter(shared: &Shared) -> Answer {
    let mut answer = plain(StatusCode::SEE_OTHER, TEXT, "");
    answer.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&shared.gate.set_cookie()) {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    answer
}

async fn route(shared: &Arc<Shared>, request: Request<Incoming>) -> Answer {
    let path = request.uri().path().to_owned();
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    match path.as_str() {
        "/requests" if request.method() == Method::POST => ask(shared, request).await,
        _ if !reads => {
            let mut answer = failed(StatusCode::METHOD_NOT_ALLOWED, "bad-method", say!("live-bad-method"));
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            answer
        }
        "/" => kept_page::answer(Arc::clone(&shared.page), request.headers()).await,
        "/folder" => list(shared).await,
        "/traces" => list_traces(shared).await,
        path if path.starts_with("/traces/") => {
            trace_below(shared, path, request.headers().get(header::RANGE)).await
        }
        "/fleet" => overview(shared).await,
        path if path.starts_with("/fleet/") => {
            trace(shared, path, request.headers().get(header::RANGE)).await
        }
        // Names have no letter that an address would escape.
        path => match path.strip_prefix("/folder/").and_then(FileName::new) {
            Some(name) => file(shared, name, request.headers().get(header::RANGE)).await,
            None => missing(),
        },
    }
}

fn missing() -> Answer {
    failed(StatusCode::NOT_FOUND, "no-file", say!("live-no-file"))
}

/// The answer to a failure of the file system.
fn unreadable(why: &io::Error) -> Answer {
    match why.kind() {
        // Also for what leads out of the folder: nobody learns whether it is there.
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => missing(),
        _ => failed(
            StatusCode::INTERNAL_SERVER_ERROR,
            "not-read",
            &say!("live-not-read", why = why.to_string()),
        ),
    }
}

/// Runs `work` where it may wait for the disk.
async fn waiting<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let shared = Arc::clone(shared);
    spawn_blocking(move || work(&shared)).await.map_err(io::Error::other)?
}

async fn list(shared: &Arc<Shared>) -> Answer {
    match waiting(shared, |shared| shared.folder()?.entries()).await {
        Ok(files) => {
            // Writing to memory succeeds.
            plain(StatusCode::OK, JSON, serde_json::to_string(&Listing { files }).unwrap_or_default())
        }
        Err(why) => unreadable(&why),
    }
}

/// The traces anywhere below the folder.
async fn list_traces(shared: &Arc<Shared>) -> Answer {
    match waiting(shared, |shared| shared.folder()?.traces()).await {
        Ok(found) => plain(StatusCode::OK, JSON, serde_json::to_string(&found).unwrap_or_default()),
        Err(why) => unreadable(&why),
    }
}

/// One of them: `/traces/` and its path, each part of it escaped.
async fn trace_below(shared: &Arc<Shared>, path: &str, range: Option<&HeaderValue>) -> Answer {
    let escaped = path.strip_prefix("/traces/").unwrap_or_default();
    let Ok(path) = percent_decode_str(escaped).decode_utf8().map(Cow::into_owned) else { return missing() };
    match waiting(shared, move |shared| shared.folder()?.trace(&path)).await {
        Ok((file, length)) => part(file, length, range).await,
        Err(why) => unreadable(&why),
    }
}

/// The summary of a fleet.
async fn overview(shared: &Arc<Shared>) -> Answer {
    match waiting(shared, |shared| shared.dataset()?.overview()).await {
        Ok(bytes) => plain(StatusCode::OK, BYTES, bytes),
        Err(why) => unreadable(&why),
    }
}

/// A trace of a fleet: `/fleet/` and its path, each part of it escaped.
async fn trace(shared: &Arc<Shared>, path: &str, range: Option<&HeaderValue>) -> Answer {
    let escaped = path.strip_prefix("/fleet/").unwrap_or_default();
    let Ok(path) = percent_decode_str(escaped).decode_utf8().map(Cow::into_owned) else { return missing() };
    match waiting(shared, move |shared| shared.dataset()?.trace(&path)).await {
        Ok((file, length)) => part(file, length, range).await,
        Err(why) => unreadable(&why),
    }
}

async fn file(shared: &Arc<Shared>, name: FileName, range: Option<&HeaderValue>) -> Answer {
    let opened = waiting(shared, move |shared| shared.folder()?.file(&name)).await;
    match opened {
        Ok((file, length)) => part(file, length, range).await,
        Err(why) => unreadable(&why),
    }
}

/// What of a file is asked for.
async fn part(file: File, length: u64, range: Option<&HeaderValue>) -> Answer {
    let file = tokio::fs::File::from_std(file.into_std());
    // A header that cannot be read is ignored, and so are several ranges at once: RFC 9110, 14.2.
    let ranges = range.and_then(|value| value.to_str().ok()).and_then(|value| parse_range_header(value).ok());
    // More than the last bytes that there are is all of them: RFC 9110, 14.1.2.
    let last = range.and_then(|value| value.to_str().ok()?.strip_prefix("bytes=-")?.parse::<u64>().ok());
    let ranges = ranges.filter(|_| length == 0 || last.is_none_or(|last| last < length));
    let wanted = match ranges.map(|ranges| ranges.validate(length)) {
        Some(Ok(ranges)) => <[_; 1]>::try_from(ranges).ok().map(|[range]| range),
        Some(Err(_)) => {
            let mut answer = failed(StatusCode::RANGE_NOT_SATISFIABLE, "no-range", say!("live-no-range"));
            let value = format!("bytes */{length}");
            if let Ok(value) = HeaderValue::from_str(&value) {
                answer.headers_mut().insert(header::CONTENT_RANGE, value);
            }
            return answer;
        }
        None => None,
    };
    let (from, count) = match &wanted {
        Some(range) => (*range.start(), range.end() - range.start() + 1),
        None => (0, length),
    };
    send(file, from, count, wanted.map(|range| (range, length))).await
}

async fn send(
    mut file: tokio::fs::File,
    from: u64,
    count: u64,
    range: Option<(std::ops::RangeInclusive<u64>, u64)>,
) -> Answer {
    if let Err(why) = file.seek(io::SeekFrom::Start(from)).await {
        return unreadable(&why);
    }
    // A file that becomes shorter meanwhile breaks the answer off: its length was said before.
    let stream = ReaderStream::with_capacity(file.take(count), CHUNK);
    let frames = http_body_util::StreamBody::new(FramesOf(stream));
    let mut answer = Response::new(frames.boxed_unsync());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(BYTES));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(count));
    if let Some((range, length)) = range
        && let Ok(value) = HeaderValue::from_str(&format!("bytes {}-{}/{length}", range.start(), range.end()))
    {
        headers.insert(header::CONTENT_RANGE, value);
        *answer.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    answer
}

/// The page's words for a request: it does not know the clock of this machine.
#[derive(Deserialize)]
struct Wanted {
    kind: String,
    #[serde(default)]
    n: u64,
    #[serde(default)]
    count: u64,
    processes: Option<Vec<String>>,
    expires_s: Option<u64>,
}

async fn ask(shared: &Arc<Shared>, request: Request<Incoming>) -> Answer {
    let bad = |why: &str| failed(StatusCode::BAD_REQUEST, "bad-request", why);
    // A form of another page could be sent without asking first; JSON cannot.
    let kind = request.headers().get(header::CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    let kind = kind.split(|&c| c == b';').next().unwrap_or_default().trim_ascii();
    let is_json = kind.eq_ignore_ascii_case(JSON.as_bytes());
    if !is_json {
        return failed(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad-request", say!("live-no-json"));
    }
    let body = tokio::time::timeout(ASKING, Limited::new(request.into_body(), MOST_ASKED).collect()).await;
    let bytes = match body {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) | Err(_) => return bad(say!("live-no-body")),
    };
    let wanted: Wanted = match serde_json::from_slice(&bytes) {
        Ok(wanted) => wanted,
        Err(why) => return bad(&say!("live-bad-request", why = why.to_string())),
    };
    let Some(kind) = RequestKind::by_word(&wanted.kind) else {
        return bad(&say!("watched-no-kind", word = wanted.kind));
    };
    if wanted.n == 0 && matches!(kind, RequestKind::Every | RequestKind::Multiple) {
        return bad(say!("live-no-n"));
    }
    let names = wanted.processes.map(|names| names.iter().map(|name| ProcessName::new(name)).collect());
    let processes: Option<Vec<ProcessName>> = match names {
        Some(None) => return bad(say!("live-bad-processes")),
        Some(names) => names,
        None => None,
    };
    let stands = wanted.expires_s.map_or(STANDS, Duration::from_secs).min(MOST_STANDS);
    let made = waiting(shared, move |shared| {
        let (id, expires_ns) = new_request(stands)?;
        let request = asked::Request {
            processes,
            ..asked::Request::new(id.clone(), kind, wanted.n, wanted.count, expires_ns)
        };
        shared.folder()?.ask(&request)?;
        Ok(id)
    });
    match made.await {
        Ok(id) => plain(StatusCode::CREATED, JSON, serde_json::json!({ "id": id.as_str() }).to_string()),
        Err(why) => failed(
            StatusCode::INTERNAL_SERVER_ERROR,
            "not-written",
            &say!("live-not-written", why = why.to_string()),
        ),
    }
}

/// The chunks of a file as the frames of a body.
struct FramesOf(ReaderStream<tokio::io::Take<tokio::fs::File>>);

impl futures_core::Stream for FramesOf {
    type Item = io::Result<Frame<Bytes>>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let next = std::pin::Pin::new(&mut self.0).poll_next(context);
        next.map(|next| next.map(|bytes| bytes.map(Frame::data)))
    }
}
