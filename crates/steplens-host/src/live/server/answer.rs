//! An answer of the server, and one that holds a whole text.

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};
use std::io;

/// What is answered.
pub(super) type Answer = Response<UnsyncBoxBody<Bytes, io::Error>>;

/// A body of these bytes.
fn whole(bytes: impl Into<Bytes>) -> UnsyncBoxBody<Bytes, io::Error> {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// The answer of this status with `text`, which is of this kind.
pub(super) fn plain(status: StatusCode, kind: &'static str, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(whole(text));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}
