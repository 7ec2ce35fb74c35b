//! No prediction goes below what the streams of a GPU have to run: read here from the trace alone, stream by stream.

use super::laws::{MOST_OPS, opened};
use std::collections::BTreeMap;
use steplens_core::model::device::DeviceKind;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_core::{Category, DeviceId, Study};
use steplens_tests::recordings::recordings;

/// The start and end of an op of a stream, and whether it is gone.
type Ran = (i64, i64, bool);

/// What the ops of the busiest stream take one after the other, without those that `is_gone`. A stream on which two ops ran at once says
/// nothing.
fn needed(study: &Study, is_gone: impl Fn(Category) -> bool) -> i64 {
    let trace = study.trace();
    let mut streams: BTreeMap<(DeviceId, u32), Vec<Ran>> = BTreeMap::new();
    for id in trace.devices().ids().filter(|&id| trace.devices().get(id).kind == DeviceKind::Stream) {
        for op in trace.ops_of(id).filter(|&op| trace.category(op) != Category::Range) {
            let (start, end) = (trace.ops().start(op).0, trace.ops().end(op).0);
            let stream = streams.entry((id, trace.ops().thread(op))).or_default();
            stream.push((start, end, is_gone(trace.category(op))));
        }
    }
    let taken = streams.into_values().map(|mut runs| {
        runs.sort_unstable();
        match runs.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            true => 0,
            false => runs.iter().filter(|(.., gone)| !gone).map(|(start, end, _)| end - start).sum(),
        }
    });
    taken.max().unwrap_or(0)
}

#[test]
fn no_prediction_is_shorter_than_a_stream_needs() {
    let (mut bounded, mut tight) = (0, 0);
    for recording in recordings() {
        let Some(study) = opened(&recording.name, &recording.bytes) else { continue };
        if needed(&study, |_| false) == 0 || study.trace().ops().len() > MOST_OPS {
            continue;
        }
        let replay = Replay::of(&study);
        for (change, gone) in [
            ("hide=launch", Some(Category::Launch)),
            ("hide=copy", Some(Category::Copy)),
            ("hide=communication", Some(Category::Communication)),
            ("hide=input", Some(Category::Input)),
        ] {
            let Ok(scenario) = replay.scenario(&study, &[Change::parse(change).unwrap()]) else { continue };
            let predicted = replay.run(&scenario).length().0;
            let needed = needed(&study, |category| Some(category) == gone);
            assert!(predicted >= needed, "{}: {change} gives {predicted} of {needed}", recording.name);
            bounded += usize::from(needed > 0);
            tight += usize::from(needed > predicted / 2);
        }
    }
    // Otherwise the test asked nothing.
    assert!(bounded > 10 && tight > 0, "{bounded} predictions have a bound, {tight} are near it");
}
