//! What the hosts of late ranks ran while others waited for them: the innermost ops of the threads that launch kernels, by name.

use super::super::context::Context;
use crate::base::units::{Interval, Nanos};
use crate::timeline::nesting::{self, Piece};
use crate::{DeviceId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most names.
const MOST: usize = 3;

/// The names with most time in `windows`, of the hosts that launch what the device of each window runs; at most [`MOST`].
pub(super) fn names(context: &Context<'_>, windows: &[(DeviceId, Interval)]) -> Vec<(String, Nanos)> {
    let trace = context.trace();
    let task = |device: DeviceId| trace.devices().get(device).task;
    let mut late: HashMap<Option<StringId>, Vec<Interval>, FixedState> = HashMap::default();
    for &(device, window) in windows {
        late.entry(task(device)).or_default().push(window);
    }
    let launching: BTreeSet<(DeviceId, u32)> = trace
        .calls()
        .iter()
        .map(|&(_, call)| (trace.device_of(call), trace.ops().thread(call)))
        .filter(|&(device, _)| late.contains_key(&task(device)))
        .collect();
    let hosts: BTreeSet<DeviceId> = launching.iter().map(|&(device, _)| device).collect();
    let mut of_name: HashMap<&str, Nanos, FixedState> = HashMap::default();
    for host in hosts {
        let mut threads: HashMap<u32, Vec<Piece>, FixedState> = HashMap::default();
        for piece in nesting::pieces(trace, host) {
            let thread = trace.ops().thread(piece.op);
            if launching.contains(&(host, thread)) {
                threads.entry(thread).or_default().push(piece);
            }
        }
        for pieces in threads.values() {
            for &window in &late[&task(host)] {
                let first = pieces.partition_point(|piece| piece.interval.end <= window.start);
                for piece in pieces[first..].iter().take_while(|piece| piece.interval.start < window.end) {
                    *of_name.entry(trace.op_name(piece.op)).or_default() +=
                        piece.interval.clamp_to(window).length();
                }
            }
        }
    }
    let mut names: Vec<(&str, Nanos)> = of_name.into_iter().collect();
    names.sort_by_key(|&(name, time)| (Reverse(time), name));
    names.into_iter().take(MOST).map(|(name, time)| (name.to_owned(), time)).collect()
}
