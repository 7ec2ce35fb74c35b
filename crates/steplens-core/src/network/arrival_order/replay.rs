//! Replays the ops of a device with parameters that arrive at other times.
//!
//! An op that started when its last input was ready starts equally long after that. An op that had its inputs, but was not started
//! because the executor started others first, follows the op that was started before it; it starts no later than recorded unless an
//! input is missing. Every op lasts as long as recorded. Tensors whose making is not known arrive as recorded. Ops that wait for an
//! answer to work of this task are left out, because other tasks decide when the answer would arrive.

use super::StepOrder;
use super::links::Links;
use super::origin::Origin;
use crate::Study;
use crate::base::ids::OpId;
use crate::base::units::{Nanos, Timestamp};

/// When the last op ended that waits only for parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// As recorded.
    pub(super) recorded: Timestamp,
    /// With the recorded arrivals.
    pub(super) replayed: Timestamp,
    /// With the arrivals in the better order.
    pub(super) better: Timestamp,
}

/// What an op waits for, directly or through other ops.
const PARAMETERS: u8 = 1;
const ANSWERS: u8 = 2;

const NOT_YET: Timestamp = Timestamp(i64::MIN);

/// The ends for each group, in the order of `group_of`. `arrivals` are those of the better order. Takes time linear in the data
/// flow.
pub(super) fn ends(
    study: &Study,
    links: &Links,
    origins: &[Origin],
    groups: &[StepOrder],
    arrivals: &[(OpId, Timestamp)],
    group_of: impl Fn(OpId) -> i64,
) -> Vec<Ends> {
    let ops = study.trace().ops();
    let mut ends = vec![Ends { recorded: NOT_YET, replayed: NOT_YET, better: NOT_YET }; groups.len()];
    // The end with the recorded arrivals, and the end with the arrivals in the better order.
    let mut end = vec![[NOT_YET; 2]; ops.len()];
    let mut waits_for = vec![0_u8; ops.len()];
    for op in ops.ids().filter(|op| origins[op.index()] != Origin::Own) {
        end[op.index()] = [ops.end(op); 2];
        waits_for[op.index()] = match origins[op.index()] {
            Origin::Parameter => PARAMETERS,
            Origin::FedBack => ANSWERS,
            Origin::Own | Origin::Unknown | Origin::NotSought => 0,
        };
    }
    for &(op, better) in arrivals {
        end[op.index()][1] = better;
    }
    let mut keys = Vec::with_capacity(groups.len());
    keys.extend(groups.iter().map(|group| i64::from(group.device.get()) << 32 | group.step as i64));
    for &op in links.order.iter().filter(|op| origins[op.index()] == Origin::Own) {
        let recorded = ops.interval(op);
        let (mut was_ready, mut ready, mut all) = (NOT_YET, [NOT_YET; 2], 0);
        // If ops wait in a circle, one of them ignores the maker that closes it.
        for maker in links.makers(op).iter().filter(|maker| end[maker.index()][0] != NOT_YET) {
            was_ready = was_ready.max(ops.end(*maker));
            for (ready, end) in ready.iter_mut().zip(end[maker.index()]) {
                *ready = (*ready).max(end);
            }
            all |= waits_for[maker.index()];
        }
        let before = links.before(op).filter(|before| end[before.index()][0] != NOT_YET);
        let before =
            before.map(|before| (ops.start(before), end[before.index()], ops.interval(before).length()));
        let own_end = [0, 1].map(|which| {
            let start = match before {
                Some((was_started, end, length)) if was_started > was_ready => {
                    let follows = end[which] - length + (recorded.start - was_started);
                    ready[which].max(recorded.start.min(follows))
                }
                _ if was_ready == NOT_YET => recorded.start,
                _ => ready[which] + (recorded.start - was_ready).max(Nanos(0)),
            };
            start + recorded.length()
        });
        (end[op.index()], waits_for[op.index()]) = (own_end, all);
        if all == PARAMETERS
            && let Ok(group) = keys.binary_search(&group_of(op))
        {
            let all = &mut ends[group];
            all.recorded = all.recorded.max(recorded.end);
            all.replayed = all.replayed.max(own_end[0]);
            all.better = all.better.max(own_end[1]);
        }
    }
    ends
}
