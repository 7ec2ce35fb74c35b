//! How much an op calculates, where shapes say it.

use crate::makers::{Edges, Source};
use crate::{OpId, Trace};

/// The multiplications and additions of `op`, if it is a product of two matrices whose shapes are known: twice the elements of the first
/// one, for each column of the result. The second one must say the same, so that a shape that was guessed wrong says nothing.
pub(super) fn flops(edges: Edges<'_>, op: OpId) -> Option<f64> {
    let trace = edges.trace;
    let op_type = trace.text(trace.nodes().op_type(trace.ops().node(op)));
    // oneDNN's ops have the name of what they replace.
    let plain = op_type.trim_start_matches("_Mkl").trim_start_matches("Native");
    if !matches!(plain, "MatMul" | "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3") {
        return None;
    }
    let made = only_shape(trace, op)?;
    let [.., rows, columns] = made[..] else { return None };
    let elements = made.iter().map(|&dim| dim as f64).product::<f64>();
    let inputs = edges.inputs(op, 2);
    let input = |place: usize| {
        let source = inputs.get(place)?.source;
        let maker = match source {
            Source::Op(maker) => maker,
            Source::Transfer(_) | Source::NotTaken | Source::NotRecorded => return None,
        };
        Some(only_shape(trace, maker)?.iter().map(|&dim| dim as f64).product::<f64>())
    };
    let (first, second) = (input(0)?, input(1)?);
    let (by_first, by_second) = (first * columns as f64, second * rows as f64);
    let batch = elements / (rows as f64 * columns as f64).max(1.0);
    let agrees = (by_first - by_second).abs() <= by_first * 1e-9 || batch > 1.0;
    (agrees && by_first > 0.0).then_some(2.0 * by_first)
}

/// The shape of the only output of `op`.
fn only_shape(trace: &Trace, op: OpId) -> Option<Vec<i64>> {
    let mut outputs = trace.outputs().of(op);
    let own = outputs.next()?;
    let shape = own.shape.filter(|dims: &&[i64]| dims.iter().all(|&dim| dim >= 0))?;
    outputs.next().is_none().then(|| shape.to_vec())
}
