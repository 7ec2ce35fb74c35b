//! Whether parameters arrived in the order in which ops need them, and how much time another order would save.

use crate::op_ref::OpRef;
use serde::Serialize;
use steplens_core::base::pace::Pace;
use steplens_core::makers::Makers;
use steplens_core::network::arrival_order::{self, DeviceOrder, StepOrder, arrival_order_paced};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{OpId, Study};

/// The most parameters that are listed, for one device and for all devices together.
const MAX_LISTED: usize = 2_000;
const MAX_LISTED_TOGETHER: usize = 20_000;

/// The order on one device: core's DeviceOrder.
#[derive(Serialize)]
pub struct OrderOfDevice<'a> {
    pub device: u32,
    pub name: &'a str,
    pub steps: u64,
    pub tensors: u64,
    pub inversions: Option<u64>,
    pub pairs: Option<u64>,
    pub lost_ns: Option<i64>,
    pub replay_error_ns: Option<i64>,
    pub unknown_because: Option<&'static str>,
    /// The step that lost most: its number, its figures and its tensors.
    pub worst_step: Option<StepOfOrder<'a>>,
}

/// The order in one step: core's StepOrder.
#[derive(Serialize)]
pub struct StepOfOrder<'a> {
    /// The number of the step, as in `steplens steps`: from 1.
    pub step: usize,
    pub tensors: usize,
    pub inversions: u64,
    pub pairs: u64,
    pub lost_ns: i64,
    pub replay_error_ns: i64,
    /// The parameters for which ops waited longest though they could have arrived before a parameter that was needed later.
    pub worst: Vec<Inversion>,
    /// The first parameters, in the order in which they should arrive.
    pub better: Vec<Parameter<'a>>,
}

/// Two tensors that arrived in the opposite order of need.
#[derive(Serialize)]
pub struct Inversion {
    pub late: OpRef,
    pub early: OpRef,
    pub overtaken_by: u32,
    pub user: OpRef,
    pub waited_ns: i64,
}

/// A parameter, when it arrived, and when it should.
#[derive(Serialize)]
pub struct Parameter<'a> {
    /// Its transfer.
    pub op: u32,
    /// The tensor part of its key, which distinguishes it from others of its name.
    pub tensor: &'a str,
    /// The device that sent it.
    pub source: &'a str,
    /// The size.
    pub bytes: u64,
    /// Its place in the order of arrival, from 0.
    pub received_rank: usize,
    /// When it arrived.
    pub received_ns: i64,
    /// When it would have arrived in the better order.
    pub better_ns: i64,
    /// When its first op would start if every tensor were there from the beginning, counted from that beginning.
    pub needed_ns: i64,
}

/// The devices that received tensors from other tasks.
pub(super) async fn order<'a>(
    study: &'a Study,
    steps: &StepOfOp,
    makers: &Makers,
    pace: &Pace,
) -> Vec<OrderOfDevice<'a>> {
    let devices = arrival_order_paced(study, steps, makers, pace).await;
    let listed = (MAX_LISTED_TOGETHER / devices.len().max(1)).clamp(1, MAX_LISTED);
    devices.iter().map(|own| device(study, own, listed)).collect()
}

fn device<'a>(study: &'a Study, own: &DeviceOrder, listed: usize) -> OrderOfDevice<'a> {
    let trace = study.trace();
    let known = own.worst.is_ok();
    OrderOfDevice {
        device: own.device.get(),
        name: trace.text(trace.devices().get(own.device).name),
        steps: own.steps,
        tensors: own.tensors,
        inversions: known.then_some(own.inversions),
        pairs: known.then_some(own.pairs),
        lost_ns: known.then_some(own.lost.0),
        replay_error_ns: known.then_some(own.replay_error.0),
        unknown_because: own.worst.as_ref().err().map(|why| why.word()),
        worst_step: own.worst.as_ref().ok().map(|own| step(study, own, listed)),
    }
}

fn step<'a>(study: &'a Study, own: &StepOrder, listed: usize) -> StepOfOrder<'a> {
    let mut came: Vec<u32> = (0..own.tensors.len() as u32).collect();
    steplens_core::base::order::by_number(&mut came, |row| {
        let arrival_order::Parameter { received, op, .. } = own.tensors[row as usize];
        (received.0, i64::from(op.get()))
    });
    let mut rank = vec![0; came.len()];
    came.iter().enumerate().for_each(|(place, &row)| rank[row as usize] = place);
    let parameters = own.tensors.iter().zip(rank).take(listed);
    StepOfOrder {
        step: own.step + 1,
        tensors: own.tensors.len(),
        inversions: own.inversions,
        pairs: own.pairs,
        lost_ns: own.lost.0,
        replay_error_ns: own.replay_error.0,
        worst: own.worst.iter().map(|inversion| inversion_row(study, inversion)).collect(),
        better: parameters.map(|(own, rank)| parameter(study, own, rank)).collect(),
    }
}

fn inversion_row(study: &Study, inversion: &arrival_order::Inversion) -> Inversion {
    let op = |op: OpId| OpRef::of(study, op);
    Inversion {
        late: op(inversion.late),
        early: op(inversion.early),
        overtaken_by: inversion.overtaken_by,
        user: op(inversion.user),
        waited_ns: inversion.waited.0,
    }
}

fn parameter<'a>(study: &'a Study, own: &arrival_order::Parameter, received_rank: usize) -> Parameter<'a> {
    let trace = study.trace();
    let tensor = study.transfers().of_op(own.op).map_or("", |transfer| trace.text(transfer.tensor));
    Parameter {
        op: own.op.get(),
        tensor,
        source: trace.text(own.source),
        bytes: own.bytes.0,
        received_rank,
        received_ns: own.received.0,
        better_ns: own.better.0,
        needed_ns: own.needed.0,
    }
}
