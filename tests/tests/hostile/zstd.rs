//! Zstd that is cut short, damaged or hostile.

use crate::{open, open_in_slices, open_within};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_formats::{Limits, Opened, ReadError};
use steplens_tests::cases::{percent_of_seeds, seeds};
use steplens_tests::fixtures::{bytes_of, fixture};
use steplens_tests::meter::cost;
use steplens_tests::random::Random;

/// What unpacking takes in addition to what comes out: the decoder's tables, and blocks as they arrive.
const PEAK_OF_DECODER: usize = 1 << 20;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A frame with a window of 2^(10 + exponent) bytes, made of blocks that repeat a byte.
fn repeated(exponent: u8, byte: u8, blocks: usize) -> Vec<u8> {
    let mut frame = [&MAGIC[..], &[0, exponent << 3]].concat();
    for block in 1..=blocks {
        // Last or not, kind 1, 128 KiB.
        let head = u32::from(block == blocks) | 1 << 1 | (128 << 10) << 3;
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.push(byte);
    }
    frame
}

/// A frame of one plain block.
fn plain(content: &[u8]) -> Vec<u8> {
    let head = 1 | (content.len() as u32) << 3;
    [&MAGIC[..], &[0, 7 << 3], &head.to_le_bytes()[..3], content].concat()
}

fn code(result: Result<Opened, ReadError>) -> &'static str {
    result.map(|_| ()).unwrap_err().kind.code()
}

fn codes(opened: &Opened) -> Vec<&str> {
    opened.files[0].problems.iter().map(|problem| &*problem.code).collect()
}

#[test]
fn cut_short_it_gives_what_was_unpacked() {
    for (file, ends) in [("pb", vec![]), ("frames", vec![5_126, 5_139])] {
        let packed = bytes_of(&format!("containers/mnist-adam.{file}.zst"));
        let mut most = 0;
        for cut in 0..=packed.len() {
            let Ok(opened) = open_in_slices(&packed[..cut], 1_000) else {
                assert_eq!(most, 0, "{file} cut at {cut}");
                continue;
            };
            let count = opened.trace.ops().len();
            assert!(count >= most, "{file} cut at {cut}: {count} after {most}");
            most = count;
            let is_whole = cut == packed.len() || ends.contains(&cut);
            assert!(is_whole || codes(&opened).contains(&"zstd-damaged"), "{file} cut at {cut}");
        }
        assert_eq!(most, 79, "{file}");
    }
}

#[test]
fn seeded_mutations_of_zstd() {
    let files = ["containers/mnist-adam.pb.zst", "containers/mnist-adam.frames.zst"].map(bytes_of);
    let (mut opened, mut reports) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let own = random.below(files.len());
        let mut file = files[own].clone();
        for _ in 0..=random.below(3) {
            random.damage(&mut file, &files[1 - own]);
        }
        let (result, cost) = cost(|| open(&file));
        // A damaged frame may hold more than the one it was, but none of these does by far.
        let most = 10 * fixture("mnist-adam").bytes.len() + PEAK_OF_DECODER;
        assert!(cost.peak_bytes <= most, "seed {seed}: {} bytes took {cost:?}", file.len());
        if let Ok(opened_file) = result {
            opened += 1;
            reports += usize::from(codes(&opened_file).contains(&"zstd-damaged"));
        }
    }
    assert!(
        opened > percent_of_seeds(10) && reports > opened / 2,
        "{opened} opened, {reports} of them reported as damaged"
    );
}

#[test]
fn bombs_take_no_more_than_their_window() {
    // 1.3 GB of blanks, which are JSON as far as one can tell, from 40 KB.
    let bomb = repeated(7, b' ', 10_000);
    let (result, cost) = cost(|| open(&bomb));
    assert_eq!(code(result), "other-json");
    assert!(cost.peak_bytes < 2 << 20, "{cost:?}");
    // Frames that each say that their window is large, and hold nothing.
    let many = [&MAGIC[..], &[0, 16 << 3, 1, 0, 0]].concat().repeat(10_000);
    let (result, cost) = cost_of(&many);
    assert_eq!(code(result), "empty-file");
    assert!(cost < 2 << 20, "{cost}");
}

fn cost_of(file: &[u8]) -> (Result<Opened, ReadError>, usize) {
    let (result, cost) = cost(|| open(file));
    (result, cost.peak_bytes)
}

#[test]
fn windows_have_a_limit() {
    let limits = Limits { memory_bytes: 16 << 20 };
    // 16 MiB fit, and the next larger window does not, whatever the file holds.
    let fits = cost(|| open_within(&repeated(14, b' ', 1_000), limits));
    assert_eq!(code(fits.0), "other-json");
    assert!(fits.1.peak_bytes < 3 * (16 << 20), "{:?}", fits.1);
    let mut larger = repeated(14, b' ', 1_000);
    larger[5] |= 1;
    let error = open_within(&larger, limits).map(|_| ()).unwrap_err();
    assert_eq!(error.kind.code(), "zstd-refused");
    assert!(error.to_string().contains("a window of 18 MiB"), "{error}");
    // The limit without limits is that of the program zstd: 128 MiB.
    assert_eq!(code(open(&repeated(17, b' ', 2))), "other-json");
    assert_eq!(code(open(&repeated(18, b' ', 2))), "zstd-refused");
    // Content that says it is one segment is its own window.
    let segment = [&MAGIC[..], &[0xe0], &(1_u64 << 40).to_le_bytes(), &[1, 0, 0]].concat();
    assert_eq!(code(open(&segment)), "zstd-refused");
}

#[test]
fn what_is_not_unpacked_is_refused_in_words() {
    let with_dictionary = [&MAGIC[..], &[1, 7 << 3, 9, 1, 0, 0]].concat();
    assert_eq!(code(open(&with_dictionary)), "zstd-refused");
    let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    assert_eq!(code(open(&[&plain(b"")[..], skipped].concat())), "empty-file");

    let binary = fixture("collective").bytes;
    let gzip = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    for (outer, inner) in [
        ("zstd in gzip", gzip(&plain(&binary))),
        ("gzip in zstd", plain(&gzip(&binary))),
        ("zstd in zstd", plain(&plain(&binary))),
    ] {
        let error = open(&inner).map(|_| ()).unwrap_err();
        assert_eq!(error.kind.code(), "other-format", "{outer}");
        assert!(error.to_string().contains("within a packed file"), "{outer}: {error}");
    }
}

#[test]
fn what_follows_the_last_frame_is_told() {
    let mut file = plain(&fixture("collective").bytes);
    assert_eq!(codes(&open(&file).unwrap()), [""; 0]);
    file.extend(b"more");
    assert_eq!(codes(&open(&file).unwrap()), ["zstd-damaged"]);
    // A wrong checksum: everything is there, but it may be wrong.
    let mut file = bytes_of("containers/mnist-adam.pb.zst");
    *file.last_mut().unwrap() ^= 1;
    let opened = open(&file).unwrap();
    assert_eq!((opened.trace.ops().len(), codes(&opened)), (79, vec!["zstd-damaged"]));
}
