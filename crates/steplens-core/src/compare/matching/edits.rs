//! Aligns the op types of a scope with those of the same scope in the other trace, by the least insertions and deletions. For ops
//! that no other pass matched.
//!
//! A scope is compared with the scope of the same name without numbers. The time is the product of both sizes, so that the sizes
//! are limited; what is left out is counted.

use super::NONE;
use super::keys::Keys;
use crate::base::pace::Pace;
use crate::collectives::roles::hash_without_numbers;
use crate::compare::joined::Which;
use std::collections::BTreeMap;

/// The most cells of one table, of two bytes each.
const MOST_CELLS: usize = 1 << 22;
/// How many cells take as long as one row of other work.
const CELLS_PER_ROW: usize = 32;
/// The most cells of all tables.
const MOST_CELLS_OF_ALL: usize = 1 << 26;

/// The pairs, and the number of ops of scopes that are too large.
pub(super) async fn aligned(keys: &Keys<'_>, partner: &[Vec<u32>; 2], pace: &Pace) -> (Vec<(u32, u32)>, u64) {
    let mut scopes: BTreeMap<(u64, i64), [Vec<u32>; 2]> = BTreeMap::new();
    for side in Which::BOTH {
        let free = (0..).zip(&partner[side as usize]).filter(|&(_, &partner)| partner == NONE);
        for (op, _) in free.filter(|&(op, _)| keys.is_compared(side, op)) {
            let text = keys.text(side, op);
            // Ops without a scope have only their device in common.
            let Some((scope, _)) = text.rsplit_once('/') else { continue };
            let key = (keys.device(side, op), hash_without_numbers(scope));
            scopes.entry(key).or_default()[side as usize].push(op);
        }
    }
    let (mut pairs, mut not_aligned, mut cells_left) = (Vec::new(), 0, MOST_CELLS_OF_ALL);
    for [a, b] in scopes.values().filter(|[a, b]| !a.is_empty() && !b.is_empty()) {
        let cells = (a.len() + 1).saturating_mul(b.len() + 1);
        if cells > MOST_CELLS.min(cells_left) {
            not_aligned += (a.len() + b.len()) as u64;
            continue;
        }
        cells_left -= cells;
        let kinds = |side, ops: &[u32]| ops.iter().map(|&op| keys.kind(side, op)).collect::<Vec<_>>();
        let found = common(&kinds(Which::A, a), &kinds(Which::B, b));
        pairs.extend(found.into_iter().map(|(at, to)| (a[at], b[to])));
        pace.worked(cells / CELLS_PER_ROW).await;
    }
    (pairs, not_aligned)
}

/// The places of a longest common subsequence.
fn common(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    // Lengths fit: the shorter side has at most the root of `MOST_CELLS` places.
    let mut longest = vec![0_u16; (a.len() + 1) * width];
    for at in (0..a.len()).rev() {
        for to in (0..b.len()).rev() {
            longest[at * width + to] = if a[at] == b[to] {
                longest[(at + 1) * width + to + 1] + 1
            } else {
                longest[(at + 1) * width + to].max(longest[at * width + to + 1])
            };
        }
    }
    let (mut at, mut to, mut found) = (0, 0, Vec::new());
    while at < a.len() && to < b.len() {
        if a[at] == b[to] {
            found.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if longest[(at + 1) * width + to] >= longest[at * width + to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_common_subsequence() {
        assert_eq!(common(&[1, 2, 3, 4], &[1, 3, 4]), [(0, 0), (2, 1), (3, 2)]);
        assert_eq!(common(&[1, 1, 2], &[2, 1, 1]), [(0, 1), (1, 2)]);
        assert_eq!(common(&[1], &[2]), []);
        assert_eq!(common(&[], &[2]), []);
    }
}
