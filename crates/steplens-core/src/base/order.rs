//! Stable sorting by numbers: a radix sort. The times of one step differ in about 30 bits, which take three passes, instead of the
//! twenty of a comparison sort.

/// The bits that one pass sorts by: the counts of so small a digit fit in the fastest cache.
const DIGIT_BITS: u32 = 11;
/// With fewer items than this, comparing is quicker than counting.
const FEW: usize = 256;

/// Sorts `items` by two numbers; equal ones keep their order.
pub fn by_number<T: Copy>(items: &mut [T], key: impl Fn(T) -> (i64, i64)) {
    // Keys are copied first: looking them up each time would be a cache miss each time, and would need code for each type of item.
    let keys: Vec<(i64, i64)> = items.iter().map(|&item| key(item)).collect();
    if let Some(rows) = order_of(keys) {
        let sorted: Vec<T> = rows.iter().map(|&row| items[row as usize]).collect();
        items.copy_from_slice(&sorted);
    }
}

/// The rows of `keys` in ascending order of keys; `None` if they are in order already.
#[inline(never)]
fn order_of(keys: Vec<(i64, i64)>) -> Option<Vec<u32>> {
    if keys.is_sorted() {
        return None;
    }
    let least = keys.iter().map(|key| key.0).min().unwrap_or(0);
    let most = keys.iter().map(|key| key.0).max().unwrap_or(0);
    let first = |key: &(i64, i64)| key.0.wrapping_sub(least) as u64;
    let key_bits = u64::BITS - (most.wrapping_sub(least) as u64).leading_zeros();
    let row_bits = usize::BITS - keys.len().leading_zeros();
    if key_bits + row_bits > u64::BITS {
        let mut rows: Vec<u32> = (0..keys.len() as u32).collect();
        rows.sort_by_key(|&row| keys[row as usize]);
        return Some(rows);
    }
    // A key and its row fit in one number, which halves the bytes to move.
    let mut words: Vec<u64> = keys.iter().zip(0..).map(|(key, row)| first(key) << row_bits | row).collect();
    sort_words(&mut words, row_bits, key_bits);
    let mut rows: Vec<u32> = words.iter().map(|&word| (word & ((1 << row_bits) - 1)) as u32).collect();
    let mut start = 0;
    for run in words.chunk_by(|a, b| a >> row_bits == b >> row_bits) {
        if run.len() > 1 {
            let second = |row: u32| keys[row as usize].1;
            let run = &mut rows[start..start + run.len()];
            run.sort_by_key(|&row| second(row));
        }
        start += run.len();
    }
    Some(rows)
}

/// Sorts by `bits` bits from bit `low` on; equal ones keep their order.
#[inline(never)]
fn sort_words(words: &mut Vec<u64>, low: u32, bits: u32) {
    if words.len() < FEW {
        // The row numbers in the lower bits are in order, so they break ties correctly.
        words.sort_unstable();
        return;
    }
    let mut sorted = vec![0; words.len()];
    // The counts of each value of each digit, from one pass over the words.
    let mut counts = vec![[0_u32; 1 << DIGIT_BITS]; bits.div_ceil(DIGIT_BITS) as usize];
    for &word in words.iter() {
        let mut rest = word >> low;
        for counts in &mut counts {
            counts[rest as usize & ((1 << DIGIT_BITS) - 1)] += 1;
            rest >>= DIGIT_BITS;
        }
    }
    for (shift, mut next) in (low..).step_by(DIGIT_BITS as usize).zip(counts) {
        let digit = |word: u64| (word >> shift) as usize & ((1 << DIGIT_BITS) - 1);
        // Two ids in one number leave digits between them that are equal in all words.
        if words.first().is_some_and(|&word| next[digit(word)] as usize == words.len()) {
            continue;
        }
        let mut places = 0;
        for count in &mut next {
            places += std::mem::replace(count, places);
        }
        for &word in words.iter() {
            let place = &mut next[digit(word)];
            sorted[*place as usize] = word;
            *place += 1;
        }
        std::mem::swap(words, &mut sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_come_in_order() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as i64 - (1 << 52)
        };
        for (count, mask) in [(100, -1), (1_000, 7), (1_000, -1), (5_000, 0xfff), (5_000, i64::MAX)] {
            let mut items: Vec<_> =
                (0..count).map(|row| (random() & mask, random() & mask & 3, row)).collect();
            items.extend([(i64::MIN, 0, count), (i64::MAX, 0, count + 1), (i64::MIN, -1, count + 2)]);
            let mut expected = items.clone();
            expected.sort_by_key(|&(first, second, _)| (first, second));
            by_number(&mut items, |(first, second, _)| (first, second));
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = [(3, 'a'), (1, 'b'), (3, 'c'), (1, 'd'), (2, 'e')];
        by_number(&mut items, |(number, _)| (number, 0));
        assert_eq!(items.map(|(_, name)| name), ['b', 'd', 'e', 'a', 'c']);
    }
}
