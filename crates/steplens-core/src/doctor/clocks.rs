//! Tensors that are received before they were made: the clocks of their tasks differ.

use super::{Finding, Kind, MAX_OPS};
use crate::analysis::clocks;
use crate::{DeviceId, Nanos, OpId, Study};

/// A receipt may be told in whole microseconds: a tensor that is early by less is none.
const ROUNDING: Nanos = Nanos(1_000);

/// What is found of the clocks in what `study` shows, in time linear in transfers; where its clocks are set, what was found
/// before. The ops are those of the opened trace.
pub fn clocks_differ(study: &Study) -> Option<Finding> {
    let (trace, setting) = (study.trace(), &study.view().clocks);
    if let Some(setting) = setting {
        let pairs = setting.clocks.violations(&|_| Default::default());
        let most = pairs.iter().map(|pair| pair.most).max()?;
        let kind = Kind::ClocksDiffer(setting.clocks.transfers(), most);
        let count = clocks::count(&pairs);
        return (most > ROUNDING).then_some(Finding { kind, count, ops: Vec::new(), devices: Vec::new() });
    }
    let task = |device: DeviceId| trace.devices().get(device).task;
    let (mut transfers, mut most) = (0, Nanos(0));
    let mut finding = Finding { kind: Kind::FarOps, count: 0, ops: Vec::new(), devices: Vec::new() };
    for transfer in study.transfers().rows() {
        let Some((producer, op)) = clocks::ends(transfer) else { continue };
        let device = trace.device_of(op);
        let ends = [trace.device_of(producer), device].map(task);
        if ends.contains(&None) || ends[0] == ends[1] {
            continue;
        }
        transfers += 1;
        let early = trace.ops().end(producer) - trace.ops().end(op);
        if early > Nanos(0) {
            most = most.max(early);
            finding.count += 1;
            if finding.ops.len() < MAX_OPS {
                let old = |old_op: &[OpId]| old_op[op.index()];
                finding.ops.push(study.old_op().map_or(op, old));
            }
        }
    }
    finding.kind = Kind::ClocksDiffer(transfers, most);
    (most > ROUNDING).then_some(finding)
}
