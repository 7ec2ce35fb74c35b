//! Damage to XSpaces: names, steps and starts stand anywhere in them, and events know nothing without them.

use crate::{Alike, cost_of_opening, open, open_within, survive};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use steplens_core::Category;
use steplens_formats::Limits;
use steplens_tests::cases::percent_of_seeds;
use steplens_tests::fixtures::bytes_of;
use steplens_tests::meter::cost;
use steplens_tests::random::{Mutant, mutants};
use steplens_tests::wire::put_varint;

const FILES: [(&str, usize); 3] = [("tf2", 140), ("gpu", 66), ("tpu", 56)];

fn file(name: &str) -> Vec<u8> {
    bytes_of(&format!("containers/{name}.xplane.pb"))
}

/// Events of a profile that are work: most others are ranges, which stand in lines that repeat or group the work.
fn work_in(file: &[u8]) -> usize {
    let Ok(opened) = cost_of_opening(file).0 else { return 0 };
    let trace = opened.trace;
    trace.ops().ids().filter(|&op| trace.category(op) != Category::Range).count()
}

#[test]
fn seeded_mutations_of_profiles() {
    let files = FILES.map(|(name, _)| file(name));
    let work = files.each_ref().map(|file| work_in(file));
    assert_eq!(work, [15, 45, 24]);
    let (mut opened, mut whole, mut all_work) = (0, 0, 0);
    for Mutant { own, file, .. } in mutants(&files) {
        let (shown, _) = survive(&file);
        opened += usize::from(shown > 0);
        whole += usize::from(shown >= FILES[own].1);
        all_work += usize::from(work_in(&file) >= work[own]);
    }
    assert!(
        opened > percent_of_seeds(95) && whole > percent_of_seeds(22) && all_work > percent_of_seeds(45),
        "{opened} opened, {whole} with all their events, {all_work} with all their work"
    );
}

#[test]
fn profiles_cut_anywhere_keep_what_came_before() {
    for (name, whole) in FILES {
        let file = file(name);
        // Until it is known which lines repeat others, those that are there may be the finest.
        let may_repeat = name != "tf2";
        let (mut most, mut cuts) = (0, Alike::default());
        for cut in 0..=file.len() {
            let (shown, _) = cuts.survive(&file[..cut]);
            assert!(may_repeat || shown >= most, "{name} cut at {cut}: {shown} shown after {most}");
            most = shown;
        }
        assert_eq!(most, whole);
    }
}

/// A message with these fields, each a number, bytes, or nothing but its place.
fn message(fields: &[(u32, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, value) in fields {
        put_varint(&mut bytes, u64::from(*number) << 3 | 2);
        put_varint(&mut bytes, value.len() as u64);
        bytes.extend_from_slice(value);
    }
    bytes
}

/// An XSpace of a plane with `unit` as often as `count` in its only line, packed.
fn many_in_a_line(unit: &[u8], count: usize) -> Vec<u8> {
    let line = unit.repeat(count);
    let plane = message(&[(2, b"/host:CPU"), (3, &line)]);
    packed(&message(&[(1, &plane)]))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn profiles_stop_at_the_memory_limit() {
    const MANY: usize = 3_000_000;
    let limits = Limits { memory_bytes: 16 << 20 };
    let event = message(&[(4, &[0x08, 1])]);
    let line_with_event = message(&[(3, &event)]);
    let plane = message(&[(1, &[&message(&[(2, b"/host:CPU")])[..], &line_with_event].concat())]);
    let bombs = [
        many_in_a_line(&event, MANY),
        packed(&message(&[(1, &[&b"\x12\x09/host:CPU"[..], &line_with_event.repeat(MANY)].concat())])),
        packed(&plane.repeat(MANY)),
    ];
    for (place, bomb) in bombs.into_iter().enumerate() {
        let (opened, cost) = cost(|| open_within(&bomb, limits));
        assert!(cost.peak_bytes < 5 * limits.memory_bytes, "bomb {place} took {cost:?}");
        let opened = opened.unwrap();
        let codes: Vec<_> = opened.files[0].problems.iter().map(|problem| &*problem.code).collect();
        assert_eq!(codes[0], "memory-limit", "bomb {place}: {codes:?}");
    }
}

/// Times at the ends of what a number holds, steps and launches without end, names that are missing.
#[test]
fn strange_profiles_are_read() {
    let number = |field: u32, value: u64| {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, u64::from(field) << 3);
        put_varint(&mut bytes, value);
        bytes
    };
    let extremes = [0, 1, i64::MAX as u64, i64::MIN as u64, u64::MAX];
    let mut events = Vec::new();
    for offset in extremes {
        for length in extremes {
            let stats = message(&[(4, &[number(1, 1), number(4, offset)].concat())]);
            events.extend(message(&[(
                4,
                &[number(1, 9), number(2, offset), number(3, length), stats].concat(),
            )]));
        }
    }
    let names = [&b"correlation_id"[..], b"step_num"].map(|name| {
        let metadata = message(&[(2, name)]);
        message(&[(5, &[number(1, 1), message(&[(2, &metadata)])].concat())])
    });
    for timestamp in extremes {
        for names in &names {
            for plane in [&b"/host:CPU"[..], b"/device:GPU:0", b""] {
                let line = [message(&[(2, b"Stream #1")]), number(3, timestamp), events.clone()].concat();
                let plane = [message(&[(2, plane), (3, &line)]), names.clone()].concat();
                let file = message(&[(1, &plane)]);
                survive(&file);
            }
        }
    }
    for (file, code) in [
        (message(&[(1, &message(&[(2, b"/host:CPU")]))]), "no-ops"),
        (message(&[(1, &message(&[(2, b"/host:CPU")])), (2, b"failed")]), "no-ops"),
        (b"\x0a\x30\x12\x09/host:CPU\x1a\x05".to_vec(), "no-ops-readable"),
    ] {
        let error = open(&file).map(|_| ()).unwrap_err();
        assert_eq!(error.kind.code(), code, "{error}");
        assert!(error.to_string().contains("an XSpace"), "{error}");
    }
}

#[test]
fn memory_is_ten_times_a_profile_at_most() {
    let whole = file("gpu");
    let many = whole.repeat(40);
    let (opened, cost) = cost_of_opening(&many);
    assert_eq!(opened.unwrap().trace.ops().len(), 40 * 66);
    assert!(cost.peak_bytes < 10 * many.len() + (64 << 10), "{} bytes took {cost:?}", many.len());
}
