//! What is worth changing: a row for each candidate, with what the step would save if it were faster.

use serde::Serialize;
use steplens_core::Study;
use steplens_core::replay::Replay;
use steplens_core::replay::candidates::{self, Candidate, FASTER};

/// The most candidates of each kind.
const MOST_OF_A_KIND: usize = 10;

/// What the step would save if something were faster.
#[derive(Serialize)]
pub struct SavingRow {
    /// `op-type`, `link` or `device`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// How much of the replayed critical path it takes.
    pub on_path_ns: i64,
    /// What the step saves if it takes 10, 25, 50 and 100 percent less time.
    pub saving_ns: [i64; FASTER.len()],
    /// From which of these percentages on the line goes flat: the step saves less than half as much per percent as before, because
    /// another path takes over. Null if it does not.
    pub flat_from: Option<u32>,
    /// The change of 50 percent, as `steplens what-if` reads it.
    pub change: String,
}

/// The candidates of the step that `study` shows.
pub fn candidates(study: &Study, replay: &Replay) -> Vec<Candidate> {
    candidates::candidates(study, replay, MOST_OF_A_KIND)
}

/// The row of a candidate: replays the step once for each percentage.
pub fn row_of(study: &Study, replay: &Replay, candidate: &Candidate) -> SavingRow {
    let saving = |percent: u32| {
        let change = candidate.change(f64::from(100 - percent) / 100.0);
        // A candidate is made of names that the trace has.
        let scenario = replay.scenario(study, &[change]);
        scenario.map_or(0, |scenario| (replay.unchanged().length() - replay.run(&scenario).length()).0)
    };
    let savings = FASTER.map(saving);
    let (word, text) = candidate.change(0.5).written();
    SavingRow {
        kind: candidate.kind.word(),
        name: candidate.name.clone(),
        on_path_ns: candidate.on_path.0,
        saving_ns: savings,
        flat_from: flat_from(savings),
        change: format!("{word}={text}"),
    }
}

/// The percentage after which the saving of each further percent is less than half of what the first percent saves.
fn flat_from(savings: [i64; FASTER.len()]) -> Option<u32> {
    let first = savings[0] as f64 / f64::from(FASTER[0]);
    if first <= 0.0 {
        return None;
    }
    let pairs = FASTER.windows(2).zip(savings.windows(2));
    let each = pairs.map(|(percent, saving)| {
        (percent[0], (saving[1] - saving[0]) as f64 / f64::from(percent[1] - percent[0]))
    });
    each.filter(|&(_, each)| each < first / 2.0).map(|(percent, _)| percent).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_flat_where_another_path_takes_over() {
        assert_eq!(flat_from([10, 25, 50, 100]), None);
        assert_eq!(flat_from([10, 25, 30, 30]), Some(25));
        assert_eq!(flat_from([10, 11, 11, 11]), Some(10));
        assert_eq!(flat_from([0, 0, 0, 0]), None);
    }
}
