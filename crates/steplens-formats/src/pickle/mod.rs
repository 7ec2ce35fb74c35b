//! Python's pickles, protocols 0 to 5, read as data: RunMetadata alone or in lists and dicts, and the sessions of
//! tensorflow-tracer.
//!
//! A pickle is a program for a small stack machine that may call anything in Python. This machine has the same stack but calls
//! nothing: a class is only its name, and an object is only the data it would have been made from.
//!
//! | module | does |
//! |---|---|
//! | [`opcode`] | the opcodes, and the layout of the bytes after each |
//! | [`first_bytes`] | whether a file is a pickle |
//! | [`reader`] | bytes to opcodes, resumable at any byte |
//! | [`data`] | texts and bytes as they come: kept, or passed on as a RunMetadata |
//! | [`decode`] | the escapes of the older protocols |
//! | [`machine`] | the effect of each opcode |
//! | [`unwind`] | the probable result of a pickle that was cut |
//! | [`heap`], [`pages`] | the values, in memory that is bounded by the bytes read |
//! | [`runs`] | the RunMetadata found, each as a part |
//! | [`describe`], [`session`], [`time`] | what is known about each of them |
//!
//! Steplens has its own reader because the crates for pickles build one tree of the whole file, and none passes a long byte string
//! on while it is read. Here a RunMetadata of gigabytes is read in slices, and is never completely in memory. The format is that of
//! `Lib/pickletools.py` of CPython.

mod data;
mod decode;
mod describe;
mod first_bytes;
mod heap;
mod machine;
mod opcode;
mod pages;
mod parts_to_describe;
mod reader;
mod runs;
mod session;
mod time;
mod unwind;

use crate::reader::Format;
use reader::PickleReader;

/// Python's pickles.
pub(crate) const FORMAT: Format = Format {
    name: "pickle",
    recognises: |first| first_bytes::is_pickle(first.bytes),
    reader: |room| Box::new(PickleReader::new(room.memory_bytes)),
};
