//! Where copies go: as CUPTI and ROCm name them (`Memcpy DtoH (Device -> Pinned)`, `MEMCPYHtoD`, `CopyDeviceToHost`), as TensorFlow's
//! executor does (`_CopyFromGpuToHost`), and as XLA's layouts say it.
//!
//! A layout has the memory space of an array: `f32[1024]{0:T(1024)S(5)}`. 5 is the memory of the host (`Layout::kHostMemorySpace`),
//! the others are memories of the device. A `copy-start` has what it writes, what it reads, and what it waits by, as a tuple; a
//! `copy-done` only what was written, so what it read is known by the `copy-start` with its number that writes the same.

use super::super::finding::Direction;
use crate::model::arguments::Argument;
use crate::{NodeId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// An array in the memory of the host.
const ON_HOST: &str = "S(5)";

/// Parts of names, in lower case. The order counts: a name has one of them.
const NAMES: [(&str, Direction); 14] = [
    ("htod", Direction::ToDevice),
    ("h2d", Direction::ToDevice),
    ("hosttodevice", Direction::ToDevice),
    ("hosttogpu", Direction::ToDevice),
    ("dtoh", Direction::FromDevice),
    ("d2h", Direction::FromDevice),
    ("devicetohost", Direction::FromDevice),
    ("gputohost", Direction::FromDevice),
    ("ptop", Direction::BetweenDevices),
    ("p2p", Direction::BetweenDevices),
    ("dtod", Direction::OnDevice),
    ("d2d", Direction::OnDevice),
    ("devicetodevice", Direction::OnDevice),
    ("gputogpu", Direction::BetweenDevices),
];

/// The directions of the copies of one trace, each node looked up once.
#[derive(Default)]
pub(super) struct Directions {
    of_node: HashMap<NodeId, (Direction, bool), FixedState>,
    /// What each `copy-start` of XLA writes and reads, by its number.
    starts: HashMap<String, (String, String), FixedState>,
}

impl Directions {
    /// For `copies`.
    pub(super) fn of(trace: &Trace, copies: &[OpId]) -> Self {
        let mut own = Self::default();
        for &op in copies {
            if let Some(number) = trace.op_name(op).strip_prefix("copy-start")
                && !own.starts.contains_key(number)
                && let Some([written, read, ..]) = layout(trace, op).as_deref().map(elements).as_deref()
            {
                own.starts.insert(number.to_owned(), ((*written).to_owned(), (*read).to_owned()));
            }
        }
        own
    }

    /// Where `op` goes, and whether an array in the memory of the host says so.
    pub(super) fn get(&mut self, trace: &Trace, op: OpId) -> (Direction, bool) {
        let node = trace.ops().node(op);
        if let Some(&known) = self.of_node.get(&node) {
            return known;
        }
        let found = self.by_layout(trace, op).unwrap_or_else(|| (by_name(trace, op), false));
        // Copies of one name may say where each goes.
        if let (Direction::Unknown, Some(said)) = (found.0, by_argument(trace, op)) {
            return (said, false);
        }
        self.of_node.insert(node, found);
        found
    }

    /// `None` if it is no instruction of XLA.
    fn by_layout(&self, trace: &Trace, op: OpId) -> Option<(Direction, bool)> {
        let name = trace.op_name(op);
        let (written, read) = match name.strip_prefix("copy-start") {
            Some(number) => self.starts.get(number).map(|(written, read)| (&**written, &**read)),
            None => {
                let start = self.starts.get(name.strip_prefix("copy-done")?);
                let is_own = |written: &str| layout(trace, op).as_deref() == Some(written);
                start.filter(|(written, _)| is_own(written)).map(|(written, read)| (&**written, &**read))
            }
        }
        .unwrap_or_default();
        Some(match [written, read].map(|array| array.contains(ON_HOST)) {
            [true, false] => (Direction::FromDevice, true),
            [false, true] => (Direction::ToDevice, true),
            _ => (Direction::OnDevice, false),
        })
    }
}

/// Where `op` goes, by its names.
pub(super) fn by_name(trace: &Trace, op: OpId) -> Direction {
    let label = trace.text(trace.nodes().label(trace.ops().node(op)));
    [trace.op_type(op), label, trace.op_name(op)].into_iter().find_map(of_text).unwrap_or(Direction::Unknown)
}

/// What an accelerator of Meta's says of a copy: `HOST_TO_DEVICE`.
fn by_argument(trace: &Trace, op: OpId) -> Option<Direction> {
    let own = trace.arguments().of(op).find(|Argument { name, .. }| *name == "direction")?;
    of_text(&own.value.shown())
}

fn of_text(text: &str) -> Option<Direction> {
    let text: String = text.chars().filter(|&letter| letter != '_').collect();
    let text = text.to_ascii_lowercase();
    NAMES.iter().find(|(part, _)| text.contains(part)).map(|&(_, direction)| direction)
}

/// The arrays that `op` writes, with their layouts.
fn layout(trace: &Trace, op: OpId) -> Option<String> {
    let own = trace.arguments().of(op).find(|Argument { name, .. }| *name == "shape_with_layout");
    own.map(|own| own.value.shown().into_owned())
}

/// The elements of a tuple, `(f32[2,2]{1,0}, u32[])`; of anything else, itself.
fn elements(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return vec![text];
    };
    let mut depth = 0_i32;
    let is_between = move |letter: char| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    inner.split(is_between).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::elements;

    #[test]
    fn a_tuple_is_divided_between_its_arrays() {
        let tuple = "(f32[5,2]{1,0:T(8,128)S(5)}, f32[5,2]{1,0:T(8,128)}, u32[]{:S(2)})";
        assert_eq!(elements(tuple), ["f32[5,2]{1,0:T(8,128)S(5)}", "f32[5,2]{1,0:T(8,128)}", "u32[]{:S(2)}"]);
        assert_eq!(elements("f32[5,2]{1,0}"), ["f32[5,2]{1,0}"]);
    }
}
