//! TensorBoard event files (`events.out.tfevents.*`): every RunMetadata in them, with its tag and step.
//!
//! | module | reads |
//! |---|---|
//! | [`records`] | the TFRecord framing: lengths, checksums (`crc32c.rs`), and where to continue after damage |
//! | [`event`] | one `Event`: its step and time, and the RunMetadata inside |
//! | [`reader`] | the file: which records are kept, and what is reported about the others |
//! | [`seen`] | the other content of a file, for the error about one without RunMetadata |
//!
//! A RunMetadata is passed to its reader as it comes; no record is ever completely in memory. The checksum comes after it, so the
//! ops of a damaged record are removed again. Field numbers are those of TensorFlow's event.proto, summary.proto and tensor.proto.

mod event;
mod reader;
mod records;
mod seen;

use crate::crc32c::Crc32c;
use crate::first_bytes::FirstBytes;
use crate::reader::Format;
use reader::EventFileReader;

/// Event files of TensorBoard.
pub(crate) const FORMAT: Format = Format {
    name: "event-file",
    recognises: is_tf_record,
    reader: |room| Box::new(EventFileReader::new(room.memory_bytes)),
};

/// TFRecord framing: a u64 length, then the masked CRC-32C of these eight bytes.
fn is_tf_record(first: &FirstBytes<'_>) -> bool {
    let (Some(length), Some(crc)) = (first.bytes.first_chunk::<8>(), first.bytes.get(8..12)) else {
        return false;
    };
    // In case the length is damaged: the first event has its version after its time, in `file_version`.
    if first.bytes.get(21..).is_some_and(|event| event.starts_with(b"\x1a\x0dbrain.Event:")) {
        return true;
    }
    // Bit by bit, because most files are no event files, and need no table of checksums.
    let crc32c = length.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    });
    crc == Crc32c::masked(crc32c).to_le_bytes()
}
