//! `steplens serve` of a fleet's dataset over real sockets: the summary and the traces that it names, and nothing else.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use steplens_host::live::Dataset;
use steplens_host::live::server::Server;
use steplens_report::overview::{Builder, FILE_NAME, RunShape, SplitRow};

#[path = "../../../tests/src/places.rs"]
#[expect(dead_code, unreachable_pub, reason = "the tests across crates use more of it, from other crates")]
mod places;

const PAGE: &str = "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"></head><body></body></html>";

/// A summary with a cell of each of these files.
fn overview(sources: &[&str]) -> Vec<u8> {
    let shape = RunShape {
        name: "a".to_owned(),
        tasks: vec![("t".to_owned(), String::new())],
        steps: (0..sources.len() as i64).collect(),
        ..RunShape::default()
    };
    let mut builder = Builder::new(vec![shape]);
    for (step, source) in (0..).zip(sources) {
        let row = SplitRow { task: "t", step, source, window_ns: 1, ..Default::default() };
        builder.split(0, &row).unwrap();
    }
    builder.to_bytes()
}

/// A folder with traces, next to it a dataset, and next to both what nobody may have.
fn folders(name: &str, sources: &[&str]) -> PathBuf {
    let home = places::scratch().join("fleet").join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(home.join("traces/run 1")).unwrap();
    fs::create_dir_all(home.join("dataset")).unwrap();
    fs::write(home.join("secret.pb"), "secret").unwrap();
    fs::write(home.join("traces/run 1/ä.pb"), "0123456789").unwrap();
    fs::write(home.join("traces/other.pb"), "other").unwrap();
    fs::write(home.join("dataset/manifest.json"), "{\"folder\":\"../traces\",\"more\":1}").unwrap();
    fs::write(home.join("dataset").join(FILE_NAME), overview(sources)).unwrap();
    home
}

/// The status and the body of an answer.
fn get(address: &str, cookie: &str, path: &str, more: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n{more}Connection: close\r\n\r\n"
    )
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    (head[9..12].parse().unwrap(), head, bytes[end + 4..].to_vec())
}

/// Calls `ask` with what gets a path, while the dataset is served.
fn serving(home: &Path, ask: impl Fn(&dyn Fn(&str, &str) -> (u16, String, Vec<u8>))) {
    let dataset = Dataset::open(&home.join("dataset")).unwrap().unwrap();
    let server = Server::bind(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, dataset, PAGE.as_bytes()).unwrap();
    let (address, stopper) = (server.address().unwrap().to_string(), server.stopper());
    let token = server.url().unwrap().split_once("?token=").unwrap().1.to_owned();
    let running = thread::spawn(move || server.run().unwrap());
    let (_, head, _) = get(&address, "", &format!("/?token={token}"), "");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(get(&address, "", "/fleet", "").0, 403, "without the token");
    ask(&|path, more| get(&address, &cookie, path, more));
    stopper.stop();
    running.join().unwrap();
}

#[test]
fn the_page_the_summary_and_its_traces_are_served() {
    let home = folders("whole", &["run 1/ä.pb", "gone.pb"]);
    serving(&home, |get| {
        let (status, _, page) = get("/", "");
        assert_eq!(status, 200);
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<meta name=\"steplens-fleet\" content=\"dataset\">"), "{page}");
        assert_eq!(get("/fleet", "").2, overview(&["run 1/ä.pb", "gone.pb"]));
        assert_eq!(get("/fleet/run%201/%C3%A4.pb", "").2, b"0123456789");
        let (status, _, part) = get("/fleet/run%201/%C3%A4.pb", "Range: bytes=2-4\r\n");
        assert_eq!((status, part.as_slice()), (206, b"234".as_slice()));
        assert_eq!(get("/fleet/gone.pb", "").0, 404);
    });
}

#[test]
fn nothing_else_is_given_away() {
    let home =
        folders("hostile", &["../secret.pb", "/etc/passwd", "link.pb", "run 1", "run 1/../other.pb", ""]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.join("secret.pb"), home.join("traces/link.pb")).unwrap();
    serving(&home, |get| {
        for path in [
            // Named by a hostile summary.
            "/fleet/../secret.pb",
            "/fleet/..%2fsecret.pb",
            "/fleet/%2e%2e/secret.pb",
            "/fleet//etc/passwd",
            "/fleet/%2fetc%2fpasswd",
            "/fleet/link.pb",
            "/fleet/run%201",
            "/fleet/run%201/../other.pb",
            "/fleet/",
            // Named by nobody.
            "/fleet/other.pb",
            "/fleet/manifest.json",
            "/fleet/overview.steplens-fleet",
            "/fleet/%ff",
            "/fleet/a%00b",
            "/manifest.json",
            // Of a watched folder.
            "/folder",
            "/folder/steplens.json",
            "/traces",
            "/traces/run%201/other.pb",
        ] {
            assert_eq!(get(path, "").0, 404, "{path}");
        }
    });
}

#[test]
fn what_is_no_dataset_is_told_from_a_damaged_one() {
    let home = folders("damaged", &["a.pb"]);
    assert!(Dataset::open(&home.join("traces")).unwrap().is_none());
    let file = home.join("dataset").join(FILE_NAME);
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 1]).unwrap();
    let why = Dataset::open(&home.join("dataset")).unwrap_err();
    assert!(why.to_string().contains("not whole"), "{why}");
}
