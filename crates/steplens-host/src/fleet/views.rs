//! A dataset as views of DuckDB, one for each of its tables.

use super::damage::{CODE, DamagedPart};
use super::dataset::{Fault, Manifest, part_file, parts};
use std::path::Path;
use steplens_report::fleet::{FleetTable, State};

/// The statements that make a view for each table that `manifest` has of the dataset in the folder `dataset`. A table without a file has
/// a view without rows. Nothing of `damaged` parts counts; each is a row of the sources.
pub fn views(dataset: &Path, manifest: &Manifest, damaged: &[DamagedPart]) -> Result<Vec<String>, Fault> {
    let tables = FleetTable::ALL.into_iter().filter(|table| manifest.columns.contains_key(table.name()));
    let is_there = |table: FleetTable, name: &str| {
        // Columns may have been added since it was made.
        name == "run" || manifest.columns[table.name()].iter().any(|column| column.name == name)
    };
    tables
        .map(|table| {
            let is_damaged = |run: &str, part| damaged.iter().any(|own| own.run == run && own.part == part);
            let mut files = parts(dataset, table)?;
            let all = files.len();
            files.retain(|(run, part)| !is_damaged(run, *part));
            let place = if files.is_empty() {
                None
            } else if files.len() == all {
                let name = table.name();
                Some(literal(&format!("{}/{name}/run=*/*.parquet", pattern(&dataset.to_string_lossy()))))
            } else {
                let path = |(run, part): &(String, u32)| {
                    literal(&pattern(&part_file(dataset, table, run, *part).to_string_lossy()))
                };
                Some(format!("[{}]", files.iter().map(path).collect::<Vec<_>>().join(", ")))
            };
            let faults = if table == FleetTable::Sources { damaged } else { &[] };
            Ok(view(table, place.as_deref(), faults, &|name| is_there(table, name)))
        })
        .collect()
}

/// The view of `table`, whose files are at `place`, as SQL has it.
fn view(
    table: FleetTable,
    place: Option<&str>,
    damaged: &[DamagedPart],
    is_there: &dyn Fn(&str) -> bool,
) -> String {
    let (name, columns) = (table.name(), table.columns());
    let columns =
        [("run", true)].into_iter().chain(columns.iter().map(|column| (column.name, column.is_text())));
    let nothing = |name: &str, is_text: bool| format!("CAST(NULL AS {}) AS {}", kind(is_text), quoted(name));
    let mut rows = if let Some(place) = place {
        // By name: `SELECT *` would also have what the path above the dataset says as `NAME=VALUE`.
        let names: Vec<String> = columns
            .clone()
            .map(|(name, is_text)| if is_there(name) { quoted(name) } else { nothing(name, is_text) })
            .collect();
        // Parts that were made before a column was added have none of it.
        format!(
            "SELECT {} FROM read_parquet({}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)",
            names.join(", "),
            place
        )
    } else {
        let nothing: Vec<String> = columns.clone().map(|(name, is_text)| nothing(name, is_text)).collect();
        format!("SELECT {} WHERE false", nothing.join(", "))
    };
    for own in damaged {
        let values = columns.clone().map(|(name, is_text)| match name {
            "run" => literal(&own.run),
            "file" => literal(&own.file),
            "state" => literal(State::Unreadable.word()),
            "code" => literal(CODE),
            "what" => literal(&own.what),
            "problems" => "1".to_owned(),
            _ => format!("CAST({} AS {})", if is_text { "''" } else { "0" }, kind(is_text)),
        });
        rows += &format!(" UNION ALL SELECT {}", values.collect::<Vec<_>>().join(", "));
    }
    format!("CREATE OR REPLACE TEMP VIEW {} AS {rows}", quoted(name))
}

/// The type of a column.
fn kind(is_text: bool) -> &'static str {
    if is_text { "VARCHAR" } else { "BIGINT" }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// `text` as DuckDB reads it.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A path in which nothing stands for other names.
fn pattern(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '*' | '?' | '[' => text.extend(['[', c, ']']),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_stand_for_themselves() {
        assert_eq!(literal(&pattern("/a [1]/it's?*")), "'/a [[]1]/it''s[?][*]'");
    }

    #[test]
    fn a_table_without_files_has_its_columns() {
        let view = view(FleetTable::Links, None, &[], &|_| true);
        assert!(
            view.starts_with(
                "CREATE OR REPLACE TEMP VIEW \"links\" AS SELECT CAST(NULL AS VARCHAR) AS \"run\""
            )
        );
        assert!(view.contains("CAST(NULL AS BIGINT) AS \"busy_ns\""), "{view}");
        assert!(view.ends_with(" WHERE false"), "{view}");
    }

    #[test]
    fn a_column_that_was_added_since_is_not_known() {
        let view = view(FleetTable::Ops, Some("'fleet'"), &[], &|name| name != "duration_ns");
        assert!(view.contains(r#""end_ns", CAST(NULL AS BIGINT) AS "duration_ns", "self_ns""#), "{view}");
    }
}
