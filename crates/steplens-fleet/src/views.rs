//! A dataset as views of DuckDB, one for each of its tables.

use crate::dataset::{Fault, Manifest, parts};
use std::path::Path;
use steplens_report::fleet::FleetTable;

/// The statements that make a view for each table that `manifest` has of the dataset in the folder `dataset`. A table without a file has
/// a view without rows.
pub fn views(dataset: &Path, manifest: &Manifest) -> Result<Vec<String>, Fault> {
    let tables = FleetTable::ALL.into_iter().filter(|table| manifest.columns.contains_key(table.name()));
    let is_there = |table: FleetTable, name: &str| {
        // Columns may have been added since it was made.
        name == "run" || manifest.columns[table.name()].iter().any(|column| column.name == name)
    };
    tables
        .map(|table| {
            let has_files = !parts(dataset, table)?.is_empty();
            Ok(view(table, dataset, has_files, &|name| is_there(table, name)))
        })
        .collect()
}

fn view(table: FleetTable, dataset: &Path, has_files: bool, is_there: &dyn Fn(&str) -> bool) -> String {
    let (name, columns) = (table.name(), table.columns());
    let columns =
        [("run", true)].into_iter().chain(columns.iter().map(|column| (column.name, column.is_text())));
    let nothing = |name: &str, is_text: bool| {
        format!("CAST(NULL AS {}) AS {}", if is_text { "VARCHAR" } else { "BIGINT" }, quoted(name))
    };
    let rows = if has_files {
        // By name: `SELECT *` would also have what the path above the dataset says as `NAME=VALUE`.
        let names: Vec<String> = columns
            .map(|(name, is_text)| if is_there(name) { quoted(name) } else { nothing(name, is_text) })
            .collect();
        // Parts that were made before a column was added have none of it.
        format!(
            "SELECT {} FROM read_parquet({}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)",
            names.join(", "),
            literal(&format!("{}/{name}/run=*/*.parquet", pattern(&dataset.to_string_lossy())))
        )
    } else {
        let nothing: Vec<String> = columns.map(|(name, is_text)| nothing(name, is_text)).collect();
        format!("SELECT {} WHERE false", nothing.join(", "))
    };
    format!("CREATE OR REPLACE TEMP VIEW {} AS {rows}", quoted(name))
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
        let view = view(FleetTable::Links, Path::new("fleet"), false, &|_| true);
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
        let view = view(FleetTable::Ops, Path::new("fleet"), true, &|name| name != "duration_ns");
        assert!(view.contains(r#""end_ns", CAST(NULL AS BIGINT) AS "duration_ns", "self_ns""#), "{view}");
    }
}
