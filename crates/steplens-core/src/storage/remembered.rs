//! Rows of a table that were looked up lately, found by a few bits of their content.
//!
//! Most rows that a reader looks up were also looked up a moment ago. To find them here, the full content need not be hashed.

/// The number of places, a power of two.
const PLACES: usize = 256;

/// One row for each place. The caller must compare the row before using it. At first every place has row 0.
pub(crate) struct Remembered([u32; PLACES]);

impl Default for Remembered {
    fn default() -> Self {
        Self([0; PLACES])
    }
}

impl Remembered {
    /// The place for content with these `bits`.
    #[inline]
    pub(crate) fn place(bits: u64) -> usize {
        (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> u32 {
        self.0[place % PLACES]
    }

    #[inline]
    pub(crate) fn set(&mut self, place: usize, row: u32) {
        self.0[place % PLACES] = row;
    }
}
