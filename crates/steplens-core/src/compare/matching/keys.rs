//! What ops are compared by, as numbers of both traces.

use super::occurrences::Left;
use super::{Matching, NONE, carried_out};
use crate::base::natural;
use crate::base::pace::{Pace, STRIDE};
use crate::collectives::roles::hash_without_numbers;
use crate::compare::devices::Devices;
use crate::compare::joined::{Joined, Which};
use crate::{DeviceId, OpId, Study, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::hash::{BuildHasher, Hasher};

/// The keys by which the ops of both traces are compared.
pub(super) struct Keys<'a> {
    joined: &'a Joined<'a>,
    sides: [Side<'a>; 2],
}

struct Side<'a> {
    trace: &'a Trace,
    /// For each op the number of its device and partner device.
    device: Vec<u32>,
    /// For each device whether it has a partner, by its number.
    is_compared: Vec<bool>,
    /// For each op the number of its name; of a transfer the name of its tensor.
    name: Vec<u32>,
    /// For each op the number of its type; of a transfer that of the device that sent it, behind all types.
    kind: Vec<u32>,
    /// For each op a hash of the shapes of its outputs; 0 where none was recorded.
    shapes: Vec<u64>,
}

impl<'a> Keys<'a> {
    pub(super) async fn of(
        studies: [&'a Study; 2],
        joined: &'a Joined<'a>,
        devices: &Devices,
        pace: &Pace,
    ) -> Self {
        let [a, b] = studies;
        let a = Side::of(a, Which::A, joined, devices, pace).await;
        let b = Side::of(b, Which::B, joined, devices, pace).await;
        Self { joined, sides: [a, b] }
    }

    fn side(&self, side: Which) -> &Side<'a> {
        &self.sides[side as usize]
    }

    pub(super) fn device(&self, side: Which, op: u32) -> u64 {
        u64::from(self.side(side).device[op as usize])
    }

    pub(super) fn is_compared(&self, side: Which, op: u32) -> bool {
        self.side(side).is_compared[op as usize]
    }

    pub(super) fn name(&self, side: Which, op: u32) -> u32 {
        self.side(side).name[op as usize]
    }

    pub(super) fn text(&self, side: Which, op: u32) -> &'a str {
        self.joined.text(self.name(side, op))
    }

    pub(super) fn kind(&self, side: Which, op: u32) -> u32 {
        self.side(side).kind[op as usize]
    }

    /// What the type of an op calculates, as a hash; `None` of a transfer.
    pub(super) fn work(&self, side: Which, op: u32) -> Option<u64> {
        let kind = Some(self.kind(side, op)).filter(|&kind| kind < self.joined.end())?;
        Some(FixedState::default().hash_one(carried_out::work(self.joined.text(kind))))
    }

    pub(super) fn shapes(&self, side: Which, op: u32) -> u64 {
        self.side(side).shapes[op as usize]
    }

    /// The name without its numbers, as a hash. It is asked only for ops that the first pass left.
    pub(super) fn stem(&self, side: Which, op: u32) -> u64 {
        hash_without_numbers(self.text(side, op)) as u64
    }

    /// In how many scopes the op lies.
    pub(super) fn depth(&self, side: Which, op: u32) -> u16 {
        let slashes = self.text(side, op).bytes().filter(|&byte| byte == b'/').count();
        u16::try_from(slashes).unwrap_or(u16::MAX)
    }

    /// The ops without a partner on devices that are compared, with a number for each different value of `key`; without those for
    /// which it has none.
    pub(super) async fn classes(
        &self,
        partner: &[Vec<u32>; 2],
        key: impl Fn(&Self, Which, u32) -> Option<[u64; 3]>,
        pace: &Pace,
    ) -> Left {
        let mut numbers: HashMap<[u64; 3], u32, FixedState> = HashMap::default();
        let mut left = Left::default();
        for side in Which::BOTH {
            let free = (0..).zip(&partner[side as usize]).filter(|&(_, &partner)| partner == NONE);
            for (op, _) in free.filter(|&(op, _)| self.is_compared(side, op)) {
                let Some(key) = key(self, side, op) else { continue };
                let next = numbers.len() as u32;
                left.ops[side as usize].push((op, *numbers.entry(key).or_insert(next)));
                if left.ops[side as usize].len().is_multiple_of(STRIDE) {
                    pace.worked(STRIDE).await;
                }
            }
        }
        left.classes = numbers.len();
        left
    }

    /// How many pairs have other shapes, where both recorded them.
    pub(super) fn reshaped(&self, matching: &Matching) -> u64 {
        let [a, b] = &self.sides;
        let differs = |&(own, other): &(OpId, OpId)| {
            let (own, other) = (a.shapes[own.index()], b.shapes[other.index()]);
            own != 0 && other != 0 && own != other
        };
        matching.all().filter(differs).count() as u64
    }
}

impl<'a> Side<'a> {
    async fn of(study: &'a Study, which: Which, joined: &Joined<'_>, devices: &Devices, pace: &Pace) -> Self {
        let trace = study.trace();
        let (nodes, count) = (trace.nodes(), trace.counted_ops());
        let mut side = Self {
            trace,
            device: vec![0; count],
            is_compared: vec![false; count],
            name: Vec::with_capacity(count),
            kind: Vec::with_capacity(count),
            shapes: Vec::with_capacity(count),
        };
        for id in trace.devices().ids() {
            let (number, partner) = match which {
                Which::A => (id.get(), devices.of_a(id)),
                Which::B => (devices.number_of_b(id), devices.of_b(id)),
            };
            side.put_device(id, number, partner.is_some());
        }
        let of_node = |id| joined.number(which, id);
        let names: Vec<u32> = nodes.ids().map(|node| of_node(nodes.name(node))).collect();
        let kinds: Vec<u32> = nodes.ids().map(|node| of_node(nodes.op_type(node))).collect();
        let transfers = study.transfers();
        for op in trace.ops().ids().take(count) {
            let node = trace.ops().node(op).index();
            let (mut name, mut kind) = (names[node], kinds[node]);
            if let Some(transfer) = transfers.of_op(op) {
                name = of_node(transfer.tensor);
                let source = trace.devices().by_name(transfer.source);
                // Devices that are compared may have other names.
                let number = source.and_then(|source| match which {
                    Which::A => devices.of_a(source).map(|_| source.get()),
                    Which::B => devices.of_b(source).map(DeviceId::get),
                });
                kind = number.map_or(of_node(transfer.source), |row| joined.end().saturating_add(row));
            }
            side.name.push(name);
            side.kind.push(kind);
            side.shapes.push(shapes(trace, op));
            if side.shapes.len().is_multiple_of(STRIDE) {
                pace.worked(STRIDE).await;
            }
        }
        side
    }

    fn put_device(&mut self, id: DeviceId, number: u32, has_partner: bool) {
        let count = self.device.len();
        for op in self.trace.ops_of(id).filter(|op| op.index() < count) {
            self.device[op.index()] = number;
            self.is_compared[op.index()] = has_partner;
        }
    }
}

/// A hash of the data types and shapes of the outputs of `op`; 0 without any known shape.
fn shapes(trace: &Trace, op: OpId) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    let mut any = false;
    for output in trace.outputs().of(op) {
        let Some(shape) = output.shape else { continue };
        any = true;
        hasher.write_i32(output.slot);
        hasher.write_u32(output.dtype);
        shape.iter().for_each(|&size| hasher.write_i64(size));
    }
    if any { hasher.finish().max(1) } else { 0 }
}

impl Left {
    /// Leaves out classes of which no op has a type that a library's pass wrote.
    pub(super) fn keep_rewritten(&mut self, keys: &Keys<'_>) {
        let mut is_one = vec![false; self.classes];
        for side in Which::BOTH {
            for &(op, class) in &self.ops[side as usize] {
                is_one[class as usize] |= carried_out::is_rewritten(keys.joined.text(keys.kind(side, op)));
            }
        }
        self.ops.iter_mut().for_each(|ops| ops.retain(|&(_, class)| is_one[class as usize]));
    }

    /// The same ops in natural order of their names, so that `conv_2` is paired before `conv_10`.
    pub(super) fn by_name(mut self, keys: &Keys<'_>) -> Self {
        for side in Which::BOTH {
            let text = |op: u32| keys.text(side, op);
            self.ops[side as usize]
                .sort_by(|&(a, _), &(b, _)| natural::compare(text(a), text(b)).then(a.cmp(&b)));
        }
        self
    }
}
