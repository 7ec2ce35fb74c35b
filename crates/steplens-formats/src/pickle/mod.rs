//! Python's pickles, protocols 0 to 5, read as data: RunMetadata by itself or in lists and dicts, and the sessions of
//! tensorflow-tracer.
//!
//! A pickle is a program for a small stack machine that may call anything in Python. This machine has the same stack
//! and calls nothing: a class is its name, and an object is what it would have been made from.
//!
//! | module | does |
//! |---|---|
//! | [`opcode`] | the opcodes, and how the bytes after each are laid out |
//! | [`reader`] | bytes to opcodes, resumable at any byte |
//! | [`data`] | texts and bytes as they arrive: kept, or handed on as a RunMetadata |
//! | [`decode`] | the escapes of the older protocols |
//! | [`machine`] | what each opcode does |
//! | [`unwind`] | what a pickle that breaks off would have become |
//! | [`heap`], [`pages`] | the values, in memory that is bounded by the bytes read |
//! | [`runs`] | the RunMetadata found, each a part |
//! | [`describe`], [`session`], [`time`] | what is said about each of them |
//!
//! It is our own because the crates for pickles build one tree of the whole file, and none hands on a long byte string
//! while it is read: a RunMetadata of gigabytes goes through here in slices, and never lies in memory.
//! The format is that of `Lib/pickletools.py` of CPython.

mod data;
mod decode;
mod describe;
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

pub(crate) use reader::PickleReader;
