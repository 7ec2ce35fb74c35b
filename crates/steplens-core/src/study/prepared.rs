//! Results that are computed in pieces, so that a page can draw between them.

use super::Study;
use crate::base::pace::Work;
use crate::dataflow::DataFlow;
use crate::transfers::Transfers;
use std::sync::Arc;

/// Results that most questions need, but no picture of the timeline: they are computed in pieces, after the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// The data flow.
    Flow,
    /// The transfers, which need the data flow.
    Transfers,
    /// The kernels, which need neither of them.
    Kernels,
}

impl Prepared {
    /// The value that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        match word {
            "flow" => Some(Self::Flow),
            "transfers" => Some(Self::Transfers),
            "kernels" => Some(Self::Kernels),
            _ => None,
        }
    }
}

impl Study {
    /// Does one piece of the work for `part`, which no picture of the timeline needs. Returns whether there is more to do.
    pub fn prepare_one(&self, part: Prepared) -> bool {
        match part {
            Prepared::Kernels => {
                self.kernels();
            }
            _ if self.flow.get().is_none() => {
                let (trace, rule) = (Arc::clone(&self.trace), self.view.rule);
                let begin = || Work::new(|pace| async move { DataFlow::paced(&trace, rule, &pace).await });
                let done = self.flow_begun.borrow_mut().get_or_insert_with(begin).go_on();
                if let Some(flow) = done {
                    self.flow_begun.take();
                    self.flow.get_or_init(|| Arc::new(flow));
                }
            }
            Prepared::Transfers if self.transfers.get().is_none() => {
                let (trace, flow) = (Arc::clone(&self.trace), Arc::clone(self.shared_flow()));
                let begin = || Work::new(|pace| async move { Transfers::paced(&trace, &flow, &pace).await });
                let done = self.transfers_begun.borrow_mut().get_or_insert_with(begin).go_on();
                if let Some(transfers) = done {
                    self.transfers_begun.take();
                    self.transfers.get_or_init(|| transfers);
                }
            }
            Prepared::Flow | Prepared::Transfers => {}
        }
        match part {
            Prepared::Flow => self.flow.get().is_none(),
            Prepared::Transfers => self.transfers.get().is_none(),
            Prepared::Kernels => false,
        }
    }

    /// Prepares everything in [`Prepared`].
    pub fn prepare(&self) {
        self.transfers();
        self.kernels();
    }
}
