//! `steplens serve` over real sockets: who is answered, what of the folder, and what a hundred silent connections change.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use steplens_host::live::Folder;
use steplens_host::live::server::{Server, Stopper};

#[path = "../../../tests/src/places.rs"]
#[expect(dead_code, unreachable_pub, reason = "the tests across crates use more of it, from other crates")]
mod places;

const PAGE: &str = "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"></head><body></body></html>";
/// A trace that is longer than any buffer on the way.
const LARGE: usize = 20 << 20;

struct Serving {
    address: SocketAddr,
    token: String,
    cookie: String,
    folder: PathBuf,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = places::scratch().join("serve").join(name);
    let _ = fs::remove_dir_all(&folder);
    let watched = folder.join("watched");
    for inner in ["traces", "requests", "answers"] {
        fs::create_dir_all(watched.join(inner)).unwrap();
    }
    fs::write(folder.join("secret.pb"), "secret").unwrap();
    fs::write(
        watched.join("steplens.json"),
        "{\"schema\":\"steplens.watched-folder/1\",\"processes\":[\"w\"]}",
    )
    .unwrap();
    fs::write(watched.join("runs-w.jsonl"), "0123456789").unwrap();
    fs::write(watched.join("traces/1-w.pb"), (0..LARGE).map(|at| (at % 251) as u8).collect::<Vec<_>>())
        .unwrap();
    fs::write(watched.join("notes.txt"), "mine").unwrap();
    fs::write(watched.join(".hidden"), "mine").unwrap();
    watched
}

impl Serving {
    fn start(name: &str) -> Self {
        let folder = folder(name);
        let opened = Folder::open(&folder).unwrap();
        let server = Server::bind(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, opened, PAGE.as_bytes()).unwrap();
        let (address, stopper) = (server.address().unwrap(), server.stopper());
        let token = server.url().unwrap().split_once("?token=").unwrap().1.to_owned();
        let thread = thread::spawn(move || server.run().unwrap());
        let mut serving =
            Self { address, token, cookie: String::new(), folder, stopper, thread: Some(thread) };
        let entered = serving.get(&format!("/?token={}", serving.token), &[]);
        serving.cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        serving
    }

    fn host(&self) -> String {
        format!("localhost:{}", self.address.port())
    }

    /// Whatever the server answers to these bytes; empty where it only closes.
    fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn send(&self, method: &str, path: &str, host: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        let answer = self.raw(format!("{text}\r\n{body}").as_bytes());
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: answer[end + 4..].to_vec() }
    }

    /// Without the cookie, unless it is among the headers.
    fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, &self.host(), headers, "")
    }

    fn known(&self, path: &str) -> Answer {
        self.get(path, &[("Cookie", &self.cookie)])
    }

    fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send("POST", "/requests", &self.host(), headers, body)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

#[test]
fn the_token_becomes_a_cookie_and_leaves_the_address() {
    let serving = Serving::start("token");
    let entered = serving.get(&format!("/?token={}", serving.token), &[]);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/")));
    let cookie = entered.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let page = serving.known("/");
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("name=\"steplens-served\" content=\"watched\""), "{text}");
    assert!(text.contains("content=\"connect-src 'self'; default-src 'none'\""), "{text}");
    assert!(!text.contains(&serving.token), "the token stays out of the page");
    assert_eq!(page.header("cache-control"), Some("private, no-cache"));
    assert_eq!(page.header("content-security-policy"), Some("frame-ancestors 'none'"));
    assert_eq!(serving.known("/folder").header("cache-control"), Some("no-store"));
}

#[test]
fn the_page_is_sent_packed_and_to_who_has_it_not_again() {
    let serving = Serving::start("packed");
    let with = |name: &str, value: &str| serving.get("/", &[("Cookie", &serving.cookie), (name, value)]);
    let plain = serving.known("/");
    assert_eq!(plain.header("content-encoding"), None);
    let packed = with("Accept-Encoding", "br, gzip, deflate");
    assert_eq!(
        (packed.header("content-encoding"), packed.header("vary")),
        (Some("gzip"), Some("accept-encoding"))
    );
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.body.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert_eq!(with("Accept-Encoding", "gzip;q=0").body, plain.body);
    let tag = plain.header("etag").unwrap();
    assert_eq!(packed.header("etag"), Some(tag));
    let tags = format!("\"other\", {tag}");
    let again = with("If-None-Match", &tags);
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
    assert_eq!(with("If-None-Match", "\"other\"").status, 200);
    // Who has the page and no token learns nothing.
    assert_eq!(serving.get("/", &[("If-None-Match", tag)]).status, 403);
}

#[test]
fn without_the_token_nothing_is_answered() {
    let serving = Serving::start("without");
    let name = serving.cookie.split_once('=').unwrap().0;
    let wrong = format!("{name}={}", "0".repeat(serving.token.len()));
    let short = format!("{name}={}", &serving.token[1..]);
    let other = format!("other={}", serving.token);
    for path in ["/", "/folder", "/folder/steplens.json", "/requests", "/nothing", "/?token=", "/?token=00"] {
        for cookie in [None, Some(&wrong), Some(&short), Some(&other)] {
            let headers: Vec<(&str, &str)> =
                cookie.iter().map(|cookie| ("Cookie", cookie.as_str())).collect();
            let answer = serving.get(path, &headers);
            assert_eq!(answer.status, 403, "{path} {cookie:?}");
            assert!(answer.text().ends_with("[no-token]\n"), "{}", answer.text());
        }
    }
    // The token in another address is none.
    let answer = serving.get(&format!("/folder?token={}", serving.token), &[]);
    assert_eq!(answer.status, 403);
    let body = "{\"kind\":\"now\",\"count\":1}";
    assert_eq!(serving.post(&[("Content-Type", "application/json")], body).status, 403);
    assert_eq!(fs::read_dir(serving.folder.join("requests")).unwrap().count(), 0);
}

#[test]
fn cookies_of_other_programs_lock_nobody_out() {
    let serving = Serving::start("cookies");
    let many = "x".repeat(40_000);
    for cookies in [
        format!("name=Jörg; {}", serving.cookie),
        format!("{}; name=Jörg; =; ;a", serving.cookie),
        format!("a={many}; {}", serving.cookie),
    ] {
        let answer = serving.get("/folder", &[("Cookie", &cookies)]);
        assert_eq!(answer.status, 200, "{}", &cookies[..20]);
    }
    for wrong in [format!("x{}", serving.cookie), format!("{}x", serving.cookie), "name=Jörg".to_owned()] {
        assert_eq!(serving.get("/folder", &[("Cookie", &wrong)]).status, 403, "{wrong}");
    }
}

#[test]
fn only_this_machine_is_a_host_with_any_port() {
    let serving = Serving::start("hosts");
    let with = |host: &str| serving.send("GET", "/folder", host, &[("Cookie", &serving.cookie)], "").status;
    for host in ["localhost", "localhost:1", "LocalHost:9999", "127.0.0.1:8686", "[::1]:8686", "[::1]"] {
        assert_eq!(with(host), 200, "{host}");
    }
    for host in [
        "example.com",
        "localhost.example.com",
        "example.com:80",
        "127.0.0.2:80",
        "0.0.0.0:80",
        "localhost:x",
        "localhost:",
        "localhost:80:80",
        "[::2]",
        "user@localhost",
        "",
    ] {
        assert_eq!(with(host), 403, "{host:?}");
    }
    let twice = format!(
        "GET /folder HTTP/1.1\r\nHost: localhost\r\nHost: example.com\r\nCookie: {}\r\nConnection: close\r\n\r\n",
        serving.cookie
    );
    assert!(serving.raw(twice.as_bytes()).starts_with(b"HTTP/1.1 403"));
    let without = format!("GET /folder HTTP/1.0\r\nCookie: {}\r\n\r\n", serving.cookie);
    assert!(serving.raw(without.as_bytes()).starts_with(b"HTTP/1.0 403"));
}

#[test]
fn other_pages_are_not_answered() {
    let serving = Serving::start("origins");
    let own = format!("http://{}", serving.host());
    let ask = |name: &str, value: &str| {
        serving.get("/folder", &[("Cookie", &serving.cookie), (name, value)]).status
    };
    assert_eq!(ask("Origin", &own), 200);
    assert_eq!(ask("Sec-Fetch-Site", "same-origin"), 200);
    for other in
        ["null", "http://localhost:1", "https://example.com", "file://", &own.replace("http", "https")]
    {
        assert_eq!(ask("Origin", other), 403, "{other}");
    }
    for other in ["same-site", "cross-site"] {
        assert_eq!(ask("Sec-Fetch-Site", other), 403, "{other}");
    }
    let link = [
        ("Cookie", serving.cookie.as_str()),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "document"),
    ];
    assert_eq!(serving.get("/", &link).status, 200, "a user may come from a link");
    let framed = [link[0], link[1], link[2], ("Sec-Fetch-Dest", "iframe")];
    assert_eq!(serving.get("/", &framed).status, 403);
    let foreign = [
        ("Cookie", serving.cookie.as_str()),
        ("Content-Type", "application/json"),
        ("Origin", "http://localhost:1"),
    ];
    assert_eq!(serving.post(&foreign, "{\"kind\":\"now\",\"count\":1}").status, 403);
}

#[test]
fn nothing_outside_the_folder_is_answered() {
    let serving = Serving::start("outside");
    assert_eq!(serving.known("/folder/runs-w.jsonl").text(), "0123456789");
    for path in [
        "/folder/../secret.pb",
        "/folder/../watched/steplens.json",
        "/folder/traces/../steplens.json",
        "/folder/%2e%2e/secret.pb",
        "/folder/..%2fsecret.pb",
        "/folder/traces/..%2f..%2fsecret.pb",
        "/folder/traces%2f1-w.pb",
        "/folder/..\\secret.pb",
        "/folder//etc/passwd",
        "/folder/notes.txt",
        "/folder/.hidden",
        "/folder/traces",
        "/folder/traces/",
        "/folder/",
        "/folder/traces/2-w.pb",
        "/etc/passwd",
        "//etc/passwd",
        "/folder/steplens.json%00",
    ] {
        assert_eq!(serving.known(path).status, 404, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_pipes_and_folders_are_no_files() {
    use std::os::unix::fs::symlink;
    let serving = Serving::start("links");
    symlink("../../secret.pb", serving.folder.join("traces/2-w.pb")).unwrap();
    symlink(serving.folder.join("../secret.pb"), serving.folder.join("traces/3-w.pb")).unwrap();
    symlink("nowhere", serving.folder.join("traces/4-w.pb")).unwrap();
    fs::create_dir(serving.folder.join("traces/5-w.pb")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(serving.folder.join("traces/6-w.pb")).status();
    assert!(made.unwrap().success());
    for run in 2..=6 {
        assert_eq!(serving.known(&format!("/folder/traces/{run}-w.pb")).status, 404, "{run}");
    }
    let listed = serving.known("/folder");
    assert!(listed.text().contains("traces/1-w.pb"), "{}", listed.text());
    for run in 2..=6 {
        assert!(!listed.text().contains(&format!("traces/{run}-w.pb")), "{}", listed.text());
    }
    // A whole folder that leads out.
    fs::remove_dir(serving.folder.join("requests")).unwrap();
    symlink("../..", serving.folder.join("requests")).unwrap();
    assert_eq!(serving.known("/folder").status, 200);
    let asked = serving.post(
        &[("Cookie", &serving.cookie), ("Content-Type", "application/json")],
        "{\"kind\":\"now\",\"count\":1}",
    );
    assert_eq!(asked.status, 500, "{}", asked.text());
}

/// The paths that `/traces` lists, sorted.
fn traces(serving: &Serving) -> Vec<String> {
    let answer = serving.known("/traces");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listing: serde_json::Value = serde_json::from_str(answer.text()).unwrap();
    let files = listing["files"].as_array().unwrap().iter();
    let mut paths: Vec<String> = files.map(|file| file["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn traces_anywhere_below_are_listed_and_given() {
    let serving = Serving::start("traces");
    let run = serving.folder.join("plugins/profile/run 1<b>");
    fs::create_dir_all(&run).unwrap();
    fs::create_dir_all(serving.folder.join(".cache")).unwrap();
    fs::write(run.join("host é%2f.xplane.pb"), "space").unwrap();
    fs::write(serving.folder.join("rank0.pt.trace.json.gz"), "packed").unwrap();
    fs::write(serving.folder.join(".cache/own.pb"), "hidden").unwrap();
    fs::write(serving.folder.join("model.ckpt"), "other").unwrap();
    let wanted = [
        "plugins/profile/run 1<b>/host é%2f.xplane.pb",
        "rank0.pt.trace.json.gz",
        "steplens.json",
        "traces/1-w.pb",
    ];
    assert_eq!(traces(&serving), wanted);
    let escaped = "/traces/plugins/profile/run%201%3Cb%3E/host%20%C3%A9%252f.xplane.pb";
    assert_eq!(serving.known(escaped).text(), "space");
    let part = serving.get(escaped, &[("Cookie", &serving.cookie), ("Range", "bytes=1-2")]);
    assert_eq!((part.status, part.text()), (206, "pa"));
    assert_eq!(serving.get("/traces", &[]).status, 403);
    assert_eq!(serving.get(escaped, &[]).status, 403);
    for path in [
        "/traces/../secret.pb",
        "/traces/..%2fsecret.pb",
        "/traces/%2e%2e/secret.pb",
        "/traces/plugins/%2e%2e/%2e%2e/secret.pb",
        "/traces/plugins/./rank0.pt.trace.json.gz",
        "/traces//etc/passwd.pb",
        "/traces/%2fetc%2fpasswd.pb",
        "/traces/.cache/own.pb",
        "/traces/model.ckpt",
        "/traces/plugins",
        "/traces/plugins/",
        "/traces/",
        "/traces/no.pb",
        "/traces/steplens.json/own.pb",
        "/traces/steplens.json%00",
        "/traces/plugins%5c..%5csecret.pb",
        "/traces/%ff.pb",
    ] {
        assert_eq!(serving.known(path).status, 404, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_below_are_no_traces() {
    use std::os::unix::fs::symlink;
    let serving = Serving::start("trace-links");
    let outside = serving.folder.parent().unwrap();
    symlink("../secret.pb", serving.folder.join("out.pb")).unwrap();
    symlink(outside.join("secret.pb"), serving.folder.join("whole.pb")).unwrap();
    symlink("traces/1-w.pb", serving.folder.join("in.pb")).unwrap();
    symlink("..", serving.folder.join("up")).unwrap();
    symlink("traces", serving.folder.join("same")).unwrap();
    symlink(".", serving.folder.join("circle")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(serving.folder.join("pipe.pb")).status();
    assert!(made.unwrap().success());
    assert_eq!(traces(&serving), ["steplens.json", "traces/1-w.pb"]);
    for path in
        ["out.pb", "whole.pb", "in.pb", "up/secret.pb", "same/1-w.pb", "circle/steplens.json", "pipe.pb"]
    {
        assert_eq!(serving.known(&format!("/traces/{path}")).status, 404, "{path}");
    }
}

#[test]
fn a_folder_with_too_many_traces_says_so() {
    let serving = Serving::start("many");
    for at in 0..10_001 {
        fs::write(serving.folder.join(format!("{at}.pb")), "").unwrap();
    }
    let answer = serving.known("/traces");
    assert_eq!(answer.status, 500);
    assert!(answer.text().contains("10000") || answer.text().contains("10,000"), "{}", answer.text());
    assert!(answer.text().contains("steplens index"), "{}", answer.text());
}

#[test]
fn files_come_whole_and_in_ranges() {
    let serving = Serving::start("ranges");
    let wanted = fs::read(serving.folder.join("traces/1-w.pb")).unwrap();
    let whole = serving.known("/folder/traces/1-w.pb");
    assert_eq!((whole.status, whole.body == wanted), (200, true));
    let ranged =
        |range: &str| serving.get("/folder/traces/1-w.pb", &[("Cookie", &serving.cookie), ("Range", range)]);
    let tail = LARGE - 5;
    for (range, expected) in [
        ("bytes=0-0", 0..1),
        ("bytes=1000000-3000000", 1_000_000..3_000_001),
        (&format!("bytes={tail}-"), tail..LARGE),
        ("bytes=-7", LARGE - 7..LARGE),
    ] {
        let part = ranged(range);
        assert_eq!(part.status, 206, "{range}");
        let said = format!("bytes {}-{}/{LARGE}", expected.start, expected.end - 1);
        assert_eq!(part.header("content-range"), Some(said.as_str()));
        assert!(part.body == wanted[expected], "{range}");
    }
    let beyond = ranged(&format!("bytes={LARGE}-"));
    assert_eq!(
        (beyond.status, beyond.header("content-range")),
        (416, Some(format!("bytes */{LARGE}").as_str()))
    );
    for ignored in ["bytes=x", "lines=1-2"] {
        assert_eq!(ranged(ignored).status, 200, "{ignored}");
    }
    for more_than_all in [format!("bytes=-{LARGE}"), "bytes=-99999999999".to_owned()] {
        let all = ranged(&more_than_all);
        assert!(all.status == 200 && all.body == wanted, "{more_than_all}: {}", all.status);
    }
    let head =
        serving.send("HEAD", "/folder/traces/1-w.pb", &serving.host(), &[("Cookie", &serving.cookie)], "");
    let length = LARGE.to_string();
    assert_eq!(
        (head.status, head.header("content-length"), head.body.len()),
        (200, Some(length.as_str()), 0)
    );
}

#[test]
fn requests_are_written_and_nonsense_is_not() {
    let serving = Serving::start("requests");
    let known = [("Cookie", serving.cookie.as_str()), ("Content-Type", "application/json")];
    let body = "{\"kind\":\"every\",\"n\":10,\"count\":3,\"processes\":[\"w\"],\"expires_s\":5}";
    let made = serving.post(&known, body);
    assert_eq!(made.status, 201, "{}", made.text());
    let id: serde_json::Value = serde_json::from_str(made.text()).unwrap();
    let id = id["id"].as_str().unwrap();
    let written = fs::read_to_string(serving.folder.join(format!("requests/{id}.json"))).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(
        (&written["kind"], &written["n"], &written["count"], &written["processes"][0]),
        (&"every".into(), &10.into(), &3.into(), &"w".into())
    );
    let large = format!("{{\"kind\":\"now\",\"count\":1,\"more\":\"{}\"}}", "a".repeat(100_000));
    for nonsense in
        ["", "x", "{}", "{\"kind\":\"later\"}", "{\"kind\":\"now\",\"processes\":[\"../w\"]}", &large]
    {
        let status = serving.post(&known, nonsense).status;
        assert_eq!(status, 400, "{}", &nonsense[..nonsense.len().min(50)]);
    }
    for kind in ["every", "multiple"] {
        let nothing = format!("{{\"kind\":\"{kind}\",\"n\":0,\"count\":1}}");
        assert_eq!(serving.post(&known, &nothing).status, 400, "{kind}");
    }
    assert_eq!(serving.post(&[known[0], ("Content-Type", "text/plain")], body).status, 415);
    assert_eq!(serving.post(&[known[0], ("Content-Type", "application/jsonp")], body).status, 415);
    assert_eq!(fs::read_dir(serving.folder.join("requests")).unwrap().count(), 1);
    let with_letters = [known[0], ("Content-Type", "Application/JSON; charset=utf-8")];
    assert_eq!(serving.post(&with_letters, body).status, 201);
    for method in ["PUT", "DELETE", "OPTIONS", "POST"] {
        let answer = serving.send(method, "/folder/runs-w.jsonl", &serving.host(), &known, "");
        assert_eq!(answer.status, 405, "{method}");
    }
}

#[test]
fn connections_that_say_nothing_keep_nobody_waiting() {
    let serving = Serving::start("silent");
    // More than are open at once: the oldest of those without the token give way.
    let silent: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(serving.address).unwrap()).collect();
    for _ in 0..20 {
        assert_eq!(serving.known("/folder").status, 200);
    }
    drop(silent);
    // Half a head, and one without an end.
    let mut half = TcpStream::connect(serving.address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    half.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let endless = serving.raw(format!("GET / HTTP/1.1\r\nHost: {}\r\n", "a".repeat(100_000)).as_bytes());
    assert!(!endless.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&endless));
    let mut rest = Vec::new();
    // It ends by itself.
    let _ = half.read_to_end(&mut rest);
    assert!(!rest.starts_with(b"HTTP/1.1 2"));
    assert_eq!(serving.known("/").status, 200);
}

#[test]
fn a_connection_that_has_shown_the_token_does_not_give_way() {
    let serving = Serving::start("kept-open");
    let mut kept = TcpStream::connect(serving.address).unwrap();
    kept.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let ask = format!(
        "GET /folder/runs-w.jsonl HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
        serving.host(),
        serving.cookie
    );
    let mut asked = || {
        kept.write_all(ask.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // The content of the file ends it.
        while !answer.ends_with(b"0123456789") {
            let mut byte = [0];
            kept.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    };
    asked();
    let _silent: Vec<TcpStream> = (0..400).map(|_| TcpStream::connect(serving.address).unwrap()).collect();
    // It is answered once those before it were taken.
    assert_eq!(serving.known("/folder").status, 200);
    asked();
}

#[test]
fn who_reads_nothing_keeps_nobody_waiting() {
    let serving = Serving::start("deaf");
    let ask = format!(
        "GET /folder/traces/1-w.pb HTTP/1.1\r\nHost: localhost\r\nCookie: {}\r\n\r\n",
        serving.cookie
    );
    let deaf: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(serving.address).unwrap();
            stream.write_all(ask.as_bytes()).unwrap();
            stream
        })
        .collect();
    let whole = serving.known("/folder/traces/1-w.pb");
    assert_eq!((whole.status, whole.body.len()), (200, LARGE));
    drop(deaf);
}
