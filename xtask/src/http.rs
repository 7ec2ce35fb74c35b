//! A static file server for this machine: GET and HEAD, one folder, nothing cached.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// More than any browser sends; what is longer is cut off and answered as it is.
const MAX_REQUEST_BYTES: u64 = 64 * 1024;
/// A connection that says nothing for so long is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers until the listener fails, each connection on its own thread.
pub(crate) fn serve(listener: &TcpListener, folder: &Path) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_path_buf();
        // A broken connection is the browser's business; it asks again.
        thread::spawn(move || answer(&stream, &folder).ok());
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(MAX_REQUEST_BYTES)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let found = file_of(target)
        .map(|file| folder.join(file))
        .and_then(|path| Some((mime_type(&path), fs::read(path).ok()?)));
    let (status, mime, body) = match (method, found) {
        ("GET" | "HEAD", Some((mime, body))) => ("200 OK", mime, body),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
        _ => ("405 Method Not Allowed", "text/plain", b"only GET and HEAD\n".to_vec()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
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
