//! No prediction goes below what the streams of a GPU have to run: read here from the trace alone, stream by stream.

use super::laws::{MOST_OPS, opened};
use steplens_core::gpu::kernels::has_kernels;
use steplens_core::model::device::DeviceKind;
use steplens_core::replay::Replay;
use steplens_core::replay::change::Change;
use steplens_core::{Category, DeviceId, Study};
use steplens_tests::recordings::recordings;

/// What the ops of a stream take one after the other, without those that `is_gone`; 0 if two of them ran at once.
fn taken(study: &Study, device: DeviceId, is_gone: &impl Fn(Category) -> bool) -> i64 {
    let trace = study.trace();
    let mut runs: Vec<(i64, i64, bool)> = trace
        .ops_of(device)
        .filter(|&op| trace.category(op) != Category::Range)
        .map(|op| (trace.ops().start(op).0, trace.ops().end(op).0, is_gone(trace.category(op))))
        .collect();
    runs.sort_unstable();
    if runs.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return 0;
    }
    runs.iter().filter(|(.., gone)| !gone).map(|(start, end, _)| end - start).sum()
}

#[test]
fn no_prediction_is_shorter_than_a_stream_needs() {
    let (mut bounded, mut tight) = (0, 0);
    for recording in recordings() {
        let Some(study) = opened(&recording.name, &recording.bytes) else { continue };
        let devices = study.trace().devices();
        let is_stream =
            |&id: &DeviceId| devices.get(id).kind == DeviceKind::Stream && has_kernels(study.trace(), id);
        let streams: Vec<DeviceId> = devices.ids().filter(is_stream).collect();
        if streams.is_empty() || study.trace().ops().len() > MOST_OPS {
            continue;
        }
        let replay = Replay::of(&study);
        for (change, gone) in [
            ("hide=launch", Some(Category::Launch)),
            ("hide=copy", Some(Category::Copy)),
            ("hide=communication", Some(Category::Communication)),
            ("hide=compute", Some(Category::Compute)),
            ("hide=input", Some(Category::Input)),
        ] {
            let Ok(scenario) = replay.scenario(&study, &[Change::parse(change).unwrap()]) else { continue };
            let predicted = replay.run(&scenario).length().0;
            let is_gone = |category| Some(category) == gone;
            let needed = streams.iter().map(|&id| taken(&study, id, &is_gone)).max().unwrap_or(0);
            assert!(predicted >= needed, "{}: {change} gives {predicted} of {needed}", recording.name);
            bounded += usize::from(needed > 0);
            tight += usize::from(needed > predicted / 2);
        }
    }
    // Otherwise the test asked nothing.
    assert!(bounded > 10 && tight > 0, "{bounded} predictions have a bound, {tight} are near it");
}
