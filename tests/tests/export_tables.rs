//! Tables as CSV, in a ZIP that is read by its own list of files: every figure against the study.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::DeflateDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use steplens_core::memory::Reading;
use steplens_core::{CategoryRules, OpId, Study};
use steplens_export::archive::Zip;
use steplens_export::csv;
use steplens_export::tables::Table;
use steplens_formats::Opener;
use steplens_tests::exports::{Files, csv_rows};
use steplens_tests::fixtures::{fixture, fixtures_and_samples};
use steplens_tests::writer::{Scenario, WORKER, op};

fn study(bytes: &[u8]) -> Study {
    Study::new(Opener::open_bytes("a", bytes, CategoryRules::default()).unwrap().trace)
}

/// The files of a ZIP, by the list at its end, whose sums of 32 bits are checked.
fn files(zip: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let u16 = |at: usize| u16::from_le_bytes(zip[at..at + 2].try_into().unwrap()) as usize;
    let u32 = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap());
    let u64 = |at: usize| u64::from_le_bytes(zip[at..at + 8].try_into().unwrap()) as usize;
    let locator = zip.len() - 22 - 20;
    assert_eq!((u32(zip.len() - 22), u32(locator)), (0x0605_4b50, 0x0706_4b50));
    let end = u64(locator + 8);
    assert_eq!(u32(end), 0x0606_4b50);
    let (count, mut at) = (u64(end + 32), u64(end + 48));
    let mut files = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(u32(at), 0x0201_4b50);
        let (name, extra) = (u16(at + 28), u16(at + 30));
        let own = String::from_utf8(zip[at + 46..at + 46 + name].to_vec()).unwrap();
        let sizes = at + 46 + name + 4;
        let (size, packed, place) = (u64(sizes), u64(sizes + 8), u64(sizes + 16));
        assert_eq!(u32(place), 0x0403_4b50);
        let data = place + 30 + u16(place + 26) + u16(place + 28);
        let mut bytes = Vec::new();
        DeflateDecoder::new(&zip[data..data + packed]).read_to_end(&mut bytes).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&bytes);
        assert_eq!((bytes.len(), crc.sum()), (size, u32(at + 16)), "{own}");
        files.insert(own, bytes);
        at += 46 + name + extra;
    }
    files
}

/// The rows of a sheet as (column, cell).
fn rows(sheet: &[u8]) -> Vec<BTreeMap<String, String>> {
    assert!(sheet.ends_with(b"\n"), "the last line ends");
    let mut rows = csv_rows(sheet).unwrap().into_iter();
    let header = rows.next().unwrap();
    rows.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

fn sheets(study: &Study) -> BTreeMap<String, Vec<BTreeMap<String, String>>> {
    let mut out = Vec::new();
    let mut zip = Zip::new(&mut out);
    csv::write(study, &mut zip).unwrap();
    zip.finish().unwrap();
    files(&out).into_iter().map(|(name, csv)| (name, rows(&csv))).collect()
}

fn sum(rows: &[BTreeMap<String, String>], column: &str) -> i128 {
    rows.iter().filter(|row| !row[column].is_empty()).map(|row| row[column].parse::<i128>().unwrap()).sum()
}

#[test]
fn every_table_is_what_the_study_says() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let (trace, sheets) = (study.trace(), sheets(&study));
        assert_eq!(sheets.len(), Table::ALL.len());
        let (ops, transfers) = (&sheets["ops.csv"], &sheets["transfers.csv"]);
        assert_eq!(ops.len(), trace.ops().len(), "{}", fixture.name);
        for (row, op) in ops.iter().zip(trace.ops().ids()) {
            let own = trace.ops().interval(op);
            assert_eq!(
                [&row["start_ns"], &row["end_ns"]],
                [&own.start.0.to_string(), &own.end.0.to_string()]
            );
            assert_eq!(row["name"], trace.op_name(op));
        }
        let own_time: i128 = trace.ops().ids().map(|op| i128::from(study.self_time(op).0)).sum();
        assert_eq!(sum(ops, "self_ns"), own_time);
        assert_eq!(transfers.len(), study.transfers().rows().len(), "{}", fixture.name);
        let bytes: i128 = study.transfers().all().map(|(_, own)| i128::from(own.bytes.0)).sum();
        assert_eq!(sum(transfers, "bytes"), bytes);
        assert_eq!(sum(&sheets["links.csv"], "bytes"), bytes, "{}", fixture.name);
        for (row, (id, transfer)) in transfers.iter().zip(study.transfers().all()) {
            let number = |op: Option<OpId>| op.map_or_else(String::new, |op| op.get().to_string());
            let consumers = study.transfer_times().consumers(id);
            assert_eq!(row["producer"], number(transfer.producer.ok()), "{}", fixture.name);
            assert_eq!(row["consumer_count"], consumers.len().to_string(), "{}", fixture.name);
            assert_eq!(row["first_consumer"], number(study.times(id).first_consumer), "{}", fixture.name);
            assert_eq!(row["first_consumer"].is_empty(), row["consumers"].is_empty(), "{}", fixture.name);
            assert_eq!(row["waited_ns"].is_empty(), transfer.op.is_none(), "{}", fixture.name);
        }
        let inputs: usize = trace.ops().ids().map(|op| study.edges().input_count(op)).sum();
        assert_eq!(sheets["edges.csv"].len(), inputs, "{}", fixture.name);
        assert_eq!(sum(&sheets["steps.csv"], "ops"), trace.ops().len() as i128);
        let lives: usize = Reading::ALL
            .into_iter()
            .map(|reading| study.memory(reading).accounts.iter().map(|own| own.lives.len()).sum())
            .find(|&lives: &usize| lives > 0)
            .unwrap_or(0);
        assert_eq!(sheets["allocations.csv"].len(), lives, "{}", fixture.name);
    }
}

/// The same list makes both.
#[test]
fn the_programs_sheets_are_the_exported_ones() {
    for fixture in fixtures_and_samples() {
        let study = study(&fixture.bytes);
        let mut exported = Files::default();
        csv::write(&study, &mut exported).unwrap();
        let (mut ops, mut transfers) = (Vec::new(), Vec::new());
        steplens_report::ops::write_csv(&study, &mut ops).unwrap();
        steplens_report::transfers::write_csv(&study, &mut transfers).unwrap();
        assert!(ops == exported.file("ops.csv"), "{}", fixture.name);
        assert!(transfers == exported.file("transfers.csv"), "{}", fixture.name);
    }
}

/// Rows of one table name those of another.
#[test]
fn numbers_lead_from_table_to_table() {
    let sheets = sheets(&study(&fixture("ps4w").bytes));
    let op = |number: &String| &sheets["ops.csv"][number.parse::<usize>().unwrap()];
    for row in &sheets["transfers.csv"] {
        assert_eq!(op(&row["op"])["device"], row["destination"]);
        assert_eq!(op(&row["producer"])["device"], row["source"]);
    }
    for row in sheets["edges.csv"].iter().filter(|row| row["source"] == "transfer") {
        let transfer = &sheets["transfers.csv"][row["transfer"].parse::<usize>().unwrap()];
        assert_eq!(op(&row["op"])["device"], transfer["destination"]);
    }
}

#[test]
fn hostile_names_are_cells() {
    let names = ["=cmd|' /C calc'!A0 = A(b)", "a\",\"b\n = A(b)", "@x = A(b)"];
    let ops = (0..).zip(names).map(|(place, name)| op(name, place * 100, 10));
    let study = Scenario::new().device(WORKER, ops).study();
    let sheets = sheets(&study);
    for (row, op) in sheets["ops.csv"].iter().zip(study.trace().ops().ids()) {
        let name = study.trace().op_name(op);
        let guard = if name.starts_with(['=', '@']) { "'" } else { "" };
        assert_eq!(row["name"], format!("{guard}{name}"));
    }
}
