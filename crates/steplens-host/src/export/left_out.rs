//! What a format could not hold of the trace, as sentences.

use steplens_export::LeftOut;
use steplens_export::run_metadata::Lost;
use steplens_messages::{message, say};
use steplens_report::figures as units;

/// One sentence for each kind of thing.
pub fn notes(left_out: LeftOut) -> Vec<String> {
    let LeftOut { arrows, inputs, lost: Lost { categories, calls, devices, runs, cut } } = left_out;
    let count = |count: u64, said: String| (count > 0).then_some(said);
    let ops = |count| units::plural(count, message!("program-ops", count));
    [
        count(
            arrows,
            say!("export-backwards", transfers = units::plural(arrows, message!("program-transfers", count))),
        ),
        count(
            inputs,
            say!("export-inputs-backwards", edges = units::plural(inputs, message!("program-edges", count))),
        ),
        count(categories, say!("export-loses-categories", ops = ops(categories))),
        count(calls, say!("export-loses-calls", ops = ops(calls))),
        count(
            devices,
            say!(
                "export-loses-devices",
                devices = units::plural(devices, message!("program-devices", count))
            ),
        ),
        count(runs, say!("export-loses-runs", steps = units::plural(runs, message!("program-steps", count)))),
        count(
            cut,
            say!(
                "export-cuts-times",
                allocations = units::plural(cut, message!("program-allocations", count))
            ),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
