//! The contract between core and page: the TypeScript types of every JSON answer, made from the Rust structs that serde writes.
//!
//! Rows of tables are made from the list of their columns, and are here from that list, too; so is what the page saves, from the list of
//! export formats, and how the
//! page writes a view into its address, from the grammar that the program reads it by.
//!
//! The same structs become the JSON Schemas in `schemas/`, of all that the program prints with `--json`.
//!
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract` writes `www/src/engine/contract/`,
//! `schemas/`, `npm/src/columns.ts` and `python/steplens/answers.py` again. Questions, and
//! answers that are typed arrays, are in `www/src/engine/requests/`: there the generated bindings hold both sides together.

mod address;
mod formats;
mod python;
mod rust;
mod schemas;
mod tables;
mod typescript;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const BLESS: &str = "STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract";

/// The Rust files whose structs the page reads, and the file of TypeScript that each becomes.
const FILES: [(&str, &str); 65] = [
    ("op_ref.rs", "op_ref.ts"),
    ("listed.rs", "listed.ts"),
    ("summary/mod.rs", "summary.ts"),
    ("summary/totals.rs", "totals.ts"),
    ("steps/mod.rs", "steps.ts"),
    ("doctor/mod.rs", "doctor.ts"),
    ("clocks/mod.rs", "clocks.ts"),
    ("clocks/note.rs", "clock_note.ts"),
    ("found.rs", "found.ts"),
    ("range.rs", "range.ts"),
    ("findings/mod.rs", "findings.ts"),
    ("redaction.rs", "redaction.ts"),
    ("kernels/mod.rs", "kernels.ts"),
    ("flame/mod.rs", "flame.ts"),
    ("counters/mod.rs", "counters.ts"),
    ("counters/flags.rs", "instants.ts"),
    ("lanes.rs", "lanes.ts"),
    ("search.rs", "search.ts"),
    ("colors.rs", "colors.ts"),
    ("ops/arguments.rs", "op_arguments.ts"),
    ("ops/details.rs", "op_details.ts"),
    ("ops/flow.rs", "flow.ts"),
    ("ops/types.rs", "op_types.ts"),
    ("ops/table.rs", "op_table.ts"),
    ("tables/transfers.rs", "transfers.ts"),
    ("transfers/table.rs", "transfer_table.ts"),
    ("network/mod.rs", "network.ts"),
    ("network/links.rs", "network_links.ts"),
    ("network/waits.rs", "network_waits.ts"),
    ("network/devices.rs", "network_devices.ts"),
    ("network/stragglers.rs", "network_stragglers.ts"),
    ("network/collectives.rs", "network_collectives.ts"),
    ("network/order.rs", "network_order.ts"),
    ("network/ready.rs", "network_ready.ts"),
    ("network/tracer.rs", "network_tracer.ts"),
    ("memory/mod.rs", "memory.ts"),
    ("memory/alive.rs", "memory_alive.ts"),
    ("memory/why.rs", "memory_why.ts"),
    ("memory/boxes.rs", "memory_boxes.ts"),
    ("causality/parts.rs", "path_parts.ts"),
    ("causality/over_steps.rs", "path_over_steps.ts"),
    ("causality/page.rs", "path.ts"),
    ("compare/mod.rs", "compare.ts"),
    ("compare/reasons.rs", "compare_reasons.ts"),
    ("compare/waterfall.rs", "compare_waterfall.ts"),
    ("compare/tables.rs", "compare_tables.ts"),
    ("compare/over_steps.rs", "compare_steps.ts"),
    ("compare/findings.rs", "compare_findings.ts"),
    ("compare/align.rs", "compare_align.ts"),
    ("compare/page.rs", "compare_page.ts"),
    ("what_if/mod.rs", "what_if.ts"),
    ("what_if/mirrored.rs", "what_if_mirrored.ts"),
    ("what_if/table.rs", "what_if_table.ts"),
    ("what_if/page.rs", "what_if_page.ts"),
    ("scheduling/page.rs", "scheduling.ts"),
    ("scheduling/why.rs", "why.ts"),
    ("scheduling/moments.rs", "scheduling_moments.ts"),
    ("verdict.rs", "verdict.ts"),
    ("watched/mod.rs", "watched.ts"),
    ("watched/runs.rs", "watched_runs.ts"),
    ("../../steplens-overview/src/answers/run.rs", "fleet.ts"),
    ("../../steplens-overview/src/answers/lists.rs", "fleet_lists.ts"),
    ("../../steplens-overview/src/answers/stragglers.rs", "fleet_stragglers.ts"),
    ("../../steplens-overview/src/answers/heat.rs", "fleet_heat.ts"),
    ("../../steplens-overview/src/answers/cell.rs", "fleet_cell.ts"),
];

/// What the program writes and the page never reads.
const NOT_FOR_THE_PAGE: [(&str, &str); 3] =
    [("memory/mod.rs", "Whole"), ("memory/mod.rs", "Summary"), ("memory/mod.rs", "WithAlive")];

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
        "steplens-overview/src/figure.rs",
        "Figure::word",
        "FleetRun.figures|BehindPeers.part|FleetCell.most_beyond|CellFigure.figure",
    ),
    word(
        "FlameLayers",
        "steplens-core/src/questions/flame/mod.rs",
        "Layers::word",
        "FlameAnswer.layers|FlameAnswer.choices",
    ),
    word("FlameMeasure", "steplens-report/src/flame/query.rs", "Measure::word", "FlameAnswer.measure"),
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
fn the_npm_package_has_the_columns_of_the_core() {
    let path = root().join("npm/src/columns.ts");
    let wanted = tables::npm_columns();
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::write(&path, &wanted).expect("could not write the columns");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "npm/src/columns.ts is not what the table of ops says. Run {BLESS}\nWanted:\n{wanted}"
    );
}

#[test]
fn the_schemas_are_what_the_program_prints() {
    compare("schemas", &schemas());
}

#[test]
fn the_python_package_has_the_types_of_the_schemas() {
    let path = root().join("python/steplens/answers.py");
    let wanted = python::answers(&schemas());
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::write(&path, &wanted).expect("could not write the types of the answers");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "python/steplens/answers.py is not what the schemas say. Run {BLESS}");
}

/// The files of `folder` are those `wanted`, and no other; a README may explain them.
fn compare(folder: &str, wanted: &BTreeMap<String, String>) {
    let path = root().join(folder);
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::create_dir_all(&path).expect("could not make the folder");
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
    let report = root().join("crates/steplens-report/src");
    let files: Vec<rust::File> = FILES
        .iter()
        .map(|(path, output)| rust::File {
            output: output.trim_end_matches(".ts"),
            structs: structs(&report, path)
                .into_iter()
                .filter(|found| !NOT_FOR_THE_PAGE.contains(&(path, found.name.as_str())))
                .collect(),
        })
        .collect();
    let empty = files.iter().find(|file| file.structs.is_empty());
    assert!(
        empty.is_none(),
        "{}.ts has no struct that derives Serialize",
        empty.map_or("", |file| file.output)
    );
    let mut made = typescript::write(&files, &words());
    made.insert("transfer_columns.ts".to_string(), tables::page_columns());
    made.insert("save_formats.ts".to_string(), formats::page_formats());
    made.insert("view_fields.ts".to_string(), address::page_fields());
    made
}

/// Every schema, by its name.
fn schemas() -> BTreeMap<String, String> {
    let report = root().join("crates/steplens-report/src");
    let (mut sources, mut folders) = (Vec::new(), vec![report.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("could not list a folder of the report").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let own = path.strip_prefix(&report).expect("it is below").to_string_lossy().replace('\\', "/");
            sources.push((own.clone(), structs(&report, &own)));
        }
    }
    schemas::write(&sources, &words())
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
