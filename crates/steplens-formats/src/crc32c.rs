//! CRC-32C: of event files, as TFRecord writes it (masked), of sessions and of the notes of shared pages.

use crc::{CRC_32_ISCSI, Crc, Table};

/// Tables for sixteen bytes at a time. They are computed when they are needed, because random numbers in the page
/// cannot be compressed.
pub(crate) struct Crc32c(Box<Crc<u32, Table<16>>>);

impl Crc32c {
    pub(crate) fn new() -> Self {
        Self(Box::new(Crc::<u32, Table<16>>::new(&CRC_32_ISCSI)))
    }

    /// The state after `bytes`; the initial state is `u32::MAX`.
    pub(crate) fn update(&self, crc: u32, bytes: &[u8]) -> u32 {
        let mut digest = self.0.digest_with_initial(crc.reverse_bits());
        digest.update(bytes);
        !digest.finalize()
    }

    /// The checksum of `bytes` alone.
    pub(crate) fn of(bytes: &[u8]) -> u32 {
        !Self::new().update(u32::MAX, bytes)
    }

    /// The checksum that TFRecord writes for a state.
    pub(crate) fn masked(crc: u32) -> u32 {
        (!crc).rotate_right(15).wrapping_add(0xa282_ead8)
    }

    /// The checksum that TFRecord writes for a length.
    pub(crate) fn of_length(&self, length: u64) -> u32 {
        Self::masked(self.update(u32::MAX, &length.to_le_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksums_of_rfc_3720() {
        let crc = Crc32c::of;
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
