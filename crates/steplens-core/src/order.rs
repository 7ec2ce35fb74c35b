//! Sorting: stable, by numbers or by a comparison, through two functions that exist once.
//!
//! The standard library's sorts are ten kilobytes of code for each type and key they are used with; here a sort is
//! an order of row numbers, so that the page's wasm holds one of each kind.

use std::cmp::Ordering;

/// Two numbers to sort by, and the row they belong to: the last resort, which makes the order total and stable.
type Keyed = ((i64, i64), u32);

/// Sorts `items` by two numbers; equal ones keep their order.
pub fn by_number<T: Copy>(items: &mut [T], key: impl Fn(T) -> (i64, i64)) {
    if items.is_sorted_by_key(|&item| key(item)) {
        return;
    }
    // Keys are copied beside the rows: to look them up at each comparison is a cache miss a time.
    let mut keyed: Vec<Keyed> = items.iter().zip(0..).map(|(&item, row)| (key(item), row)).collect();
    sort_keyed(&mut keyed);
    let sorted: Vec<T> = keyed.iter().map(|&(_, row)| items[row as usize]).collect();
    items.copy_from_slice(&sorted);
}

/// Sorts `items` by `compare`; equal ones keep their order.
pub fn by<T: Copy>(items: &mut [T], compare: impl Fn(T, T) -> Ordering) {
    let mut rows: Vec<u32> = (0..items.len() as u32).collect();
    sort_rows(&mut rows, &|a, b| compare(items[a as usize], items[b as usize]).then(a.cmp(&b)));
    let sorted: Vec<T> = rows.iter().map(|&row| items[row as usize]).collect();
    items.copy_from_slice(&sorted);
}

#[inline(never)]
fn sort_keyed(keyed: &mut [Keyed]) {
    keyed.sort_unstable();
}

#[inline(never)]
fn sort_rows(rows: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    rows.sort_unstable_by(|&a, &b| compare(a, b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = [(3, 'a'), (1, 'b'), (3, 'c'), (1, 'd'), (2, 'e')];
        by_number(&mut items, |(number, _)| (number, 0));
        assert_eq!(items.map(|(_, name)| name), ['b', 'd', 'e', 'a', 'c']);
        by(&mut items, |a, b| b.0.cmp(&a.0));
        assert_eq!(items.map(|(_, name)| name), ['a', 'c', 'e', 'b', 'd']);
    }
}
