//! JSON and CSV: exactly the texts of `steplens-formats`, and the same figures in both.

use crate::common::{fixture, output, parse_csv};
use serde_json::Value;
use steplens_core::{CategoryRules, Study};
use steplens_formats::{Opened, Opener};
use steplens_report as report;

const FILES: [&str; 5] =
    ["ps4w.pb", "mnist-adam.pb", "lstm-while.pb", "collective.pb", "multidev-nograph.pb"];

#[test]
fn json_is_what_formats_writes() {
    for file in FILES {
        let Opened { trace, files, .. } =
            Opener::open_bytes(file, &fixture(file), CategoryRules::default()).unwrap();
        let study = Study::new(trace);
        let mut ops = Vec::new();
        report::ops::write_json(&study, &mut ops).unwrap();
        let wanted = [
            ("summary", report::summary::with_verdict(&study, &files).to_text() + "\n"),
            ("ops", String::from_utf8(ops).unwrap()),
            ("transfers", report::transfers::json(&study) + "\n"),
        ];
        for (command, want) in wanted {
            assert!(output(&[command, "--json", file]) == want, "{command} {file}");
        }
    }
}

#[test]
fn csv_has_the_rows_and_figures_of_the_json() {
    for file in FILES {
        for (command, list) in [("summary", "devices"), ("ops", "ops"), ("transfers", "transfers")] {
            let json: Value = serde_json::from_str(&output(&[command, "--json", file])).unwrap();
            let wanted = json[list].as_array().unwrap();
            let rows = parse_csv(&output(&[command, "--csv", file]));
            let (header, rows) = rows.split_first().unwrap();
            assert_eq!(rows.len(), wanted.len(), "{command} {file}");
            for (row, want) in rows.iter().zip(wanted) {
                assert_eq!(row.len(), header.len());
                let same = header.iter().zip(row).all(|(name, cell)| *cell == text(said(want, name)));
                assert!(same, "{command} {file}: {row:?} is not {want}");
            }
        }
    }
}

#[test]
fn ops_last_as_asked() {
    let matmul = |how: &str| {
        let json = output(&["ops", "--json", "--op-time", how, "gpu/kernels.pb"]);
        let json: Value = serde_json::from_str(&json).unwrap();
        let mut ops = json["ops"].as_array().unwrap().iter();
        let op = ops.find(|op| op["label"] == "net/MatMul = MatMul(feed, w)");
        let op = op.unwrap();
        (op["start_ns"].as_i64().unwrap(), op["end_ns"].as_i64().unwrap())
    };
    assert_eq!(
        [matmul("schedule"), matmul("gpu"), matmul("all")],
        [(20_000, 32_000), (50_000, 95_000), (20_000, 95_000)]
    );
    let view = |how: &str| {
        let json: Value =
            serde_json::from_str(&output(&["summary", "--json", "--op-time", how, "gpu/kernels.pb"]))
                .unwrap();
        json["view"]["op_time"].clone()
    };
    assert_eq!([view("schedule"), view("all")], [Value::Null, "all".into()]);
    let text = output(&["summary", "--op-time", "gpu", "gpu/kernels.pb"]);
    assert!(text.contains("ops that launched kernels last from the first kernel to the last"), "{text}");
}

/// What JSON says of a column: the op that it is whole there stands in a sheet as its number and its name.
fn said<'a>(row: &'a Value, column: &str) -> &'a Value {
    match column {
        "producer" => &row["producer"]["op"],
        "producer_name" => &row["producer"]["name"],
        _ => &row[column],
    }
}

/// A value as a cell: ops by name, lists apart by a space.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(op) => text(&op["name"]),
        Value::Array(ops) => ops.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Number(number) => match number.as_f64() {
            // JSON writes 1.0 where CSV writes 1.
            Some(whole) if whole.fract() == 0.0 && !number.is_i64() && !number.is_u64() => format!("{whole}"),
            _ => number.to_string(),
        },
        Value::Bool(_) => unreachable!("no figure is true or false"),
    }
}
