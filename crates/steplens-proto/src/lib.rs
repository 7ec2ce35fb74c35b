//! The messages of the schemas in `proto/`, as types that prost makes of them, and the numbers of those fields that a reader needs.
//!
//! All of it is generated and committed, so that nobody needs `protoc` and no build runs a generator. `tests/build.rs` makes it,
//! `tests/tests/schema.rs` tests that it is current and writes it again. Which messages are read and written with these types, and
//! which by a cursor: `docs/decisions/own-cursor.md`.
//!
//! What must never be here: anything written by hand.

#![forbid(unsafe_code)]

pub mod fields;

/// Chakra's execution traces.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod chakra {
    include!("made/chakra_proto_msg.rs");
}

/// Profiles of Paddle.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod paddle {
    include!("made/paddle.platform.proto.rs");
}

/// Perfetto's packets.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod perfetto {
    include!("made/perfetto.protos.rs");
}

/// Traces of TensorFlow 2.0 and 2.1.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod profiler {
    include!("made/tensorflow.profiler.rs");
}

/// Steplens's own sessions.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod sessions {
    include!("made/steplens.rs");
}

/// TensorFlow's RunMetadata and events.
#[expect(missing_docs, reason = "the schemas in `proto/` say what the fields are")]
pub mod tensorflow {
    include!("made/tensorflow.rs");
}
