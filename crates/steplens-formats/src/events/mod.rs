//! TensorBoard event files (`events.out.tfevents.*`): every RunMetadata in them, with its tag and step.
//!
//! | module | reads |
//! |---|---|
//! | [`records`] | the TFRecord framing: lengths, checksums, and where to go on after damage |
//! | [`event`] | one `Event`: its step and time, and the RunMetadata inside |
//! | [`reader`] | the file: what of its records is kept, and what is said about the others |
//! | [`crc32c`] | the checksum |
//! | [`seen`] | what else a file holds, for the sentence about one without RunMetadata |
//!
//! A RunMetadata goes to its reader as it arrives; no record is ever whole in memory. Its checksum comes after it: what a
//! damaged record brought is taken back. Field numbers are those of TensorFlow's event.proto, summary.proto and tensor.proto.

mod crc32c;
mod event;
mod reader;
mod records;
mod seen;

pub(crate) use reader::EventFileReader;
