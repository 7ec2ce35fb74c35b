//! A list that grows by whole chunks: growing copies nothing, and at most one chunk is unused.

/// The number of values in a chunk.
const CHUNK: usize = 1 << 14;

/// A list that grows at its end.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    full: Vec<Vec<T>>,
    /// The last chunk, of which `used` values count, so that the place of the next value is known without reading the allocation.
    /// The first chunk grows like any vector, so that small tables stay small.
    last: Vec<T>,
    used: usize,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Self { full: Vec::new(), last: Vec::new(), used: 0 }
    }
}

impl<T: Copy + Default> Chunked<T> {
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        match self.last.get_mut(self.used) {
            Some(place) => {
                *place = value;
                self.used += 1;
            }
            None => self.push_with_room(value),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_with_room(&mut self, value: T) {
        let length = self.last.len();
        if length < CHUNK {
            let more = length.max(4).min(CHUNK - length);
            self.last.reserve_exact(more);
            self.last.resize(length + more, T::default());
        } else {
            self.full.push(std::mem::replace(&mut self.last, vec![T::default(); CHUNK]));
            self.used = 0;
        }
        self.last[self.used] = value;
        self.used += 1;
    }

    /// The value of `row`, which must exist.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> T {
        match self.full.get(row / CHUNK) {
            Some(chunk) => chunk[row % CHUNK],
            None => self.last[row % CHUNK],
        }
    }

    /// The value of `row`, which must exist, as a mutable reference.
    pub(crate) fn get_mut(&mut self, row: usize) -> &mut T {
        match self.full.get_mut(row / CHUNK) {
            Some(chunk) => &mut chunk[row % CHUNK],
            None => &mut self.last[row % CHUNK],
        }
    }

    pub(crate) fn last(&self) -> Option<T> {
        self.used.checked_sub(1).map(|newest| self.last[newest])
    }

    pub(crate) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.used
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks().flatten().copied()
    }

    /// The values, many at a time.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = &[T]> {
        self.full.iter().map(Vec::as_slice).chain([&self.last[..self.used]])
    }

    /// Heap memory in use, in bytes.
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
        assert_eq!(list.chunks().map(<[usize]>::len).collect::<Vec<_>>(), [CHUNK, CHUNK, CHUNK, 7]);
        assert_eq!(list.last(), Some(list.len() - 1));
    }
}
