//! Output tensors: data type, shape and bytes of the outputs of ops.

use crate::base::bits::RankedBits;
use crate::base::units::Bytes;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::{Ranges, RangesBuilder};
use crate::storage::remembered::Remembered;
use crate::storage::shared::shared_bytes;
use crate::storage::strings::{Recent, StringTable};
use crate::{OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use steplens_messages::say;

/// One output as a reader found it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputRecord<'a> {
    /// The index of the output.
    pub slot: i32,
    /// `DataType` of types.proto.
    pub dtype: u32,
    /// The sizes of the dimensions; `None` for an unknown rank.
    pub shape: Option<&'a [i64]>,
    /// The allocator's name as it is in the file.
    pub allocator: &'a [u8],
    /// The bytes that the op requested.
    pub requested_bytes: i64,
    /// The bytes that were allocated.
    pub allocated_bytes: i64,
    /// The allocator's number for the buffer; 0 if there is none.
    pub allocation_id: i64,
}

/// The values that many outputs share: everything except the buffer. A model has a few hundred of them, for any number of ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spec {
    slot: i32,
    dtype: u32,
    allocator: StringId,
    /// The dimensions are `first_dim .. first_dim + rank`; a negative rank means unknown.
    first_dim: u32,
    rank: i32,
    requested: u64,
    allocated: u64,
}

/// The outputs of all ops, by op.
#[derive(Default)]
pub struct OutputTable {
    rows: Arc<Ranges>,
    spec: Arc<Column>,
    allocation_id: Arc<Column>,
    /// The outputs whose name a later output of the file has, too.
    replaced: Arc<RankedBits>,
    specs: Vec<Spec>,
    dims: Vec<i64>,
}

/// The columns of an [`OutputTable`], from a reader that has the ops in order.
#[derive(Default)]
pub struct WholeOutputs {
    /// The outputs of each op.
    pub of_op: Ranges,
    /// For each output the row of its shared values, as the builder returned it.
    pub spec: Column,
    /// The allocator's numbers for the buffers.
    pub allocation_id: Column,
    /// The replaced outputs, ascending.
    pub replaced: Vec<u32>,
}

/// One output of an op.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The index of the output.
    pub slot: i32,
    /// `DataType` of types.proto; see [`dtype_name`].
    pub dtype: u32,
    /// Sizes of the dimensions (-1 unknown); `None` for an unknown rank.
    pub shape: Option<&'a [i64]>,
    /// The allocator's name.
    pub allocator: StringId,
    /// The bytes that the op requested.
    pub requested: Bytes,
    /// The bytes that were allocated.
    pub allocated: Bytes,
    /// The allocator's number for the buffer; 0 if there is none.
    pub allocation_id: i64,
    /// Whether a later output in the same part of the file has the same name: the same index and an op of the same name, on any
    /// device.
    pub is_replaced: bool,
}

impl OutputTable {
    /// The outputs of `op`, in the file's order.
    pub fn of(&self, op: OpId) -> impl Iterator<Item = Output<'_>> {
        self.rows.get(op.index()).map(|row| self.row(row))
    }

    /// The table from columns that are in order already. Their `spec` rows must be rows of `builder`; `replaced` must ascend.
    pub(crate) fn of_whole(builder: OutputTableBuilder, whole: WholeOutputs) -> Self {
        let WholeOutputs { of_op, spec, allocation_id, replaced } = whole;
        let count = of_op.total();
        if count == 0 {
            return Self::default();
        }
        Self {
            replaced: Arc::new(match replaced.is_empty() {
                true => RankedBits::default(),
                false => RankedBits::of_members(count, replaced.iter().map(|&row| row as usize)),
            }),
            rows: Arc::new(of_op),
            spec: Arc::new(spec),
            allocation_id: Arc::new(allocation_id),
            specs: builder.specs,
            dims: builder.dims,
        }
    }

    /// The sum of the bytes that the outputs of `op` requested.
    pub fn requested_bytes(&self, op: OpId) -> Bytes {
        self.rows.get(op.index()).map(|row| Bytes(self.spec(row).requested)).sum()
    }

    /// The number of outputs of all ops.
    pub fn len(&self) -> usize {
        self.rows.total()
    }

    /// Whether no op has any outputs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The outputs of `ops`, in that order.
    pub(crate) fn picked(&self, ops: &[OpId]) -> Self {
        let (rows, old) = RangesBuilder::picked(&self.rows, ops.iter().map(|op| op.index()));
        let column = |column: &Column| ColumnBuilder::of(old.iter().map(|&row| column.get(row as usize)));
        Self {
            rows: Arc::new(rows),
            spec: Arc::new(column(&self.spec)),
            allocation_id: Arc::new(column(&self.allocation_id)),
            replaced: Arc::new(RankedBits::of(old.len(), |row| self.replaced.contains(old[row] as usize))),
            specs: self.specs.clone(),
            dims: self.dims.clone(),
        }
    }

    /// The same outputs with the names of allocators replaced. Without shapes, a tensor has one dimension with all its elements.
    pub(crate) fn with_texts(
        &self,
        mut allocator: impl FnMut(StringId) -> StringId,
        has_shapes: bool,
    ) -> Self {
        let mut dims = self.dims.clone();
        let specs = self.specs.iter().map(|spec| {
            let mut spec = Spec { allocator: allocator(spec.allocator), ..*spec };
            if !has_shapes && spec.rank > 1 {
                let sizes = spec.dims(&self.dims).unwrap_or_default();
                let elements =
                    sizes.iter().try_fold(1_i64, |all, &size| all.checked_mul(size).filter(|_| size >= 0));
                (spec.first_dim, spec.rank) = (dims.len() as u32, 1);
                dims.push(elements.unwrap_or(-1));
            }
            spec
        });
        let specs: Vec<Spec> = specs.collect();
        Self {
            rows: Arc::clone(&self.rows),
            spec: Arc::clone(&self.spec),
            allocation_id: Arc::clone(&self.allocation_id),
            replaced: Arc::clone(&self.replaced),
            specs,
            dims,
        }
    }

    /// The distinct shapes with two or more dimensions.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &[i64]> {
        self.specs.iter().filter(|spec| spec.rank > 1).filter_map(|spec| spec.dims(&self.dims))
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
            + self.spec.heap_bytes()
            + self.allocation_id.heap_bytes()
            + self.replaced.heap_bytes()
            + self.specs.capacity() * size_of::<Spec>()
            + self.dims.capacity() * 8
            + shared_bytes::<Ranges>()
            + 2 * shared_bytes::<Column>()
            + shared_bytes::<RankedBits>()
    }

    fn spec(&self, row: usize) -> Spec {
        self.specs[self.spec.get(row) as usize]
    }

    fn row(&self, row: usize) -> Output<'_> {
        let spec = self.spec(row);
        Output {
            slot: spec.slot,
            dtype: spec.dtype,
            shape: spec.dims(&self.dims),
            allocator: spec.allocator,
            requested: Bytes(spec.requested),
            allocated: Bytes(spec.allocated),
            allocation_id: self.allocation_id.get(row),
            is_replaced: self.replaced.contains(row),
        }
    }
}

/// The outputs that a reader has added, in the order of the file.
#[derive(Default)]
pub(crate) struct OutputTableBuilder {
    rows: RangesBuilder,
    spec: ColumnBuilder,
    allocation_id: ColumnBuilder,
    specs: Vec<Spec>,
    dims: Vec<i64>,
    spec_ids: HashTable<u32>,
    hasher: FixedState,
    /// Specs that were added lately.
    recent: Remembered,
    allocators: Recent,
    /// (row, whether the outputs of each op from this row on mark themselves as replaced), at each change.
    say_replaced: Vec<(u32, bool)>,
    /// Outputs that are marked as replaced, ascending.
    said: Vec<u32>,
}

impl OutputTableBuilder {
    /// The following outputs belong to the next op.
    #[inline]
    pub(crate) fn next_op(&mut self) {
        self.rows.next_row();
    }

    /// Sets whether outputs of the ops from row `op` on mark themselves as replaced. Other outputs are compared by their place in
    /// the file.
    pub(crate) fn say_replaced(&mut self, op: usize, say: bool) {
        self.say_replaced.push((op as u32, say));
    }

    /// Marks the last output as replaced.
    pub(crate) fn replaced(&mut self) {
        self.said.extend(self.rows.pushed().checked_sub(1));
    }

    /// The outputs that are replaced by a later one of the same part and name, by their place in the file. `name` and `part` give a
    /// number for the name and the part of each op.
    fn replaced_rows(
        &self,
        names: usize,
        name: impl Fn(usize) -> usize,
        part: impl Fn(usize) -> u32,
    ) -> RankedBits {
        // For each name: the last part that has it (reading from the end), and how many outputs were found in it.
        let mut met: Vec<(u32, u32)> = vec![(u32::MAX, 0); names];
        let (mut replaced, mut any) = (vec![0_u64; (self.rows.pushed() as usize).div_ceil(64)], false);
        let mut put = |row: u32| {
            replaced[row as usize / 64] |= 1 << (row % 64);
            any = true;
        };
        let mut modes = self.say_replaced.iter().rev().peekable();
        for op in (0..self.rows.len()).rev() {
            while modes.next_if(|mode| mode.0 as usize > op).is_some() {}
            let rows_of_op = self.rows.range(op);
            if rows_of_op.is_empty() || modes.peek().is_some_and(|mode| mode.1) {
                continue;
            }
            let (of_name, part) = (&mut met[name(op)], part(op));
            if of_name.0 != part {
                *of_name = (part, 0);
            }
            let count = rows_of_op.len() as u32;
            rows_of_op.take(of_name.1.min(count) as usize).for_each(&mut put);
            of_name.1 = of_name.1.max(count);
        }
        self.said.iter().copied().for_each(&mut put);
        if !any {
            return RankedBits::default();
        }
        RankedBits::of(self.rows.pushed() as usize, |row| replaced[row / 64] >> (row % 64) & 1 == 1)
    }

    /// The row of the values that outputs like `record` share.
    pub(crate) fn spec(&mut self, strings: &mut StringTable, record: &OutputRecord<'_>) -> u32 {
        self.intern(strings, record)
    }

    /// Adds an output to the current op.
    #[inline]
    pub(crate) fn push(&mut self, strings: &mut StringTable, record: &OutputRecord<'_>) {
        let spec = self.intern(strings, record);
        self.rows.push();
        self.spec.push(i64::from(spec));
        self.allocation_id.push(record.allocation_id);
    }

    /// The table for ops in the order of `rows`. `names` is the number of names; `name` and `part` give the number of the name and
    /// of the part of an op, by its place in the file.
    pub(crate) fn finish(
        self,
        rows: &[u32],
        names: usize,
        name: impl Fn(usize) -> usize,
        part: impl Fn(usize) -> u32,
    ) -> OutputTable {
        if self.rows.pushed() == 0 {
            return OutputTable::default();
        }
        let replaced = self.replaced_rows(names, name, part);
        let Self { rows: ranges, spec, allocation_id, specs, dims, .. } = self;
        let (ranges, order) = ranges.finish(rows);
        let (spec, allocation_id) = (spec.finish(&order), allocation_id.finish(&order));
        let replaced = match replaced.is_empty() {
            true => replaced,
            false => RankedBits::of(order.len(), |row| replaced.contains(order[row] as usize)),
        };
        OutputTable {
            rows: Arc::new(ranges),
            spec: Arc::new(spec),
            allocation_id: Arc::new(allocation_id),
            replaced: Arc::new(replaced),
            specs,
            dims,
        }
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
            + self.spec.heap_bytes()
            + self.allocation_id.heap_bytes()
            + self.specs.capacity() * size_of::<Spec>()
            + self.dims.capacity() * 8
            + self.spec_ids.capacity() * 5
            + self.say_replaced.capacity() * size_of::<(u32, bool)>()
            + self.said.capacity() * 4
    }

    /// Appends the outputs of `other`, whose first op comes in row `first_op`; `texts` has the new id of each of its strings.
    pub(crate) fn append(&mut self, other: &Self, texts: &[StringId], first_op: usize) {
        let (first_op, first) = (first_op as u32, self.rows.pushed());
        let specs = other.specs.iter().map(|own| {
            let shape = own.dims(&other.dims).unwrap_or_default();
            self.row_of(Spec { allocator: texts[own.allocator.index()], ..*own }, shape)
        });
        let specs: Vec<u32> = specs.collect();
        self.rows.append(&other.rows);
        self.spec.append_ids(&other.spec, |old| specs[old]);
        self.allocation_id.append(&other.allocation_id);
        self.say_replaced.extend(other.say_replaced.iter().map(|&(op, say)| (first_op + op, say)));
        self.said.extend(other.said.iter().map(|output| first + output));
    }

    #[inline]
    fn intern(&mut self, strings: &mut StringTable, record: &OutputRecord<'_>) -> u32 {
        let spec = Spec {
            slot: record.slot,
            dtype: record.dtype,
            allocator: strings.intern_again(record.allocator, &mut self.allocators),
            first_dim: 0,
            rank: record.shape.map_or(-1, |dims| dims.len() as i32),
            requested: record.requested_bytes.max(0) as u64,
            allocated: record.allocated_bytes.max(0) as u64,
        };
        self.row_of(spec, record.shape.unwrap_or_default())
    }

    /// The row of `spec`, wherever its dimensions, which are `shape`, are.
    #[inline]
    fn row_of(&mut self, mut spec: Spec, shape: &[i64]) -> u32 {
        let (specs, dims, hasher) = (&self.specs, &self.dims, &self.hasher);
        let same = |&id: &u32| {
            let Some(&other) = specs.get(id as usize) else { return false };
            let same_dims = |dims: &[i64]| dims.iter().zip(shape).all(|(one, other)| one == other);
            other == Spec { first_dim: other.first_dim, ..spec } && other.dims(dims).is_none_or(same_dims)
        };
        let place = spec.place(shape);
        let recent = self.recent.get(place);
        if same(&recent) {
            return recent;
        }
        let hash = spec.hash(hasher, shape);
        if let Some(&id) = self.spec_ids.find(hash, same) {
            self.recent.set(place, id);
            return id;
        }
        spec.first_dim = dims.len() as u32;
        let id = specs.len() as u32;
        self.recent.set(place, id);
        self.spec_ids.insert_unique(hash, id, |&other| {
            let spec = specs[other as usize];
            spec.hash(hasher, spec.dims(dims).unwrap_or_default())
        });
        self.specs.push(spec);
        self.dims.extend_from_slice(shape);
        id
    }
}

impl Spec {
    /// The shape, with the dimensions taken from `dims`; `None` for an unknown rank.
    fn dims(self, dims: &[i64]) -> Option<&[i64]> {
        let rank = usize::try_from(self.rank).ok()?;
        dims.get(self.first_dim as usize..self.first_dim as usize + rank)
    }

    /// The place of this spec in `recent`.
    fn place(&self, shape: &[i64]) -> usize {
        let head =
            (self.slot as u64) << 8 ^ u64::from(self.dtype) ^ self.requested ^ self.allocated.rotate_left(24);
        Remembered::place(shape.iter().fold(head, |all, &dim| all.wrapping_mul(31) ^ dim as u64))
    }

    fn hash(self, hasher: &FixedState, shape: &[i64]) -> u64 {
        let mut state = hasher.build_hasher();
        state.write_u64(u64::from(self.slot as u32) << 32 | u64::from(self.dtype));
        state.write_u64(u64::from(self.allocator.get()) << 32 | u64::from(self.rank as u32));
        state.write_u64(self.requested);
        state.write_u64(self.allocated);
        shape.iter().for_each(|&dim| state.write_i64(dim));
        state.finish()
    }
}

/// NumPy's names of the `DataType`s of types.proto, in order.
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

/// NumPy's name of a `DataType` of types.proto; with `_ref` for reference types; the number for an unknown one.
pub fn dtype_name(dtype: u32) -> String {
    match (NAMES.get(dtype as usize), dtype.checked_sub(100).and_then(|base| NAMES.get(base as usize))) {
        (Some(name), _) => (*name).to_owned(),
        (None, Some(name)) => format!("{name}_ref"),
        (None, None) => say!("dtype-number", number = dtype.to_string()),
    }
}

/// The `DataType` called `name`, such as `DT_FLOAT` or `DT_INT32_REF`; 0 for an unknown name.
pub fn dtype_of_name(name: &str) -> u32 {
    let name = name.strip_prefix("DT_").unwrap_or(name);
    let (name, reference) = name.strip_suffix("_REF").map_or((name, 0), |name| (name, 100));
    let word = match name {
        "FLOAT" => "float32",
        "DOUBLE" => "float64",
        "HALF" => "float16",
        name => name,
    };
    let place = NAMES.iter().position(|known| known.eq_ignore_ascii_case(word));
    place.map_or(0, |place| place as u32 + reference)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dtypes_are_found_by_their_names() {
        let names = ["DT_FLOAT", "DT_INT32", "DT_BFLOAT16", "DT_HALF_REF", "DT_NEW", ""];
        assert_eq!(names.map(dtype_of_name), [1, 3, 14, 119, 0, 0]);
        assert_eq!(dtype_name(dtype_of_name("DT_RESOURCE")), "resource");
    }
}
