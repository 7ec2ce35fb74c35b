//! The groups of lanes of every device.

use crate::text;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::timeline::grouping;

/// The groups of lanes of every device.
pub fn json(study: &Study) -> String {
    /// Lanes of a device that belong together and are next to one another.
    #[derive(Serialize)]
    struct LaneGroup {
        /// '' for packed ops, 'communication' for packed communication; otherwise a thread, an op type or a name scope.
        name: String,
        lanes: usize,
        /// What most of its ops do.
        kind: &'static str,
    }
    let group = |group: grouping::LaneGroup| LaneGroup {
        name: group.name,
        lanes: group.lanes,
        kind: group.kind.word(),
    };
    let of_device = |device| study.lanes().groups(device).into_iter().map(group).collect::<Vec<_>>();
    text(&study.trace().devices().ids().map(of_device).collect::<Vec<_>>())
}
