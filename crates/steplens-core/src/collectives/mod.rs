//! Collectives: ops that end once all participants have arrived. Who arrived last, and how long the others waited. From the ops of a trace,
//! their arguments, and the kernels that they launched. For the critical path, replay, findings, stragglers and the tab Network.
//!
//! One collective counts once, however many events record it: a kernel that ran for a member op does not count, and an operator
//! that only launches a kernel does not communicate.
//!
//! The ops of one collective are found by their [process group](crate::collectives::process_groups) where arguments say it, by the keys
//! of their nodes where graphs have them, otherwise by their [roles](crate::collectives::roles): one on each device, within a step. Where
//! devices have different numbers of ops with a name, or only one device has any (Horovod traces one process), nothing says which ops
//! belong together; nor where these [do not run at one time](crate::collectives::same_time). If files of some ranks of a group are not there, nobody knows who was last.

pub(crate) mod collective_keys;
pub(crate) mod notified;
pub mod process_groups;
pub mod roles;
mod same_time;
mod sizes;
mod unopened;

use crate::base::order;
use crate::base::units::{Bytes, Nanos, Timestamp};
use crate::collectives::collective_keys::Keys;
use crate::collectives::notified::Notifications;
use crate::collectives::process_groups::{Called, ProcessGroups, Way, joined};
use crate::collectives::roles::{Roles, runs};
use crate::collectives::same_time::{aligned, may_be_together, needs_all};
use crate::collectives::sizes::Sizes;
use crate::gpu::kernels::Kernels;
use crate::model::category::{is_collective, is_collective_kernel};
use crate::model::input_bytes::{input_bytes, item_bytes};
use crate::{Category, DeviceId, OpId, Trace};
use std::ops::Range;

/// One collective.
#[derive(Clone, Debug)]
pub struct Collective {
    /// Its step.
    pub step: usize,
    /// Rows of [`Collectives::participants`].
    pub participants: Range<usize>,
    /// The participant that arrived last, and how much later than the one before it; `None` where the participants are not known.
    pub last: Option<(OpId, Nanos)>,
    /// The durations of the ops of all participants, summed.
    pub time: Nanos,
    /// How much of `time` the participants waited for the last one.
    pub waiting: Nanos,
    /// The row of its process group, of [`ProcessGroups::groups`].
    pub group: Option<u32>,
    /// The row of its operation, of [`ProcessGroups::operations`].
    pub operation: Option<u32>,
    /// How much one participant gives: the most that any does.
    pub bytes: Option<Bytes>,
    /// The bytes of one element, where that is known.
    pub item: Option<u64>,
    /// How many ranks of the group have no op of the group in the trace, because their files are not there.
    pub without_files: u64,
}

/// What one device did in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its op.
    pub op: OpId,
    /// Its device.
    pub device: DeviceId,
    /// How long it waited for the last participant to arrive; `None` where the participants are not known.
    pub waiting: Option<Nanos>,
}

/// The collectives of a trace.
#[derive(Clone, Debug, Default)]
pub struct Collectives {
    /// In order of step and name, within these in order of time; those of process groups last.
    pub rows: Vec<Collective>,
    /// The process groups.
    pub groups: ProcessGroups,
    /// The participants of one collective are next to one another, in order of device.
    pub participants: Vec<Participant>,
}

/// An op of a collective, with the keys by which it is sorted.
#[derive(Clone, Copy)]
struct Member {
    step_and_class: i64,
    device_and_place: i64,
    own: Participant,
    step: usize,
}

impl Collectives {
    /// Finds the collectives of `trace`, in time n log n. `step_of` has the step of each op.
    pub fn matched(trace: &Trace, kernels: &Kernels, step_of: &dyn Fn(OpId) -> usize) -> Self {
        let nodes = trace.nodes();
        let is_op_type = |op_type: &str| is_collective(op_type) || is_collective_kernel(op_type);
        let is_member: Vec<bool> = nodes
            .ids()
            .map(|node| {
                nodes.category(node) == Category::Communication
                    && !nodes.is_range(node)
                    && is_op_type(trace.text(nodes.op_type(node)))
            })
            .collect();
        let communicates = |node| nodes.category(node) == Category::Communication && !nodes.is_range(node);
        if !nodes.ids().any(communicates) {
            return Self::default();
        }
        let is_counted_by_its_op =
            |op: OpId| kernels.op_of(op).is_some_and(|op| is_member[trace.ops().node(op).index()]);
        let roles = Roles::matched(trace, |node| is_member[node.index()]);
        let keys = Keys::read(trace);
        let mut collectives = Self::default();
        let mut members: Vec<Member> = Vec::new();
        let mut called: Vec<(usize, Called)> = Vec::new();
        for device in trace.devices().ids().filter(|&device| !trace.devices().repeats_others(device)) {
            for op in trace.ops_of(device) {
                let node = trace.ops().node(op);
                if !communicates(node) {
                    continue;
                }
                let said = collectives.groups.of_op(trace, kernels, op);
                let is_said = said.group.is_some();
                if (is_member[node.index()] || is_said) && !is_counted_by_its_op(op) {
                    let step = step_of(op);
                    if is_said {
                        called.push((step, Called { op, device, said, class: roles.class(node) }));
                        continue;
                    }
                    let by_role = || roles.class(node) + keys.len() as u32;
                    let class = keys.class(trace, node, device).unwrap_or_else(by_role);
                    members.push(Member {
                        step_and_class: (step as i64) << 32 | i64::from(class),
                        device_and_place: i64::from(device.get()) << 32 | i64::from(roles.place(node)),
                        own: Participant { op, device, waiting: None },
                        step,
                    });
                }
            }
        }
        // What HCCL carries out was asked for by an operator of the program.
        if members.iter().any(|own| is_of_hccl(trace, own.own.op)) {
            members.retain(|own| !trace.op_name(own.own.op).starts_with("c10d::"));
        }
        order::by_number(&mut members, |member| (member.step_and_class, member.device_and_place));
        let wanted = Notifications::found(trace).ranks();
        for class in runs(&members, |member| (member.step_and_class, 0)) {
            let is_hccl = members.get(class.start).is_some_and(|own| is_of_hccl(trace, own.own.op));
            collectives.put_class(trace, &members[class], wanted.filter(|_| is_hccl));
        }
        collectives.put_groups(trace, called);
        collectives.put_sizes(trace);
        unopened::mark(&mut collectives, trace);
        collectives
    }

    /// Adds what others say of collectives that do not say their size.
    fn put_sizes(&mut self, trace: &Trace) {
        let sizes = Sizes::found(trace);
        let participants = &self.participants;
        for row in self.rows.iter_mut().filter(|row| row.bytes.is_none()) {
            let own = participants.get(row.participants.clone()).unwrap_or_default();
            let said = own.iter().find_map(|own| sizes.of(trace, own.op));
            let Some(said) = said else { continue };
            (row.bytes, row.item) = (said.bytes.filter(|bytes| bytes.0 > 0), said.item);
            row.operation = row.operation.or_else(|| self.groups.operation(&said.operation));
        }
    }

    /// Adds the collectives of process groups.
    fn put_groups(&mut self, trace: &Trace, mut called: Vec<(usize, Called)>) {
        let group = |own: &Called| i64::from(own.said.group.unwrap_or(u32::MAX));
        // The devices of each group, in order: of any step.
        let mut devices: Vec<(u32, DeviceId)> =
            called.iter().filter_map(|(_, own)| Some((own.said.group?, own.device))).collect();
        order::by_number(&mut devices, |(group, device)| (i64::from(group), i64::from(device.get())));
        devices.dedup();
        order::by_number(&mut called, |(_, own)| (i64::from(own.op.get()), 0));
        order::by_number(&mut called, |(step, own)| (step as i64, group(&own)));
        let mut participants = Vec::new();
        for own in called.chunk_by(|a, b| (a.0, a.1.said.group) == (b.0, b.1.said.group)) {
            let (step, group) = (own[0].0, own[0].1.said.group);
            let size = group.and_then(|group| self.groups.groups.get(group as usize)?.size);
            let first = devices.partition_point(|&(other, _)| Some(other) < group);
            let there = devices[first..].partition_point(|&(other, _)| Some(other) == group) as u64;
            let own: Vec<Called> = own.iter().map(|&(_, own)| own).collect();
            for list in joined(&own) {
                participants.clear();
                let of = |own: &Called| Participant { op: own.op, device: own.device, waiting: None };
                participants.extend(list.iter().map(of));
                let wanted = if list.iter().any(|own| own.said.way != Way::All) { Some(2) } else { size };
                self.put(trace, step, &participants, wanted);
                if let Some(row) = self.rows.last_mut() {
                    row.group = group;
                    row.operation = list[0].said.operation;
                    row.bytes = list.iter().filter_map(|own| own.said.bytes).max().or(row.bytes);
                    row.item = list.iter().find_map(|own| own.said.item);
                    row.without_files = wanted.map_or(0, |wanted| wanted.saturating_sub(there));
                }
            }
        }
    }

    /// Adds the collectives of one step and name: the k-th ops of all devices belong together, if they run at one time. There are `wanted`
    /// participants if that is known.
    fn put_class(&mut self, trace: &Trace, members: &[Member], wanted: Option<u64>) {
        let alone = |own: &mut Self, rows: Range<usize>| {
            members[rows].iter().for_each(|&member| own.put(trace, member.step, &[member.own], wanted));
        };
        let mut devices = runs(members, |member| (i64::from(member.own.device.get()), 0));
        let are_all_needed = members.first().is_some_and(|own| needs_all(trace.op_type(own.own.op)));
        if devices.len() > 1 && are_all_needed {
            let interval = |row: usize| trace.ops().interval(members[row].own.op);
            for (place, outside) in aligned(&mut devices, &interval) {
                alone(self, outside.start..place.start);
                alone(self, place.end..outside.end);
            }
        }
        let each = devices.first().map_or(0, Range::len);
        let are_known = devices.len() > 1 && devices.iter().all(|runs_there| runs_there.len() == each);
        if !are_known {
            devices.into_iter().for_each(|own| alone(self, own));
            return;
        }
        let place = |place: usize| devices.iter().map(move |device| members[device.start + place].own);
        let joined: Vec<Vec<Participant>> = (0..each).map(|at| place(at).collect()).collect();
        let may_be = match are_all_needed {
            true => may_be_together(&joined, &|own| trace.ops().interval(own.op)),
            false => vec![true; joined.len()],
        };
        for (participants, may_be) in joined.iter().zip(may_be) {
            match may_be {
                true => self.put(trace, members[0].step, participants, wanted),
                false => {
                    participants.iter().for_each(|&own| self.put(trace, members[0].step, &[own], wanted));
                }
            }
        }
    }

    /// Adds a collective of `participants`, of which there are `wanted` if that is known.
    fn put(&mut self, trace: &Trace, step: usize, participants: &[Participant], wanted: Option<u64>) {
        let ops = trace.ops();
        let first = self.participants.len();
        let mut last: Option<(OpId, Timestamp)> = None;
        let mut before_it = Timestamp(i64::MIN);
        for &Participant { op, .. } in participants {
            let start = ops.start(op);
            match last {
                Some((_, newest)) if start <= newest => before_it = before_it.max(start),
                _ => {
                    before_it = last.map_or(before_it, |(_, start)| start);
                    last = Some((op, start));
                }
            }
        }
        let are_all = wanted.is_none_or(|wanted| wanted <= participants.len() as u64);
        let last = last.filter(|_| participants.len() > 1 && are_all);
        let (mut time, mut waiting) = (Nanos(0), Nanos(0));
        for &participant in participants {
            let interval = ops.interval(participant.op);
            let waited = last.map(|(_, start)| (start.min(interval.end) - interval.start).max(Nanos(0)));
            time += interval.length();
            waiting += waited.unwrap_or_default();
            self.participants.push(Participant { waiting: waited, ..participant });
        }
        self.rows.push(Collective {
            step,
            participants: first..self.participants.len(),
            last: last.map(|(op, start)| (op, start - before_it)),
            time,
            waiting,
            group: None,
            operation: None,
            bytes: participants
                .iter()
                .filter_map(|own| input_bytes(trace, own.op))
                .max()
                .filter(|own| own.0 > 0),
            item: participants.iter().find_map(|own| item_bytes(trace, own.op)),
            without_files: wanted.map_or(0, |wanted| wanted.saturating_sub(participants.len() as u64)),
        });
    }
}

/// Whether Ascend's HCCL carries out `op`.
fn is_of_hccl(trace: &Trace, op: OpId) -> bool {
    trace.op_name(op).starts_with("hcom_")
}
