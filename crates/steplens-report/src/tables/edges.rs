//! Every input of every op.

use super::{Give, Value, columns};
use std::io;
use steplens_core::base::progress::Progress;
use steplens_core::makers::{Edge, Source};
use steplens_core::{OpId, Study};

columns! { EdgeRow {
    /// The op that reads it.
    op: count => |row| row.op.into();
    /// Its place among the inputs of the op, from 0.
    input: count => |row| row.place.into();
    /// The node that makes it, as the graph or the label calls it.
    name: text => |row| row.edge.input.name.into();
    /// Which output of that node it is.
    output: count => |row| row.edge.input.slot.into();
    /// 1 for an order only, 0 for a tensor.
    is_control: count => |row| u32::from(row.edge.input.control).into();
    /// Where it is from: `op`, `transfer`, `not-taken` or `not-recorded`.
    source: text => |row| row.source().into();
    /// What made it, or what recorded the transfer that brought it.
    source_op: maybe_count => |row| row.study.edges().maker(row.edge.source).into();
    /// The transfer that brought it.
    transfer: maybe_count => |row| row.transfer();
    /// How surely that is known: `exact`, `inferred` or `ambiguous`.
    certainty: text => |row| row.edge.certainty.word().into();
    /// Of how many it is one, where it is ambiguous.
    candidates: maybe_count => |row| row.edge.certainty.candidates().into();
} }

struct EdgeRow<'s> {
    study: &'s Study,
    op: OpId,
    place: usize,
    edge: Edge<'s>,
}

impl EdgeRow<'_> {
    fn source(&self) -> &'static str {
        match self.edge.source {
            Source::Op(_) => "op",
            Source::Transfer(_) => "transfer",
            Source::NotTaken => "not-taken",
            Source::NotRecorded => "not-recorded",
        }
    }

    fn transfer(&self) -> Value<'static> {
        match self.edge.source {
            Source::Transfer(own) => own.get().into(),
            _ => Value::Nothing,
        }
    }
}

pub(super) async fn rows(study: &Study, give: &mut Give<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    for op in study.trace().ops().ids() {
        for (place, edge) in study.edges().inputs(op, usize::MAX).into_iter().enumerate() {
            let row = EdgeRow { study, op, place, edge };
            give.row(&VALUES, &row)?;
            progress.other_row().await;
        }
        progress.row().await;
    }
    Ok(())
}
