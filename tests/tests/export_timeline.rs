//! What `--format timeline` writes against what TensorFlow's own `timeline.py` wrote of the same recordings.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::{CategoryRules, Study, View};
use steplens_export::timeline::{Options, write};
use steplens_formats::{Limits, Opener};
use steplens_tests::fixtures::fixtures;
use steplens_tests::samples::sample_folder;

/// Every event as text, in the order of texts: a set that counts.
fn events(json: &[u8]) -> Vec<String> {
    let document: Value = serde_json::from_slice(json).unwrap();
    let mut events: Vec<_> =
        document["traceEvents"].as_array().unwrap().iter().map(ToString::to_string).collect();
    events.sort_unstable();
    events
}

fn study(bytes: &[u8], op_time: OpTime) -> Study {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default()).keep_file_order();
    opener.begin_file("a");
    opener.push(bytes);
    opener.end_file();
    let whole = Arc::new(opener.finish().unwrap().trace);
    Study::of_view(&whole, View { op_time, ..View::default() })
}

fn written(study: &Study, options: Options) -> Vec<u8> {
    let mut out = Vec::new();
    write(study.trace(), options, &mut out).unwrap();
    out
}

/// Processes, lanes, arrows, tensors, texts of tensors, counters and all ids of them: of every event that `timeline.py` wrote.
#[test]
fn every_reference_file_is_written_again() {
    let Some(folder) = sample_folder("reference") else { return };
    let mut files = 0;
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names {
        let file = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = file.strip_suffix(".ctf.json.gz") else { continue };
        let (sample, mode) = name.split_once('.').unwrap_or((name, ""));
        let op_time =
            mode.strip_prefix("op_time-").map_or(OpTime::Schedule, |word| OpTime::of_word(word).unwrap());
        let options = Options { show_dataflow: true, show_memory: mode == "memory" };
        let mut reference = Vec::new();
        GzDecoder::new(fs::File::open(&path).unwrap()).read_to_end(&mut reference).unwrap();
        let study = study(&recording(&folder, sample), op_time);
        let (own, reference) = (events(&written(&study, options)), events(&reference));
        let differs = own.iter().zip(&reference).find(|(own, reference)| own != reference);
        assert_eq!(differs, None, "{file}");
        assert_eq!(own.len(), reference.len(), "{file}");
        files += 1;
    }
    assert_eq!(files, 22, "reference files that were compared");
}

fn recording(reference: &Path, sample: &str) -> Vec<u8> {
    let file = format!("{sample}.pb");
    let own = ["own", "gpu"].map(|folder| reference.join("..").join(folder).join(&file));
    own.iter().find_map(|path| fs::read(path).ok()).unwrap_or_else(|| panic!("no recording {file}"))
}

#[test]
fn without_arrows_and_tensors_only_ops_and_processes_are_left() {
    for fixture in fixtures() {
        let study = study(&fixture.bytes, OpTime::Schedule);
        let few = events(&written(&study, Options { show_dataflow: false, show_memory: false }));
        let all = events(&written(&study, Options { show_dataflow: true, show_memory: true }));
        let is_op = |event: &&String| event.contains(r#""ph":"X""#);
        let is_process = |event: &&String| event.contains(r#""ph":"M""#);
        assert_eq!(few.iter().filter(is_op).count(), study.trace().ops().len(), "{}", fixture.name);
        assert_eq!(few.iter().filter(is_op).count() + few.iter().filter(is_process).count(), few.len());
        assert!(few.iter().all(|event| all.binary_search(event).is_ok()), "{}", fixture.name);
    }
}

/// What has no order of a file is written all the same: one block for each device.
#[test]
fn a_trace_without_the_order_of_its_file_has_the_same_ops() {
    for fixture in fixtures() {
        let with = study(&fixture.bytes, OpTime::Schedule);
        let opened = Opener::open_bytes("a", &fixture.bytes, CategoryRules::default()).unwrap();
        let without = Study::new(opened.trace);
        assert!(without.trace().file_order().is_none());
        // But for the process and the lane.
        let ops = |study: &Study| {
            let json = written(study, Options { show_dataflow: true, show_memory: true });
            let document: Value = serde_json::from_slice(&json).unwrap();
            let events = document["traceEvents"].as_array().unwrap().iter();
            let mut ops: Vec<_> = events
                .filter(|event| event["ph"] == "X")
                .map(|event| format!("{} {} {} {}", event["ts"], event["dur"], event["name"], event["args"]))
                .collect();
            ops.sort_unstable();
            ops
        };
        assert_eq!(ops(&with), ops(&without), "{}", fixture.name);
    }
}

/// A sink that takes so many bytes: how an export is cancelled.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(left) => self.0 = left,
            None => return Err(io::Error::other("enough")),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_that_fails_ends_the_export() {
    let fixture = fixtures().into_iter().find(|fixture| fixture.name == "ps4w").unwrap();
    let study = study(&fixture.bytes, OpTime::Schedule);
    let why = write(study.trace(), Options { show_dataflow: true, show_memory: true }, &mut Full(100_000));
    assert_eq!(why.unwrap_err().to_string(), "enough");
}

/// TensorFlow 1.15.5's `timeline.py` writes `/host:CPU`, which counts nowhere here, like any other device.
#[test]
fn what_a_host_profiler_recorded_is_written_again() {
    for name in ["queue-1.14.0", "concurrent-2.2.3"] {
        let unpacked = |ending: &str| {
            let packed = steplens_tests::fixtures::bytes_of(&format!("releases/{name}.{ending}.gz"));
            let mut bytes = Vec::new();
            GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
            bytes
        };
        let options = Options { show_dataflow: true, show_memory: false };
        let own = written(&study(&unpacked("pb"), OpTime::Schedule), options);
        let (own, reference) = (events(&own), events(&unpacked("ctf.json")));
        assert!(own == reference, "{name}: {} events, not {}", own.len(), reference.len());
    }
}
