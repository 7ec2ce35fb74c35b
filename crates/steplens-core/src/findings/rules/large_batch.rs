//! Whether shapes say that a product of matrices on a CPU has many rows already: more of them give no core more to do, and what it makes does not
//! stay in any cache.

use crate::model::arguments::Noun;
use crate::{OpId, Trace};

/// This number of rows keeps all cores busy.
const LEAST_ROWS: u64 = 20_000;

/// How many rows the first matrix of `op` has, if they are many. Only layers count: `aten::mm` may multiply by a vocabulary from the left.
pub(super) fn many_rows(trace: &Trace, op: OpId) -> Option<u64> {
    let place = match trace.op_type(op) {
        "aten::addmm" | "aten::_addmm_activation" => 1,
        "aten::mkl_linear" | "aten::mkldnn_linear" | "mkldnn::linear" | "mkl::linear" => 0,
        _ => return None,
    };
    let shapes = trace.arguments().of(op).find(|own| Noun::of(own.name) == Some(Noun::Shapes))?;
    let shapes = shapes.value.shown();
    let rows = all_but_last(shapes.split('[').filter(|own| own.contains(']')).nth(place)?)?;
    (rows >= LEAST_ROWS).then_some(rows)
}

/// The product of all sizes of a shape but the last one, such as of `50, 20, 64], `.
fn all_but_last(shape: &str) -> Option<u64> {
    let mut sizes = Vec::new();
    for size in shape.split(']').next()?.split(',') {
        sizes.push(size.trim().parse::<u64>().ok()?);
    }
    let (_, rows) = sizes.split_last()?;
    Some(rows.iter().fold(1, |product: u64, &size| product.saturating_mul(size)))
}
