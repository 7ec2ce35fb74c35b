//! When each received tensor is needed: the longest path of work before its first use, if every tensor were there from the beginning.

use super::links::Links;
use super::origin::Origin;
use crate::Study;
use crate::base::ids::OpId;
use crate::base::units::Nanos;

/// The op that needs a tensor first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct User {
    /// When it would start.
    pub(super) start: Nanos,
    /// How many received tensors it uses.
    pub(super) received_with_it: u32,
    /// The op.
    pub(super) op: OpId,
}

/// For each transfer its first user, if one is known. Of users that would start at the same time, the one that waits for the fewest
/// tensors.
pub(super) fn first_users(study: &Study, links: &Links, origins: &[Origin]) -> Vec<Option<User>> {
    let ops = study.trace().ops();
    let mut users: Vec<Option<User>> = vec![None; study.transfers().rows().len()];
    // When each op would be done, if received tensors are there at 0.
    let mut end = vec![Nanos(0); ops.len()];
    for &op in &links.order {
        if origins[op.index()] != Origin::Own {
            continue;
        }
        let makers = links.makers(op);
        let start = makers.iter().map(|maker| end[maker.index()]).max().unwrap_or(Nanos(0));
        end[op.index()] = start + ops.interval(op).length();
        let received = || makers.iter().filter(|maker| origins[maker.index()] != Origin::Own);
        let this = User { start, received_with_it: received().count() as u32, op };
        for maker in received() {
            if let Some(id) = study.transfers().id_of_op(*maker) {
                let row = id.index();
                users[row] = Some(users[row].map_or(this, |other| other.min(this)));
            }
        }
    }
    users
}
