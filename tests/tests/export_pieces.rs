//! Exports in pieces, as the page asks for them: the bytes of the program, between two rests never much, and progress that only grows.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use steplens_core::base::pace::Work;
use steplens_core::{CategoryRules, Study};
use steplens_export::archive::Zip;
use steplens_export::pickle::{self, Run};
use steplens_export::run_metadata::RunMetadata;
use steplens_export::{Format, LeftOut, Own, chakra, chrome, csv, perfetto, timeline};
use steplens_formats::session::Shown;
use steplens_formats::{Opener, session};
use steplens_tests::exports::Files;
use steplens_tests::fixtures::{bytes_of, chrome_traces, fixtures};

/// A piece is some thousand rows: of ordinary names, less than this.
const MOST_BYTES: usize = 4 << 20;

/// A sink that says what it got since it was last asked.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn runs_of(study: &Study) -> Vec<Run> {
    pickle::runs(study, study.trace(), &["a".to_owned()])
}

/// What the pieces of `format` make, how many they are, and what was left out.
fn in_pieces(study: &Rc<Study>, format: Own) -> (Vec<u8>, usize, LeftOut) {
    let (study, sink) = (Rc::clone(study), Sink::default());
    let mut out = sink.clone();
    let extras = format.extras(&study, study.trace(), &["a".to_owned()]);
    let word = Format::Own(format).word();
    let mut work =
        Work::new(|pace| async move { format.write_as_one(&study, &extras, &mut out, &pace).await });
    let (mut all, mut pieces, mut before) = (Vec::new(), 0, 0.0);
    loop {
        let done = work.go_on();
        let piece = std::mem::take(&mut *sink.0.borrow_mut());
        assert!(piece.len() <= MOST_BYTES, "{word}: a piece of {} bytes", piece.len());
        all.extend(piece);
        pieces += 1;
        let parts = work.parts();
        let share = f64::from(parts.done) / f64::from(parts.of.max(1));
        assert!((before..=1.0).contains(&share), "{word}: {before} to {share}");
        before = share;
        if let Some(result) = done {
            return (all, pieces, result.unwrap());
        }
    }
}

/// The same by the writers that the program calls.
fn at_once(study: &Study, format: Own) -> Vec<u8> {
    let mut out = Vec::new();
    match format {
        Own::Timeline => {
            let options = timeline::Options { show_dataflow: true, show_memory: false };
            timeline::write(study.trace(), options, &mut out).unwrap();
        }
        Own::Chrome => drop(chrome::write(study, &mut out).unwrap()),
        Own::Perfetto => drop(perfetto::write(study, &mut out).unwrap()),
        Own::Csv => {
            let mut zip = Zip::new(&mut out);
            csv::write(study, &mut zip).unwrap();
            zip.finish().unwrap();
        }
        Own::Chakra if format.ending(study) == "chakra.et" => {
            let mut files = Files::default();
            chakra::write(study, &mut files).unwrap();
            assert_eq!(files.0.len(), 1);
            out = files.0.remove(0).1;
        }
        Own::Chakra => {
            let mut zip = Zip::new(&mut out);
            chakra::write(study, &mut zip).unwrap();
            zip.finish().unwrap();
        }
        Own::RunMetadata => RunMetadata::of(study.trace()).write(&mut out).unwrap(),
        Own::Tfvis => pickle::write_tfvis(&RunMetadata::of(study.trace()), &mut out).unwrap(),
        Own::TensorflowTracer => {
            let own = RunMetadata::of(study.trace());
            pickle::write_session(study.trace(), &own, &runs_of(study), &mut out).unwrap();
        }
    }
    out
}

#[test]
fn the_page_offers_each_format_of_the_program_once() {
    for format in Format::ALL {
        assert_eq!(Format::by_word(format.word()), Some(format));
        let places = Format::ON_THE_PAGE.iter().filter(|&&own| own == format).count();
        assert_eq!(places, 1, "{}", format.word());
        let endings = Format::ALL.iter().filter(|own| own.facts().ending == format.facts().ending).count();
        assert_eq!(endings, 1, "{}", format.word());
    }
}

#[test]
fn pieces_make_the_file_that_the_program_writes() {
    let mut most = 0;
    for fixture in fixtures().into_iter().chain(chrome_traces()) {
        let opened = Opener::open_bytes("a", &fixture.bytes, CategoryRules::default()).unwrap();
        let study = Rc::new(Study::new(opened.trace));
        for format in Own::all() {
            let (bytes, pieces, _) = in_pieces(&study, format);
            assert!(bytes == at_once(&study, format), "{} {format:?}", fixture.name);
            most = most.max(pieces);
        }
    }
    assert!(most >= 4, "{most}");
}

#[test]
fn a_session_in_pieces_is_the_same_session() {
    // A message after another is another step.
    let bytes = bytes_of("ps4w.pb").repeat(24);
    let opened = Opener::open_bytes("a", &bytes, CategoryRules::default()).unwrap();
    let whole = session::write(&opened.trace, &opened.files);
    let (trace, files) = (Arc::new(opened.trace), opened.files);
    let mut work =
        Work::new(|pace| async move { session::paced(&trace, &files, &Shown::default(), &pace).await });
    let mut pieces = 1;
    let written = loop {
        match work.go_on() {
            Some(written) => break written,
            None => pieces += 1,
        }
    };
    assert!(written == whole);
    assert!(pieces >= 4, "{pieces}");
}

#[test]
fn what_is_left_out_is_counted() {
    let opened = Opener::open_bytes("a", &bytes_of("ps4w-skewed.pb"), CategoryRules::default()).unwrap();
    let study = Rc::new(Study::new(opened.trace));
    let arrows = in_pieces(&study, Own::Chrome).2.arrows;
    assert!(arrows > 0);
    assert_eq!(arrows, in_pieces(&study, Own::Perfetto).2.arrows);
    let counts = chakra::write(&study, &mut Files::default()).unwrap();
    assert_eq!(counts.backwards, in_pieces(&study, Own::Chakra).2.inputs);
}
