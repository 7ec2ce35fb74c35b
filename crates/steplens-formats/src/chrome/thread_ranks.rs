//! What names of threads say of ranks, and the ranks of a document by their threads.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::collections::BTreeMap;
use steplens_core::build::builder::DeviceSlot;

/// The ranks of a document.
#[derive(Default)]
pub(super) struct Ranks {
    /// By process, each rank with its name.
    pub(super) rows: BTreeMap<u32, Vec<(DeviceSlot, String)>>,
    /// For each (process, thread) the block of its rank.
    pub(super) of_thread: HashMap<(u32, u32), DeviceSlot, FixedState>,
}

impl Ranks {
    /// The ranks of a process.
    pub(super) fn of(&self, process: u32) -> &[(DeviceSlot, String)] {
        self.rows.get(&process).map_or(&[], Vec::as_slice)
    }

    /// The block of the rank of a thread.
    pub(super) fn of_thread(&self, process: u32, thread: u32) -> Option<DeviceSlot> {
        self.of_thread.get(&(process, thread)).copied()
    }
}

/// The ranks in the name of a thread: `PP rank 0, TP rank 0` of `PP rank 0, TP rank 0, compute`.
pub(super) fn ranks_in(name: &str) -> Option<String> {
    let is_rank = |part: &&str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        matches!(words.as_slice(), [_, "rank", number] if is_number(number))
    };
    let parts: Vec<&str> = name.split(',').map(str::trim).filter(is_rank).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::ranks_in;

    #[test]
    fn names_of_threads_may_say_ranks() {
        let of = |name: &str| ranks_in(name).unwrap_or_default();
        assert_eq!(of("PP rank 0, TP rank 1, compute"), "PP rank 0, TP rank 1");
        assert_eq!(of("EP rank 12"), "EP rank 12");
        for none in ["compute", "rank 3", "rank of a matrix", "low rank 5x5", "stream 7, rank"] {
            assert_eq!(of(none), "", "{none}");
        }
    }
}
