//! What is made from the lists of columns in `crates/steplens-report/src/tables/`: rows as structs, the page's columns of transfers, and the types of the
//! npm package's columns of ops.

use super::rust::{Member, Struct};
use super::typescript::MADE;
use std::fmt::Write;
use steplens_report::tables::{Column, Facts, InJson, Measure, Table, TransferColumn};

/// The structs that this file of the report writes from a table.
pub(crate) fn structs(path: &str) -> Vec<Struct> {
    match path {
        "tables/ops.rs" => vec![row(Table::Ops, "OpRow", "An op.")],
        "tables/transfers.rs" => {
            let about = "One transfer. Times that nothing recorded are null.";
            vec![row(Table::Transfers, "Transfer", about)]
        }
        "transfers/mod.rs" => vec![clocks()],
        _ => Vec::new(),
    }
}

fn row(table: Table, name: &str, about: &str) -> Struct {
    let fields = all(table).filter(|(_, facts, _)| facts.in_json != InJson::Nothing);
    let fields = fields.map(|(column, facts, about)| member(column.name, about, &type_of(column, facts)));
    of(name, about, fields.collect())
}

fn clocks() -> Struct {
    let about = "Whose clock each figure of a transfer rests on. What rests on both is wrong by what their clocks differ by.";
    let fields = all(Table::Transfers).filter(|(_, facts, _)| facts.clock.is_some());
    of("Clocks", about, fields.map(|(column, ..)| member(column.name, &[], "&str")).collect())
}

fn of(name: &str, about: &str, fields: Vec<Member>) -> Struct {
    Struct { name: name.to_string(), docs: vec![about.to_string()], parameters: Vec::new(), fields }
}

fn member(name: &str, about: &[&str], kind: &str) -> Member {
    Member {
        name: name.to_string(),
        docs: about.iter().map(|line| line.trim().to_string()).collect(),
        kind: syn::parse_str(kind).expect("a type"),
        is_flat: false,
        may_be_absent: false,
    }
}

/// The columns of a table, what else is said of each, and what it means.
fn all(table: Table) -> impl Iterator<Item = (&'static Column, &'static Facts, &'static [&'static str])> {
    let said = table.facts().iter().zip(table.about());
    table.columns().iter().zip(said).map(|(column, (facts, about))| (column, facts, *about))
}

/// As a struct would have it: numbers of rows are 32 bits, sizes are never negative.
fn type_of(column: &Column, facts: &Facts) -> String {
    let value = match (facts.in_json, column.measure) {
        (InJson::Ops, _) => return "Vec<OpRef>".to_string(),
        (InJson::Op, _) => "OpRef",
        _ if column.is_text() => "String",
        (_, Measure::Count) => "u32",
        (_, Measure::Size | Measure::Rate) => "u64",
        (_, Measure::Moment | Measure::Length) => "i64",
    };
    if column.is_optional() { format!("Option<{value}>") } else { value.to_string() }
}

/// By what transfers are sorted.
pub(crate) fn transfer_sorts() -> Vec<String> {
    TransferColumn::all().map(|column| column.name().to_string()).collect()
}

/// The columns that the page's table of transfers has, in its order.
pub(crate) fn page_columns() -> String {
    let mut text = format!(
        "// The columns of the table of transfers, and the messages that are said of them.\n{MADE}\n"
    );
    text.push_str("export const TRANSFER_COLUMNS = [\n");
    for (column, facts, _) in all(Table::Transfers) {
        let Some(title) = facts.heading else { continue };
        let or_null = |text: Option<&str>| text.map_or("null".to_string(), |text| format!("'{text}'"));
        let (about, clock) = (or_null(facts.help), or_null(facts.clock.map(|clock| clock.word())));
        let _ = writeln!(
            text,
            "  {{ key: '{}', measure: '{}', title: '{title}', about: {about}, clock: {clock} }},",
            column.name,
            measure(column)
        );
    }
    text.push_str("] as const;\n");
    text
}

fn measure(column: &Column) -> &'static str {
    match column.measure {
        _ if column.is_text() => "text",
        Measure::Count => "count",
        Measure::Moment => "moment",
        Measure::Length => "length",
        Measure::Size => "size",
        Measure::Rate => "rate",
    }
}

/// `OpColumns` of the npm package.
pub(crate) fn npm_columns() -> String {
    let mut text =
        format!("// Every op as typed arrays: what `ops()` says, for who reads millions of them.\n{MADE}");
    text.push_str(
        "
/**
 * Every op, in the order of `ops()`: a typed array for each of its fields.
 *
 * Times count from the trace's origin, in ns; lengths are ns, sizes bytes. A column of texts holds rows of `texts`.
 */
export interface OpColumns {
  /** How many ops there are. */
  length: number;
  /** Each text once: `columns.texts[columns.name[op]]` is the name of an op. */
  texts: string[];
",
    );
    for (column, _, about) in all(Table::Ops) {
        let about = about.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let (more, kind) = match (column.is_text(), column.measure) {
            (true, _) if column.is_optional() => {
                (" A row of `texts`; 4294967295 if it is not known.", "Uint32Array")
            }
            (true, _) => (" A row of `texts`.", "Uint32Array"),
            (_, Measure::Count) => ("", "Uint32Array"),
            _ if column.is_optional() => (" Else `NaN`.", "Float64Array"),
            _ => ("", "Float64Array"),
        };
        let _ = write!(text, "  /** {about}{more} */\n  {}: {kind};\n", column.name);
    }
    text.push_str(
        "  /** How many figures of all columns are beyond `Number.MAX_SAFE_INTEGER`, and so rounded to the nearest double. */
  rounded: number;
}
",
    );
    text
}
