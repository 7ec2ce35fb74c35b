//! DuckDB, which answers: the one in this program if it was made with one (feature `duckdb`), else one elsewhere on this machine. Its
//! database is in memory, and it installs and loads no extension, so that it reaches no network.

#[cfg(not(feature = "duckdb-linked"))]
mod elsewhere;
#[cfg(feature = "duckdb-linked")]
mod within;

#[cfg(not(feature = "duckdb-linked"))]
use elsewhere as engine;
pub(super) use engine::{Answer, ask};
#[cfg(feature = "duckdb-linked")]
use within as engine;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use steplens_host::failure::Failure;
use steplens_messages::say;

/// What is run before everything else.
const ALONE: [&str; 2] =
    ["SET autoinstall_known_extensions = false", "SET autoload_known_extensions = false"];

/// What DuckDB is to do.
pub(super) struct Script {
    /// Statements without an answer.
    pub(super) set_up: Vec<String>,
    /// The statement that is answered.
    pub(super) query: String,
}

fn failed(why: impl fmt::Display) -> Failure {
    Failure::Unusable("duckdb-failed", say!("ask-failed", why = why.to_string()))
}

/// The values of a row in order, of an array or of an object, which may have a name twice.
struct Row(Vec<Value>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Values;
        impl<'de> Visitor<'de> for Values {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Row, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = row.next_element()? {
                    values.push(value);
                }
                Ok(Row(values))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> Result<Row, A::Error> {
                let mut values = Vec::new();
                while let Some((_, value)) = row.next_entry::<String, Value>()? {
                    values.push(value);
                }
                Ok(Row(values))
            }
        }
        from.deserialize_any(Values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_keeps_its_order_and_names_that_are_there_twice() {
        let Row(row) = serde_json::from_str(r#"{"b":1,"a":"x","b":null}"#).unwrap();
        assert_eq!(row, [json!(1), json!("x"), Value::Null]);
        let Row(row) = serde_json::from_str("[9223372036854775807,[2]]").unwrap();
        assert_eq!(row, [json!(i64::MAX), json!([2])]);
    }
}
