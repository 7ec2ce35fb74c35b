//! The pickles that Python wrote for the tests, and what it says is in them.

use crate::fixtures::bytes_of;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// A pickle.
#[derive(Clone, Debug)]
pub struct Pickle {
    /// What it is of, and how it was written.
    pub name: String,
    /// 0 to 5.
    pub protocol: u64,
    /// All of it.
    pub bytes: Vec<u8>,
    /// The runs in it: name and number of ops.
    pub parts: Vec<(String, u64)>,
}

/// Every pickle in `containers/pickles.json.gz`.
///
/// # Panics
/// If they are not there.
pub fn pickles() -> Vec<Pickle> {
    let listed: Vec<serde_json::Value> =
        serde_json::from_slice(&unpacked("containers/pickles.json.gz")).expect("a list of pickles");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let pickle = |listed: &serde_json::Value| Pickle {
        name: text(&listed["name"]),
        protocol: number(&listed["protocol"]),
        bytes: STANDARD.decode(text(&listed["pickle"])).expect("base64"),
        parts: listed["parts"]
            .as_array()
            .expect("a list of parts")
            .iter()
            .map(|part| (text(&part["name"]), number(&part["ops"])))
            .collect(),
    };
    listed.iter().map(pickle).collect()
}

/// The pickle called `name`, in `protocol`.
///
/// # Panics
/// If there is none.
pub fn pickle(name: &str, protocol: u64) -> Pickle {
    let found = pickles().into_iter().find(|pickle| pickle.name == name && pickle.protocol == protocol);
    found.unwrap_or_else(|| panic!("no pickle {name} of protocol {protocol}"))
}

/// A session of tensorflow-tracer.
pub fn session() -> Vec<u8> {
    unpacked("containers/tracing-session.pickle.gz")
}

fn unpacked(file_name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(bytes_of(file_name).as_slice()).read_to_end(&mut bytes).expect("a gzip file");
    bytes
}
