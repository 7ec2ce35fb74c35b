//! The note that is shown first if times of different tasks cannot be compared, and why figures are withheld.

use crate::wording::duration;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::clocks::{Doubt, Why};
use steplens_messages::{say, sentences};

/// Why times of different tasks are not compared, and what helps.
#[derive(Clone, Debug, Serialize)]
pub struct ClockNote {
    /// `differ`: aligning the clocks helps; `not-found`: the clocks differ, and no offsets were found that correct all tensors;
    /// `contradict`: no offsets help; `accelerator`: programs end on an accelerator before its host asked for them; `coarse-host`: the
    /// clock of the host counts in long ticks, and that of its accelerator does not.
    pub why: &'static str,
    /// The reason, as a sentence.
    pub sentence: String,
    /// How much the clocks differ, for `accelerator` at least; for `coarse-host` its tick; for `contradict` the largest time by which a tensor is early.
    pub differ_by_ns: i64,
    /// The number of tensors that arrive before they are sent, or contradict the others; for `accelerator` of programs that end too early;
    /// for `coarse-host` of ops of the host without a length.
    pub tensors: u64,
    /// The number of tensors between tasks; for `accelerator` of programs; for `coarse-host` of ops of the host.
    pub of_tensors: u64,
    /// Why figures that compare tasks are withheld, as a sentence to be shown in their place.
    pub withheld: String,
    /// Whether aligning the clocks corrects every tensor.
    pub can_align: bool,
}

impl ClockNote {
    /// The note about `study`; `None` if times of its tasks can be compared.
    pub fn of(study: &Study) -> Option<Self> {
        study.clock_doubt().map(Self::of_doubt)
    }

    /// The reason, as the first sentence of an answer.
    pub fn first(&self) -> String {
        say!("clocks-first", said = self.sentence)
    }

    /// The note about `doubt`.
    pub fn of_doubt(doubt: Doubt) -> Self {
        let Doubt { why, by, tensors, of, is_by_collectives } = doubt;
        let length = duration(by.0.unsigned_abs());
        let early = match is_by_collectives {
            true => say!("clocks-ends-early", tensors, of),
            false => say!("clocks-early", tensors, of),
        };
        let (word, sentence, because) = match why {
            Why::Differ => ("differ", say!("clocks-differ-align", length), early),
            Why::NotFound => ("not-found", say!("clocks-differ-not-found", length), early),
            Why::Accelerator => {
                let said = say!("clocks-accelerator", length);
                ("accelerator", said, say!("clocks-accelerator-early", programs = tensors, of))
            }
            Why::CoarseHost => {
                let said = say!("clocks-coarse-host", length);
                ("coarse-host", said, say!("clocks-coarse-host-because", ops = tensors, of))
            }
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
            withheld: sentences([
                because,
                match why {
                    Why::Accelerator => say!("clocks-accelerator-withheld").to_owned(),
                    Why::CoarseHost => say!("clocks-coarse-host-withheld").to_owned(),
                    _ => say!("clocks-withheld").to_owned(),
                },
            ]),
            can_align: why == Why::Differ,
        }
    }
}
