//! What the fuzz targets found, each as small as it could be made; the inputs themselves are in their corpus.

use crate::{open, open_in_slices};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_tests::fixtures::fixture;
use steplens_tests::wire::put_bytes;

/// The first bytes of a file come to its reader together, when they have decided the format: so much stands before the damage.
const AFTER_HEAD: usize = 300;

fn field(number: u32, value: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    put_bytes(&mut field, number, value);
    field
}

/// How much of a damaged head was taken depends on the slices; what is said about it must not.
#[test]
fn lost_bytes_are_counted_from_the_damage() {
    let damage = [0x8f, 1, 0, 0];
    let op = field(1, &field(2, &field(1, &[b'n'; AFTER_HEAD])));
    let step = field(1, &[op, damage.to_vec()].concat());
    let line = field(3, &[field(2, &[b'n'; AFTER_HEAD]), field(4, &[0x08, 1])].concat());
    let plane = field(1, &[field(2, b"/host:CPU"), line, damage.to_vec()].concat());
    for file in [step, plane] {
        for slice in [file.len(), 1, 2, 3] {
            let problems = &open_in_slices(&file, slice).unwrap().files[0].problems;
            let damaged = problems.iter().find(|problem| problem.code == "damaged-message").unwrap();
            assert!(damaged.detail.contains("its last 4 bytes"), "in slices of {slice}: {}", damaged.detail);
        }
        assert_eq!(open(&file).unwrap().trace.ops().len(), 1);
    }
}

/// Blanks before a word come with an earlier slice, or with the same.
#[test]
fn words_of_a_text_are_told_by_their_own_place() {
    let before =
        format!("# {}\ndev_stats {{ node_stats {{ }} node_stats {{ memory   ", "-".repeat(AFTER_HEAD));
    let text = format!("{before}oh {{ }} }} }} }}");
    for slice in [text.len(), 1, 2, 3] {
        let problems = &open_in_slices(text.as_bytes(), slice).unwrap().files[0].problems;
        let reports: Vec<_> = problems.iter().map(|problem| (&*problem.code, problem.offset)).collect();
        assert_eq!(reports, [("damaged-text", before.len() as u64)], "in slices of {slice}: {problems:?}");
    }
}

/// What deflate gave before the damage is shown, also if both came with the same slice.
#[test]
fn all_that_is_before_damage_to_the_packing_is_shown() {
    let file = fixture("collective").bytes;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&file).unwrap();
    encoder.flush().unwrap();
    let mut packed = encoder.finish().unwrap();
    // After the stored block and the mark of the flush, the next block begins: of a kind that there is not.
    let end = packed.len() - 8 - 5;
    packed[end] = 0x07;
    for slice in [packed.len(), 100, 1] {
        let opened = open_in_slices(&packed, slice).unwrap();
        let reports: Vec<_> = opened.files[0].problems.iter().map(|problem| &*problem.code).collect();
        assert_eq!((opened.trace.ops().len(), reports), (12, vec!["gzip-damaged"]), "in slices of {slice}");
    }
}

/// A RunMetadata whose first bytes tell that it is one begins where these began, whatever slices brought them.
#[test]
fn runs_of_a_pickle_begin_at_their_first_byte() {
    let device = field(1, b"/job:localhost/replica:0/task:0/device:CPU:0");
    let run = field(1, &field(1, &[device, field(2, &[]), field(2, &[0x07])].concat()));
    let length = |bytes: usize| (bytes as u32).to_le_bytes();
    // PROTO 2, BINUNICODE, POP, BINSTRING, STOP; the damaged op is the last byte of the string.
    let text = [&b"\x80\x02X"[..], &length(AFTER_HEAD), &[b'-'; AFTER_HEAD], b"0"].concat();
    let file = [&text[..], b"T", &length(run.len()), &run, b"."].concat();
    for slice in [file.len(), 1, 7, 50] {
        let problems = &open_in_slices(&file, slice).unwrap().files[0].problems;
        let reports: Vec<_> = problems.iter().map(|problem| (&*problem.code, problem.offset)).collect();
        assert_eq!(reports, [("damaged-op", file.len() as u64 - 2)], "in slices of {slice}");
    }
}
