//! The contract between core and page: the TypeScript types of every JSON answer, made from the Rust structs that serde writes.
//!
//! Rows of tables are made from the list of their columns, and are here from that list, too; so is what the page saves, from the list of
//! export formats, and how the
//! page writes a view into its address, from the grammar that the program reads it by.
//!
//! The same structs become the JSON Schemas in `schemas/`, of all that the program prints with `--json`.
//!
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract` writes `www/src/engine/contract/`,
//! `schemas/`, `npm/src/columns.ts`, `npm/src/answering.ts`, `python/steplens/answers.py` and `answering.py` again. Questions, and
//! answers that are typed arrays, are in `www/src/engine/requests/`: there the generated bindings hold both sides together.

mod address;
mod answers;
mod corridor;
mod formats;
mod python;
mod rust;
mod schemas;
mod tables;
mod typescript;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use steplens_tests::repository::{files_below, root};

const BLESS: &str = "STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract";

/// Where the structs stand that are written as JSON.
const REPORT: &str = "crates/steplens-report/src";
/// Where those stand that the page reads of a fleet; the prefix is that of their files of TypeScript.
const FLEET: (&str, &str) = ("crates/steplens-report/src/overview/answers", "fleet_");

/// What the page never reads: files, or single structs of them.
const NOT_FOR_THE_PAGE: [(&str, &str); 17] = [
    ("causality/mod.rs", ""),
    ("check/growth.rs", ""),
    ("check/mod.rs", ""),
    ("check/past.rs", ""),
    ("check/regression.rs", ""),
    ("counters/series.rs", ""),
    ("fleet/indexed.rs", ""),
    ("fleet_answer.rs", ""),
    ("memory/mod.rs", "Whole"),
    ("memory/mod.rs", "Summary"),
    ("memory/mod.rs", "WithAlive"),
    ("ops/all.rs", ""),
    ("scheduling/every_op.rs", ""),
    ("scheduling/mod.rs", ""),
    ("tables/ops.rs", ""),
    ("transfers/mod.rs", ""),
    ("watched/event.rs", ""),
];

/// What the words of core are called on the page, the function in `crates` that says or takes them, and the field that holds one;
/// none where the page only asks by it.
const WORDS: [Word; 29] = [
    word(
        "PathKind",
        "steplens-core/src/causality/segment.rs",
        "SegmentKind::word",
        "ReplayedPart.category|SegmentRow.category",
    ),
    word("Category", "steplens-core/src/model/category/mod.rs", "Category::word", "category"),
    word("Place", "steplens-core/src/questions/op_types.rs", "Place::word", "OpTypeRow.place"),
    word("DeviceKind", "steplens-core/src/model/device_name.rs", "DeviceKind::word", "DeviceSummary.kind"),
    word("HostEventKind", "steplens-core/src/host_profile/mod.rs", "EventKind::word", "HostEventRow.kind"),
    word(
        "FindingRule",
        "steplens-core/src/findings/finding.rs",
        "Rule::word",
        "FindingRow.rule|NotJudged.rule|FindingBoth.rule|NewFinding.rule",
    ),
    word("StepRule", "steplens-core/src/steps/rule.rs", "StepRule::word", "rule"),
    word("Apart", "steplens-core/src/steps/rule.rs", "Apart::word", "apart"),
    word("Repair", "steplens-core/src/doctor/mod.rs", "Repair::word", "repairs"),
    word("Counted", "steplens-report/src/doctor/mod.rs", "counted", "Finding.counted"),
    word("OpTime", "steplens-core/src/gpu/op_time.rs", "OpTime::word", "op_time"),
    word("Certainty", "steplens-core/src/dataflow/mod.rs", "Certainty::word", "certainty"),
    word("LaneKind", "steplens-core/src/timeline/grouping.rs", "GroupKind::word", "LaneGroup.kind"),
    word("Arrangement", "steplens-core/src/timeline/grouping.rs", "Arrangement::by_word", ""),
    word("ColorBy", "steplens-core/src/timeline/colors.rs", "ColorBy::word", "Colors.by"),
    word("OpSort", "steplens-report/src/ops/table.rs", "column", ""),
    word("TransferSort", "steplens-report/src/tables/transfers.rs", "TransferColumn::all", ""),
    word("CauseKind", "steplens-core/src/network/stragglers.rs", "CauseKind::word", "Cause.kind"),
    word("NoProducer", "steplens-core/src/transfers/mod.rs", "NoProducer::code", "unjoined_because"),
    word(
        "OrderUnknown",
        "steplens-core/src/network/arrival_order/mod.rs",
        "NoOrder::word",
        "OrderOfDevice.unknown_because",
    ),
    word("MemoryReadingWord", "steplens-core/src/memory/mod.rs", "Reading::word", "MemoryReading.reading"),
    word("MemoryBasis", "steplens-core/src/memory/mod.rs", "Basis::word", "MemoryAccount.basis"),
    word("RanPlace", "steplens-core/src/scheduling/late.rs", "Where::word", "InsteadRow.place"),
    word("AliveBy", "steplens-core/src/memory/alive.rs", "By::word", ""),
    word("DriftUnknown", "steplens-core/src/clocks/drift.rs", "NoDrift::code", "drift_unknown_because"),
    word(
        "FleetFigure",
        "steplens-report/src/overview/figure.rs",
        "Figure::word",
        "FleetRun.figures|BehindPeers.part|FleetCell.most_beyond|CellFigure.figure|FigureBeforeAfter.figure",
    ),
    word(
        "FlameLayers",
        "steplens-core/src/questions/flame/mod.rs",
        "Layers::word",
        "FlameAnswer.layers|FlameAnswer.choices|FlameOptions.layers",
    ),
    word(
        "FlameMeasure",
        "steplens-report/src/flame/query.rs",
        "Measure::word",
        "FlameAnswer.measure|FlameOptions.measure",
    ),
    word("ClockUnknown", "steplens-report/src/clocks/mod.rs", "unknown_because", "TaskClock.unknown_because"),
];

/// The words that a function says or takes.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    /// What the type is called on the page.
    pub(crate) name: &'static str,
    file: &'static str,
    function: &'static str,
    /// `field`, or `Struct.field`; several are divided by `|`.
    field: &'static str,
}

const fn word(name: &'static str, file: &'static str, function: &'static str, field: &'static str) -> Word {
    Word { name, file, function, field }
}

impl Word {
    fn is_in(&self, of: &str, field: &str) -> bool {
        self.field.split('|').any(|own| own == field || own == format!("{of}.{field}"))
    }
}

#[test]
fn the_page_has_the_types_that_the_core_sends() {
    compare("www/src/engine/contract", &contract());
}

#[test]
fn the_npm_package_has_the_columns_and_answers_of_the_core() {
    same("npm/src/columns.ts", &tables::npm_columns());
    same("npm/src/answering.ts", &answers::npm(&all_answers()));
}

#[test]
fn the_schemas_are_what_the_program_prints() {
    compare("schemas", &schemas());
}

#[test]
fn the_python_package_has_the_types_and_answers_of_the_core() {
    same("python/steplens/answers.py", &python::answers(&schemas()));
    same("python/steplens/answering.py", &answers::python(&all_answers()));
}

/// A file is what is `wanted`.
fn same(name: &str, wanted: &str) {
    let path = root().join(name);
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::write(&path, wanted).unwrap_or_else(|e| panic!("could not write {name}: {e}"));
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "{name} is not what the Rust types say. Run {BLESS}\nWanted:\n{wanted}");
}

/// The files of `folder` are those `wanted`, and no other; a README may explain them.
fn compare(folder: &str, wanted: &BTreeMap<String, String>) {
    let path = root().join(folder);
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::create_dir_all(&path).expect("could not make the folder");
        for entry in fs::read_dir(&path).expect("could not list the folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !wanted.contains_key(&name) && name != "README.md" {
                fs::remove_file(entry.path()).unwrap_or_else(|e| panic!("could not remove {name}: {e}"));
            }
        }
        for (name, text) in wanted {
            fs::write(path.join(name), text).unwrap_or_else(|e| panic!("could not write {name}: {e}"));
        }
    }
    for (name, text) in wanted {
        let found = fs::read_to_string(path.join(name)).unwrap_or_default();
        assert!(
            found == *text,
            "{folder}/{name} is not what the Rust types say. Run {BLESS}\nWanted:\n{text}"
        );
    }
    for entry in fs::read_dir(&path).expect("could not list the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_known = wanted.contains_key(&name) || name == "README.md";
        assert!(is_known, "{folder}/{name} is made from no Rust type");
    }
}

/// Every file of the contract, by its name.
fn contract() -> BTreeMap<String, String> {
    let is_read = |path: &str, found: &rust::Struct| {
        !NOT_FOR_THE_PAGE.contains(&(path, "")) && !NOT_FOR_THE_PAGE.contains(&(path, found.name.as_str()))
    };
    let mut files = Vec::new();
    for (sources, prefix) in [(report(), ""), (sources(FLEET.0), FLEET.1)] {
        for (path, mut structs) in sources {
            structs.retain(|found| is_read(&path, found));
            let name = path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "_");
            files.push(rust::File { output: format!("{prefix}{name}"), structs });
        }
    }
    files.retain(|file| !file.structs.is_empty());
    let mut made = typescript::write(&files, &words());
    made.insert("transfer_columns.ts".to_string(), tables::page_columns());
    made.insert("save_formats.ts".to_string(), formats::page_formats());
    made.insert("view_fields.ts".to_string(), address::page_fields());
    let index = typescript::index(made.keys());
    made.insert("index.ts".to_string(), index);
    made
}

/// Every schema, by its name.
fn schemas() -> BTreeMap<String, String> {
    schemas::write(&report(), &all_answers(), &words())
}

fn all_answers() -> Vec<answers::Answer> {
    answers::read(&root().join(REPORT), &report(), &words())
}

/// The files of the report, but for the summary of a fleet: of that only answers are for others, and those are [`FLEET`].
fn report() -> Vec<(String, Vec<rust::Struct>)> {
    let mut sources = sources(REPORT);
    sources.retain(|(path, _)| !path.starts_with("overview/"));
    sources
}

/// Every Rust file below a folder, sorted by its path there, and its structs.
fn sources(folder: &str) -> Vec<(String, Vec<rust::Struct>)> {
    let whole = root().join(folder);
    let source = |path: PathBuf| {
        let own = path.strip_prefix(&whole).expect("it is below").to_string_lossy().replace('\\', "/");
        let structs = structs(&whole, &own);
        (own, structs)
    };
    let mut sources: Vec<_> = files_below(&whole, &[]).into_iter().map(source).collect();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    sources
}

/// The structs of a file, those that it writes from a table among them.
fn structs(report: &Path, path: &str) -> Vec<rust::Struct> {
    let mut found = rust::structs(&report.join(path));
    found.extend(tables::structs(path));
    found
}

fn words() -> [(Word, Vec<String>); WORDS.len()] {
    WORDS.map(|word| match word.name {
        "TransferSort" => (word, tables::transfer_sorts()),
        _ => (word, rust::words(&root().join("crates").join(word.file), word.function)),
    })
}
