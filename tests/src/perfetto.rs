//! Perfetto's packets as prost makes them from proto/: what an export is parsed with.

#![expect(missing_docs, reason = "generated: the schema in proto/ says what the fields are")]

include!(concat!(env!("OUT_DIR"), "/perfetto.protos.rs"));
