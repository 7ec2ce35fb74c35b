//! A list that grows by whole chunks: nothing is copied as it grows, and at most a chunk of it is unused.

/// Values a chunk.
const CHUNK: usize = 1 << 14;

/// A list of which only the end changes.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    full: Vec<Vec<T>>,
    /// The last chunk. The first grows like any vector, so that small tables stay small.
    last: Vec<T>,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Self { full: Vec::new(), last: Vec::new() }
    }
}

impl<T: Copy> Chunked<T> {
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        if self.last.len() == self.last.capacity() {
            self.make_room();
        }
        self.last.push(value);
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let length = self.last.len();
        if length < CHUNK {
            self.last.reserve_exact(length.max(4).min(CHUNK - length));
        } else {
            self.full.push(std::mem::replace(&mut self.last, Vec::with_capacity(CHUNK)));
        }
    }

    /// The value of `row`, which must exist.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> T {
        match self.full.get(row / CHUNK) {
            Some(chunk) => chunk[row % CHUNK],
            None => self.last[row % CHUNK],
        }
    }

    pub(crate) fn last(&self) -> Option<T> {
        self.last.last().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.full.iter().chain(std::iter::once(&self.last)).flatten().copied()
    }

    /// Memory it holds, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let full: usize = self.full.iter().map(Vec::capacity).sum();
        (full + self.last.capacity()) * size_of::<T>()
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
