//! Before and after on one scale: for each device in which parts of the step it was busy.

use serde::Serialize;
use steplens_core::replay::Replay;
use steplens_core::replay::schedule::Schedule;
use steplens_core::{DeviceId, Study};

/// The parts into which the longer of the two steps is divided.
const BINS: usize = 240;
/// The most devices that are shown: those that were busy longest.
const MOST_DEVICES: usize = 16;

/// Both timelines.
#[derive(Serialize)]
pub struct MirroredTimeline<'a> {
    /// The length that both are drawn on: that of the longer step.
    pub length_ns: i64,
    /// The devices that were busy longest, in the order of the trace.
    pub devices: Vec<MirroredDevice<'a>>,
    /// The number of devices that are left out.
    pub left_out: usize,
}

/// A device in both timelines.
#[derive(Serialize)]
pub struct MirroredDevice<'a> {
    /// Its name.
    pub device: &'a str,
    /// For each part of the step how much of it the device was busy without changes, in percent.
    pub before: Vec<u8>,
    /// The same with the changes; empty without changes.
    pub after: Vec<u8>,
}

impl<'a> MirroredTimeline<'a> {
    /// Divides both replays into equal parts.
    pub fn new(study: &'a Study, replay: &Replay, after: Option<&Schedule>) -> Self {
        let trace = study.trace();
        let before = replay.unchanged();
        let length = before.length().0.max(after.map_or(0, |after| after.length().0)).max(1);
        let count = trace.devices().len();
        let of_before = busy(study, replay, before, length, count);
        let of_after = after.map(|after| busy(study, replay, after, length, count));
        let mut busiest: Vec<(u64, DeviceId)> = trace
            .devices()
            .ids()
            .map(|id| (of_before[id.index()].iter().map(|&part| u64::from(part)).sum(), id))
            .filter(|&(sum, _)| sum > 0)
            .collect();
        let left_out = busiest.len().saturating_sub(MOST_DEVICES);
        busiest.sort_by_key(|&(sum, id)| (std::cmp::Reverse(sum), id));
        busiest.truncate(MOST_DEVICES);
        busiest.sort_by_key(|&(_, id)| id);
        let devices = busiest
            .into_iter()
            .map(|(_, id)| MirroredDevice {
                device: trace.text(trace.devices().get(id).name),
                before: of_before[id.index()].clone(),
                after: of_after.as_ref().map_or_else(Vec::new, |after| after[id.index()].clone()),
            })
            .collect();
        Self { length_ns: length, devices, left_out }
    }
}

/// For each device, in percent, how much of each part of the step any of its ops ran.
fn busy(study: &Study, replay: &Replay, schedule: &Schedule, length: i64, devices: usize) -> Vec<Vec<u8>> {
    let trace = study.trace();
    let mut runs: Vec<Vec<(i64, i64)>> = vec![Vec::new(); devices];
    replay.each_run(schedule, |op, start, end| runs[trace.device_of(op).index()].push((start, end)));
    runs.into_iter().map(|mut own| shares(&mut own, length)).collect()
}

fn shares(runs: &mut [(i64, i64)], length: i64) -> Vec<u8> {
    runs.sort_unstable();
    let mut covered = vec![0_i64; BINS];
    let edge = |bin: usize| (i128::from(length) * bin as i128 / BINS as i128) as i64;
    let mut done = i64::MIN;
    for &(start, end) in runs.iter() {
        let start = start.max(done);
        if end <= start {
            continue;
        }
        done = end;
        let mut bin = (i128::from(start) * BINS as i128 / i128::from(length)) as usize;
        while bin < BINS && edge(bin) < end {
            covered[bin] += end.min(edge(bin + 1)) - start.max(edge(bin));
            bin += 1;
        }
    }
    let percent = |(bin, covered): (usize, i64)| {
        (covered * 100 / (edge(bin + 1) - edge(bin)).max(1)).clamp(0, 100) as u8
    };
    covered.into_iter().enumerate().map(percent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_runs_count_once() {
        let bin = 1_000;
        let shares = shares(&mut [(0, 500), (250, 750), (1_500, 2_000)], bin * BINS as i64);
        assert_eq!(shares[..4], [75, 50, 0, 0]);
        assert_eq!(shares.len(), BINS);
    }
}
