//! Ends of events in some order: finds, among the first ones, the last that reaches a time, however many do not.

/// The latest end of every group of two, four, eight, ... events.
pub(super) struct Ends {
    /// Level by level; the first level has every end.
    levels: Vec<Vec<i64>>,
}

impl Ends {
    pub(super) fn of(ends: Vec<i64>) -> Self {
        let mut levels = vec![ends];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            let latest = |pair: &[i64]| pair.iter().copied().max().unwrap_or(i64::MIN);
            levels.push(below.chunks(2).map(latest).collect());
        }
        Self { levels }
    }

    /// The last of the first `count` events that ends at `at` or later, in time log n.
    pub(super) fn last_reaching(&self, count: usize, at: i64) -> Option<usize> {
        let reaches =
            |level: usize, place: usize| self.levels[level].get(place).is_some_and(|&end| at <= end);
        // Go up over groups that end before `count`, and then down into the first group that reaches the time.
        let (mut level, mut end) = (0, count);
        loop {
            if end == 0 {
                return None;
            }
            if end % 2 == 1 || level + 1 == self.levels.len() {
                end -= 1;
                if reaches(level, end) {
                    break;
                }
            } else {
                (level, end) = (level + 1, end / 2);
            }
        }
        let mut place = end;
        for level in (0..level).rev() {
            place = 2 * place + usize::from(reaches(level, 2 * place + 1));
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_reaches_a_time_is_found() {
        let ends: Vec<i64> = (0..37).map(|at| at * 29 % 41).collect();
        for length in 0..=ends.len() {
            let index = Ends::of(ends[..length].to_vec());
            for count in 0..=length {
                for at in -1..43 {
                    let slow = (0..count).rev().find(|&place| at <= ends[place]);
                    assert_eq!(index.last_reaching(count, at), slow, "{at} among {count} of {length}");
                }
            }
        }
    }
}
