//! Which device of A is which device of B: by name; then by the role of its job, its kind and its place among those of that kind;
//! then by kind and place alone. So a worker is compared with the worker of the same number.

use crate::model::device::{JobRole, task_of};
use crate::{DeviceId, Trace};
use std::collections::BTreeMap;

/// The devices that are compared with one another.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// For each device of A its partner.
    of_a: Vec<Option<DeviceId>>,
    /// For each device of B its partner.
    of_b: Vec<Option<DeviceId>>,
}

impl Devices {
    pub(super) fn matched(a: &Trace, b: &Trace) -> Self {
        let none = |trace: &Trace| vec![None; trace.devices().len()];
        let mut devices = Self { of_a: none(a), of_b: none(b) };
        devices.by_key(a, b, |trace, id| Some(name(trace, id).to_owned()));
        devices.by_key(a, b, |trace, id| {
            let name = name(trace, id);
            let role = format!("{:?}", JobRole::of_task(task_of(name)?)?);
            Some(format!("{role} {}", kind(trace, id)))
        });
        devices.by_key(a, b, |trace, id| Some(kind(trace, id)));
        devices
    }

    /// Pairs, in order, devices without a partner whose keys are equal.
    fn by_key(&mut self, a: &Trace, b: &Trace, key: impl Fn(&Trace, DeviceId) -> Option<String>) {
        let mut free: BTreeMap<String, Vec<DeviceId>> = BTreeMap::new();
        for id in b.devices().ids().filter(|id| self.of_b[id.index()].is_none()) {
            key(b, id).into_iter().for_each(|key| free.entry(key).or_default().push(id));
        }
        free.values_mut().for_each(|ids| ids.reverse());
        for id in a.devices().ids() {
            if self.of_a[id.index()].is_some() {
                continue;
            }
            let partner = key(a, id).and_then(|key| free.get_mut(&key)?.pop());
            if let Some(partner) = partner {
                self.of_a[id.index()] = Some(partner);
                self.of_b[partner.index()] = Some(id);
            }
        }
    }

    /// The partner of a device of A.
    pub fn of_a(&self, id: DeviceId) -> Option<DeviceId> {
        self.of_a.get(id.index()).copied().flatten()
    }

    /// The partner of a device of B.
    pub fn of_b(&self, id: DeviceId) -> Option<DeviceId> {
        self.of_b.get(id.index()).copied().flatten()
    }

    /// One number for a device and its partner: the row in A, or for a device that only B has its row behind all of A.
    pub(super) fn number_of_b(&self, id: DeviceId) -> u32 {
        self.of_b(id).map_or(self.of_a.len() as u32 + id.get(), DeviceId::get)
    }

    /// The device of B that only B has, by its number.
    pub(super) fn only_in_b(&self, number: u32) -> Option<DeviceId> {
        number.checked_sub(self.of_a.len() as u32).map(DeviceId::new)
    }
}

fn name(trace: &Trace, id: DeviceId) -> &str {
    trace.text(trace.devices().get(id).name)
}

/// The kind, with what a device of that kind holds: a thread of a program is no GPU.
fn kind(trace: &Trace, id: DeviceId) -> String {
    let row = trace.devices().get(id);
    let is_frames = name(trace, id).ends_with(crate::model::device::FRAMES);
    format!("{} {} {} {is_frames}", row.kind.word(), row.nests, row.is_accelerator)
}
