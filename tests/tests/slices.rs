//! A trace does not depend on how its bytes arrive: slices of any size, packed or not, one file or several.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use steplens_core::{CategoryRules, Study};
use steplens_formats::unpack::{Packing, Unpacker};
use steplens_formats::{Limits, Opened, Opener, ReadError};
use steplens_tests::everything::everything;
use steplens_tests::fixtures::{bytes_of, fixture, fixtures};

/// Opens files, each given as the slices that it arrives in.
fn open<'a, Slices>(files: impl IntoIterator<Item = Slices>) -> Opened
where
    Slices: IntoIterator<Item = &'a [u8]>,
{
    let mut opener = Opener::new(CategoryRules::default(), Limits::default());
    for slices in files {
        opener.begin_file("file.pb");
        slices.into_iter().for_each(|slice| opener.push(slice));
        opener.end_file();
    }
    opener.finish().unwrap()
}

fn said(opened: Opened) -> String {
    everything(&Study::new(opened.trace))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn single_bytes_are_as_good_as_the_whole() {
    for fixture in fixtures() {
        let whole = said(open([[fixture.bytes.as_slice()]]));
        assert!(whole == said(open([fixture.bytes.chunks(1)])), "{}", fixture.name);
        let packed = gzip(&fixture.bytes);
        assert!(whole == said(open([packed.chunks(1)])), "{} packed", fixture.name);
    }
}

#[test]
fn empty_slices_are_nothing() {
    let file = fixture("collective").bytes;
    let (a, b) = file.split_at(7);
    assert_eq!(said(open([[&[][..], a, &[], b, &[]]])), said(open([[file.as_slice()]])));
}

#[test]
fn concatenated_files_merge_as_protobuf_merges_them() {
    let (a, b) = (fixture("ps4w").bytes, fixture("ps4w-later").bytes);
    let both = [a.as_slice(), b.as_slice()].concat();
    let merged = open([[both.as_slice()]]);
    let separate = open([[a.as_slice()], [b.as_slice()]]);
    assert_eq!(merged.files[0].ops, separate.files[0].ops + separate.files[1].ops);
    // Devices of the same name are one: five, not ten.
    assert_eq!(separate.trace.devices().len(), 5);
    let merged = said(merged);
    assert!(merged == said(separate));

    let (packed_a, packed_b) = (gzip(&a), gzip(&b));
    let members = [packed_a.as_slice(), packed_b.as_slice()].concat();
    assert!(merged == said(open([[members.as_slice()]])), "two gzip members are one file");
    assert!(
        merged == said(open([[packed_a.as_slice()], [b.as_slice()]])),
        "packed and plain files go together"
    );
}

/// Packed files of every kind: whole, cut, damaged, several in one, followed by something else, and not made smaller.
fn packed_files() -> Vec<(String, Vec<u8>)> {
    let plain = fixture("collective").bytes;
    let packed = gzip(&plain);
    let mut stored = GzEncoder::new(Vec::new(), Compression::none());
    stored.write_all(&plain).unwrap();
    let (first, second) = plain.split_at(1_000);
    let mut files = vec![
        ("stored".to_owned(), stored.finish().unwrap()),
        ("two members".to_owned(), [gzip(first), gzip(second)].concat()),
        ("garbage".to_owned(), [packed.as_slice(), b"and something else"].concat()),
        ("nothing within".to_owned(), gzip(&[])),
        ("packed twice".to_owned(), gzip(&packed)),
        ("zstd".to_owned(), bytes_of("containers/mnist-adam.pb.zst")),
    ];
    files.extend((0..=packed.len()).map(|cut| (format!("cut at {cut}"), packed[..cut].to_vec())));
    for at in (2..packed.len()).step_by(7) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x10;
        files.push((format!("damaged at {at}"), damaged));
    }
    files
}

fn opened_or_not(opened: Result<Opened, ReadError>) -> String {
    match opened {
        Ok(opened) => {
            let files = format!("{:?}", opened.files);
            files + &said(opened)
        }
        Err(why) => format!("{} {why}", why.kind.code()),
    }
}

#[test]
fn where_a_file_is_unpacked_makes_no_difference() {
    for (name, file) in packed_files() {
        let Some(packing) = Packing::of(&file) else { continue };
        let mut here = Opener::new(CategoryRules::default(), Limits::default());
        here.begin_file("file.pb");
        file.chunks(100).for_each(|slice| here.push(slice));
        let here = opened_or_not(here.finish());

        let mut opener = Opener::new(CategoryRules::default(), Limits::default());
        opener.begin_file("file.pb");
        opener.expect_unpacked(packing);
        let mut unpacker = Unpacker::new(packing, opener.limits().memory_bytes);
        let mut unpacked = Vec::new();
        unpacker.push(&file, |bytes| unpacked.extend_from_slice(bytes));
        let result = unpacker.finish(|bytes| unpacked.extend_from_slice(bytes));
        unpacked.chunks(300).for_each(|slice| opener.push(slice));
        opener.pass_over(file.len() as u64);
        if let Err(why) = result {
            opener.unpacking_stopped(why);
        }
        assert_eq!(opened_or_not(opener.finish()), here, "{name}: unpacked by the caller");

        // The caller gives up after some of it, or all of it.
        for given in [0, 1, 255, unpacked.len() / 2, unpacked.len()] {
            let mut opener = Opener::new(CategoryRules::default(), Limits::default());
            opener.begin_file("file.pb");
            opener.expect_unpacked(packing);
            opener.push(&unpacked[..given.min(unpacked.len())]);
            opener.pass_over(17);
            opener.unpack_here();
            file.chunks(100).for_each(|slice| opener.push(slice));
            assert_eq!(opened_or_not(opener.finish()), here, "{name}: given up after {given}");
        }
    }
}

#[test]
fn a_file_that_holds_nothing_leaves_the_others_alone() {
    let file = fixture("collective").bytes;
    let alone = said(open([[file.as_slice()]]));
    let opened = open([[&[][..]], [file.as_slice()], [b"{\"traceEvents\": []}"]]);
    let formats: Vec<_> = opened.files.iter().map(|file| (&*file.format, file.ops)).collect();
    assert_eq!(formats, [("unreadable", 0), ("run-metadata", 12), ("unreadable", 0)]);
    let codes: Vec<_> =
        opened.files.iter().flat_map(|file| &file.problems).map(|problem| &*problem.code).collect();
    assert_eq!(codes, ["empty-file", "no-ops"]);
    assert_eq!(said(opened), alone);
}

proptest! {
    #![proptest_config(steplens_tests::cases::cases(60))]

    #[test]
    fn slices_of_any_size_are_as_good_as_the_whole(
        sizes in proptest::collection::vec(prop_oneof![0..40_usize, 100..5_000_usize], 1..200),
        packed in any::<bool>(),
    ) {
        let mut file = fixture("mnist-adam").bytes;
        let whole = said(open([[file.as_slice()]]));
        if packed {
            file = gzip(&file);
        }
        let mut rest = file.as_slice();
        let mut slices: Vec<&[u8]> = sizes.iter().map(|&size| rest.split_off(..size.min(rest.len())).unwrap_or_default()).collect();
        slices.push(rest);
        prop_assert!(whole == said(open([slices])));
    }
}
