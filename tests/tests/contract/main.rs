//! The contract between core and page: the TypeScript types of every JSON answer, made from the Rust structs that serde writes.
//!
//! `STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract` writes `www/src/engine/contract/` again. Questions, and
//! answers that are typed arrays, are in `www/src/engine/requests/`: there the generated bindings hold both sides together.

mod rust;
mod typescript;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const BLESS: &str = "STEPLENS_BLESS=1 cargo test --package steplens-tests --test contract";

/// The Rust files whose structs the page reads, and the file of TypeScript that each becomes.
const FILES: [(&str, &str); 18] = [
    ("mod.rs", "op_ref.ts"),
    ("summary.rs", "summary.ts"),
    ("steps.rs", "steps.ts"),
    ("doctor.rs", "doctor.ts"),
    ("clocks.rs", "clocks.ts"),
    ("found.rs", "found.ts"),
    ("op_details.rs", "op_details.ts"),
    ("tables.rs", "tables.ts"),
    ("transfers.rs", "transfers.ts"),
    ("network/mod.rs", "network.ts"),
    ("network/links.rs", "network_links.ts"),
    ("network/listed.rs", "listed.ts"),
    ("network/waits.rs", "network_waits.ts"),
    ("network/devices.rs", "network_devices.ts"),
    ("network/stragglers.rs", "network_stragglers.ts"),
    ("network/collectives.rs", "network_collectives.ts"),
    ("network/order.rs", "network_order.ts"),
    ("network/tracer.rs", "network_tracer.ts"),
];

/// What a struct is called on the page where that is not its name in Rust: names of Rust need to be unique in a file only.
const NAMES: [(&str, &str, &str); 44] = [
    ("summary.rs", "All", "Totals"),
    ("summary.rs", "Totals", "TransferTotals"),
    ("summary.rs", "ViewJson", "SummaryView"),
    ("summary.rs", "File", "FileSummary"),
    ("summary.rs", "SplitNs", "Split"),
    ("summary.rs", "AcceleratorJson", "Accelerator"),
    ("summary.rs", "Device", "DeviceSummary"),
    ("steps.rs", "StepsJson", "StepList"),
    ("steps.rs", "StepJson", "Step"),
    ("steps.rs", "UsualJson", "UsualFigures"),
    ("steps.rs", "UsualNs", "Usual"),
    ("doctor.rs", "FindingJson", "Finding"),
    ("clocks.rs", "ClocksJson", "Clocks"),
    ("clocks.rs", "TaskJson", "TaskClock"),
    ("clocks.rs", "DriftJson", "ClockDrift"),
    ("clocks.rs", "PairJson", "PairOfTasks"),
    ("found.rs", "Device", "FoundDevice"),
    ("op_details.rs", "Details", "OpDetails"),
    ("op_details.rs", "Record", "AllocationRecord"),
    ("op_details.rs", "Edge", "FlowEdge"),
    ("op_details.rs", "Edges", "Flow"),
    ("tables.rs", "Row", "OpTypeRow"),
    ("tables.rs", "Link", "RangeLink"),
    ("tables.rs", "Summary", "RangeSummary"),
    ("tables.rs", "Group", "LaneGroup"),
    ("tables.rs", "Result", "SearchCounts"),
    ("tables.rs", "Page", "OpPage"),
    ("transfers.rs", "TransferRow", "Transfer"),
    ("transfers.rs", "Page", "TransfersPage"),
    ("network/links.rs", "Links", "LinkTable"),
    ("network/links.rs", "Answer", "TrafficLinks"),
    ("network/waits.rs", "TensorJson", "TensorRow"),
    ("network/collectives.rs", "CollectivesJson", "Collectives"),
    ("network/links.rs", "Largest", "LargestTransfer"),
    ("network/devices.rs", "Longest", "LongestWait"),
    ("network/stragglers.rs", "StragglerRow", "Straggler"),
    ("network/stragglers.rs", "EndedRow", "Ended"),
    ("network/stragglers.rs", "ChainRow", "Chain"),
    ("network/stragglers.rs", "CauseRow", "Cause"),
    ("network/collectives.rs", "CollectiveRow", "Collective"),
    ("network/collectives.rs", "ParticipantRow", "Participant"),
    ("network/order.rs", "InversionRow", "Inversion"),
    ("network/order.rs", "ParameterRow", "Parameter"),
    ("network/tracer.rs", "Tracer", "TracerFigures"),
];

/// What the program writes and the page never reads.
const NOT_FOR_THE_PAGE: [(&str, &str); 3] =
    [("transfers.rs", "Clocks"), ("transfers.rs", "Links"), ("transfers.rs", "Transfers")];

/// What the words of core are called on the page, the function in `crates` that says or takes them, and the field that holds one;
/// none where the page only asks by it.
const WORDS: [Word; 16] = [
    word("Category", "steplens-core/src/model/category/mod.rs", "Category::word", "category"),
    word("DeviceKind", "steplens-core/src/model/device.rs", "DeviceKind::word", "DeviceSummary.kind"),
    word("StepRule", "steplens-core/src/steps/rule.rs", "StepRule::word", "rule"),
    word("Apart", "steplens-core/src/steps/rule.rs", "Apart::word", "apart"),
    word("Repair", "steplens-core/src/doctor/mod.rs", "Repair::word", "repairs"),
    word("OpTime", "steplens-core/src/gpu/op_time.rs", "OpTime::word", "op_time"),
    word("Certainty", "steplens-core/src/dataflow/mod.rs", "Certainty::word", "certainty"),
    word("LaneKind", "steplens-core/src/timeline/grouping.rs", "GroupKind::word", "LaneGroup.kind"),
    word("Arrangement", "steplens-core/src/timeline/grouping.rs", "Arrangement::by_word", ""),
    word("OpSort", "steplens-formats/src/json/tables.rs", "op_column", ""),
    word("TransferSort", "steplens-formats/src/json/transfers.rs", "Ordering::by_column", ""),
    word("CauseKind", "steplens-core/src/network/stragglers.rs", "CauseKind::word", "Cause.kind"),
    word("NoProducer", "steplens-core/src/transfers/mod.rs", "NoProducer::code", "unjoined_because"),
    word(
        "OrderUnknown",
        "steplens-core/src/network/arrival_order/mod.rs",
        "NoOrder::word",
        "OrderOfDevice.unknown_because",
    ),
    word("DriftUnknown", "steplens-core/src/clocks/drift.rs", "NoDrift::code", "drift_unknown_because"),
    word(
        "ClockUnknown",
        "steplens-formats/src/json/clocks.rs",
        "unknown_because",
        "TaskClock.unknown_because",
    ),
];

/// The words that a function says or takes.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    /// What the type is called on the page.
    pub(crate) name: &'static str,
    file: &'static str,
    function: &'static str,
    /// `field`, or `Struct.field` as the page calls it.
    field: &'static str,
}

const fn word(name: &'static str, file: &'static str, function: &'static str, field: &'static str) -> Word {
    Word { name, file, function, field }
}

impl Word {
    fn is_in(&self, of: &str, field: &str) -> bool {
        self.field == field || self.field == format!("{of}.{field}")
    }
}

#[test]
fn the_page_has_the_types_that_the_core_sends() {
    let folder = root().join("www/src/engine/contract");
    let wanted = contract();
    if std::env::var_os("STEPLENS_BLESS").is_some() {
        fs::create_dir_all(&folder).expect("could not make the folder");
        for (name, text) in &wanted {
            fs::write(folder.join(name), text).unwrap_or_else(|e| panic!("could not write {name}: {e}"));
        }
    }
    for (name, text) in &wanted {
        let found = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            found == *text,
            "www/src/engine/contract/{name} is not what the Rust types say. Run {BLESS}\nWanted:\n{text}"
        );
    }
    for entry in fs::read_dir(&folder).expect("could not list the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(wanted.contains_key(&name), "www/src/engine/contract/{name} is made from no Rust type");
    }
}

/// Every file of the contract, by its name.
fn contract() -> BTreeMap<String, String> {
    let json = root().join("crates/steplens-formats/src/json");
    let files: Vec<rust::File> = FILES
        .iter()
        .map(|(path, output)| rust::File {
            output: output.trim_end_matches(".ts"),
            structs: rust::structs(&json.join(path))
                .into_iter()
                .filter(|found| !NOT_FOR_THE_PAGE.contains(&(path, found.name.as_str())))
                .map(|mut found| {
                    let renamed = NAMES.iter().find(|(file, name, _)| file == path && *name == found.name);
                    found.page_name = renamed.map_or(found.name.clone(), |(_, _, new)| (*new).to_string());
                    found
                })
                .collect(),
        })
        .collect();
    let words = WORDS.map(|word| (word, rust::words(&root().join("crates").join(word.file), word.function)));
    typescript::write(&files, &words)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
