//! The DuckDB in this program.
//!
//! Each row comes as an array of JSON, as DuckDB writes it, so that answers are those of a DuckDB elsewhere.

use super::{ALONE, Row, Script, failed};
use crate::render::visible;
use duckdb::{Connection, Error};
use serde_json::Value;
use steplens_host::failure::Failure;

/// Types whose values may be infinite or no number, which JSON has not.
const FLOATS: [&str; 2] = ["DOUBLE", "FLOAT"];

/// An answer that is being read.
pub(in super::super) struct Answer {
    connection: Connection,
    query: String,
    columns: Vec<String>,
}

/// Asks it. `Err` if a statement fails; the query itself may still fail in [`Answer::each`].
pub(in super::super) fn ask(script: &Script) -> Result<Answer, Failure> {
    let connection = Connection::open_in_memory().map_err(refused)?;
    for statement in ALONE.into_iter().chain(script.set_up.iter().map(String::as_str)) {
        connection.execute_batch(statement).map_err(refused)?;
    }
    let described = described(&connection, &script.query).map_err(refused)?;
    let names: Vec<String> = (0..described.len()).map(|place| format!("c{place}")).collect();
    let value = |(name, (_, kind)): (&String, &(String, String))| match FLOATS.contains(&kind.as_str()) {
        true => format!(
            "CASE WHEN isfinite({name}) THEN to_json({name}) ELSE to_json(CAST({name} AS VARCHAR)) END"
        ),
        false => name.clone(),
    };
    let values: Vec<String> = names.iter().zip(&described).map(value).collect();
    let query = format!(
        "SELECT CAST(json_array({}) AS VARCHAR) FROM (\n{}\n) AS answer ({})",
        values.join(", "),
        script.query,
        names.join(", ")
    );
    Ok(Answer { connection, query, columns: described.into_iter().map(|(name, _)| name).collect() })
}

/// The name and type of each column of `query`.
fn described(connection: &Connection, query: &str) -> Result<Vec<(String, String)>, Error> {
    let mut statement =
        connection.prepare(&format!("SELECT column_name, column_type FROM (DESCRIBE\n{query}\n)"))?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn refused(why: Error) -> Failure {
    // It quotes names of the dataset.
    let lines = why.to_string();
    failed(lines.lines().map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\n"))
}

impl Answer {
    /// The names of its columns.
    pub(in super::super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Gives each row to `take`, with a value for each column.
    pub(in super::super) fn each(
        self,
        mut take: impl FnMut(&[Value]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut statement = self.connection.prepare(&self.query).map_err(refused)?;
        let mut rows = statement.query([]).map_err(refused)?;
        while let Some(row) = rows.next().map_err(refused)? {
            let text: String = row.get(0).map_err(refused)?;
            let Row(row) = serde_json::from_str(&text).map_err(failed)?;
            take(&row)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_those_of_json_in_their_order() {
        let query = "SELECT 1 AS a, 'x' AS a, 0.5 AS answer, CAST(NULL AS BIGINT) AS nothing, CAST('inf' AS DOUBLE) AS most -- with a comment";
        let answer =
            ask(&Script { set_up: vec!["CREATE TEMP VIEW asked AS SELECT 1".into()], query: query.into() })
                .ok()
                .unwrap();
        assert_eq!(answer.columns(), ["a", "a", "answer", "nothing", "most"]);
        let mut rows = Vec::new();
        answer
            .each(|row| {
                rows.push(row.to_vec());
                Ok(())
            })
            .ok()
            .unwrap();
        assert_eq!(rows, [[json!(1), json!("x"), json!(0.5), Value::Null, json!("inf")]]);
    }

    #[test]
    fn what_is_no_query_says_why() {
        let asked = ask(&Script { set_up: Vec::new(), query: "SELECT nothing FROM nowhere".into() });
        let Err(Failure::Unusable("duckdb-failed", why)) = asked else { panic!("no failure") };
        assert!(why.contains("nowhere"), "{why}");
    }
}
