//! Pages that were shared open as the trace in them; what is cut or changed is said.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use steplens_core::{CategoryRules, Study};
use steplens_formats::export::{Contents, MARKER, Options, single_file};
use steplens_formats::session::{self, Shown};
use steplens_formats::{Opened, Opener, ReadError};
use steplens_tests::cases::either;
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::fixture;

const BEFORE: &str = r#"<!doctype html><script type="application/gzip" id="steplens-wasm">AAAA</script>"#;

fn open(page: &[u8]) -> Result<Opened, ReadError> {
    Opener::open_bytes("page.html", page, CategoryRules::default())
}

fn code_of(page: &[u8]) -> &'static str {
    open(page).map(|_| ()).unwrap_err().kind.code()
}

fn write(opened: &Opened) -> Vec<u8> {
    session::write(&opened.trace, &opened.files)
}

fn shown() -> Shown {
    Shown {
        view: "k=1.2&n=0,1,slow".to_owned(),
        communication: vec!["MatMul".to_owned()],
        ..Shown::default()
    }
}

/// `mnist-adam.pb`, and its page.
fn page() -> (Opened, Vec<u8>) {
    let opened =
        Opener::open_bytes("mnist-adam.pb", &fixture("mnist-adam").bytes, CategoryRules::default()).unwrap();
    let Shown { view, communication, .. } = shown();
    let options = Options { communication, ..Options::default() };
    let contents = Contents { view, options, name: "</script>é".to_owned(), session: write(&opened) };
    let template = format!("{BEFORE}{MARKER}<script>0 < 1</script></html>");
    let page = single_file(template.as_bytes(), &contents).unwrap();
    (opened, page)
}

#[test]
fn a_page_opens_as_the_trace_in_it() {
    let (own, page) = page();
    let opened = open(&page).unwrap();
    assert!(write(&opened) == write(&own));
    assert_eq!(opened.shown, shown());
    for size in [1, 7, 1000] {
        let mut opener = Opener::new(CategoryRules::default(), Default::default());
        opener.begin_file("page.html");
        page.chunks(size).for_each(|slice| opener.push(slice));
        let opened = opener.finish().unwrap();
        assert!(write(&opened) == write(&own), "in slices of {size}");
    }
}

#[test]
fn a_page_that_is_cut_anywhere_says_so_or_is_whole() {
    let (own, page) = page();
    let mut whole = 0;
    for end in 0..page.len() {
        match open(&page[..end]) {
            Ok(opened) => {
                let is_whole = write(&opened) == write(&own);
                let is_said = opened.files.iter().any(|file| !file.problems.is_empty());
                assert!(is_whole || is_said, "cut at {end}");
                whole += usize::from(is_whole);
            }
            Err(why) if end > 500 => assert_eq!(why.kind.code(), "page-damaged", "cut at {end}"),
            Err(_) => {}
        }
    }
    // Of the trace nothing is missing.
    assert!(whole > 10, "{whole}");
}

#[test]
fn a_page_that_something_has_changed_opens_where_nothing_is_lost() {
    let (own, page) = page();
    let text = String::from_utf8(page).unwrap();
    let at = text.find(r#"data-letters="base64">"#).unwrap() + 50;
    // Long lines are broken, and a mark stands before all.
    let broken = format!("\u{feff}{}\r\n {}", &text[..at], &text[at..]);
    assert!(write(&open(broken.as_bytes()).unwrap()) == write(&own));
    let changed = [&text[..at], "*", &text[at + 1..]].concat();
    assert_eq!(code_of(changed.as_bytes()), "page-damaged");
    let without = format!("{BEFORE}{MARKER}</html>");
    assert_eq!(code_of(without.as_bytes()), "page-damaged");
    for other in ["<!doctype html><p>No trace</p>", "<svg/>", "<"] {
        assert_eq!(code_of(other.as_bytes()), "other-format", "{other}");
    }
}

#[test]
fn sessions_from_before_the_first_release_are_refused() {
    let (own, _) = page();
    let mut session = write(&own);
    session[8] = 2;
    let why = open(&session).map(|_| ()).unwrap_err();
    assert_eq!(why.kind.code(), "session-damaged");
    assert!(why.to_string().contains("before Steplens 0.1.0"), "{why}");
}

/// Pages with some letters changed, left out, repeated or moved: each says that it is damaged, or opens as something that can be asked everything.
#[test]
fn mutated_pages_open_or_say_so() {
    let (own, page) = page();
    let (whole, without_report) = (write(&own), session::write(&own.trace, &[]));
    let mut as_it_was = 0;
    for seed in 0..either(500, 5_000) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut file = page.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..file.len());
            let end = (at + random.usize(1..200)).min(file.len());
            match random.u8(..6) {
                0 => file[at] ^= 1 << random.u8(..7),
                1 => file[at] = *random.choice(b"<>\"'&;=/{}[]Az0\0\n").unwrap(),
                2 => _ = file.drain(at..end),
                3 => {
                    let part = file[at..end].to_vec();
                    _ = file.splice(at..at, part);
                }
                4 => file[at..end].reverse(),
                _ => _ = file.splice(at..at, b"</script>".iter().copied()),
            }
        }
        match open(&file) {
            Ok(opened) => {
                let is_said = opened.files.iter().any(|file| !file.problems.is_empty());
                assert!(is_said || (write(&opened) == whole && opened.shown == shown()), "seed {seed}");
                as_it_was += usize::from(session::write(&opened.trace, &[]) == without_report);
                ask_all(&Study::new(opened.trace));
            }
            Err(why) => assert!(!why.kind.code().is_empty() && why.to_string().starts_with("page.html")),
        }
    }
    assert!(as_it_was > 10, "{as_it_was}");
}
