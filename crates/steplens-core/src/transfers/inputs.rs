//! Inputs: the transfers that brought a tensor which the ops of a place know by a graph node or by a name.

use super::InputKey;
use crate::base::order;
use crate::base::pace::Pace;
use crate::dataflow::runs::ExecutionDevice;
use crate::storage::ranges::range;

/// Rows of transfers, sorted by how the destination knows the tensor and by place; equal ones in order of arrival.
#[derive(Default)]
pub(super) struct Inputs {
    rows: Vec<u32>,
    /// The transfers that graph node `i` received are `rows[first[i] .. first[i + 1]]`.
    first: Vec<u32>,
}

impl Inputs {
    /// Indexes those of `count` rows that have a key. `graph_nodes` is the number of nodes in the graphs.
    pub(super) async fn indexed(
        count: usize,
        graph_nodes: usize,
        key_of: impl Fn(u32) -> Option<(i64, i64)>,
        ready: impl Fn(u32) -> i64,
        pace: &Pace,
    ) -> Self {
        let mut keyed: Vec<((i64, i64), u32)> =
            (0..count as u32).filter_map(|row| Some((key_of(row)?, row))).collect();
        pace.worked(count).await;
        order::by_number(&mut keyed, |(key, _)| key);
        pace.worked(count).await;
        let mut first = vec![0; graph_nodes + 1];
        for &((node, _), _) in &keyed {
            // Tensors that are known by a name come after all nodes.
            if let Some(count) = usize::try_from(node).ok().and_then(|node| first.get_mut(node + 1)) {
                *count += 1;
            }
        }
        for node in 0..graph_nodes {
            first[node + 1] += first[node];
        }
        let mut rows: Vec<u32> = Vec::with_capacity(keyed.len());
        for same in keyed.chunk_by(|a, b| a.0 == b.0) {
            pace.worked(same.len()).await;
            let start = rows.len();
            rows.extend(same.iter().map(|&(_, row)| row));
            if same.len() > 1 {
                order::by_number(&mut rows[start..], |row| (ready(row), 0));
            }
        }
        Self { rows, first }
    }

    /// All rows that have a key.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The rows of each key.
    pub(super) fn groups(&self, key_of: impl Fn(u32) -> Option<(i64, i64)>) -> impl Iterator<Item = &[u32]> {
        self.rows.chunk_by(move |&a, &b| key_of(a) == key_of(b))
    }

    /// The transfers of the tensor `brought` to `place`, in order of arrival.
    pub(super) fn brought(
        &self,
        place: ExecutionDevice,
        brought: InputKey,
        key_of: impl Fn(u32) -> Option<(i64, i64)>,
    ) -> &[u32] {
        let rows = match brought {
            InputKey::GraphNode(node) => &self.rows[range(&self.first, node.index())],
            _ => &self.rows[self.first.last().map_or(0, |&end| end as usize)..],
        };
        let key = Some(input_key(place, brought));
        if let Some(&only) = rows.get(place.execution as usize)
            && key_of(only) == key
        {
            // Try first the usual case: one transfer in each execution.
            let at = place.execution as usize;
            let is_other = |row: Option<&u32>| row.is_none_or(|&row| key_of(row) != key);
            if is_other(rows.get(at + 1)) && is_other(rows.get(at.wrapping_sub(1))) {
                return &rows[at..=at];
            }
        }
        let first = rows.partition_point(|&row| key_of(row) < key);
        let count = rows[first..].partition_point(|&row| key_of(row) == key);
        &rows[first..first + count]
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        (self.rows.capacity() + self.first.capacity()) * size_of::<u32>()
    }
}

/// Packs two row numbers into one number that sorts like the pair.
pub(super) fn pair(first: u32, second: u32) -> i64 {
    i64::from(first) << 32 | i64::from(second)
}

/// Two numbers that identify how a tensor is known at a place.
pub(super) fn input_key(place: ExecutionDevice, brought: InputKey) -> (i64, i64) {
    let brought = match brought {
        InputKey::GraphNode(node) => i64::from(node.get()),
        InputKey::Name(name) => pair(1, name.get()),
        InputKey::ControlName(name) => pair(2, name.get()),
    };
    (brought, pair(place.execution, place.device.get()))
}
