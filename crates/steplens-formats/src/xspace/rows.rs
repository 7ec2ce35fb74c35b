//! Events in rows of 24 bytes, kept until their names are known and removed as their ops are added.

/// The number of rows in a chunk.
const CHUNK: usize = 1 << 12;

/// One event of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The start, from the line's timestamp.
    pub(super) offset_ps: i64,
    pub(super) duration_ps: i64,
    /// A row of [`Shapes`](super::shapes::Shapes).
    pub(super) shape: u32,
    /// The number that joins a kernel with the call that launched it; 0 without one.
    pub(super) correlation: u32,
}

/// All rows, in chunks: nothing is copied as they grow, and the memory of rows that were taken is freed.
#[derive(Default)]
pub(super) struct Rows {
    /// All chunks are full except the last; the first grows like any vector, so that small files stay small.
    chunks: Vec<Vec<Row>>,
    len: usize,
}

impl Rows {
    #[inline]
    pub(super) fn push(&mut self, row: Row) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(row),
            _ => {
                let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 4 } else { CHUNK });
                chunk.push(row);
                self.chunks.push(chunk);
            }
        }
        self.len += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The rows from `first` on.
    pub(super) fn starting_at(&self, first: usize) -> impl Iterator<Item = &Row> {
        let chunks = self.chunks.get(first / CHUNK..).unwrap_or_default();
        chunks.iter().flatten().skip(first % CHUNK)
    }

    /// The rows from `first` on, as mutable references.
    pub(super) fn starting_at_mut(&mut self, first: usize) -> impl Iterator<Item = &mut Row> {
        let chunks = self.chunks.get_mut(first / CHUNK..).unwrap_or_default();
        chunks.iter_mut().flatten().skip(first % CHUNK)
    }

    /// All rows in order; the memory of each chunk is freed once its last row was taken.
    pub(super) fn into_iter(self) -> impl Iterator<Item = Row> {
        self.chunks.into_iter().flatten()
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>() * size_of::<Row>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_across_chunks() {
        let mut rows = Rows::default();
        for shape in 0..3 * CHUNK as u32 + 7 {
            rows.push(Row { offset_ps: 0, duration_ps: 0, shape, correlation: 0 });
        }
        for first in [0, 5, CHUNK - 1, CHUNK, 2 * CHUNK + 3, rows.len(), rows.len() + CHUNK] {
            let shapes: Vec<_> = rows.starting_at(first).map(|row| row.shape as usize).collect();
            assert!(shapes.into_iter().eq(first..rows.len().max(first)), "{first}");
        }
        rows.starting_at_mut(CHUNK).for_each(|row| row.correlation = 1);
        assert_eq!(rows.starting_at(0).filter(|row| row.correlation == 0).count(), CHUNK);
        assert_eq!(rows.heap_bytes(), 4 * CHUNK * size_of::<Row>());
        assert_eq!(rows.into_iter().count(), 3 * CHUNK + 7);
    }
}
