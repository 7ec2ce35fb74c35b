//! Steplens's session as prost makes it from proto/.

#![expect(missing_docs, reason = "generated: the schema in proto/ says what the fields are")]

include!(concat!(env!("OUT_DIR"), "/steplens.rs"));
