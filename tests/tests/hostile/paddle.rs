//! Damaged Paddle profiles: damage is local, though no record says where the next one is.

use crate::{cost_of_opening, open, open_in_slices, survive};
use steplens_tests::cases::{percent_of_seeds, seeds};
use steplens_tests::fixtures::bytes_of;
use steplens_tests::meter::cost;
use steplens_tests::paddle::{Event, Memory, profile};
use steplens_tests::random::Random;
use steplens_tests::wire::{fields, put_bytes, put_varint};

fn sample() -> Vec<u8> {
    bytes_of("containers/paddle-trainer0.profile")
}

/// A small profile with memory events.
fn small() -> Vec<u8> {
    let event =
        |name, start_ns| Event { name, start_ns, end_ns: start_ns + 90, sub_device: 3, ..Event::default() };
    let events =
        [event("mul", 1_000), event("mul/compute", 1_010), event("send", 2_000), event("adam", 3_000)];
    let made = |start_ns| Memory {
        start_ns,
        end_ns: start_ns + 30,
        bytes: 64,
        place: 1,
        made_in: "mul/compute",
        device: 0,
    };
    profile(&events, &[made(1_020), made(1_030)])
}

#[test]
fn every_truncation_keeps_every_event_before_the_cut() {
    for file in [small(), sample()[..2_000].to_vec()] {
        let whole = fields(&sample(), 0..sample().len());
        let ends: Vec<usize> = match file.len() < 1_000 {
            true => fields(&file, 0..file.len())
                .into_iter()
                .filter(|field| field.number == 1)
                .map(|field| field.value.end)
                .collect(),
            false => whole.into_iter().map(|field| field.value.end).filter(|&end| end <= 2_000).collect(),
        };
        for cut in 0..=file.len() {
            let complete = ends.partition_point(|&end| end <= cut);
            match cost_of_opening(&file[..cut]).0 {
                Ok(opened) => {
                    assert_eq!(opened.trace.ops().len(), complete, "cut at {cut}");
                    let codes: Vec<_> =
                        opened.files[0].problems.iter().map(|problem| &*problem.code).collect();
                    assert!(codes.is_empty() || codes == ["truncated"], "cut at {cut}: {codes:?}");
                }
                Err(error) => assert_eq!(complete, 0, "cut at {cut}: {error}"),
            }
        }
    }
}

/// One byte wrong anywhere costs the record that it is in, and no other.
#[test]
fn damage_is_local() {
    let file = sample()[..3_000].to_vec();
    let ops = |file: &[u8]| open(file).map_or(0, |opened| opened.trace.ops().len());
    let records = ops(&file);
    // The first record tells the format.
    let first = fields(&sample(), 0..sample().len())[0].value.end;
    for at in first..file.len() {
        for byte in [0, 0x0a, 0x7f, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            let shown = ops(&damaged);
            assert!(shown + 2 >= records, "byte {at} is {byte}: {shown} of {records}");
        }
    }
}

#[test]
fn seeded_mutations() {
    let files = [sample()[..4_000].to_vec(), small()];
    let whole = files.each_ref().map(|file| survive(file).0);
    let (mut opened, mut most) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let own = random.below(files.len());
        let mut file = files[own].clone();
        for _ in 0..=random.below(4) {
            random.damage(&mut file, &files[0]);
        }
        let (shown, _) = survive(&file);
        let slices = open_in_slices(&file, 1 + random.below(60)).map_or(0, |opened| opened.trace.ops().len());
        assert_eq!(shown, slices, "seed {seed}: slices make a difference");
        opened += usize::from(shown > 0);
        most += usize::from(shown + 8 >= whole[own]);
    }
    assert!(
        opened > percent_of_seeds(80) && most > percent_of_seeds(60),
        "{opened} opened, {most} with all their ops but eight at most"
    );
}

/// What reading takes for large files of the shapes that cost most.
#[test]
fn memory_and_work_are_multiples_of_the_file() {
    let record = |number: u64| {
        let name = format!("op {number}/compute");
        let mut message = Vec::new();
        put_bytes(&mut message, 1, name.as_bytes());
        for (field, value) in [(2, number), (3, number + 1), (5, number % 3), (6, number)] {
            put_varint(&mut message, field << 3);
            put_varint(&mut message, value);
        }
        message
    };
    let many = |record: &dyn Fn(u64) -> Vec<u8>| -> Vec<u8> {
        let mut file = Vec::new();
        (0..20_000).for_each(|number| put_bytes(&mut file, 1, &record(number)));
        file
    };
    let device = |number: u64| {
        [&[0x0a, 1, b'a', 0x10, 1, 0x18, 2, 0x28, 0x80 | number as u8][..], &[(number >> 7) as u8]].concat()
    };
    // Every few bytes begin what may be a record as long as one may be, and is none.
    let nested: Vec<u8> = [0x0a, 0xff, 0xff, 0x0f, 0x0a, 1, b'a', 0x10, 1, 0x18, 2, 0x52, 4].repeat(60_000);
    let nested = [small(), nested].concat();
    let same = |start_ns| Event { name: "a", start_ns, end_ns: u64::from(u32::MAX), ..Event::default() };
    let overlapping: Vec<_> = (0..20_000).map(same).collect();
    let made: Vec<_> = (0..20_000)
        .map(|at| Memory { start_ns: at, end_ns: 1 << 40, bytes: 1, made_in: "a", ..Memory::default() })
        .collect();
    let files = [
        sample(),
        many(&record),
        many(&device),
        many(&|_| vec![0x10, 1, 0x18, 2]),
        nested,
        profile(&overlapping, &made),
        [small(), vec![0x0a; 300_000]].concat(),
        [small(), vec![0xff; 300_000]].concat(),
    ];
    for (place, file) in files.iter().enumerate() {
        for slice in [usize::MAX, 1_000] {
            let (_, cost) = cost(|| open_in_slices(file, slice));
            // A device of its own for every event takes some 200 bytes; a few dozen are ever recorded.
            let has_many_devices = matches!(place, 1 | 2);
            let per_byte = if has_many_devices { 2 * crate::PEAK_PER_BYTE } else { crate::PEAK_PER_BYTE };
            let most = per_byte * file.len() + crate::PEAK_ALWAYS;
            assert!(cost.peak_bytes <= most, "file {place} of {} bytes took {cost:?}", file.len());
            assert!(cost.total_bytes <= 4 * most, "file {place} of {} bytes took {cost:?}", file.len());
        }
    }
    // What is recorded takes ten times its size at most.
    let (_, sample_cost) = cost(|| open(&files[0]));
    assert!(sample_cost.peak_bytes <= 10 * files[0].len() + (64 << 10), "{sample_cost:?}");
}
