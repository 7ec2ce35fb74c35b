//! Files that are cut short, damaged or made to harm: an error in words, or an answer, and never a panic.

#![allow(missing_docs, reason = "tests have no users")]

#[path = "../examples/fleet/made.rs"]
#[allow(dead_code, reason = "not all of it is of use here")]
mod made;

use made::Fleet;
use std::io::Write;
use steplens_report::overview::answers::heat::HeatQuery;
use steplens_report::overview::{Figure, Overview, Unreadable};

/// How many damaged files are tried.
const FLIPS: u32 = 4000;

fn small() -> Vec<u8> {
    Fleet::new(6, 5).builder(|task, step| format!("{task}/{step}.pb")).to_bytes()
}

/// All that can be asked.
fn ask(bytes: Vec<u8>) -> Result<(), Unreadable> {
    let mut overview = Overview::read(bytes)?;
    let _ = overview.overview_json();
    overview.days_json("2026-12-01", "2026-12-02")?;
    for run in 0..overview.runs() {
        overview.run_json(run)?;
        overview.stragglers_json(run)?;
        overview.sources(run)?;
        overview.before_after_json(run, None)?;
        overview.before_after_json(run, Some(usize::MAX))?;
        for figure in Figure::ALL {
            for largest in [false, true] {
                let query = HeatQuery { figure, as_share: !largest, largest, by_figure: largest };
                overview.heat(run, query)?;
                overview.series(run, query)?;
            }
            overview.cell_json(run, 0, 0, figure)?;
            overview.cell_json(run, usize::MAX, 1, figure)?;
        }
    }
    Ok(())
}

#[test]
fn a_whole_file_is_answered() {
    ask(small()).expect("it is whole");
}

#[test]
fn every_truncation_says_so() {
    let whole = small();
    for length in 0..whole.len() {
        let why = ask(whole[..length].to_vec()).expect_err("it is cut short");
        assert!(
            ["no-fleet-overview", "fleet-overview-cut"].contains(&why.kind.code()),
            "{length}: {why} [{}]",
            why.kind.code()
        );
    }
    let mut longer = whole;
    longer.push(0);
    assert_eq!(ask(longer).expect_err("it is too long").kind.code(), "fleet-overview-cut");
}

#[test]
fn flipped_bits_are_found_or_harmless() {
    let whole = small();
    let mut random = fastrand::Rng::with_seed(32);
    let mut found = 0;
    for _ in 0..FLIPS {
        let mut damaged = whole.clone();
        damaged[random.usize(0..whole.len())] ^= 1 << random.u8(0..8);
        if let Err(why) = ask(damaged) {
            assert!(!why.to_string().is_empty());
            found += 1;
        }
    }
    // zlib has bits that mean nothing, such as the level it was packed with.
    assert!(f64::from(found) > f64::from(FLIPS) * 0.98, "{found}");
}

/// A file with this head and these blocks.
fn file(head: &str, blocks: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(head.as_bytes()).expect("to memory");
    let packed = encoder.finish().expect("to memory");
    let mut file = b"STPFLEET\x02\0\0\0".to_vec();
    file.extend((packed.len() as u32).to_le_bytes());
    file.extend((head.len() as u32).to_le_bytes());
    file.extend((blocks.len() as u64).to_le_bytes());
    file.extend(packed);
    file.extend(blocks);
    file
}

#[test]
fn a_head_that_says_what_cannot_be_is_refused() {
    let block = r#"{"at":0,"packed":0,"bytes":0}"#;
    let head = |grid: &str, tasks: &str, planes: &str| {
        format!(
            r#"{{"days":[],"runs":[{{"name":"a","tasks":{tasks},"steps":{tasks},"grid":{grid},"rows":[],"jobs":[],"columns":[],
            "most_in_cell":1,"split_rows":0,"unplaced":0,"planes":[{planes}],"source_of":null,"sources":0,
            "source_names":{block},"starts":{block},"step_numbers":null,"lists":{{"stragglers":[],"findings":[],
            "findings_left_out":0,"links":{{"ends":[],"cells":[],"slow":[],"left_out":0,"unranked":0}},"op_types":[],
            "files":{{"whole":0,"damaged":0,"unreadable":0,"no_trace":0,"failed":[]}}}}}}]}}"#
        )
    };
    let grid = |rows: &str, columns: &str| {
        format!(r#"{{"rows":{rows},"columns":{columns},"tasks_per_row":1,"steps_per_column":1}}"#)
    };
    let most = "18446744073709551615";
    for (grid, tasks, planes) in [
        (grid(most, most), most, String::new()),
        (grid("16384", "16384"), "16384", String::new()),
        (grid("0", "0"), most, String::new()),
        (
            grid("0", "0"),
            "0",
            format!(r#"{{"figure":"own","mean":{{"at":{most},"packed":{most},"bytes":1}},"most":null}}"#),
        ),
        (
            grid("0", "0"),
            "0",
            r#"{"figure":"own","mean":{"at":0,"packed":9,"bytes":1},"most":null}"#.to_owned(),
        ),
    ] {
        let why = ask(file(&head(&grid, tasks, &planes), b"")).expect_err("it cannot be");
        assert_eq!(why.kind.code(), "fleet-overview-damaged", "{why}");
    }
    assert_eq!(ask(file("[]", b"")).expect_err("no head").kind.code(), "fleet-overview-damaged");
    assert_eq!(ask(file(r#"{"days":[],"runs":[]}"#, b"")), Ok(()));
    for of_days in [r#"{"at":0,"packed":9,"bytes":9}"#, r#"{"at":0,"packed":0,"bytes":18446744073709551615}"#]
    {
        let why = ask(file(&format!(r#"{{"days":[],"runs":[],"of_days":{of_days}}}"#), b""))
            .expect_err("it cannot be");
        assert_eq!(why.kind.code(), "fleet-overview-damaged", "{why}");
    }
}

#[test]
fn other_files_and_newer_ones_are_told_apart() {
    assert_eq!(ask(b"PAR1".to_vec()).expect_err("none").kind.code(), "no-fleet-overview");
    assert_eq!(ask(Vec::new()).expect_err("none").kind.code(), "no-fleet-overview");
    let mut newer = small();
    newer[8] = 3;
    assert_eq!(ask(newer).expect_err("newer").kind.code(), "fleet-overview-newer");
}
