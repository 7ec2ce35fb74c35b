//! A static file server for this machine: GET and HEAD, one folder, nothing cached.

use std::fs;
use std::path::{Path, PathBuf};
use tiny_http::{Header, Method, Request, Response, Server};

/// Answers until the server fails.
pub(crate) fn serve(server: &Server, folder: &Path) {
    for request in server.incoming_requests() {
        answer(request, folder);
    }
}

fn answer(request: Request, folder: &Path) {
    let found = file_of(request.url())
        .map(|file| folder.join(file))
        .and_then(|path| Some((mime_type(&path), fs::read(path).ok()?)));
    let (status, mime, body) = match (request.method(), found) {
        (Method::Get | Method::Head, Some((mime, body))) => (200, mime, body),
        (Method::Get | Method::Head, None) => (404, "text/plain", b"not found\n".to_vec()),
        _ => (405, "text/plain", b"only GET and HEAD\n".to_vec()),
    };
    let mut response = Response::from_data(body).with_status_code(status);
    let headers =
        [("Content-Type", mime), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")];
    for header in headers.map(|(name, value)| Header::from_bytes(name, value)).into_iter().flatten() {
        response.add_header(header);
    }
    // A broken connection is the browser's business; it asks again.
    request.respond(response).ok();
}

/// The file that a request's target names, relative to the served folder; None for anything that could lead out of it.
fn file_of(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_string() };
    // Our files have plain names, so nothing needs decoding: a name with anything else in it does not exist.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let hidden = path.split('/').any(|part| part.is_empty() || part.starts_with('.'));
    (path.chars().all(plain) && !hidden).then(|| PathBuf::from(path))
}

fn mime_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json" | "webmanifest") => "application/json",
        // Also for .gz: as data and not as an encoding, because the page decompresses it itself.
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(target: &str, want: Option<&str>) {
        assert_eq!(file_of(target), want.map(PathBuf::from), "{target}");
    }

    #[test]
    fn targets_name_files_of_the_folder_only() {
        check("/", Some("index.html"));
        check("/app.js?v=1", Some("app.js"));
        check("/a/b.css", Some("a/b.css"));
        check("/sub/", Some("sub/index.html"));
        check("/../Cargo.toml", None);
        check("/a/../../x", None);
        check("/%2e%2e/x", None);
        check("//etc/passwd", None);
        check("/.stage/index.html", None);
        check("/C:\\x", None);
        check("app.js", None);
        check("", None);
    }
}
