//! Tensors as `timeline.py` writes them: one event has the description, before all ops, and the op that made the tensor comes
//! later.

use super::number::integer;
use steplens_core::StringId;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::output::{OutputRecord, dtype_of_name};
use steplens_core::storage::strings::StringTable;

/// How many tensors are skipped to find those of an op, because the ops of a few may be damaged. Bounds the cost of hostile files.
const MAX_LOOK: usize = 16;

/// What identifies the op that made a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Maker {
    /// The device's name.
    pub(super) device: StringId,
    pub(super) start_unix_ns: i64,
}

/// One tensor; its texts are in the document's table.
struct Tensor {
    maker: Maker,
    name: StringId,
    allocator: StringId,
    /// Its dimensions; `None` for an unknown rank.
    dims: Option<(usize, usize)>,
    dtype: u32,
    requested_bytes: i64,
    allocated_bytes: i64,
    allocation_id: i64,
}

/// The tensors of a document, in the order of their ops, until these are read.
#[derive(Default)]
pub(super) struct Tensors {
    /// The newest tensor that was created: its description comes next.
    created: Option<(Maker, StringId)>,
    rows: Vec<Tensor>,
    dims: Vec<i64>,
    next: usize,
    joined: u64,
}

impl Tensors {
    /// Takes the creation of a tensor.
    pub(super) fn create(&mut self, maker: Maker, name: StringId) {
        self.created = Some((maker, name));
    }

    /// Takes the description of the newest tensor.
    pub(super) fn describe(&mut self, name: StringId, description: &[u8], names: &mut StringTable) {
        let Some((maker, name)) = self.created.take().filter(|&(_, created)| created == name) else { return };
        let first = self.dims.len();
        let (record, unknown_rank) = read(description, &mut self.dims);
        self.rows.push(Tensor {
            maker,
            name,
            allocator: names.intern(record.allocator),
            dims: (!unknown_rank).then_some((first, self.dims.len())),
            dtype: record.dtype,
            requested_bytes: record.requested_bytes,
            allocated_bytes: record.allocated_bytes,
            allocation_id: record.allocation_id,
        });
    }

    /// Passes the tensors of an op on to `builder`, or drops them if the op is not taken.
    pub(super) fn give(
        &mut self,
        maker: Maker,
        op: &[u8],
        names: &StringTable,
        mut builder: Option<&mut TraceBuilder>,
    ) {
        let is_output = |row: &Tensor, slot: i32| {
            row.maker == maker && is_output(names.get(row.name).as_bytes(), op, slot)
        };
        let ahead = self.rows[self.next..].iter().take(MAX_LOOK);
        let Some(place) = ahead.into_iter().position(|row| is_output(row, 0)) else { return };
        self.next += place;
        let mut slot = 0;
        while let Some(row) = self.rows.get(self.next).filter(|row| is_output(row, slot)) {
            if let Some(builder) = &mut builder {
                builder.output(&OutputRecord {
                    slot,
                    dtype: row.dtype,
                    shape: row.dims.map(|(first, end)| &self.dims[first..end]),
                    allocator: names.get(row.allocator).as_bytes(),
                    requested_bytes: row.requested_bytes,
                    allocated_bytes: row.allocated_bytes,
                    allocation_id: row.allocation_id,
                });
            }
            self.joined += 1;
            self.next += 1;
            slot += 1;
        }
    }

    /// The number of tensors.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many of them were not joined with an op so far.
    pub(super) fn unjoined(&self) -> u64 {
        self.rows.len() as u64 - self.joined
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Tensor>() + self.dims.capacity() * 8
    }
}

/// Whether a tensor called `name` is output `slot` of `op`: the first output has the name of the op, the second is `op:1`.
fn is_output(name: &[u8], op: &[u8], slot: i32) -> bool {
    match name.strip_prefix(op) {
        Some([]) => slot == 0,
        Some([b':', number @ ..]) => slot > 0 && integer(number) == Some(i64::from(slot)),
        _ => false,
    }
}

/// Reads the text of a `TensorDescription`, from which `timeline.py` removes the quotes. The dimensions are added to `dims`; also
/// returns whether the rank is unknown.
fn read<'a>(description: &'a [u8], dims: &mut Vec<i64>) -> (OutputRecord<'a>, bool) {
    let first_dim = dims.len();
    let mut record = OutputRecord::default();
    let mut unknown_rank = false;
    for line in description.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if line == b"dim {" {
            dims.push(0);
            continue;
        }
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { continue };
        let value = line[colon + 1..].trim_ascii_start();
        let number = || integer(value).unwrap_or(0);
        match &line[..colon] {
            b"dtype" => record.dtype = std::str::from_utf8(value).map_or(0, dtype_of_name),
            b"size" => dims[first_dim..].last_mut().into_iter().for_each(|last| *last = number()),
            b"unknown_rank" => unknown_rank = value == b"true",
            b"requested_bytes" => record.requested_bytes = number(),
            b"allocated_bytes" => record.allocated_bytes = number(),
            b"allocator_name" => record.allocator = value,
            b"allocation_id" => record.allocation_id = number(),
            _ => {}
        }
    }
    (record, unknown_rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_as_timeline_py_writes_it() {
        let text = b"dtype: DT_FLOAT_REF\nshape {\n  dim {\n    size: 512\n  }\n  dim {\n  }\n  dim {\n    size: -1\n  }\n}\n\
            allocation_description {\n  requested_bytes: 8\n  allocated_bytes: 256\n  allocator_name: mklcpu\n  \
            allocation_id: 7\n  has_single_reference: true\n  ptr: 94279821954816\n}\n";
        let mut dims = vec![9];
        let (record, unknown_rank) = read(text, &mut dims);
        assert_eq!((record.dtype, dims, unknown_rank), (101, vec![9, 512, 0, -1], false));
        assert_eq!((record.requested_bytes, record.allocated_bytes, record.allocation_id), (8, 256, 7));
        assert_eq!(record.allocator, b"mklcpu");
        assert!(read(b"shape {\n  unknown_rank: true\n}\n", &mut Vec::new()).1);
    }
}
