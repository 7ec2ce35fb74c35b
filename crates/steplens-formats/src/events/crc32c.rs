//! CRC-32C as TFRecord writes it: masked, and sixteen bytes at a time.

/// The remainder of every byte at every place of a block of sixteen. Made when the first event file is opened: random
/// numbers are weight that no packing takes off the page.
pub(super) struct Crc32c(Box<[[u32; 256]; BLOCK]>);

const BLOCK: usize = 16;
/// Castagnoli's polynomial, its lowest bit last.
const POLYNOMIAL: u32 = 0x82f6_3b78;

impl Crc32c {
    pub(super) fn new() -> Self {
        let mut tables = Box::new([[0; 256]; BLOCK]);
        let [first, rest @ ..] = &mut *tables;
        for (byte, entry) in first.iter_mut().enumerate() {
            *entry = (0..8).fold(byte as u32, |crc, _| (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg()));
        }
        let mut before = *first;
        for table in rest {
            for (entry, before) in table.iter_mut().zip(before) {
                *entry = (before >> 8) ^ first[usize::from(before as u8)];
            }
            before = *table;
        }
        Self(tables)
    }

    /// The state after `bytes`; the first is `u32::MAX`.
    pub(super) fn update(&self, crc: u32, bytes: &[u8]) -> u32 {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let crc = blocks.iter().fold(crc, |crc, block| self.block(crc, block));
        let (words, rest) = rest.as_chunks::<8>();
        let crc = words.iter().fold(crc, |crc, word| self.block(crc, word));
        rest.iter().fold(crc, |crc, &byte| self.0[0][usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
    }

    /// The state after a block: its bytes are looked up at their places, all at once.
    #[inline(always)]
    fn block<const LENGTH: usize>(&self, crc: u32, block: &[u8; LENGTH]) -> u32 {
        let before = crc.to_le_bytes();
        let mut next = 0;
        for (place, &byte) in block.iter().enumerate() {
            let byte = if place < 4 { byte ^ before[place] } else { byte };
            next ^= self.0[LENGTH - 1 - place][usize::from(byte)];
        }
        next
    }

    /// The checksum that TFRecord writes for a state.
    pub(super) fn masked(crc: u32) -> u32 {
        (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
    }

    /// The checksum that TFRecord writes for a length.
    pub(super) fn of_length(&self, length: u64) -> u32 {
        Self::masked(self.update(u32::MAX, &length.to_le_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_of_rfc_3720() {
        let crc = |bytes: &[u8]| !Crc32c::new().update(u32::MAX, bytes);
        assert_eq!(crc(b"123456789"), 0xe306_9283);
        assert_eq!([crc(&[0; 32]), crc(&[0xff; 32])], [0x8a91_36aa, 0x62a8_ab43]);
        let ascending: Vec<u8> = (0..32).collect();
        assert_eq!(crc(&ascending), 0x46dd_794e);
    }

    #[test]
    fn slices_of_any_size_give_the_same() {
        let crc = Crc32c::new();
        let bytes: Vec<u8> = (0..1000_u32).map(|n| ((n * n) >> 3) as u8).collect();
        let whole = crc.update(u32::MAX, &bytes);
        for size in [1, 3, 15, 16, 17, 100] {
            assert_eq!(bytes.chunks(size).fold(u32::MAX, |state, slice| crc.update(state, slice)), whole);
        }
    }

    #[test]
    fn a_length_that_tensorflow_wrote() {
        assert_eq!(Crc32c::new().of_length(24).to_le_bytes(), [0xa3, 0x7f, 0x4b, 0x22]);
    }
}
