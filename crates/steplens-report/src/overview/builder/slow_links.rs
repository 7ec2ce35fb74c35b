//! Links that lost time, next to the median of their kind: the question `slow-links` of `steplens fleet`.

use super::texts::Texts;
use crate::overview::answers::lists::SlowLink;
use crate::overview::rows::LinkRow;
use crate::rate::rate;
use std::collections::HashMap;

/// The most links that are told apart.
const MOST_LINKS: usize = 1 << 18;
/// The most that are listed.
const MOST_LISTED: usize = 20;

/// What was in transit between any two tasks, while rows come.
#[derive(Debug, Default)]
pub(super) struct Links {
    tasks: Texts,
    /// By sender and receiver, the bytes and the time.
    timed: HashMap<[u32; 2], (u64, i64)>,
    unranked: u64,
}

impl Links {
    pub(super) fn add(&mut self, row: &LinkRow<'_>) {
        let bytes = u64::try_from(row.timed_bytes).unwrap_or(0);
        if bytes == 0 || row.busy_ns <= 0 {
            return;
        }
        let is_full = self.timed.len() >= MOST_LINKS;
        let key = self.tasks.key([row.source_task, row.destination_task], is_full);
        match key.filter(|key| !is_full || self.timed.contains_key(key)) {
            Some(key) => {
                let sum = self.timed.entry(key).or_default();
                *sum = (sum.0.saturating_add(bytes), sum.1.saturating_add(row.busy_ns));
            }
            None => self.unranked += 1,
        }
    }

    /// Those that lost time, and how many rows were too many.
    pub(super) fn finish(self) -> (Vec<SlowLink>, u64) {
        let named = |([source, destination], sum): ([u32; 2], (u64, i64))| {
            let name = |id| self.tasks.text(id).to_owned();
            ((name(source), name(destination)), sum)
        };
        let (within, between): (Vec<_>, Vec<_>) =
            self.timed.into_iter().map(named).partition(|((source, destination), _)| source == destination);
        let mut slow: Vec<SlowLink> = [within, between].into_iter().flat_map(of_kind).collect();
        let name = |own: &SlowLink| (own.source.clone(), own.destination.clone());
        slow.sort_by(|a, b| b.lost_ns.cmp(&a.lost_ns).then_with(|| name(a).cmp(&name(b))));
        slow.truncate(MOST_LISTED);
        (slow, self.unranked)
    }
}

/// The links of one kind that are slower than its median.
fn of_kind(links: Vec<((String, String), (u64, i64))>) -> Vec<SlowLink> {
    let rated = |&(_, (bytes, busy_ns)): &(_, (u64, i64))| rate(bytes, Some(busy_ns));
    let mut rates: Vec<u64> = links.iter().filter_map(rated).collect();
    rates.sort_unstable();
    let Some(usual_rate) = median(&rates).filter(|&usual| usual > 0) else { return Vec::new() };
    let slow = links.into_iter().filter_map(|((source, destination), (bytes, busy_ns))| {
        let rate = rate(bytes, Some(busy_ns))?;
        let usual_ns = u128::from(bytes) * 1_000_000_000 / u128::from(usual_rate);
        let lost_ns = busy_ns.saturating_sub(i64::try_from(usual_ns).unwrap_or(i64::MAX));
        let own = SlowLink { source, destination, bytes, busy_ns, rate, usual_rate, lost_ns };
        (lost_ns > 0 && rate < usual_rate).then_some(own)
    });
    slow.collect()
}

/// Between the two in the middle, if there are two.
fn median(sorted: &[u64]) -> Option<u64> {
    let above = *sorted.get(sorted.len() / 2)?;
    let below = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Some(below + (above - below) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_lost_most_is_first_next_to_its_own_kind() {
        let mut links = Links::default();
        let mut add = |source_task, destination_task, timed_bytes, busy_ns| {
            links.add(&LinkRow { source_task, destination_task, timed_bytes, busy_ns, ..LinkRow::default() });
        };
        // Between tasks some 1 GB/s; one has a quarter of it, and one a tenth, but carries little.
        for task in ["a", "b", "c", "d"] {
            add("ps", task, 8_000_000, 8_000_000);
        }
        add("a", "ps", 4_000_000, 8_000_000);
        add("a", "ps", 4_000_000, 24_000_000);
        add("b", "ps", 1_000, 10_000);
        // Within a task all are a hundred times as quick, and nothing of that says what is usual between two.
        for task in ["a", "b", "c", "d", "e", "f"] {
            add(task, task, 100_000_000, 1_000_000);
        }
        add("g", "g", 0, 5);
        let (slow, unranked) = links.finish();
        let said: Vec<_> = slow.iter().map(|own| (own.source.as_str(), own.rate, own.lost_ns)).collect();
        assert_eq!(said, [("a", 250_000_000, 24_000_000), ("b", 100_000_000, 9_000)]);
        assert_eq!((slow[0].usual_rate, slow[0].bytes, unranked), (1_000_000_000, 8_000_000, 0));
    }
}
