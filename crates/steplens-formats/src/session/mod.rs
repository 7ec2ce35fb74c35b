//! The Steplens session: an opened trace in a few bytes, to share it and to open it again.
//!
//! What gzip leaves of it is about a quarter of what it leaves of the RunMetadata: 87 of 312 KB for `ps4w.pb`.
//!
//! Everything of a [`Trace`](steplens_core::Trace) is in it, with the reports of the files it was read from. [`write()`] is a function of the trace alone, and what it wrote reads back
//! as the same trace: node ids, the order of ops and every answer are the same.
//!
//! # Layout
//!
//! The magic `STEPLENS`, a version byte (2), then sections until the end. A section is a tag of four letters, the
//! length of its body, and the body: the number of rows, then columns, each with its length before it. Readers skip
//! tags they do not know and columns past those they know. Numbers are varints, seven bits a byte, lowest first; `s`
//! marks zigzag, `d` the zigzag difference from the row before. `ref` is a row of `strs`, `flag` is 0 or 1.
//!
//! | tag | a row for each | columns |
//! |---|---|---|
//! | `head` | file, 1 | first start in ns from 1970 `s`, unit of `recs` in ns |
//! | `strs` | string, in order of bytes | bytes shared with the one before, length of the rest, rests |
//! | `devs` | device | name ref, number of its ops, flags (1 its ops nest, 2 accelerator; not in version 1) |
//! | `thrd` | named thread | device, thread, name ref |
//! | `grph` | graph node | name ref `d`, op type ref, device ref, number of inputs, rendezvous flag; inputs: twice the zigzag distance of their ref from the name's, plus 1 for `^`; rendezvous: tensor ref `d`, source ref, destination ref |
//! | `attr` | graph node that says more; missing where none does | its row `d`; flags (1 type, 2 collective); type; group `s`; instance `s`; name ref |
//! | `node` | node, by id | name ref `d`; label: twice a ref, plus 1 if that is the label itself and no pattern; word codes; word refs |
//! | `catg` | node, by id; not in version 1 | category, ref of the reason |
//! | `opnd` | distinct output | slot `s`, dtype, allocator ref, requested, allocated, rank + 1 or 0 if unknown; sizes `s` |
//! | `alls` | distinct allocator report | allocator ref, total, peak, live |
//! | `oper` | op, by id | node `d`; start since the op before on its device; length; flags (1 queued, 2 kernel); queued `s`; kernel start `s`; length minus kernel end `s`; thread; number of outputs; number of allocator reports |
//! | `call` | kernel that is joined with its call; missing where none is | op `d`, op of the call |
//! | `outs` | output, by op | row of `opnd`, allocation id `s` |
//! | `repl` | output whose name a later one of its part has; missing where none is known | its row in `outs` `d` |
//! | `mems` | allocator report, by op | row of `alls`, number of records |
//! | `recs` | allocation or free, by report | time in units `s` since the record before, the first since the op's start; bytes of the report held after it `s` |
//! | `muse` | allocator report, by op; missing where nothing was recorded | what the allocator had in use, plus 1; 0 if not recorded |
//! | `file` | file | name ref, format ref, bytes, ops, number of problems; problems: code ref, count, offset, detail ref |
//! | `part` | part, in order; missing where there is one of which nothing is said | file, name ref, flags (1 step, 2 recorded, 4 run), step `s`, recorded in ns from 1970 `s`, number of nodes in its graphs, number of facts; facts: ref of what, ref of the value |
//! | `optp` | op, by id; missing where there is one part | part `d` |
//! | `fill` | | zeros; see below |
//!
//! A label is a pattern with its words put in for each NUL. A word's code says which of the node's name and, if a
//! graph has a node of that name, its op type and inputs it is: 1 for the next, and more by zigzag distance from that; 0
//! for a word ref.
//!
//! # Hostile files
//!
//! References make text out of little: a file may look up 64 bytes of text for each of its own. A trace that needs more
//! (thousand-letter names that every op uses) is filled up to it, with zeros that any packing removes. All counts are
//! checked against the bytes that are there, and a file is checked to its end before anything of it is taken.

mod attributes;
mod codec;
mod label;
mod parts;
mod read;
mod read_ops;
mod strings;
mod write;

pub(crate) use read::read;
pub use read::strings;
pub use write::{paced, write};

/// How a session starts; a version byte follows.
pub const MAGIC: &[u8; 8] = b"STEPLENS";
/// The version that is written; those before are read, too. The second added categories and what formats say of devices.
const VERSION: u8 = 2;
/// What formats say of a device.
const NESTS: u64 = 1;
const IS_ACCELERATOR: u64 = 2;
/// How many bytes of text a file may look up for each of its own.
const GROWTH: u64 = 64;

/// A session that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    /// Where, in the unpacked file.
    pub(crate) at: u64,
    /// What stood there.
    pub(crate) got: &'static str,
}
