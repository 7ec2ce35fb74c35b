//! Copies from or to memory that is not pinned, as CUPTI and ROCm name them (`Memcpy HtoD (Pageable -> Device)`): the runtime copies
//! them piece by piece through memory of its own, and the call returns when the copy is done (CUDA Runtime API, *API synchronization
//! behavior*). The time is measured: how long a GPU did nothing but copy, in the share that such copies have of all its copies; it is
//! the most that can be saved.

use super::super::context::Context;
use super::super::finding::{Facts, Rule, Ruling};
use super::all_copies::{copies, exposed, lacks, share_of};
use crate::base::units::{Bytes, Nanos};
use crate::model::arguments::Argument;
use crate::{Category, OpId, Trace};

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    if !context.has(Category::Copy) {
        return lacks(context);
    }
    if !is_mostly_pageable(context) {
        return Ruling::Nothing;
    }
    let trace = context.trace();
    let (time, _) = times(trace);
    let exposed = share_of(trace, time, exposed(context));
    let mut evidence: Vec<OpId> = copies(trace).filter(|&op| is_pageable(trace, op)).collect();
    let count = evidence.len() as u64;
    let bytes = evidence.iter().map(|&op| bytes_of(trace, op)).fold(0_u64, u64::saturating_add);
    evidence.sort_by_key(|&op| (std::cmp::Reverse(trace.ops().interval(op).length()), op));
    let facts = Facts {
        name: evidence.first().map(|&op| trace.op_name(op).to_owned()).unwrap_or_default(),
        count,
        of: copies(trace).count() as u64,
        time,
        bytes: Bytes(bytes),
        ..Facts::default()
    };
    context.measured(Rule::PageableCopies, exposed, facts, evidence, None)
}

/// Whether copies from or to memory that is not pinned take at least half of the time of all copies.
pub(super) fn is_mostly_pageable(context: &Context<'_>) -> bool {
    let (time, all) = times(context.trace());
    time > Nanos(0) && time.0.saturating_mul(2) >= all.0
}

/// The time of these copies, and of all.
fn times(trace: &Trace) -> (Nanos, Nanos) {
    copies(trace).fold((Nanos(0), Nanos(0)), |(time, all), op| {
        let length = trace.ops().interval(op).length();
        (if is_pageable(trace, op) { time + length } else { time }, all + length)
    })
}

fn is_pageable(trace: &Trace, op: OpId) -> bool {
    [trace.op_type(op), trace.op_name(op)].iter().any(|text| text.contains("Pageable"))
}

fn bytes_of(trace: &Trace, op: OpId) -> u64 {
    let own = trace.arguments().of(op).find(|Argument { name, .. }| *name == "bytes");
    own.and_then(|own| own.value.count()).unwrap_or(0)
}
