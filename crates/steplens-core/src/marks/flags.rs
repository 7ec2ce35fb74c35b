//! What to draw of instants in a window: a flag for each column of each row in which there is any.

use crate::base::units::{Interval, Timestamp};
use crate::model::instants::{Instants, Scope};
use crate::model::owner::Owner;
use crate::timeline::lanes::Lanes;
use crate::{DeviceId, InstantId, LaneId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The instants of one row that one flag stands for: they are too close to draw each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The first of them.
    pub first: InstantId,
    /// How many they are.
    pub count: u32,
}

/// The flags of a window that is drawn `width_px` wide: instants of a row that are less than `apart_px` from the first of them are
/// one flag. If that gives more than `most`, they are drawn further apart. Takes time that grows with the flags and the rows, and
/// only with the logarithm of the instants.
pub fn flags(instants: &Instants, window: Interval, width_px: f64, apart_px: f64, most: usize) -> Vec<Flag> {
    let mut apart_ns = (window.length().0 as f64 * apart_px / width_px.max(1.0)).max(1.0);
    loop {
        match flags_apart(instants, window, apart_ns as i64, most) {
            Some(flags) => return flags,
            None => apart_ns *= 2.0,
        }
        // At this distance there is one flag for each row, however many rows there are.
        if apart_ns > 2.0 * window.length().0 as f64 {
            return flags_apart(instants, window, i64::MAX, usize::MAX).unwrap_or_default();
        }
    }
}

fn flags_apart(instants: &Instants, window: Interval, apart_ns: i64, most: usize) -> Option<Vec<Flag>> {
    let mut flags = Vec::new();
    for row in instants.rows() {
        let own = &instants.all()[row.clone()];
        let from = |time: Timestamp| own.partition_point(|instant| instant.at < time);
        let (mut next, end) = (from(window.start), from(window.end));
        while next < end {
            let after = from(Timestamp(own[next].at.0.saturating_add(apart_ns))).clamp(next + 1, end);
            if flags.len() == most {
                return None;
            }
            flags.push(Flag { first: InstantId::from_usize(row.start + next), count: (after - next) as u32 });
            next = after;
        }
    }
    Some(flags)
}

/// The lanes of the threads that recorded instants: of each the first lane with an op of it.
#[derive(Clone, Debug, Default)]
pub struct ThreadLanes(HashMap<(DeviceId, u32), LaneId, FixedState>);

impl ThreadLanes {
    /// The lanes as they are arranged now. Takes time that grows with the ops of these devices.
    pub fn of(trace: &Trace, lanes: &Lanes) -> Self {
        let mut found = HashMap::default();
        let of_threads = trace.instants().all().iter().filter(|own| matches!(own.scope, Scope::Thread(_)));
        let mut devices: Vec<DeviceId> = of_threads.filter_map(|own| own.owner.device()).collect();
        devices.dedup();
        for device in devices {
            for lane in lanes.of_device(device) {
                for &op in lanes.ops(lane) {
                    found.entry((device, trace.ops().thread(op))).or_insert(lane);
                }
            }
        }
        Self(found)
    }

    /// The lane of a thread; `None` if it ran no op.
    pub fn get(&self, owner: Owner, scope: Scope) -> Option<LaneId> {
        match (owner, scope) {
            (Owner::Device(device), Scope::Thread(thread)) => self.0.get(&(device, thread)).copied(),
            _ => None,
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.0.capacity() * (size_of::<((DeviceId, u32), LaneId)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StringId;
    use crate::model::instants::Instant;

    #[test]
    fn near_instants_are_one_flag_and_all_are_counted() {
        let own = |at: i64| {
            let (owner, name) = (Owner::Process(StringId::new(0)), StringId::new(1));
            (Instant { owner, scope: Scope::Process, name, at: Timestamp(at), arguments: None }, 0)
        };
        let instants = Instants::new([5, 6, 30, 31, 32, 90].map(own).to_vec());
        let drawn = |start, end, most| {
            let window = Interval::new(Timestamp(start), Timestamp(end));
            let flags = flags(&instants, window, 100.0, 10.0, most);
            flags.iter().map(|flag| (flag.first.get(), flag.count)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(0, 100, 10), [(0, 2), (2, 3), (5, 1)]);
        assert_eq!(drawn(0, 100, 2), [(0, 5), (5, 1)]);
        assert_eq!(drawn(0, 100, 0), [(0, 6)]);
        assert_eq!(drawn(6, 31, 10), [(1, 1), (2, 1)]);
        assert_eq!(drawn(29, 33, 10), [(2, 1), (3, 1), (4, 1)]);
    }
}
