//! The numbers of all events, one event after another, until their names are known: small ones take one or two bytes.

/// The bytes of a chunk.
const CHUNK: usize = 1 << 14;
/// The most bytes of a number.
const MOST: usize = 10;

/// Numbers in the order of the file.
#[derive(Default)]
pub(super) struct NumberList {
    /// The chunks. A number is never in two of them; the first chunk grows like any vector, so that small files stay small.
    chunks: Vec<Vec<u8>>,
}

impl NumberList {
    pub(super) fn push(&mut self, mut number: u64) {
        let chunk = match self.chunks.last_mut() {
            Some(chunk) if chunk.len() + MOST <= CHUNK => chunk,
            _ => {
                let room = if self.chunks.is_empty() { 0 } else { CHUNK };
                self.chunks.push(Vec::with_capacity(room));
                let last = self.chunks.len() - 1;
                &mut self.chunks[last]
            }
        };
        while number >= 0x80 {
            chunk.push(number as u8 | 0x80);
            number >>= 7;
        }
        chunk.push(number as u8);
    }

    /// All numbers in order; the memory of each chunk is freed once it was read.
    pub(super) fn into_iter(self) -> impl Iterator<Item = u64> {
        let mut chunks = self.chunks.into_iter();
        let (mut chunk, mut at) = (Vec::new(), 0);
        std::iter::from_fn(move || {
            if at >= chunk.len() {
                (chunk, at) = (chunks.next()?, 0);
            }
            let (mut number, mut shift) = (0, 0);
            while let Some(&byte) = chunk.get(at) {
                at += 1;
                number |= u64::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
                shift += 7;
            }
            Some(number)
        })
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_across_chunks() {
        let all: Vec<u64> = (0..20_000).map(|row| u64::MAX.rotate_left(row % 64) >> (row % 61)).collect();
        let mut list = NumberList::default();
        all.iter().for_each(|&number| list.push(number));
        assert!(list.chunks.len() > 3 && list.into_iter().eq(all));
        assert_eq!(NumberList::default().into_iter().count(), 0);
    }
}
