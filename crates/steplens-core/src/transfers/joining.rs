//! Joining: finds for each transfer the run of its producer, and the input by which its consumers know it.

use super::draft::Draft;
use super::ends::Key;
use super::inputs::{Inputs, input_key, pair};
use super::{InputKey, Join, NoProducer, Transfer};
use crate::Trace;
use crate::base::ids::OpId;
use crate::base::order;
use crate::base::pace::{Pace, strides};
use crate::base::units::Timestamp;
use crate::dataflow::pairing::{by_order, last_ended};
use crate::dataflow::runs::ExecutionDevice;
use crate::dataflow::{Certainty, DataFlow};

impl Draft {
    /// Finds the producers of the recorded transfers.
    pub(super) async fn join_producers(&mut self, trace: &Trace, flow: &DataFlow, pace: &Pace) {
        // The transfers of one key come in order of arrival, to be paired with the runs of their producer.
        let mut rows: Vec<u32> = self.inputs.rows().to_vec();
        rows.retain(|&row| (row as usize) < self.recorded);
        let known = |row: u32| self.rows[row as usize].brought.is_some();
        rows.extend((0..self.recorded as u32).filter(|&row| !known(row)));
        let key = |transfers: &Self, row: u32| {
            let Transfer { tensor, source, destination, .. } = transfers.rows[row as usize];
            (pair(tensor.get(), source.get()), i64::from(destination.get()))
        };
        let input = |transfers: &Self, row: u32| transfers.key_of(row);
        let mut start = 0;
        while let Some(&first) = rows.get(start) {
            let first_input = input(self, first);
            let end =
                start + rows[start..].iter().take_while(|&&row| input(self, row) == first_input).count();
            // Several tensors may share one name; and transfers without a known name are not in order yet.
            order::by_number(&mut rows[start..end], |row| key(self, row));
            while start < end {
                let first_key = key(self, rows[start]);
                let same = rows[start..end].iter().take_while(|&&row| key(self, row) == first_key).count();
                self.join_key(trace, flow, &rows[start..start + same]);
                pace.worked(same).await;
                start += same;
            }
        }
        // If a value and a control edge arrived under one name, an op after the named one may have made the control edge: two
        // producers are possible.
        for stride in strides(self.rows.len()) {
            pace.worked(stride.len()).await;
            for row in stride {
                let Some((place, InputKey::ControlName(name))) = self.rows[row].known() else {
                    continue;
                };
                if !self.brought(place, InputKey::Name(name)).is_empty() {
                    self.rows[row].certainty = self.rows[row].certainty.among(2);
                }
            }
        }
    }

    /// Joins the transfers of one rendezvous key, in order of arrival.
    fn join_key(&mut self, trace: &Trace, flow: &DataFlow, rows: &[u32]) {
        let Some(&first) = rows.first() else { return };
        let first = self.rows[first as usize];
        let key = Key { tensor: first.tensor, source: first.source, destination: first.destination };
        let sender = self.ends.sender(&flow.executions, first.execution, key);
        let maker = sender.and_then(|sender| *flow.graph.makers_of(trace.graph(), sender).first()?);
        let name = match maker {
            Some(maker) => Some(trace.graph().name(maker)),
            None => trace.strings().find(first.output(trace).name),
        };
        let device = trace.devices().by_name(first.source);
        let device = device.filter(|&device| trace.devices().get(device).op_count > 0);
        // A received tensor is sent on.
        let forwarded = maker.zip(device).and_then(|(maker, device)| {
            trace.graph().meeting(maker)?;
            let rows = self
                .brought(ExecutionDevice { execution: first.execution, device }, InputKey::GraphNode(maker));
            Some(rows.iter().filter_map(|&row| self.rows[row as usize].op).collect::<Vec<OpId>>())
        });
        let name_row = name.and_then(|name| flow.runs.row(name));
        let runs = match (device, name_row, &forwarded) {
            (_, _, Some(forwarded)) => forwarded.as_slice(),
            (Some(device), Some(row), _) => {
                let place = ExecutionDevice { execution: first.execution, device };
                flow.runs.on(trace, &flow.executions, row, place)
            }
            _ => &[],
        };
        let is_received = matches!(first.brought, Some(InputKey::GraphNode(_)));
        let join = if sender.is_some() || is_received { Some(Join::Graph) } else { None };
        let certainty = if maker.is_some() { Certainty::Exact } else { Certainty::Inferred };
        for (place, &row) in rows.iter().enumerate() {
            let transfer = &mut self.rows[row as usize];
            let received = transfer.op.map_or(Timestamp(i64::MAX), |op| trace.ops().end(op));
            transfer.producer = match (device, name) {
                (None, _) => Err(NoProducer::SourceNotTraced),
                (_, None) => Err(NoProducer::UnknownKey),
                _ if runs.is_empty() => Err(NoProducer::NotRecorded),
                _ => {
                    let ended = || last_ended(trace, runs, received);
                    let pair = by_order(place, rows.len(), runs.len(), ended);
                    transfer.certainty = certainty.among(pair.candidates);
                    Ok(runs[pair.run])
                }
            };
            transfer.join = join.or(transfer.producer.is_ok().then_some(Join::Label));
        }
    }

    /// Indexes the rows by how their destinations know the tensors.
    pub(super) async fn index_inputs(&mut self, trace: &Trace, pace: &Pace) {
        for stride in strides(self.rows.len()) {
            pace.worked(stride.len()).await;
            for transfer in &mut self.rows[stride] {
                if transfer.brought.is_none() {
                    let base = trace.strings().find(transfer.output(trace).name);
                    let is_empty = transfer.bytes.0 == 0;
                    transfer.brought =
                        base.map(if is_empty { InputKey::ControlName } else { InputKey::Name });
                }
            }
        }
        let ready = |row: u32| self.rows[row as usize].ready(trace).0;
        let key_of = |row: u32| self.key_of(row);
        self.inputs = Inputs::indexed(self.rows.len(), trace.graph().len(), key_of, ready, pace).await;
    }

    fn key_of(&self, row: u32) -> Option<(i64, i64)> {
        self.rows[row as usize].known().map(|(place, brought)| input_key(place, brought))
    }

    fn brought(&self, place: ExecutionDevice, brought: InputKey) -> &[u32] {
        self.inputs.brought(place, brought, |row| self.key_of(row))
    }
}

impl Transfer {
    /// When the tensor was ready for its consumers: the arrival, otherwise the end of the producer.
    fn ready(&self, trace: &Trace) -> Timestamp {
        let last = self.op.or(self.producer.ok());
        last.map_or(Timestamp(i64::MIN), |op| trace.ops().end(op))
    }
}
