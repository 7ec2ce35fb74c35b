//! What only a first step does, as a sentence.

use super::words::{length, short};
use crate::figures::plural;
use crate::verdict::function_of;
use steplens_core::Nanos;
use steplens_core::findings::{FactPart, Facts, Finding};
use steplens_messages::{message, say, sentences};

/// Calls with a name take about as long as the first step is longer, if they differ by less than this part of it, as its divisor.
const ABOUT: i64 = 20;

/// What was found of a first step.
pub(super) fn first_step(own: &Finding) -> String {
    let Facts { time, longer, .. } = own.facts;
    let differs = |longer: Nanos| (longer - time).0.abs().saturating_mul(ABOUT) >= longer.0;
    let longer = longer.filter(|&own| differs(own));
    let longer = longer.map(|own| say!("finding-first-step-longer", longer = length(own)));
    sentences([Some(calls(own)), longer].into_iter().flatten())
}

/// The calls that a first step has, and later ones have not.
fn calls(own: &Finding) -> String {
    let Facts { name, other, count, of, time, usual, ranks: tried, .. } = &own.facts;
    let (name, other) = (&short(name), &short(other));
    let (time, usual) = (length(*time), length(*usual));
    match *count {
        _ if *of == 1 => say!("finding-capture", op = name, time),
        _ if own.facts.is_function => say!("finding-first-function", op = function_of(name), time),
        all if *of == 2 => {
            let compiles = say!("finding-compiling", time = length(own.facts.since));
            let takes = match all.saturating_sub(own.facts.sized) {
                0 => None,
                more => Some(say!("finding-first-step-take-with", others = others(more), time)),
            };
            sentences([Some(compiles), takes].into_iter().flatten())
        }
        _ if let Some((next, usual)) = &own.facts.pause => {
            let whole = length(own.facts.time + *usual);
            say!("finding-first-run", op = short(next), whole, usual = length(*usual))
        }
        1 if !other.is_empty() => {
            say!("finding-first-call", op = name, time, usual = length(own.facts.since), kernel = other)
        }
        all if let Some((convolution, trying)) = own.facts.names.first() => {
            let all = say!("finding-first-step", op = name, longest = usual, others = others(all - 1), time);
            let (op, time) = (short(convolution), length(*trying));
            sentences([all, say!("finding-first-step-tried", count = *tried, op, time)])
        }
        all if *tried > 0 => {
            let tries = say!("finding-first-step-trials", count = *tried, op = name);
            let takes = match all.saturating_sub(*tried) {
                0 => say!("finding-first-step-take", time),
                more => say!("finding-first-step-take-with", others = others(more), time),
            };
            let idle = own.facts.parts.iter().find(|own| own.0 == FactPart::Idle);
            let idle = idle.map(|&(_, idle)| say!("finding-first-step-idle", idle = length(idle)));
            sentences([Some(tries), Some(takes), idle].into_iter().flatten())
        }
        0 | 1 => say!("finding-first-step-alone", op = name, time),
        all => say!("finding-first-step", op = name, longest = usual, others = others(all - 1), time),
    }
}

fn others(count: u64) -> String {
    plural(count, message!("finding-other-calls", count))
}
