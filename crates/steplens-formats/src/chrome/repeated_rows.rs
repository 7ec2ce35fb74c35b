//! Rows that repeat others: an export of MindSpore (`…timeline_display_0.json`) has the ops of a stream once more in rows called
//! `stream_3_parallel`. They are shown, and count once, where each of their ops is in another row, too: with the same start and end.

use super::kinds::{EventKind, Home};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use std::collections::BTreeMap;
use steplens_core::build::builder::{DeviceSlot, Mark, TraceBuilder};
use steplens_core::model::category::REPEATED_ROW;
use steplens_core::{Category, Hint, Says};

/// The rows of a document that may repeat others, as process and thread, and the hint of their events.
#[derive(Default)]
pub(super) struct RepeatedRows {
    rows: HashSet<(u32, u32), FixedState>,
    hint: Option<Hint>,
}

/// Whether a row is called `stream_3_parallel`, or `stream_3_parallel_1`.
fn is_parallel(name: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let Some(rest) = name.strip_prefix(b"stream_") else { return false };
    let count = digits(rest);
    let Some(end) = rest[count..].strip_prefix(b"_parallel").filter(|_| count > 0) else { return false };
    let number = end.strip_prefix(b"_").unwrap_or(end);
    end.is_empty() || number.len() < end.len() && !number.is_empty() && digits(number) == number.len()
}

impl RepeatedRows {
    /// The kind of an event of a row called `name`; `None` if nothing says that the row repeats another one.
    pub(super) fn kind(
        &mut self,
        (process, thread): (usize, u32),
        name: &[u8],
        builder: &mut TraceBuilder,
    ) -> Option<EventKind> {
        if !is_parallel(name) {
            return None;
        }
        let process = u32::try_from(process).ok()?;
        self.rows.insert((process, thread));
        let hint = *self.hint.get_or_insert_with(|| builder.open_hint(REPEATED_ROW));
        Some(EventKind { hint, home: Home::Host, is_call: false })
    }

    /// Says what these rows are, when all ops of the document, those since `mark` in these blocks of processes, are known.
    pub(super) fn settle(&self, mark: Mark, blocks: &[(DeviceSlot, u32)], builder: &mut TraceBuilder) {
        let Some(hint) = self.hint else { return };
        let process_of: BTreeMap<DeviceSlot, u32> = blocks.iter().copied().collect();
        let place = |row: u32| {
            let (thread, run) = builder.run_of(row);
            (process_of.get(&builder.block_of(row)).map(|&process| (process, thread)), (run.start, run.end))
        };
        let rows = builder.rows_since(mark).map(place);
        let (repeated, others): (Vec<_>, Vec<_>) =
            rows.partition(|(row, _)| row.is_some_and(|row| self.rows.contains(&row)));
        let others: HashSet<(i64, i64), FixedState> = others.into_iter().map(|(_, run)| run).collect();
        let repeats = repeated.iter().all(|(_, run)| others.contains(run));
        builder.settle_hint(hint, if repeats { Says::Is(Category::Range) } else { Says::Event });
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.capacity() * (size_of::<(u32, u32)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::is_parallel;

    #[test]
    fn rows_are_known_by_their_names() {
        for name in ["stream_3_parallel", "stream_12_parallel_1"] {
            assert!(is_parallel(name.as_bytes()), "{name}");
        }
        for name in
            ["stream_3", "stream__parallel", "stream_3_parallel_", "stream_3_parallelx", "Stream #3", ""]
        {
            assert!(!is_parallel(name.as_bytes()), "{name}");
        }
    }
}
