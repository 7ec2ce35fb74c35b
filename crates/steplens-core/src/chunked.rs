//! A list that grows by whole chunks: nothing is copied as it grows, and at most a chunk of it is unused.

/// Values a chunk.
const CHUNK: usize = 1 << 14;

/// A list of which only the end changes.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    /// All full but the last. The first grows like any vector, so that small tables stay small.
    chunks: Vec<Vec<T>>,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy> Chunked<T> {
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(value),
            _ => self.push_to_new(value),
        }
    }

    #[cold]
    fn push_to_new(&mut self, value: T) {
        let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 4 } else { CHUNK });
        chunk.push(value);
        self.chunks.push(chunk);
    }

    /// The value of `row`, which must exist.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> T {
        self.chunks[row / CHUNK][row % CHUNK]
    }

    pub(crate) fn last(&self) -> Option<T> {
        self.chunks.last().and_then(|chunk| chunk.last()).copied()
    }

    pub(crate) fn len(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        full + self.chunks.last().map_or(0, Vec::len)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flatten().copied()
    }

    /// Memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_across_chunks() {
        let mut list = Chunked::default();
        for value in 0..3 * CHUNK + 7 {
            assert_eq!(list.len(), value);
            list.push(value);
        }
        assert!((0..list.len()).all(|row| list.get(row) == row));
        assert!(list.iter().eq(0..list.len()));
        assert_eq!(list.last(), Some(list.len() - 1));
    }
}
