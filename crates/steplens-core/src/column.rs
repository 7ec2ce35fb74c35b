//! A column of `i64` that takes four bytes a value: what does not fit an `i32` is kept aside, exactly.

use hashbrown::HashMap;

/// Marks a value that is kept aside.
const ASIDE: i32 = i32::MIN;
/// Marks that nothing was recorded.
const NOTHING: i32 = i32::MIN + 1;

/// Durations, offsets and sizes of one table, in row order.
///
/// Nearly all of them fit 31 bits (2.1 s in ns, 2 GiB in bytes); the few that do not are in a map by row.
#[derive(Clone, Default)]
pub struct Column {
    small: Vec<i32>,
    aside: HashMap<u32, i64, foldhash::fast::FixedState>,
}

impl Column {
    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(small) if small > NOTHING => self.small.push(small),
            _ => {
                self.aside.insert(self.small.len() as u32, value);
                self.small.push(ASIDE);
            }
        }
    }

    /// Appends a value, or that there is none.
    #[inline]
    pub fn push_option(&mut self, value: Option<i64>) {
        match value {
            Some(value) => self.push(value),
            None => self.small.push(NOTHING),
        }
    }

    /// The value of `row`; 0 where there is none.
    #[inline]
    pub fn get(&self, row: usize) -> i64 {
        self.get_option(row).unwrap_or(0)
    }

    /// The value of `row`, if there is one.
    #[inline]
    pub fn get_option(&self, row: usize) -> Option<i64> {
        match *self.small.get(row)? {
            ASIDE => self.aside.get(&(row as u32)).copied(),
            NOTHING => None,
            small => Some(i64::from(small)),
        }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.small.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.small.is_empty()
    }

    /// The column with its values in the order of `rows`.
    pub fn permuted(&self, rows: &[u32]) -> Self {
        let mut column = Self { small: Vec::with_capacity(rows.len()), aside: HashMap::default() };
        if self.aside.is_empty() {
            column.small.extend(rows.iter().map(|&row| self.small[row as usize]));
        } else {
            rows.iter().for_each(|&row| column.push_option(self.get_option(row as usize)));
        }
        column
    }

    /// Memory it holds, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.small.capacity() * 4 + self.aside.capacity() * 17
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_size_come_back() {
        let values = [0, -1, i64::MAX, i64::MIN, i64::from(i32::MIN), i64::from(i32::MAX), 5_000_000_000];
        let mut column = Column::default();
        values.iter().for_each(|&value| column.push(value));
        assert_eq!((0..values.len()).map(|row| column.get(row)).collect::<Vec<_>>(), values);
        let reversed = column.permuted(&[6, 5, 4, 3, 2, 1, 0]);
        assert!((0..values.len()).all(|row| reversed.get(row) == values[6 - row]));
        assert_eq!(column.get(99), 0);
        column.push_option(None);
        assert_eq!(column.permuted(&[7]).get_option(0), None);
    }
}
