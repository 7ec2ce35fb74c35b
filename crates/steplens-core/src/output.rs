//! Output tensors: dtype, shape and bytes of what ops produced.

use crate::column::Column;
use crate::strings::StringTable;
use crate::units::Bytes;
use crate::{OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// One output as a reader met it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputRecord<'a> {
    /// Which output of the op.
    pub slot: i32,
    /// `DataType` of types.proto.
    pub dtype: u32,
    /// The sizes of the dimensions; `None` for an unknown rank.
    pub shape: Option<&'a [i64]>,
    /// The allocator's name as it stands in the file.
    pub allocator: &'a [u8],
    /// What the op asked for.
    pub requested_bytes: i64,
    /// What it got.
    pub allocated_bytes: i64,
    /// The allocator's number for the buffer; 0 if there is none.
    pub allocation_id: i64,
}

/// What many outputs share: slot, dtype, shape and allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spec {
    slot: i32,
    dtype: u32,
    allocator: StringId,
    /// Dimensions `first_dim .. first_dim + rank`; a negative rank is unknown.
    first_dim: u32,
    rank: i32,
}

/// The outputs of all ops, by op.
#[derive(Default)]
pub struct OutputTable {
    /// Outputs of op `i`: rows `first[i] .. first[i + 1]`.
    first: Vec<u32>,
    spec: Vec<u32>,
    requested: Column,
    allocated: Column,
    allocation_id: Column,
    specs: Vec<Spec>,
    dims: Vec<i64>,
    spec_ids: HashTable<u32>,
    hasher: FixedState,
}

/// One output of an op.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// Which output of the op.
    pub slot: i32,
    /// `DataType` of types.proto; see [`dtype_name`].
    pub dtype: u32,
    /// Sizes of the dimensions (-1 unknown); `None` for an unknown rank.
    pub shape: Option<&'a [i64]>,
    /// The allocator's name.
    pub allocator: StringId,
    /// What the op asked for.
    pub requested: Bytes,
    /// What it got.
    pub allocated: Bytes,
    /// The allocator's number for the buffer; 0 if there is none.
    pub allocation_id: i64,
}

impl OutputTable {
    /// The rows that follow belong to the next op.
    pub(crate) fn next_op(&mut self) {
        self.first.push(self.spec.len() as u32);
    }

    /// Adds an output to the op in progress.
    pub(crate) fn push(&mut self, strings: &mut StringTable, record: &OutputRecord<'_>) {
        let spec = self.intern(strings, record);
        self.spec.push(spec);
        self.requested.push(record.requested_bytes.max(0));
        self.allocated.push(record.allocated_bytes.max(0));
        self.allocation_id.push(record.allocation_id);
    }

    /// The table for ops in the order of `rows`.
    pub(crate) fn permuted(mut self, rows: &[u32]) -> Self {
        self.next_op();
        let (first, order) = permute_ranges(&self.first, rows);
        self.spec = order.iter().map(|&row| self.spec[row as usize]).collect();
        self.requested = self.requested.permuted(&order);
        self.allocated = self.allocated.permuted(&order);
        self.allocation_id = self.allocation_id.permuted(&order);
        self.first = first;
        self
    }

    /// The outputs of `op`, in the file's order.
    pub fn of(&self, op: OpId) -> impl Iterator<Item = Output<'_>> {
        range(&self.first, op.index()).map(|row| self.row(row))
    }

    /// The sum of what the outputs of `op` asked for.
    pub fn requested_bytes(&self, op: OpId) -> Bytes {
        range(&self.first, op.index()).map(|row| Bytes(self.requested.get(row) as u64)).sum()
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        (self.first.capacity() + self.spec.capacity()) * 4
            + [&self.requested, &self.allocated, &self.allocation_id]
                .iter()
                .map(|c| c.heap_bytes())
                .sum::<usize>()
            + self.specs.capacity() * size_of::<Spec>()
            + self.dims.capacity() * 8
            + self.spec_ids.capacity() * 5
    }

    fn row(&self, row: usize) -> Output<'_> {
        let spec = self.specs[self.spec[row] as usize];
        Output {
            slot: spec.slot,
            dtype: spec.dtype,
            shape: self.shape(spec),
            allocator: spec.allocator,
            requested: Bytes(self.requested.get(row) as u64),
            allocated: Bytes(self.allocated.get(row) as u64),
            allocation_id: self.allocation_id.get(row),
        }
    }

    fn shape(&self, spec: Spec) -> Option<&[i64]> {
        let rank = usize::try_from(spec.rank).ok()?;
        self.dims.get(spec.first_dim as usize..spec.first_dim as usize + rank)
    }

    fn intern(&mut self, strings: &mut StringTable, record: &OutputRecord<'_>) -> u32 {
        let allocator = strings.intern(record.allocator);
        let hash = |slot: i32, dtype: u32, allocator: StringId, shape: Option<&[i64]>| {
            let mut state = self.hasher.build_hasher();
            state.write_u64(u64::from(slot as u32) << 32 | u64::from(dtype));
            state.write_u32(allocator.get());
            state.write_usize(shape.map_or(usize::MAX, <[i64]>::len));
            shape.unwrap_or_default().iter().for_each(|&dim| state.write_i64(dim));
            state.finish()
        };
        let found = self.spec_ids.find(hash(record.slot, record.dtype, allocator, record.shape), |&id| {
            let spec = self.specs[id as usize];
            (spec.slot, spec.dtype, spec.allocator) == (record.slot, record.dtype, allocator)
                && self.shape(spec) == record.shape
        });
        if let Some(&id) = found {
            return id;
        }
        let id = self.specs.len() as u32;
        let spec = Spec {
            slot: record.slot,
            dtype: record.dtype,
            allocator,
            first_dim: self.dims.len() as u32,
            rank: record.shape.map_or(-1, |dims| dims.len() as i32),
        };
        let (specs, dims) = (&self.specs, &self.dims);
        let own = hash(record.slot, record.dtype, allocator, record.shape);
        self.spec_ids.insert_unique(own, id, |&other| {
            let spec: Spec = specs[other as usize];
            let shape = usize::try_from(spec.rank)
                .ok()
                .and_then(|rank| dims.get(spec.first_dim as usize..spec.first_dim as usize + rank));
            hash(spec.slot, spec.dtype, spec.allocator, shape)
        });
        self.specs.push(spec);
        self.dims.extend(record.shape.unwrap_or_default());
        id
    }
}

/// Rows `first[i] .. first[i + 1]`.
pub(crate) fn range(first: &[u32], index: usize) -> std::ops::Range<usize> {
    let start = first.get(index).copied().unwrap_or(0) as usize;
    start..first.get(index + 1).map_or(start, |&end| end as usize)
}

/// Ranges `first[i] .. first[i + 1]` taken in the order of `rows`: the new ranges, and the old row of each new one.
pub(crate) fn permute_ranges(first: &[u32], rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut order = Vec::with_capacity(first.last().map_or(0, |&end| end as usize));
    let mut moved = Vec::with_capacity(rows.len() + 1);
    for &row in rows {
        moved.push(order.len() as u32);
        order.extend(range(first, row as usize).map(|inner| inner as u32));
    }
    moved.push(order.len() as u32);
    (moved, order)
}

/// NumPy's word for a `DataType` of types.proto; `_ref` for reference types, the number for an unknown one.
pub fn dtype_name(dtype: u32) -> String {
    const NAMES: [&str; 34] = [
        "invalid",
        "float32",
        "float64",
        "int32",
        "uint8",
        "int16",
        "int8",
        "string",
        "complex64",
        "int64",
        "bool",
        "qint8",
        "quint8",
        "qint32",
        "bfloat16",
        "qint16",
        "quint16",
        "uint16",
        "complex128",
        "float16",
        "resource",
        "variant",
        "uint32",
        "uint64",
        "float8_e5m2",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e4m3b11fnuz",
        "float8_e5m2fnuz",
        "int4",
        "uint4",
        "int2",
        "uint2",
        "float4_e2m1fn",
    ];
    match (NAMES.get(dtype as usize), dtype.checked_sub(100).and_then(|base| NAMES.get(base as usize))) {
        (Some(name), _) => (*name).to_owned(),
        (None, Some(name)) => format!("{name}_ref"),
        (None, None) => format!("dtype {dtype}"),
    }
}

/// `[32, 64]`, `[]` for a scalar, `?` for an unknown rank.
pub fn shape_text(shape: Option<&[i64]>) -> String {
    match shape {
        None => "?".to_owned(),
        Some(dims) => {
            let sizes: Vec<_> =
                dims.iter().map(|&dim| if dim < 0 { "?".to_owned() } else { dim.to_string() }).collect();
            format!("[{}]", sizes.join(", "))
        }
    }
}
