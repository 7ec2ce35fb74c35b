//! The native half of `cargo xtask bench`: how fast readers and analyses are, with prost as the yardstick.
//!
//!     figures FOLDER
//!
//! Writes the inputs that the other half measures, too, into FOLDER, and prints one JSON object of figures.

#![expect(clippy::print_stdout, reason = "a program for people who measure; its inputs are its own")]

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use prost::Message;
use std::fs;
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use steplens_core::replay::Replay;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Limits, Opener, session};
use steplens_report as report;
use steplens_tests::fixtures::{bytes_of, chrome_trace, fixture};
use steplens_tests::proto::RunMetadata;
use steplens_tests::scale::scale;

/// How often each is measured; the fastest counts, because whatever else a machine does only adds.
const RUNS: usize = 7;
/// How often `ps4w.pb` is repeated: 250,500 ops, 75.8 MB.
const STEPS: usize = 60;
/// As large as the slices that the page reads.
const SLICE_BYTES: usize = 1 << 20;
const XSPACE_BYTES: usize = 20 << 20;

fn main() {
    let folder = std::env::args().nth(1).expect("want a folder for the inputs");
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("the folder can be made");
    let mut steps = Vec::new();
    scale(&fixture("ps4w").bytes, STEPS as u32, &mut steps).expect("memory takes everything");
    let mut one = Vec::new();
    GzDecoder::new(chrome_trace("ps4w.ctf").bytes.as_slice()).read_to_end(&mut one).expect("a whole file");
    let chrome = one.repeat(STEPS);
    // Protobuf messages that follow one another merge.
    let one = bytes_of("containers/tf2.xplane.pb");
    let xspace = one.repeat(XSPACE_BYTES.div_ceil(one.len()));
    for (name, bytes) in [("steps.pb", &steps), ("steps.json", &chrome), ("steps.xplane.pb", &xspace)] {
        fs::write(folder.join(name), bytes).expect("the folder takes the inputs");
    }
    for (name, bytes) in [("steps.pb.gz", &steps), ("steps.json.gz", &chrome)] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(bytes).expect("memory takes everything");
        let packed = packed.finish().expect("memory takes everything");
        fs::write(folder.join(name), packed).expect("the folder takes the inputs");
    }

    let session = {
        let opened = decoded(&steps).finish().expect("a file with ops");
        session::write(&opened.trace, &opened.files)
    };
    fs::write(folder.join("steps.steplens"), &session).expect("the folder takes the session");

    let prost = fastest(|| black_box(RunMetadata::decode(steps.as_slice()).expect("a whole file")));
    let decode = |bytes: &[u8]| megabytes_a_second(bytes, fastest(|| decoded(bytes)));
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let whole = |bytes: &[u8]| fastest(|| decoded(bytes).finish());
    let study = || Study::new(decoded(&steps).finish().expect("a file with ops").trace);
    let network = (0..RUNS).map(|_| {
        let study = study();
        timed(|| report::network::Network::of(&study).to_text())
    });
    let caused = study();
    caused.causes();
    let replay = fastest(|| Replay::of(&caused));
    println!(
        "{}",
        serde_json::json!({
            "prost_ms": prost.as_secs_f64() * 1e3,
            "prost_mb_s": megabytes_a_second(&steps, prost),
            "native_mb_s": decode(&steps),
            "native_pb_ms": milliseconds(fastest(|| decoded(&steps))),
            "native_session_ms": milliseconds(fastest(|| decoded(&session))),
            "native_pb_trace_ms": milliseconds(whole(&steps)),
            "native_session_trace_ms": milliseconds(whole(&session)),
            "native_chrome_mb_s": decode(&chrome),
            "native_xspace_mb_s": decode(&xspace),
            "native_replay_ms": milliseconds(replay),
            "native_network_ms": network.min().unwrap_or_default().as_secs_f64() * 1e3,
        })
    );
}

fn decoded(bytes: &[u8]) -> Opener {
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    opener.begin_file("input");
    opener.expect(bytes.len() as u64);
    bytes.chunks(SLICE_BYTES).for_each(|slice| opener.push(slice));
    opener.end_file();
    opener
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    let result = work();
    let elapsed = started.elapsed();
    drop(result);
    elapsed
}

fn fastest<T>(work: impl Fn() -> T) -> Duration {
    (0..RUNS).map(|_| timed(&work)).min().unwrap_or_default()
}

fn megabytes_a_second(bytes: &[u8], time: Duration) -> f64 {
    bytes.len() as f64 / 1e6 / time.as_secs_f64()
}
