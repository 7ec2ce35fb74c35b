//! The phase of each op: forward, backward, optimizer, input or communication.
//!
//! Its own [name](crate::model::phase) decides; then, on threads whose ops nest, what it runs in, the innermost first; then, for a kernel, what it
//! says it runs for (TensorFlow 2 and JAX), or the op that launched it. Loading a batch and communicating are phases of their own, whatever they run
//! in. What nothing says anything of is not said to be the forward pass.

use crate::base::order;
use crate::base::units::Nanos;
use crate::model::phase::Phase;
use crate::questions::op_types::own_times;
use crate::questions::range::{Range, RangeQuery};
use crate::{Category, DeviceId, OpId, Study, Trace};

/// What an op is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A phase that a name records.
    Of(Phase),
    /// Loading the next batch.
    Input,
    /// Communication.
    Communication,
    /// Nothing says what.
    Unsaid,
}

/// The part of each op, by `OpId`.
pub fn parts(study: &Study) -> Vec<Part> {
    let trace = study.trace();
    let nodes = trace.nodes();
    let own: Vec<Part> = nodes
        .ids()
        .map(|node| match nodes.category(node) {
            Category::Communication => Part::Communication,
            Category::Input => Part::Input,
            category => {
                let (name, op_type) = (trace.text(nodes.name(node)), trace.text(nodes.op_type(node)));
                Phase::of_name(name, op_type, category == Category::Range).map_or(Part::Unsaid, Part::Of)
            }
        })
        .collect();
    let of_node = |op: OpId| own[trace.ops().node(op).index()];
    let mut parts: Vec<Part> = trace.ops().ids().map(of_node).collect();
    for device in trace.devices().ids().filter(|&device| trace.devices().get(device).nests) {
        inherit(trace, device, &mut parts);
    }
    for op in trace.ops().ids() {
        if parts[op.index()] != Part::Unsaid {
            continue;
        }
        if let Some(phase) = ran_for(trace, op) {
            parts[op.index()] = Part::Of(phase);
        } else if let Some(launcher) = study.kernels().op_of(op) {
            // A call stands in what it runs in; the operator around it is the innermost one, or none.
            let call = trace.call_of(op).map(|call| parts[call.index()]);
            parts[op.index()] = call.filter(|&part| part != Part::Unsaid).unwrap_or(parts[launcher.index()]);
        }
    }
    parts
}

/// Of the time of ops, the share that phases must have for colours by phase to be offered: one part in this many.
const LEAST_OF_TIME: i64 = 10;

/// Whether names record phases: of the self time of all ops a tenth or more is of a forward pass, a backward pass or an optimizer.
pub fn are_recorded(study: &Study) -> bool {
    let parts = parts(study);
    let (mut of_phases, mut of_all) = (Nanos(0), Nanos(0));
    own_times(study, &Range::of(study, &RangeQuery::of(study.trace().span())), |op, own, _| {
        of_all += own;
        if matches!(parts[op.index()], Part::Of(_)) {
            of_phases += own;
        }
    });
    of_phases > Nanos(0) && of_phases.0 >= of_all.0 / LEAST_OF_TIME
}

/// What a kernel says it runs for: `NAME:TYPE` of TensorFlow's op, or the path of JAX.
const RAN_FOR: [&str; 2] = ["annotation", "tf_op"];

fn ran_for(trace: &Trace, op: OpId) -> Option<Phase> {
    if !trace.devices().get(trace.device_of(op)).is_accelerator {
        return None;
    }
    let mut said = trace.arguments().of(op).filter(|own| RAN_FOR.contains(&own.name));
    said.find_map(|own| {
        let text = own.value.shown();
        let (name, op_type) = text.rsplit_once(':').unwrap_or((&text, ""));
        Phase::of_name(name, op_type, false)
    })
}

/// Gives each op whose name records no phase the part of the innermost op or range around it.
fn inherit(trace: &Trace, device: DeviceId, parts: &mut [Part]) {
    let ops = trace.ops();
    let mut sorted: Vec<OpId> = trace.ops_of(device).collect();
    order::by_number(&mut sorted, |op| (ops.start(op).0, ops.end(op).0.wrapping_neg()));
    order::by_number(&mut sorted, |op| (i64::from(ops.thread(op)), 0));
    for thread in sorted.chunk_by(|&a, &b| ops.thread(a) == ops.thread(b)) {
        let mut open: Vec<OpId> = Vec::new();
        for &op in thread {
            while open.last().is_some_and(|&outer| ops.end(outer) <= ops.start(op)) {
                open.pop();
            }
            if parts[op.index()] == Part::Unsaid
                && let Some(&outer) = open.last()
            {
                parts[op.index()] = parts[outer.index()];
            }
            open.push(op);
        }
    }
}
