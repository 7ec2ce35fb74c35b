//! Ranks that negotiate tensors: which was ready last, how often and by how much, as Horovod's timeline says it.

use crate::listed::Listed;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::network::ready as core;

/// The most tensors that are listed; the total counts all.
const MAX_TENSORS: usize = 200;

/// Which rank was ready last.
#[derive(Serialize)]
pub struct Ready {
    /// The number of negotiations of two ranks or more.
    pub negotiations: u64,
    /// The ranks that were last, the one that the others waited for longest first.
    pub ranks: Vec<LastRank>,
    /// The tensors, those that waited longest for their last rank first.
    pub tensors: Listed<NegotiatedTensor>,
}

/// A rank that was ready last.
#[derive(Serialize)]
pub struct LastRank {
    /// Its number.
    pub rank: u32,
    /// How often it was last.
    pub times: u64,
    /// How much later than the rank before it, summed.
    pub late_ns: i64,
    /// The most of these.
    pub most_ns: i64,
}

/// A tensor that ranks negotiated.
#[derive(Serialize)]
pub struct NegotiatedTensor {
    /// Its name.
    pub tensor: String,
    /// How often it was negotiated by two ranks or more.
    pub negotiations: u64,
    /// The rank that was last most often.
    pub rank: u32,
    /// How often that rank was last.
    pub times: u64,
    /// How much later the last rank was than the one before, summed.
    pub late_ns: i64,
}

impl Ready {
    pub(super) fn of(study: &Study) -> Option<Self> {
        let found = core::ready(study)?;
        let rank = |own: &core::LastRank| LastRank {
            rank: own.rank,
            times: own.times,
            late_ns: own.late.0,
            most_ns: own.most.0,
        };
        let trace = study.trace();
        let tensors = Listed::of(found.tensors.len(), MAX_TENSORS, &mut |row| {
            let own = &found.tensors[row];
            let name = trace.thread_name(own.device, own.thread);
            NegotiatedTensor {
                tensor: name.map_or_else(|| own.thread.to_string(), str::to_owned),
                negotiations: own.negotiations,
                rank: own.last.0,
                times: own.last.1,
                late_ns: own.late.0,
            }
        });
        Some(Self {
            negotiations: found.negotiations,
            ranks: found.ranks.iter().map(rank).collect(),
            tensors,
        })
    }
}
