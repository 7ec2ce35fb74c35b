//! The lanes of `timeline.py`: each op, in the order of the file, takes the first lane whose last op ended before the op starts.

/// The lanes of one block. The first lane ends at 0. All other lanes, which do not exist yet, were never used.
///
/// The ends of the lanes are the leaves of a tree of minima. So the time to find a lane grows with the logarithm of the number of
/// lanes.
pub(super) struct Lanes {
    /// A heap: node `i` has the children `2 i` and `2 i + 1`. The leaves begin at `leaves`.
    ends: Vec<i64>,
    leaves: usize,
    used: usize,
}

impl Lanes {
    pub(super) fn new() -> Self {
        let mut lanes = Self { ends: vec![i64::MAX; 2], leaves: 1, used: 0 };
        lanes.push(0);
        lanes
    }

    /// Puts an op into a lane and returns the lane.
    pub(super) fn take(&mut self, start: i64, end: i64) -> u32 {
        let lane = self.first_before(start).unwrap_or_else(|| {
            self.push(end);
            self.used - 1
        });
        self.set(lane, end);
        lane as u32
    }

    fn first_before(&self, start: i64) -> Option<usize> {
        if self.ends[1] >= start {
            return None;
        }
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            node += usize::from(self.ends[node] >= start);
        }
        Some(node - self.leaves)
    }

    fn push(&mut self, end: i64) {
        if self.used == self.leaves {
            let old = self.ends[self.leaves..].to_vec();
            self.leaves *= 2;
            self.ends = vec![i64::MAX; 2 * self.leaves];
            old.into_iter().enumerate().for_each(|(lane, end)| self.set(lane, end));
        }
        self.used += 1;
        self.set(self.used - 1, end);
    }

    fn set(&mut self, lane: usize, end: i64) {
        let mut node = self.leaves + lane;
        self.ends[node] = end;
        while node > 1 {
            node /= 2;
            self.ends[node] = self.ends[2 * node].min(self.ends[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The algorithm of `timeline.py`, unchanged.
    fn plainly(ops: &[(i64, i64)]) -> Vec<u32> {
        let mut lanes = vec![0];
        let lane = |&(start, end): &(i64, i64)| {
            let found = lanes.iter().position(|&last| start > last);
            let lane = found.unwrap_or_else(|| {
                lanes.push(end);
                lanes.len() - 1
            });
            lanes[lane] = end;
            lane as u32
        };
        ops.iter().map(lane).collect()
    }

    #[test]
    fn lanes_are_those_of_the_plain_rule() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as i64
        };
        for most in [2, 10, 500] {
            let mut op = || {
                let start = random(1_000) - 5;
                (start, start + random(most))
            };
            let ops: Vec<_> = (0..700).map(|_| op()).collect();
            let mut lanes = Lanes::new();
            let found: Vec<_> = ops.iter().map(|&(start, end)| lanes.take(start, end)).collect();
            assert_eq!(found, plainly(&ops));
        }
    }
}
