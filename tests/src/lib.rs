//! What the tests that span crates share: fixtures, scenarios, a generator of large files, and second opinions.
//!
//! | module | has |
//! |---|---|
//! | [`fixtures`] | the recorded files |
//! | [`recordings`] | all of both, each once |
//! | [`repository`] | the files that people write, for tests of them |
//! | [`places`] | where the repository, our programs and a folder for files are |
//! | [`samples`] | recordings next to the repository: a test without them says so |
//! | [`writer`] | scenarios: small RunMetadata written as a test reads |
//! | [`pickles`] | pickles by many Pythons, and what is in them |
//! | [`chakra`] | Chakra's nodes, decoded by prost |
//! | [`exports`] | exports in memory, and parsers of what they wrote |
//! | [`cluster`] | steps of parameter servers and workers, as their clocks would have recorded them |
//! | [`steps`] | random small steps, and windows |
//! | [`scale`] | large files: one step repeated |
//! | [`perfetto`] | Perfetto's packets, decoded by prost |
//! | [`proto`] | TensorFlow's types, decoded by prost: the second reader |
//! | [`wire`] | the wire format in a few lines, to look into files by hand |
//! | [`event_file`] | TensorBoard event files, written and looked into |
//! | [`everything`] | all that is ever said about a trace, as text |
//! | [`laws`] | what must hold of any bytes that are opened |
//! | [`tensorflow`] | made recordings of TensorFlow, and what is found in them |
//! | [`slow_order`] | the order of transfers, calculated the plain way |
//! | [`meter`] | an allocator that counts |

pub mod cases;
pub mod chakra;
pub mod cluster;
pub mod event_file;
pub mod everything;
pub mod exports;
pub mod fixtures;
pub mod fleet;
pub mod laws;
pub mod least;
pub mod meter;
pub mod opened;
pub mod paddle;
pub mod perfetto;
pub mod pickles;
pub mod places;
pub mod proto;
pub mod random;
pub mod recordings;
pub mod repository;
pub mod samples;
pub mod scale;
pub mod session_proto;
pub mod skew;
pub mod slow_order;
pub mod steps;
pub mod tensorflow;
pub mod wire;
pub mod writer;
