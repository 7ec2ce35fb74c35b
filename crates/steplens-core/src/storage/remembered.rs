//! Rows of a table that were asked for lately, by a few bits of what they hold.
//!
//! Most of what a reader looks up is what it looked up a moment ago: to find it here costs no hash of all of it.

/// A power of two.
const PLACES: usize = 256;

/// A row for each place; which row that is must be compared before it counts. At first it is row 0 everywhere.
pub(crate) struct Remembered([u32; PLACES]);

impl Default for Remembered {
    fn default() -> Self {
        Self([0; PLACES])
    }
}

impl Remembered {
    /// The place of what holds `bits`.
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
