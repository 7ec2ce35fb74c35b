//! Pickles of every protocol, shape and Python that people have, and the sessions of tensorflow-tracer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use steplens_core::model::part::Part;
use steplens_core::steps::rule::{StepRule, Steps};
use steplens_core::{CategoryRules, Study, Trace};
use steplens_formats::{Limits, Opened, Opener, ReadError};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::pickles::{pickles, session};
use steplens_tests::samples::sample;

fn try_open(bytes: &[u8], slice: usize) -> Result<Opened, ReadError> {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("step.pickle");
    bytes.chunks(slice).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener.finish()
}

fn open(bytes: &[u8], slice: usize) -> Opened {
    try_open(bytes, slice).unwrap()
}

/// Name and number of ops of each part.
fn parts(trace: &Trace) -> Vec<(String, u64)> {
    trace.parts().iter().map(|part| (trace.text(part.name).to_owned(), u64::from(part.ops))).collect()
}

fn facts(trace: &Trace, part: &Part) -> Vec<(String, String)> {
    part.facts
        .iter()
        .map(|&(what, value)| (trace.text(what).to_owned(), trace.text(value).to_owned()))
        .collect()
}

#[test]
fn a_pickled_step_is_the_same_trace() {
    let binary = everything(&Study::new(open(&fixture("mnist-adam").bytes, usize::MAX).trace));
    for protocol in [0, 2, 5] {
        let pickle = bytes_of(&format!("containers/mnist-adam.p{protocol}.pickle"));
        for slice in [1, 7, 1000, usize::MAX] {
            let opened = open(&pickle, slice);
            let file = &opened.files[0];
            assert_eq!((&*file.format, file.problems.as_slice(), file.ops), ("pickle", &[][..], 79));
            assert_eq!(parts(&opened.trace), [(String::new(), 79)]);
            assert!(!opened.trace.parts()[0].is_run);
            assert_eq!(
                everything(&Study::new(opened.trace)),
                binary,
                "protocol {protocol}, slices of {slice} bytes"
            );
        }
    }
}

/// What Python 3.8 and later write around bytes that are longer than a frame.
fn framed(serialized: &[u8]) -> Vec<u8> {
    let mut pickle = b"\x80\x04\x95H\0\0\0\0\0\0\0\x8c\x23tensorflow.core.protobuf.config_pb2\x94\x8c\x0bRunMetadata\x94\x93\x94)R\x94}\x94\x8c\x0aserialized\x94B".to_vec();
    pickle.extend((serialized.len() as u32).to_le_bytes());
    pickle.extend(serialized);
    pickle.extend(b"\x95\x04\0\0\0\0\0\0\0\x94sb.");
    pickle
}

#[test]
fn a_large_step_is_the_same_trace() {
    let binary = fixture("ps4w").bytes;
    let mut pickles = vec![framed(&binary)];
    pickles.extend(sample("own/ps4w.pickle"));
    let binary = everything(&Study::new(open(&binary, usize::MAX).trace));
    for pickle in pickles {
        for slice in [4_097, usize::MAX] {
            let opened = open(&pickle, slice);
            assert_eq!((opened.files[0].ops, opened.files[0].problems.len()), (4_175, 0));
            assert!(everything(&Study::new(opened.trace)) == binary);
        }
    }
}

/// Python says what is in them: 142 pickles by CPython 3.11 and 2.7.
#[test]
fn pickles_of_all_kinds() {
    let mut seen = 0;
    for pickle in pickles() {
        for slice in [1, 3, usize::MAX] {
            let of = format!("{}, protocol {}, slices of {slice}", pickle.name, pickle.protocol);
            let opened = try_open(&pickle.bytes, slice).unwrap_or_else(|why| panic!("{of}: {why}"));
            let file = &opened.files[0];
            assert_eq!((&*file.format, file.problems.as_slice()), ("pickle", &[][..]), "{of}");
            assert_eq!(parts(&opened.trace), pickle.parts, "{of}");
            let is_run = opened.trace.parts().iter().all(|part| part.is_run);
            assert_eq!(is_run, pickle.parts.len() > 1 || !pickle.parts[0].0.is_empty(), "{of}");
        }
        seen += 1;
    }
    assert_eq!(seen, 142);
}

#[test]
fn a_session_tells_its_runs() {
    let wanted: Value = serde_json::from_slice(&bytes_of("containers/tracing-session.json")).unwrap();
    let wanted = wanted.as_array().unwrap();
    for (bytes, format) in [
        (session(), "tracing-session"),
        (bytes_of("containers/tracing-session.pickle.gz"), "tracing-session.gz"),
    ] {
        for slice in [1, 1000, usize::MAX] {
            let opened = open(&bytes, slice);
            assert_eq!((&*opened.files[0].format, opened.files[0].problems.as_slice()), (format, &[][..]));
            let trace = &opened.trace;
            let mut parts: Vec<&Part> = trace.parts().iter().collect();
            assert_eq!(parts.len(), 9);
            for run in wanted {
                let traced = run["traced"].as_array().unwrap();
                let id = run["run_id"].as_u64().unwrap();
                let names = if id == 8 { "Mean:0" } else { "Adam, Mean:0" };
                let name = format!("{names} (run {id})");
                let place = parts.iter().position(|part| trace.text(part.name) == name).unwrap();
                let part = parts.remove(place);
                let text = |key: &str| run[key].as_str().unwrap().to_owned();
                let mut wanted = vec![
                    ("fetches", text("fetches")),
                    ("feeds", text("feeds")),
                    ("runs", run["runs"].to_string()),
                    ("traces", run["traces"].to_string()),
                ];
                let mean = run["mean_runtime_us"].as_u64().unwrap();
                wanted.push(("mean runtime", format!("{}.{:03} ms", mean / 1000, mean % 1000)));
                wanted.extend([("first run", text("first_run")), ("last run", text("last_run"))]);
                assert!(part.is_run);
                match traced.first() {
                    None => assert_eq!(part.ops, 0),
                    Some(traced) => {
                        assert_eq!(u64::from(part.ops), traced["ops"].as_u64().unwrap());
                        // It was recorded where clocks show UTC.
                        assert_eq!(part.recorded_unix_ns, traced["at_unix_ns"].as_i64());
                        wanted.push(("traced at", traced["at"].as_str().unwrap().to_owned()));
                    }
                }
                let wanted: Vec<_> =
                    wanted.into_iter().map(|(what, value)| (what.to_owned(), value)).collect();
                assert_eq!(facts(trace, part), wanted);
            }
            assert!(parts.is_empty());
            let steps = Steps::divided(trace, StepRule::Content);
            assert_eq!(
                steps.rows().iter().map(|step| step.ops).collect::<Vec<_>>(),
                [38, 38, 38, 38, 38, 10, 0, 0, 0]
            );
        }
    }
}

/// The sentence for a pickle that holds no step.
fn refused(pickle: &[u8]) -> (String, String) {
    let error = try_open(pickle, usize::MAX).map(|_| ()).unwrap_err();
    (error.kind.code().to_owned(), error.to_string())
}

#[test]
fn pickles_without_a_step_say_what_they_are() {
    let class = b"\x80\x04\x8c\x13tensorflow.examples\x8c\x07Example\x93)\x81.";
    let (code, text) = refused(class);
    assert_eq!(code, "pickle-without-run-metadata");
    assert_eq!(
        text,
        "step.pickle is a pickle of tensorflow.examples.Example, and holds no RunMetadata. Pickle run_metadata itself, a list or dict \
         of them, or a session of tensorflow-tracer; or write run_metadata.SerializeToString() to a file."
    );
    for (pickle, found) in [
        (&b"\x80\x03]q\x00(K\x01K\x02e."[..], "a list"),
        (b"\x80\x03}q\x00.", "a dict"),
        (b"\x80\x03X\x02\0\0\0hi.", "a text"),
        (b"\x80\x03J\xff\xff\xff\xff.", "a number"),
        (b"\x80\x03N.", "nothing"),
        (b"cos\nsystem\n(S'rm -rf /'\ntR.", "os.system"),
        (b"\x80\x02(ca\nb\ncc\nd\nce\nf\ncg\nh\nt.", "a.b, c.d, e.f and others"),
    ] {
        let (code, text) = refused(pickle);
        assert_eq!(code, "pickle-without-run-metadata", "{text}");
        assert!(text.contains(&format!("is a pickle of {found}, and holds no RunMetadata")), "{text}");
    }
    // A session of which no run was traced, and a RunMetadata without ops.
    let untraced = b"\x80\x02}(U\x0c_run_profile}(U\x01a}U\x01b}uU\x07_traces}(K\x00]K\x01]uu.";
    let (code, text) = refused(untraced);
    assert_eq!(code, "no-ops");
    assert!(text.contains("a session of tensorflow-tracer with 2 runs, none of which was traced"), "{text}");
    let (code, text) = refused(&framed(b""));
    assert_eq!(code, "no-ops", "{text}");
}
