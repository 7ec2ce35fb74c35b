//! Chakra's nodes as prost makes them from proto/: what an export is parsed with.

#![expect(missing_docs, reason = "generated: the schema in proto/ says what the fields are")]

include!(concat!(env!("OUT_DIR"), "/chakra_proto_msg.rs"));
