//! Each accelerator, and each device that belongs to none, step by step: what `steplens summary` says of one step, of all of them at once.

use crate::base::order;
use crate::base::units::{Interval, Nanos, Timestamp};
use crate::gpu::accelerators::accelerators;
use crate::model::device::DeviceKind;
use crate::steps::figures::splits_of_periods;
use crate::study::step_of_op::StepOfOp;
use crate::timeline::coverage::Coverage;
use crate::timeline::split::Split;
use crate::{Category, DeviceId, StringId, Study};
use hashbrown::HashMap;

/// An accelerator, or a device that belongs to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit<'s> {
    /// Its name in every output.
    pub name: &'s str,
    /// Its task, if the trace names one.
    pub task: Option<StringId>,
    /// Of its first device.
    pub kind: DeviceKind,
    /// Whether it is an accelerator.
    pub is_accelerator: bool,
}

/// What a unit did in a step in which it has ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitStep {
    /// The row of its unit.
    pub unit: usize,
    /// The step, as [`StepOfOp`] counts.
    pub step: usize,
    /// How the step's span divides on it.
    pub split: Split,
    /// Its ops, each once.
    pub ops: u64,
    /// Whether it did any work: ranges are none.
    pub works: bool,
    /// The end of the last of them that is no range.
    pub end: Timestamp,
}

/// All units of a trace, and what each did in each step.
#[derive(Debug, Default)]
pub struct Units<'s> {
    /// The units: accelerators first.
    pub rows: Vec<Unit<'s>>,
    /// In order of unit and step.
    pub steps: Vec<UnitStep>,
}

impl<'s> Units<'s> {
    /// What every unit of `study` did in each of `steps`, in time n log n. What a host profiler recorded once more is no unit.
    pub fn of(study: &'s Study, steps: &StepOfOp) -> Self {
        let trace = study.trace();
        let found = accelerators(trace);
        let mut own = Self::default();
        let is_part = |id: &DeviceId| found.iter().any(|one| one.devices.contains(id));
        let others =
            trace.devices().ids().filter(|&id| !trace.devices().is_host_profiler(id) && !is_part(&id));
        for one in &found {
            let counted: Vec<DeviceId> = one.unrepeated(trace).collect();
            own.add(study, steps, (one.name, true), &one.devices, &counted);
        }
        for id in others {
            own.add(study, steps, (trace.text(trace.devices().get(id).name), false), &[id], &[id]);
        }
        own
    }

    /// Adds the unit of `devices`, whose ops are those of `counted`.
    fn add(
        &mut self,
        study: &'s Study,
        steps: &StepOfOp,
        (name, is_accelerator): (&'s str, bool),
        devices: &[DeviceId],
        counted: &[DeviceId],
    ) {
        let (trace, unit) = (study.trace(), self.rows.len());
        let Some(&first) = devices.first() else { return };
        let (task, kind) = (super::task(trace, first), trace.devices().get(first).kind);
        self.rows.push(Unit { name, task, kind, is_accelerator });
        let begun = self.steps.len();
        let mut row_of_step: HashMap<usize, usize, foldhash::fast::FixedState> = HashMap::default();
        for &device in devices {
            for op in trace.ops_of(device) {
                let step = steps.step(study, op);
                let row = *row_of_step.entry(step).or_insert_with(|| {
                    let split = Coverage::default().split(steps.span(step));
                    let end = Timestamp(i64::MIN);
                    self.steps.push(UnitStep { unit, step, split, ops: 0, works: false, end });
                    self.steps.len() - 1
                });
                let own = &mut self.steps[row];
                own.ops += u64::from(counted.contains(&device));
                if !trace.nodes().is_range(trace.ops().node(op)) {
                    own.works = true;
                    own.end = own.end.max(trace.ops().end(op));
                }
            }
        }
        let mut pieces: Vec<(usize, Category, Interval)> = Vec::new();
        for &device in devices {
            let of_step = |piece: &crate::timeline::nesting::Piece| {
                (steps.step(study, piece.op), trace.category(piece.op), piece.interval)
            };
            pieces.extend(study.pieces(device).iter().map(of_step));
        }
        order::by_number(&mut pieces, |(step, _, interval)| (step as i64, interval.start.0));
        for own in pieces.chunk_by(|a, b| a.0 == b.0) {
            let step = own[0].0;
            let covered = own.iter().map(|&(_, category, interval)| (category, interval));
            if let Some(&row) = row_of_step.get(&step) {
                self.steps[row].split = Coverage::summed(covered).split(steps.span(step));
            }
        }
        if is_accelerator && !steps.is_one() && steps.steps().has_periods() {
            let others = steps.steps().work_of_others(trace, counted);
            splits_of_periods(trace, steps.steps(), devices, |step, split| {
                if split.busy == Nanos(0) && !row_of_step.contains_key(&step) {
                    return;
                }
                let row = *row_of_step.entry(step).or_insert_with(|| {
                    let end = steps.span(step).end;
                    self.steps.push(UnitStep { unit, step, split, ops: 0, works: true, end });
                    self.steps.len() - 1
                });
                self.steps[row].split = split;
                self.steps[row].ops += others.get(step).copied().unwrap_or(0);
            });
        }
        self.steps[begun..].sort_unstable_by_key(|own| own.step);
    }
}
