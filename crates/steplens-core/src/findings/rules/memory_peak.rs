//! The peak of memory that a late reader holds: of what is alive at the peak of an account, one op that waits keeps at least a fifth. What others
//! read after it counts for none: it stays alive, whenever this op runs.

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::{Bytes, Nanos};
use crate::memory::why::Holders;

/// An op holds much if it keeps at least this part of the peak, as its divisor.
const LEAST: u64 = 5;
/// Less memory is no concern on any machine.
const LEAST_BYTES: Bytes = Bytes(64 << 20);

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let study = context.study;
    let Some((_, memory)) = study.best_memory() else { return Ruling::Lacks(Needs::Memory) };
    let Some(account) = memory.accounts.iter().max_by_key(|account| account.peak().0) else {
        return Ruling::Lacks(Needs::Memory);
    };
    let (peak, at) = account.peak();
    if peak < LEAST_BYTES {
        return Ruling::Nothing;
    }
    let holders = Holders::found(study.trace(), study.reads(), account, at);
    let Some(holder) = holders.only_reader(account) else { return Ruling::Nothing };
    if holder.bytes.0.saturating_mul(LEAST) < peak.0 {
        return Ruling::Nothing;
    }
    let facts = Facts {
        name: study.title(holder.op).to_owned(),
        whole: peak,
        count: holder.tensors,
        bytes: holder.bytes,
        ..Facts::default()
    };
    figure(Rule::MemoryPeak, Nanos(0), facts, vec![holder.op])
}
