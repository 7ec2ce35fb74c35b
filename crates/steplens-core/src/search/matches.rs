//! Search: which ops match a pattern, by name, op type, device or label.
//!
//! Each text of the trace is matched once, however many nodes and ops have it. Then one pass over the ops stores which of them
//! match, as bits that can be counted quickly.

use crate::Trace;
use crate::base::bits::RankedBits;
use crate::base::ids::{DeviceId, NodeId, OpId, StringId};
use crate::model::label;
use crate::search::pattern::{Field, Pattern, TextSearch};
use crate::timeline::lanes::Lanes;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The most matching ops that are listed; all of them are counted.
pub const MAX_LISTED: usize = 1_000_000;

/// The ops that match.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// The matching ops, by id.
    ops: RankedBits,
    /// The matching ops, by their place in the list of lanes.
    places: RankedBits,
}

impl Matches {
    /// The ops of `trace` that match `pattern`; the error says why the search is not possible. An empty pattern matches nothing.
    pub fn of(trace: &Trace, lanes: &Lanes, pattern: &Pattern) -> Result<Self, String> {
        if pattern.is_empty() {
            return Ok(Self::default());
        }
        let mut texts = Texts { trace, search: pattern.search(), known: vec![None; trace.strings().len()] };
        let mut nodes = vec![false; trace.nodes().len()];
        for node in trace.nodes().ids() {
            nodes[node.index()] = texts.matches_node(pattern, node)?;
        }
        let mut devices = vec![false; trace.devices().len()];
        if pattern.covers(Field::Device) {
            for device in trace.devices().ids() {
                devices[device.index()] = texts.matches(trace.devices().get(device).name)?;
            }
        }
        // The ops of one device follow one another, in the order of devices.
        let mut ends = trace.devices().ids().map(|device| (trace.devices().get(device).end_op(), device));
        let mut end = 0;
        let mut is_device_match = false;
        // Ops of a host profiler match only by their device, because they repeat others.
        let counted = trace.counted_ops();
        let ops = RankedBits::of(trace.ops().len(), |row| {
            while row as u32 >= end {
                let Some((next, device)) = ends.next() else { break };
                end = next;
                is_device_match = devices[device.index()];
            }
            is_device_match || row < counted && nodes[trace.ops().node(OpId::from_usize(row)).index()]
        });
        let mut matches = Self { ops, places: RankedBits::default() };
        matches.arrange(lanes);
        Ok(matches)
    }

    /// The ops of `trace` for which `is_wanted` holds.
    pub fn of_ops(trace: &Trace, lanes: &Lanes, mut is_wanted: impl FnMut(OpId) -> bool) -> Self {
        let ops = RankedBits::of(trace.ops().len(), |row| is_wanted(OpId::from_usize(row)));
        let mut matches = Self { ops, places: RankedBits::default() };
        matches.arrange(lanes);
        matches
    }

    /// Takes over the places of `lanes`, after the lanes were arranged in another way.
    pub fn arrange(&mut self, lanes: &Lanes) {
        if !self.is_empty() {
            let order = lanes.all_ops();
            self.places = RankedBits::of(order.len(), |place| self.ops.contains(order[place].index()));
        }
    }

    /// Whether `op` matches.
    #[inline]
    pub fn contains(&self, op: OpId) -> bool {
        self.ops.contains(op.index())
    }

    /// How many of the ops at `places` in the list of lanes match.
    #[inline]
    pub fn count(&self, places: Range<usize>) -> usize {
        self.places.count(places)
    }

    /// Whether nothing matches.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// How many ops match.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// How many ops of `device` match.
    pub fn count_on(&self, trace: &Trace, device: DeviceId) -> usize {
        self.ops.count(rows_of(trace, device))
    }

    /// The first [`MAX_LISTED`] matching ops in order of start; equal ones in the order of devices.
    pub fn listed(&self, trace: &Trace) -> Vec<OpId> {
        let devices = trace.devices().ids();
        let mut rows: Vec<_> = devices.map(|device| self.ops.iter(rows_of(trace, device))).collect();
        let mut heads = BinaryHeap::new();
        let start = |row: usize| trace.ops().start(OpId::from_usize(row));
        for (device, rows) in rows.iter_mut().enumerate() {
            heads.extend(rows.next().map(|row| Reverse((start(row), row, device))));
        }
        let mut ops = Vec::with_capacity(self.len().min(MAX_LISTED));
        while let Some(Reverse((_, row, device))) = heads.pop().filter(|_| ops.len() < MAX_LISTED) {
            ops.push(OpId::from_usize(row));
            heads.extend(rows[device].next().map(|row| Reverse((start(row), row, device))));
        }
        ops
    }
}

/// The results for the texts of a trace so far.
struct Texts<'a> {
    trace: &'a Trace,
    search: TextSearch<'a>,
    /// For each string whether it matches; `None` until it was tested.
    known: Vec<Option<bool>>,
}

impl Texts<'_> {
    fn matches(&mut self, text: StringId) -> Result<bool, String> {
        if let Some(known) = self.known[text.index()] {
            return Ok(known);
        }
        let is_match = self.search.matches(self.trace.text(text))?;
        self.known[text.index()] = Some(is_match);
        Ok(is_match)
    }

    fn matches_node(&mut self, pattern: &Pattern, node: NodeId) -> Result<bool, String> {
        let nodes = self.trace.nodes();
        let fields = [
            (Field::Name, Some(nodes.name(node))),
            (Field::Name, self.tensor(node).filter(|_| pattern.covers(Field::Name))),
            (Field::OpType, Some(nodes.op_type(node))),
            (Field::Label, Some(nodes.label(node))),
        ];
        for (field, text) in fields {
            if let Some(text) = text
                && pattern.covers(field)
                && self.matches(text)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The name by which a transfer is found: that of its tensor.
    fn tensor(&self, node: NodeId) -> Option<StringId> {
        let transfer = label::transfer(self.trace.text(self.trace.nodes().label(node)))?;
        self.trace.strings().find(label::producer_of_edge(transfer.tensor).name)
    }
}

fn rows_of(trace: &Trace, device: DeviceId) -> Range<usize> {
    let device = trace.devices().get(device);
    device.first_op as usize..device.end_op() as usize
}

/// Whether `text` contains `part`. The letters A to Z match in either case; names of TensorFlow have no others.
pub fn contains(text: &str, part: &str) -> bool {
    text.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}
