//! TensorBoard event files (`events.out.tfevents.*`): every RunMetadata in them, with its tag and step.
//!
//! | module | reads |
//! |---|---|
//! | [`records`] | the TFRecord framing: lengths, checksums, and where to continue after damage |
//! | [`event`] | one `Event`: its step and time, and the RunMetadata inside |
//! | [`reader`] | the file: which records are kept, and what is reported about the others |
//! | [`crc32c`] | the checksum |
//! | [`seen`] | the other content of a file, for the error about one without RunMetadata |
//!
//! A RunMetadata is passed to its reader as it comes; no record is ever completely in memory. The checksum comes after it, so the
//! ops of a damaged record are removed again. Field numbers are those of TensorFlow's event.proto, summary.proto and tensor.proto.

mod crc32c;
mod event;
mod reader;
mod records;
mod seen;

pub(crate) use reader::EventFileReader;
