//! Blocks that are packed alone, as zlib streams.

use crate::overview::error::{Unreadable, damaged};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// A byte of a zlib stream becomes 1,032 at most.
const MOST_RATIO: usize = 1032;

/// Where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// From the begin of the blocks.
    pub(crate) at: usize,
    /// Its length in the file.
    pub(crate) packed: usize,
    /// Its length.
    pub(crate) bytes: usize,
}

/// The blocks of a file that is written.
#[derive(Debug, Default)]
pub(crate) struct Blocks(Vec<u8>);

impl Blocks {
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Block {
        let packed = packed(bytes);
        let block = Block { at: self.0.len(), packed: packed.len(), bytes: bytes.len() };
        self.0.extend_from_slice(&packed);
        block
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Block {
    /// Its bytes; `blocks` are those of the whole file.
    pub(crate) fn unpacked(&self, blocks: &[u8], part: &'static str) -> Result<Vec<u8>, Unreadable> {
        let end = self.at.checked_add(self.packed);
        let packed = end.and_then(|end| blocks.get(self.at..end)).ok_or_else(|| damaged(part, self.at))?;
        unpacked(packed, self.bytes, part)
    }
}

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Writing to memory succeeds.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Exactly `length` bytes out of `packed`. Memory is taken for what comes out, never for what is only said.
pub(super) fn unpacked(packed: &[u8], length: usize, part: &'static str) -> Result<Vec<u8>, Unreadable> {
    if length > packed.len().saturating_mul(MOST_RATIO) {
        return Err(damaged(part, length));
    }
    let mut bytes = Vec::new();
    let mut decoder = ZlibDecoder::new(packed).take(length as u64 + 1);
    decoder.read_to_end(&mut bytes).map_err(|why| damaged(part, why))?;
    match bytes.len() == length {
        true => Ok(bytes),
        false => Err(damaged(part, format!("{} / {length}", bytes.len()))),
    }
}
