//! A GPU that is idle although the call that launched its next kernel had returned. Its streams wait for each other, for work that was
//! not recorded, or a graph of kernels goes from one to the next. Nothing says what could be saved; but where it is a tenth of the step, whoever
//! asks why the GPU is idle must not hear of the host alone.
//!
//! HTA calls this time kernel wait and other (`idle_time_breakdown`).

use super::super::context::{Context, figure};
use super::super::finding::{Facts, Needs, Rule, Ruling};
use crate::base::units::Nanos;

/// At least this part of the step, as its divisor.
const LEAST: i64 = 10;

pub(super) fn judge(context: &Context<'_>) -> Ruling {
    let Some(own) = context.host() else { return Ruling::Lacks(Needs::Gpu) };
    let time = own.idle - own.host;
    if time.0.saturating_mul(LEAST) < context.trace().span().length().0 {
        return Ruling::Nothing;
    }
    let facts = Facts { time, usual: own.idle, ..Facts::default() };
    figure(Rule::IdleThoughLaunched, Nanos(0), facts, Vec::new())
}
