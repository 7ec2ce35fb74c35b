//! The time of each op type, by task and step.

use crate::base::units::Nanos;
use crate::questions::op_types::{AcceleratorDevices, Place, own_times};
use crate::questions::range::{Range, RangeQuery};
use crate::study::step_of_op::StepOfOp;
use crate::{Category, StringId, Study};
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// The ops of one type, category and place that a task ran in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpTypeSum {
    /// How many there are.
    pub count: u64,
    /// Their durations together.
    pub total: Nanos,
    /// Their self time together: without the ops nested in them.
    pub own: Nanos,
    /// The longest duration.
    pub max: Nanos,
}

/// What the sums are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpTypeKey {
    /// The step, as [`StepOfOp`] counts.
    pub step: usize,
    /// The task, if the trace names one.
    pub task: Option<StringId>,
    /// Where the ops ran.
    pub place: Place,
    /// Their type.
    pub op_type: StringId,
    /// What they are.
    pub category: Category,
}

/// The sums of all op types of `study`, in time linear in ops. Counted are the ops that the table of op types counts: ranges and
/// what repeats the numbered streams of a GPU are left out.
pub fn op_types(study: &Study, steps: &StepOfOp) -> BTreeMap<OpTypeKey, OpTypeSum> {
    let (trace, ops, nodes) = (study.trace(), study.trace().ops(), study.trace().nodes());
    let range = Range::of(study, &RangeQuery::of(trace.span()));
    let places = AcceleratorDevices::of(trace);
    let tasks: Vec<Option<StringId>> = trace.devices().ids().map(|id| super::task(trace, id)).collect();
    let mut sums: HashMap<OpTypeKey, OpTypeSum, foldhash::fast::FixedState> = HashMap::default();
    own_times(study, &range, |op, own, is_op| {
        let (device, node) = (trace.device_of(op), ops.node(op));
        let key = OpTypeKey {
            step: steps.step(study, op),
            task: tasks[device.index()],
            place: places.place(device),
            op_type: nodes.op_type(node),
            category: nodes.category(node),
        };
        let sum = sums.entry(key).or_default();
        sum.own += own;
        if is_op {
            let length = ops.interval(op).length();
            sum.count += 1;
            sum.total += length;
            sum.max = sum.max.max(length);
        }
    });
    sums.into_iter().collect()
}
