//! Pickles that are cut short, damaged or hostile.

use crate::{cost_of_opening, open, open_in_slices};
use steplens_core::Study;
use steplens_formats::{Opened, ReadError};
use steplens_tests::cases::{percent_of_seeds, seeds};
use steplens_tests::everything::ask_all;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::meter::{Cost, cost};
use steplens_tests::pickles::{pickle, session};
use steplens_tests::random::Random;

/// How much memory a pickle may take for each of its bytes, and in any case.
const PEAK_PER_BYTE: usize = 10;
const PEAK_ALWAYS: usize = 64 << 10;

fn codes(opened: &Opened) -> Vec<&str> {
    opened.files[0].problems.iter().map(|problem| &*problem.code).collect()
}

/// Name and number of ops of each part.
fn parts(opened: &Opened) -> Vec<(&str, u32)> {
    opened.trace.parts().iter().map(|part| (opened.trace.text(part.name), part.ops)).collect()
}

/// Opens it within the memory that is allowed.
fn open_metered(file: &[u8], of: &dyn std::fmt::Debug) -> (Result<Opened, ReadError>, Cost) {
    let (result, cost) = cost_of_opening(file);
    let most = PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
    assert!(cost.peak_bytes <= most, "{of:?}: {} bytes took {cost:?}", file.len());
    (result, cost)
}

#[test]
fn every_truncation_keeps_what_came_before() {
    for (name, protocol) in [
        ("one", 0),
        ("one", 2),
        ("one", 5),
        ("list", 0),
        ("list", 1),
        ("list", 2),
        ("list", 4),
        ("dict", 3),
        ("nested", 5),
        ("Python 2 cPickle, dict", 0),
        ("Python 2 cPickle, dict", 2),
        ("two dumps", 4),
    ] {
        let file = pickle(name, protocol);
        let whole: u64 = file.parts.iter().map(|(_, ops)| ops).sum();
        let mut most = 0;
        for cut in 0..=file.bytes.len() {
            let of = format!("{name}, protocol {protocol}, cut at {cut}");
            match open_metered(&file.bytes[..cut], &of).0 {
                Err(error) => {
                    assert_eq!(most, 0, "{of}: {error}");
                    let (code, text) = (error.kind.code(), error.to_string());
                    assert!(
                        cut < 12 || code == "no-ops-readable" && text.contains("a pickle"),
                        "{of}: {text}"
                    );
                }
                Ok(opened) => {
                    let ops = opened.trace.ops().len() as u64;
                    assert!(ops >= most, "{of}: {ops} ops after {most}");
                    let is_between =
                        name == "two dumps" && ops == file.parts[0].1 && opened.trace.parts().len() == 1;
                    assert!(
                        codes(&opened).first() == Some(&"truncated") || cut == file.bytes.len() || is_between,
                        "{of}: {:?}",
                        codes(&opened)
                    );
                    for (part, ops) in parts(&opened) {
                        let is_known =
                            file.parts.iter().any(|(name, all)| name == part && u64::from(ops) <= *all);
                        assert!(is_known || opened.trace.parts().len() == 1, "{of}: {:?}", parts(&opened));
                    }
                    if ops > most {
                        ask_all(&Study::new(opened.trace));
                    }
                    most = ops;
                }
            }
        }
        assert_eq!(most, whole);
    }
}

/// What is known about a run is known although the session lacks its end: after each byte of the first trace, and some
/// of the others.
#[test]
fn a_session_cut_short_tells_its_runs() {
    let file = session();
    let first = file.windows(10).position(|bytes| bytes == b"serialized").unwrap() + 10;
    let mut most = 0;
    for cut in (0..first).step_by(201).chain(first..first + 9_000).chain((first..file.len()).step_by(67)) {
        let Ok(opened) = open(&file[..cut]) else {
            assert!(cut < first + 200, "cut at {cut}");
            continue;
        };
        let traced: Vec<_> = parts(&opened).into_iter().filter(|&(_, ops)| ops > 0).collect();
        for (place, (name, _)) in traced.iter().enumerate() {
            let names = if place == 5 { "Mean:0" } else { "Adam, Mean:0" };
            assert_eq!(*name, format!("{names} (run {})", place + 3), "cut at {cut}");
        }
        let codes = codes(&opened);
        assert!(codes[0] == "truncated" && opened.trace.parts().len() == 9, "cut at {cut}: {codes:?}");
        most = most.max(traced.len());
    }
    assert_eq!(most, 6);
}

/// Seeded mutations; returns after how many any op was shown, and after how many all of them.
fn mutate(file: &[u8], other: &[u8], whole: usize) -> (usize, usize) {
    let (mut opened, mut kept) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let mut damaged = file.to_vec();
        for _ in 0..=random.below(4) {
            if !damaged.is_empty() {
                random.damage(&mut damaged, other);
            }
        }
        let Ok(result) = open_metered(&damaged, &seed).0 else { continue };
        opened += 1;
        kept += usize::from(result.trace.ops().len() >= whole);
        if seed % 8 == 0 {
            ask_all(&Study::new(result.trace));
        }
    }
    (opened, kept)
}

#[test]
fn seeded_mutations_of_protocol_0() {
    let (opened, kept) = mutate(&pickle("list", 0).bytes, &pickle("nested", 1).bytes, 10);
    assert!(
        opened > percent_of_seeds(40) && kept > percent_of_seeds(5),
        "{opened} opened, {kept} with all their ops"
    );
}

#[test]
fn seeded_mutations_of_protocol_2() {
    let (opened, kept) = mutate(&pickle("dict", 2).bytes, &pickle("reconstructor", 0).bytes, 10);
    assert!(
        opened > percent_of_seeds(40) && kept > percent_of_seeds(5),
        "{opened} opened, {kept} with all their ops"
    );
}

#[test]
fn seeded_mutations_of_protocol_5() {
    let (opened, kept) = mutate(&pickle("list", 5).bytes, &pickle("nested", 5).bytes, 10);
    assert!(
        opened > percent_of_seeds(40) && kept > percent_of_seeds(5),
        "{opened} opened, {kept} with all their ops"
    );
}

#[test]
fn seeded_mutations_of_a_session() {
    let file = session();
    // The first run that was traced, and all that is known about every run.
    let (opened, kept) = mutate(&file[..31_000], &file, 38);
    assert!(
        opened > percent_of_seeds(40) && kept > percent_of_seeds(5),
        "{opened} opened, {kept} with all their ops"
    );
}

/// What follows damage is searched for RunMetadata, in all protocols that write them as bytes.
#[test]
fn runs_behind_damage_are_found() {
    for (name, protocol) in [("list", 3), ("list", 4), ("list", 5), ("Python 2 cPickle, list", 2)] {
        let file = pickle(name, protocol);
        let all: u64 = file.parts.iter().map(|(_, ops)| ops).sum();
        // Within the opcodes between the last RunMetadata and the one before.
        let last = file.bytes.windows(5).rposition(|bytes| bytes == b"/job:").unwrap();
        let between = file.bytes[..last].windows(2).rposition(|bytes| bytes == b"sb").unwrap() + 2;
        for (what, damage) in [("no opcode", &b"\xff\xff"[..]), ("nothing to take", b"1111")] {
            let mut damaged = file.bytes.clone();
            damaged.splice(between..between, damage.iter().copied());
            for slice in [1, 50, usize::MAX] {
                let of = format!("{name}, protocol {protocol}, {what}, slices of {slice}");
                let opened = open_in_slices(&damaged, slice).unwrap_or_else(|why| panic!("{of}: {why}"));
                assert_eq!(
                    (opened.trace.ops().len() as u64, codes(&opened)),
                    (all, vec!["damaged-pickle"]),
                    "{of}"
                );
                assert_eq!(opened.trace.parts().len(), file.parts.len(), "{of}");
            }
        }
    }
}

/// One RunMetadata with an op, in a pickle, and then `more` before its end.
fn with_one(more: &[u8]) -> Vec<u8> {
    let one = pickle("one", 2).bytes;
    let open = one.strip_suffix(b".").unwrap();
    [open, more, b"."].concat()
}

/// Programs that make much of little.
#[test]
fn bombs_are_refused() {
    let repeat = |piece: &[u8]| piece.repeat(400_000 / piece.len());
    let doubling = [&b"]q\x010"[..], &b"](h\x01h\x01eq\x010".repeat(20_000)].concat();
    for (what, more, code) in [
        ("nothing", vec![], ""),
        ("lists in lists", repeat(b"]"), "pickle-bomb"),
        ("lists in lists, put into one another", [repeat(b"]"), repeat(b"a")].concat(), "pickle-bomb"),
        ("tuples in tuples", repeat(b"\x85"), "pickle-bomb"),
        ("copies", repeat(b"2"), "pickle-bomb"),
        ("copies in a list", [&b"]"[..], &repeat(b"2a")].concat(), ""),
        ("marks", repeat(b"("), "pickle-bomb"),
        ("a memo of one value", repeat(b"\x94"), "pickle-bomb"),
        ("numbers of the memo far apart", b"r\xff\xff\xff\xff".to_vec(), "pickle-bomb"),
        ("numbers of the memo, each further", repeat(b"p999\np1999\np2999\np3999\n"), ""),
        ("a list of itself", [&b"]q\x09"[..], &repeat(b"h\x09a")].concat(), ""),
        ("lists of the list before", doubling, ""),
        ("dicts of themselves", [&b"}q\x09"[..], &repeat(b"h\x09h\x09s")].concat(), ""),
        ("classes", repeat(b"ca\nb\n0"), ""),
        ("calls", repeat(b"ca\nb\n)R0"), "pickle-bomb"),
        ("empty texts", repeat(b"U\x000"), ""),
        ("pickles", repeat(b".\x80\x02]"), ""),
        ("an endless text", b"T\xff\xff\xff\xffabc".to_vec(), "truncated"),
        ("an endless byte string", b"\x8e\xff\xff\xff\xff\xff\xff\xff\xffabc".to_vec(), "truncated"),
        ("an endless number", b"\x8b\xff\xff\xff\xff1".to_vec(), "truncated"),
        ("an endless line", [&b"V"[..], &repeat(b"a")].concat(), "truncated"),
        ("an endless frame", b"\x95\xff\xff\xff\xff\xff\xff\xff\xffN0".to_vec(), ""),
        ("nothing to take", b"00000".to_vec(), "damaged-pickle"),
        ("nothing to put together", b"0\x87".to_vec(), "damaged-pickle"),
        ("no mark", b"t".to_vec(), "damaged-pickle"),
        ("no such value", b"h\x770".to_vec(), "damaged-pickle"),
        ("no such opcode", b"\xfe".to_vec(), "damaged-pickle"),
        ("a buffer elsewhere", b"\x97\x980".to_vec(), "pickle-buffer-elsewhere"),
        ("an extension and a persistent id", b"\x82\x010P12\n0NQ0".to_vec(), ""),
        ("another file's bytes behind it", b".\n\xff\xff".to_vec(), "unreadable-tail"),
    ] {
        let file = with_one(&more);
        for slice in [1_000, usize::MAX] {
            let (result, cost) = cost(|| open_in_slices(&file, slice));
            let opened = result.unwrap_or_else(|why| panic!("{what}: {why}"));
            assert_eq!(opened.trace.ops().len(), 3, "{what}");
            assert_eq!(codes(&opened).join(" "), code, "{what}");
            let most = PEAK_PER_BYTE * file.len() + PEAK_ALWAYS;
            assert!(cost.peak_bytes <= most, "{what}: {} bytes took {cost:?}", file.len());
            // Work is linear: what is allocated in all is a small multiple, too.
            assert!(cost.total_bytes <= 4 * most, "{what}: {} bytes took {cost:?}", file.len());
        }
    }
}

/// Sessions that name the same runs time and again, and RunMetadata as small as can be.
#[test]
fn sessions_and_runs_are_bounded() {
    let state = |profiles: &[u8], traces: &[u8]| {
        [b"\x80\x02}(U\x0c_run_profile".as_slice(), profiles, b"U\x07_traces", traces, b"u."].concat()
    };
    let entries = |entry: &[u8]| -> Vec<u8> {
        let entry = |number: u16| [b"M".as_slice(), &number.to_le_bytes(), entry].concat();
        [b"}(".as_slice(), &(0..20_000).flat_map(entry).collect::<Vec<u8>>(), b"u"].concat()
    };
    let one = b"]q\x05U\x16\n\x14\n\x12\n\x06/cpu:0\x12\x08\n\x01a\x10\x01\x20\x01(\x01a0";
    let mut many = with_one(b"");
    many.pop();
    many.extend(b"0](".iter().chain(&b"U\x0e\n\x0c\n\x0a\n\x06/cpu:0\x12\x00".repeat(20_000)));
    many.extend(b"e.");
    for (what, file) in [
        ("profiles without traces", state(&entries(b"N"), b"}")),
        ("empty profiles", state(&entries(b"}q\x04"), b"}")),
        (
            "one profile in many places",
            [&b"\x80\x02}q\x040"[..], &state(&entries(b"h\x04"), b"}")[2..]].concat(),
        ),
        (
            "one list of traces in many places",
            [&b"\x80\x02"[..], one, &state(&entries(b"N"), &entries(b"h\x05"))[2..]].concat(),
        ),
        ("runs of next to nothing", many),
    ] {
        let (result, cost) = open_metered(&file, &what);
        let codes = result.as_ref().map(codes).unwrap_or_default();
        assert!(codes.is_empty() || codes == ["pickle-bomb"], "{what}: {codes:?}");
        assert!(
            cost.total_bytes <= 40 * file.len() + 4 * PEAK_ALWAYS,
            "{what}: {} bytes took {cost:?}",
            file.len()
        );
    }
}

/// What real pickles take: less than thrice their size.
#[test]
fn real_pickles_take_little() {
    for name in ["mnist-adam.p0", "mnist-adam.p2", "mnist-adam.p5"] {
        let file = bytes_of(&format!("containers/{name}.pickle"));
        let (_, cost) = open_metered(&file, &name);
        assert!(
            cost.peak_bytes <= 5 * file.len() + PEAK_ALWAYS,
            "{name}: {} bytes took {cost:?}",
            file.len()
        );
    }
}
