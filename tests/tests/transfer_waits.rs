//! What devices waited for each transfer: in the table of transfers, against the split of each device.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::BTreeMap;
use steplens_core::network::tensors::{TensorRow, tensors};
use steplens_core::network::waited::Waited;
use steplens_core::network::waits::waits;
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Category, Study};
use steplens_report::tables::TransferColumn;
use steplens_report::transfers::{TransferList, TransferQuery};
use steplens_tests::fixtures::{fixture, fixtures};
use steplens_tests::writer::open;

fn rows(study: &Study) -> Vec<Value> {
    let json: Value = serde_json::from_str(&steplens_report::transfers::json(study)).unwrap();
    json["transfers"].as_array().unwrap().clone()
}

#[test]
fn the_waits_of_a_device_add_up_to_its_exposed_communication() {
    let mut compared = 0;
    for fixture in fixtures() {
        let (name, study) = (&fixture.name, Study::new(open(&fixture.bytes).trace));
        let trace = study.trace();
        let mut waited: BTreeMap<String, i64> = BTreeMap::new();
        for row in rows(&study) {
            assert_eq!(row["waited_ns"].is_null(), row["op"].is_null(), "{name}: {row}");
            let destination = row["destination"].as_str().unwrap().to_owned();
            *waited.entry(destination).or_default() += row["waited_ns"].as_i64().unwrap_or(0);
        }
        for device in trace.devices().ids() {
            // Collectives and what else communicates without being a transfer has no row.
            let is_other =
                |op| trace.category(op) == Category::Communication && study.transfers().of_op(op).is_none();
            if trace.ops_of(device).any(is_other) {
                continue;
            }
            let own = trace.text(trace.devices().get(device).name);
            let exposed = study.split(Some(device), trace.span()).exposed_communication.0;
            assert_eq!(waited.get(own).copied().unwrap_or(0), exposed, "{name}: {own}");
            compared += usize::from(exposed > 0);
        }
    }
    assert!(compared >= 4, "{compared} devices waited");
}

#[test]
fn one_tensors_transfers_are_listed_by_how_long_they_were_waited_for() {
    let study = Study::new(open(&fixture("ps4w").bytes).trace);
    let all = rows(&study);
    let waited = |row: &Value| row["waited_ns"].as_i64().unwrap();
    let most = all.iter().max_by_key(|row| waited(row)).unwrap();
    // It is the value of a variable, as most that parameter servers send.
    assert_eq!(most["kind"], "value");
    let variable = most["variable"].as_str().unwrap();
    let listed = |filter: String| -> Vec<&Value> {
        let sort = TransferColumn::by_name("waited_ns").unwrap();
        let query = TransferQuery { sort, descending: true, filter, range: None };
        let list = TransferList::of(&study, query, &Waited::summed(&study));
        list.rows().iter().map(|id| &all[id.index()]).collect()
    };
    let rows_of_tensors = tensors(&study, &waits(&study, &StepOfOp::indexed(&study)));
    let counted = |is_gradient: bool| {
        let is_it =
            |row: &&TensorRow| study.trace().text(row.name) == variable && row.is_gradient == is_gradient;
        rows_of_tensors.iter().find(is_it).unwrap().count as usize
    };
    let values = listed(format!("tensor={variable}"));
    // Of a transfer whose variable is not known, the name of the op that reads it says it.
    let is_of_it = |row: &Value| match row["variable"].as_str() {
        Some(own) => own == variable && row["kind"] == "value",
        None => row["tensor"].as_str().unwrap().contains(variable),
    };
    assert!(values.iter().all(|row| is_of_it(row)));
    assert_eq!(values.len(), counted(false));
    assert_eq!(waited(values[0]), waited(most));
    assert!(values.is_sorted_by(|a, b| waited(a) >= waited(b)));
    let gradients = listed(format!("gradient={variable}"));
    assert!(gradients.iter().all(|row| row["kind"] == "gradient"));
    assert_eq!(gradients.len(), counted(true));
    assert!(listed(format!("tensor={variable}x")).is_empty());
}
