//! The process groups of a trace: which one each op of a collective is of, and which ops of a group belong together.
//!
//! Ranks of a group call its collectives in the same order, whatever other groups do. So the k-th op of a group on one rank belongs to
//! the k-th on every other rank, if all have equally many and call the same operations; where a recording begins or ends in between,
//! only operations of which all have equally many are joined.

use crate::base::units::Bytes;
use crate::gpu::kernels::Kernels;
use crate::model::collective::CollectiveSaid;
use crate::{Category, DeviceId, OpId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// A process group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessGroup {
    /// Its name, or its number.
    pub name: String,
    /// What it is for: `tp0`; empty if nothing says it.
    pub description: String,
    /// Its ranks, as text; empty if nothing says them.
    pub ranks: String,
    /// How many ranks it has, if it is known.
    pub size: Option<u64>,
}

/// What is known of an op of a collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InGroup {
    /// The row of its group.
    pub group: Option<u32>,
    /// The row of its operation.
    pub operation: Option<u32>,
    /// How much its rank gives.
    pub bytes: Option<Bytes>,
    /// The bytes of one element.
    pub item: Option<u64>,
    /// Whether it sends to, or receives from, one other rank.
    pub way: Way,
}

/// Who takes part in an operation of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Way {
    /// All ranks.
    #[default]
    All,
    /// This rank sends to another.
    Send,
    /// This rank receives from another.
    Receive,
}

/// Groups and operations, each once.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups {
    /// The groups.
    pub groups: Vec<ProcessGroup>,
    /// The operations.
    pub operations: Vec<String>,
    row_of_group: HashMap<(String, String), u32, FixedState>,
    row_of_operation: HashMap<String, u32, FixedState>,
}

impl ProcessGroups {
    /// What the arguments of `op`, or of the operator that launched it, say.
    pub(super) fn of_op(&mut self, trace: &Trace, kernels: &Kernels, op: OpId) -> InGroup {
        let Some(said) = said_of(trace, kernels, op) else {
            return InGroup::default();
        };
        let way = match () {
            () if said.is_send() => Way::Send,
            () if said.is_receipt() => Way::Receive,
            () => Way::All,
        };
        InGroup {
            group: self.group(&said),
            operation: self.operation(said.operation),
            bytes: said.bytes,
            item: said.item,
            way,
        }
    }

    fn group(&mut self, said: &CollectiveSaid<'_>) -> Option<u32> {
        if said.group.is_empty() && said.ranks.is_empty() {
            return None;
        }
        // Ranks that make groups on their own may give the same name to others.
        let key = (said.group.clone().into_owned(), said.ranks.to_owned());
        let groups = &mut self.groups;
        Some(*self.row_of_group.entry(key).or_insert_with(|| {
            groups.push(ProcessGroup {
                name: said.group.clone().into_owned(),
                description: said.description.to_owned(),
                ranks: said.ranks.to_owned(),
                size: said.size,
            });
            groups.len() as u32 - 1
        }))
    }

    pub(super) fn operation(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        if let Some(&row) = self.row_of_operation.get(name) {
            return Some(row);
        }
        self.operations.push(name.to_owned());
        let row = self.operations.len() as u32 - 1;
        self.row_of_operation.insert(name.to_owned(), row);
        Some(row)
    }
}

/// What the arguments of `op`, or of the operator that launched it, say.
pub(crate) fn said_of<'a>(trace: &'a Trace, kernels: &Kernels, op: OpId) -> Option<CollectiveSaid<'a>> {
    if trace.arguments().is_empty() {
        return None;
    }
    CollectiveSaid::of(trace, op).or_else(|| CollectiveSaid::of(trace, kernels.op_of(op)?))
}

/// The first device of the team of `device`.
fn root(team: &mut [u32], mut device: u32) -> u32 {
    while team[device as usize] != device {
        team[device as usize] = team[team[device as usize] as usize];
        device = team[device as usize];
    }
    device
}

/// For each device the number of the ranks that work together, as the process groups say: ranks that share a group which is not that of
/// all ranks, and in which all give and take. Stages of a pipeline only send to one another, and do other work. `None` if all ranks work
/// together, or nothing is said.
pub(crate) fn teams(trace: &Trace, kernels: &Kernels) -> Option<Vec<u32>> {
    if trace.arguments().is_empty() {
        return None;
    }
    let mut all = ProcessGroups::default();
    let mut devices_of: Vec<Vec<DeviceId>> = Vec::new();
    for device in trace.devices().ids().filter(|&id| trace.devices().get(id).is_accelerator) {
        for op in trace.ops_of(device).filter(|&op| trace.category(op) == Category::Communication) {
            let said = all.of_op(trace, kernels, op);
            let Some(group) = said.group.filter(|_| said.way == Way::All) else { continue };
            devices_of.resize(all.groups.len().max(devices_of.len()), Vec::new());
            let own = &mut devices_of[group as usize];
            if own.last() != Some(&device) {
                own.push(device);
            }
        }
    }
    let ranks = devices_of.iter().map(Vec::len).max().unwrap_or(0);
    let mut team: Vec<u32> = (0..trace.devices().len() as u32).collect();
    let mut told = vec![false; team.len()];
    for own in &devices_of {
        own.iter().for_each(|device| told[device.index()] = true);
    }
    let count = told.iter().filter(|told| **told).count();
    for own in devices_of.iter().filter(|own| own.len() < count) {
        for pair in own.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|device| root(&mut team, device.get()));
            team[a.max(b) as usize] = a.min(b);
        }
    }
    (0..team.len() as u32).for_each(|device| team[device as usize] = root(&mut team, device));
    let mut teams: Vec<u32> =
        team.iter().zip(&told).filter(|(_, told)| **told).map(|(team, _)| *team).collect();
    teams.sort_unstable();
    teams.dedup();
    (ranks > 1 && teams.len() > 1 && teams.len() < count).then_some(team)
}

/// An op of a group in one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    pub(super) op: OpId,
    pub(super) device: DeviceId,
    pub(super) said: InGroup,
    /// The number of its name without numbers.
    pub(super) class: u32,
}

/// The ops of one group in one step as lists of those that belong together. `called` has them in order of device and start. A list
/// with one op, of a group with more ranks, has no partner in the files.
pub(super) fn joined(called: &[Called]) -> Vec<Vec<Called>> {
    let (two, all): (Vec<Called>, Vec<Called>) = called.iter().partition(|own| own.said.way != Way::All);
    let mut found = Vec::new();
    by_order(&all, &mut found);
    between_two(&two, &mut found);
    found
}

/// Joins the k-th ops of all devices.
fn by_order(called: &[Called], found: &mut Vec<Vec<Called>>) {
    let kind = |own: &Called| (own.said.operation, if own.said.operation.is_some() { 0 } else { own.class });
    let devices: Vec<&[Called]> = called.chunk_by(|a, b| a.device == b.device).collect();
    let Some(first) = devices.first() else { return };
    let is_alike = |other: &&[Called]| {
        other.len() == first.len() && other.iter().zip(*first).all(|(a, b)| kind(a) == kind(b))
    };
    if devices.iter().all(is_alike) {
        found.extend((0..first.len()).map(|place| devices.iter().map(|own| own[place]).collect()));
        return;
    }
    // Of those with the same operation and the same size all devices may have equally many.
    let mut row_of_kind = HashMap::<_, usize, FixedState>::default();
    let mut of_kind: Vec<Vec<Called>> = Vec::new();
    for own in called {
        let key = (kind(own), own.said.bytes.map(|bytes| bytes.0));
        let row = *row_of_kind.entry(key).or_insert_with(|| {
            of_kind.push(Vec::new());
            of_kind.len() - 1
        });
        of_kind[row].push(*own);
    }
    for own in of_kind {
        let devices: Vec<&[Called]> = own.chunk_by(|a, b| a.device == b.device).collect();
        let each = devices[0].len();
        match devices.len() > 1 && devices.iter().all(|own| own.len() == each) {
            true => found.extend((0..each).map(|place| devices.iter().map(|own| own[place]).collect())),
            false => found.extend(own.iter().map(|&own| vec![own])),
        }
    }
}

/// Joins the k-th send of one device with the k-th receipt of the other, where two devices of the group are there.
fn between_two(called: &[Called], found: &mut Vec<Vec<Called>>) {
    let devices: Vec<&[Called]> = called.chunk_by(|a, b| a.device == b.device).collect();
    if let [one, other] = devices[..] {
        for (senders, receivers) in [(one, other), (other, one)] {
            let of = |all: &[Called], way| -> Vec<Called> {
                all.iter().copied().filter(|own| own.said.way == way).collect()
            };
            let (sent, received) = (of(senders, Way::Send), of(receivers, Way::Receive));
            if sent.len() == received.len() {
                found.extend(sent.into_iter().zip(received).map(|(sent, received)| vec![sent, received]));
            } else {
                found.extend(sent.into_iter().chain(received).map(|own| vec![own]));
            }
        }
        return;
    }
    found.extend(called.iter().map(|&own| vec![own]));
}
