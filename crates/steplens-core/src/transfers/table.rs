//! The columns of transfers. Values that the transfers of one key share (in most steps all except the producer) are stored once.

use super::{InputKey, Join, NoProducer, Transfer};
use crate::base::ids::{DeviceId, OpId, StringId};
use crate::base::units::Bytes;
use crate::dataflow::Certainty;
use crate::dataflow::runs::ExecutionDevice;
use crate::storage::column::{Column, ColumnBuilder};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// The values that many transfers share: everything except the producer, the op that recorded them and the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spec {
    pub(super) tensor: StringId,
    pub(super) source: StringId,
    destination: StringId,
    device: Option<DeviceId>,
    brought: Option<InputKey>,
    bytes: u64,
    join: Option<Join>,
    certainty: Certainty,
    is_of_transport: bool,
}

/// All columns of transfers except the ops that recorded them.
#[derive(Default)]
pub(super) struct Table {
    spec: Column,
    execution: Column,
    /// The id of the producer, or, counted down from the largest number, why there is none.
    producer: Vec<u32>,
    specs: Vec<Spec>,
}

impl Table {
    /// Builds the columns from `rows`.
    pub(super) fn stored(rows: &[Transfer]) -> Self {
        let hasher = FixedState::default();
        let mut ids: HashTable<u32> = HashTable::new();
        let mut specs: Vec<Spec> = Vec::new();
        let spec = ColumnBuilder::of(rows.iter().map(|transfer| {
            let spec = Spec::of(transfer);
            let hash = hasher.hash_one(spec);
            let id = ids.find(hash, |&id| specs[id as usize] == spec).copied();
            i64::from(id.unwrap_or_else(|| {
                let id = specs.len() as u32;
                ids.insert_unique(hash, id, |&id| hasher.hash_one(specs[id as usize]));
                specs.push(spec);
                id
            }))
        }));
        specs.shrink_to_fit();
        Self {
            spec,
            execution: ColumnBuilder::of(rows.iter().map(|transfer| i64::from(transfer.execution))),
            producer: rows.iter().map(|transfer| packed(transfer.producer)).collect(),
            specs,
        }
    }

    /// The number of transfers.
    pub(super) fn len(&self) -> usize {
        self.producer.len()
    }

    /// How many kinds of transfers there are: see [`Spec`].
    pub(super) fn distinct(&self) -> usize {
        self.specs.len()
    }

    /// The transfer in `row`, which `op` recorded.
    pub(super) fn row(&self, row: usize, op: Option<OpId>) -> Transfer {
        let Spec { tensor, source, destination, device, brought, bytes, join, certainty, is_of_transport } =
            *self.spec(row);
        let (bytes, producer, execution) = (Bytes(bytes), self.producer(row), self.execution(row));
        Transfer {
            op,
            tensor,
            source,
            destination,
            bytes,
            producer,
            join,
            certainty,
            is_of_transport,
            execution,
            device,
            brought,
        }
    }

    /// The values that the transfer in `row` shares with others.
    pub(super) fn spec(&self, row: usize) -> &Spec {
        &self.specs[self.spec.get(row) as usize]
    }

    /// The producer of the tensor, or why there is none.
    pub(super) fn producer(&self, row: usize) -> Result<OpId, NoProducer> {
        unpacked(self.producer[row])
    }

    /// How the destination knows the tensor, and at which place.
    pub(super) fn known(&self, row: usize) -> Option<(ExecutionDevice, InputKey)> {
        let &Spec { device, brought, .. } = self.spec(row);
        Some((ExecutionDevice { execution: self.execution(row), device: device? }, brought?))
    }

    fn execution(&self, row: usize) -> u32 {
        self.execution.get(row) as u32
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.spec.heap_bytes()
            + self.execution.heap_bytes()
            + self.producer.capacity() * size_of::<u32>()
            + self.specs.capacity() * size_of::<Spec>()
    }
}

impl Spec {
    fn of(transfer: &Transfer) -> Self {
        let &Transfer {
            tensor,
            source,
            destination,
            bytes,
            join,
            certainty,
            is_of_transport,
            device,
            brought,
            ..
        } = transfer;
        Self {
            tensor,
            source,
            destination,
            device,
            brought,
            bytes: bytes.0,
            join,
            certainty,
            is_of_transport,
        }
    }
}

/// The reasons why there is no producer. They are stored as the largest numbers, because no trace has that many ops.
const REASONS: [NoProducer; 3] =
    [NoProducer::SourceNotTraced, NoProducer::NotRecorded, NoProducer::UnknownKey];

fn packed(producer: Result<OpId, NoProducer>) -> u32 {
    producer.map_or_else(|why| u32::MAX - why as u32, OpId::get)
}

fn unpacked(packed: u32) -> Result<OpId, NoProducer> {
    match REASONS.get((u32::MAX - packed) as usize) {
        Some(&why) => Err(why),
        None => Ok(OpId::new(packed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_producer_or_the_reason_comes_back() {
        for why in REASONS {
            assert_eq!(unpacked(packed(Err(why))), Err(why));
        }
        for op in [0, 1, u32::MAX - 4] {
            assert_eq!(unpacked(packed(Ok(OpId::new(op)))), Ok(OpId::new(op)));
        }
    }
}
