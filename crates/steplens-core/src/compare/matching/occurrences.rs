//! Pairs ops that are alike to a pass. If both traces have as many of them, the first is paired with the first, and so on. If not,
//! those are paired first that lie between the same matched ops, so that an op that is new or gone does not shift all after it;
//! then the rest in order.

use super::NONE;

/// The ops that a pass looks at.
#[derive(Default)]
pub(super) struct Left {
    /// For A and for B: the op, and the number of its class, in the order in which they are paired.
    pub(super) ops: [Vec<(u32, u32)>; 2],
    /// How many classes there are.
    pub(super) classes: usize,
}

/// The ops of each class next to one another.
struct Grouped {
    first: Vec<u32>,
    ops: Vec<u32>,
}

impl Grouped {
    fn of(ops: &[(u32, u32)], classes: usize) -> Self {
        let mut first = vec![0; classes + 1];
        ops.iter().for_each(|&(_, class)| first[class as usize + 1] += 1);
        for class in 0..classes {
            first[class + 1] += first[class];
        }
        let (mut next, mut grouped) = (first.clone(), vec![0; ops.len()]);
        for &(op, class) in ops {
            grouped[next[class as usize] as usize] = op;
            next[class as usize] += 1;
        }
        Self { first, ops: grouped }
    }

    fn of_class(&self, class: usize) -> &[u32] {
        &self.ops[self.first[class] as usize..self.first[class + 1] as usize]
    }
}

impl Left {
    /// The pairs (op of A, op of B), given the partners of ops that were matched before.
    pub(super) fn pairs(&self, partner: &[Vec<u32>; 2]) -> Vec<(u32, u32)> {
        let [a, b] = [0, 1].map(|side| Grouped::of(&self.ops[side], self.classes));
        let mut pairs = Vec::new();
        let mut uneven = Vec::new();
        for class in 0..self.classes {
            let (own, other) = (a.of_class(class), b.of_class(class));
            if own.len() == other.len() {
                pairs.extend(own.iter().copied().zip(other.iter().copied()));
            } else if !own.is_empty() && !other.is_empty() {
                uneven.push(class);
            }
        }
        if uneven.is_empty() {
            return pairs;
        }
        let gaps = Gaps::of(partner, &pairs);
        let mut lists = [Vec::new(), Vec::new()];
        for class in uneven {
            gaps.pair(a.of_class(class), b.of_class(class), &mut lists, &mut pairs);
        }
        pairs
    }
}

/// For each op the matched op before it, as a row of B.
struct Gaps([Vec<u32>; 2]);

impl Gaps {
    fn of(partner: &[Vec<u32>; 2], pairs: &[(u32, u32)]) -> Self {
        let [mut of_a, mut is_matched] = partner.clone();
        pairs.iter().for_each(|&(a, b)| (of_a[a as usize], is_matched[b as usize]) = (b, a));
        let before = |rows: &mut Vec<u32>, number: &dyn Fn(u32, u32) -> u32| {
            let mut last = NONE;
            for (row, value) in (0..).zip(rows.iter_mut()) {
                if *value != NONE {
                    last = number(row, *value);
                }
                *value = last;
            }
        };
        before(&mut of_a, &|_, partner| partner);
        before(&mut is_matched, &|row, _| row);
        Self([of_a, is_matched])
    }

    fn pair(&self, a: &[u32], b: &[u32], lists: &mut [Vec<(u32, u32)>; 2], pairs: &mut Vec<(u32, u32)>) {
        for (side, ops) in [a, b].into_iter().enumerate() {
            lists[side].clear();
            lists[side].extend(ops.iter().map(|&op| (self.0[side][op as usize], op)));
            lists[side].sort_unstable();
        }
        // In the same gap.
        let (mut at, mut to, mut rest) = (0, 0, [Vec::new(), Vec::new()]);
        let [own, other] = lists;
        while at < own.len() && to < other.len() {
            match own[at].0.cmp(&other[to].0) {
                std::cmp::Ordering::Equal => {
                    pairs.push((own[at].1, other[to].1));
                    (at, to) = (at + 1, to + 1);
                }
                std::cmp::Ordering::Less => {
                    rest[0].push(own[at].1);
                    at += 1;
                }
                std::cmp::Ordering::Greater => {
                    rest[1].push(other[to].1);
                    to += 1;
                }
            }
        }
        rest[0].extend(own[at..].iter().map(|&(_, op)| op));
        rest[1].extend(other[to..].iter().map(|&(_, op)| op));
        rest.iter_mut().for_each(|ops| ops.sort_unstable());
        pairs.extend(rest[0].iter().copied().zip(rest[1].iter().copied()));
    }
}
