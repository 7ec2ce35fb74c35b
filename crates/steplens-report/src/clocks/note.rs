//! What is said first where times of different tasks cannot be compared, and what is withheld then.

use crate::wording::duration;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::clocks::{Doubt, Why};
use steplens_messages::{say, sentences};

/// Why times of different tasks are not compared, and what helps.
#[derive(Clone, Debug, Serialize)]
pub struct ClockNote {
    /// `differ`: aligning helps; `not-found`: they differ, and no offsets were found that put all right; `contradict`: no offsets help.
    pub why: &'static str,
    /// It, in a sentence.
    pub sentence: String,
    /// How far the clocks differ; of `contradict` by how much the earliest tensor is early.
    pub differ_by_ns: i64,
    /// How many tensors arrive before they are sent, or contradict the others.
    pub tensors: u64,
    /// Of how many between tasks.
    pub of_tensors: u64,
    /// Why figures that compare tasks are withheld, in a sentence for the places where they would stand.
    pub withheld: String,
    /// Whether aligning the clocks puts every tensor right.
    pub can_align: bool,
}

impl ClockNote {
    /// What is to be said first of `study`; `None` where times of its tasks can be compared.
    pub fn of(study: &Study) -> Option<Self> {
        study.clock_doubt().map(Self::of_doubt)
    }

    /// It, as a whole sentence.
    pub fn first(&self) -> String {
        say!("clocks-first", said = self.sentence)
    }

    /// What is to be said of `doubt`.
    pub fn of_doubt(doubt: Doubt) -> Self {
        let Doubt { why, by, tensors, of } = doubt;
        let length = duration(by.0.unsigned_abs());
        let early = say!("clocks-early", tensors, of);
        let (word, sentence, because) = match why {
            Why::Differ => ("differ", say!("clocks-differ-align", length), early),
            Why::NotFound => ("not-found", say!("clocks-differ-not-found", length), early),
            Why::Contradict => {
                let many = say!("clocks-many-contradict", tensors, of);
                ("contradict", many, say!("clocks-contradict-because").to_owned())
            }
        };
        Self {
            why: word,
            sentence,
            differ_by_ns: by.0,
            tensors,
            of_tensors: of,
            withheld: sentences([because, say!("clocks-withheld").to_owned()]),
            can_align: why == Why::Differ,
        }
    }
}
