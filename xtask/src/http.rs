//! A static file server for this machine: GET and HEAD, one folder, nothing cached.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use tiny_http::{Header, Method, Request, Response, Server};

/// Answers until the server fails: each request on a thread of its own, since one that reads slowly must not hold up the others.
pub(crate) fn serve(server: &Server, folder: &Path) {
    for request in server.incoming_requests() {
        let folder = folder.to_path_buf();
        thread::spawn(move || answer(request, &folder));
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

    /// A server of a folder with a page, its core, and a file that no socket buffers.
    fn served() -> (std::net::SocketAddr, PathBuf) {
        let folder = std::env::temp_dir().join(format!("steplens-http-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        fs::write(folder.join("index.html"), "<p>page").expect("it can be written");
        fs::write(folder.join("steplens.wasm"), b"\0asm").expect("it can be written");
        fs::write(folder.join("large.gz"), vec![7; 32 << 20]).expect("it can be written");
        let server = Server::http("127.0.0.1:0").expect("some port is free");
        let address = server.server_addr().to_ip().expect("it is a port");
        let own = folder.clone();
        thread::spawn(move || serve(&server, &own));
        (address, folder)
    }

    /// The head of the answer, in small letters, and its body.
    fn asked(address: std::net::SocketAddr, lines: &str) -> (String, Vec<u8>) {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(address).expect("it listens");
        write!(stream, "{lines}\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .expect("it takes a request");
        let mut all = Vec::new();
        stream.read_to_end(&mut all).expect("it answers");
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head ends");
        (String::from_utf8_lossy(&all[..end]).to_lowercase(), all[end + 4..].to_vec())
    }

    #[test]
    fn browsers_get_what_they_ask_for() {
        let (address, folder) = served();
        // Somebody asks for much and reads nothing of it, all the while.
        let mut stalled = std::net::TcpStream::connect(address).expect("it listens");
        std::io::Write::write_all(&mut stalled, b"GET /large.gz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .expect("it is taken");
        let (head, body) = asked(address, "GET / HTTP/1.1");
        assert!(head.starts_with("http/1.1 200") && head.contains("content-type: text/html"), "{head}");
        assert!(
            head.contains("cache-control: no-store") && head.contains("x-content-type-options: nosniff"),
            "{head}"
        );
        assert_eq!(body, b"<p>page");
        let (head, body) = asked(address, "HEAD /steplens.wasm?v=2 HTTP/1.1");
        assert!(
            head.contains("content-type: application/wasm") && head.contains("content-length: 4"),
            "{head}"
        );
        assert!(body.is_empty(), "{body:?}");
        // Parts are not served; the whole is an answer that HTTP allows.
        let (head, body) = asked(address, "GET /index.html HTTP/1.1\r\nRange: bytes=1-2");
        assert!(head.starts_with("http/1.1 200") && body.len() == 7, "{head}");
        for (lines, status) in [
            ("GET /none.js HTTP/1.1", "404"),
            ("GET /../Cargo.toml HTTP/1.1", "404"),
            ("POST / HTTP/1.1", "405"),
        ] {
            let (head, _) = asked(address, lines);
            assert!(head.starts_with(&format!("http/1.1 {status}")), "{lines}: {head}");
        }
        let many: Vec<_> = (0..24)
            .map(|_| thread::spawn(move || asked(address, "GET /index.html HTTP/1.1").1.len()))
            .collect();
        assert!(many.into_iter().all(|one| one.join().is_ok_and(|length| length == 7)));
        drop(stalled);
        fs::remove_dir_all(folder).expect("it can be removed");
    }

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
