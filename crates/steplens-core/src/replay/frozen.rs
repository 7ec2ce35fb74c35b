//! What a prediction is worth: the time that no change moves, and between which lengths the step would lie.
//!
//! A replay without changes repeats the recording whatever it does not understand, because it keeps every delay. So its error does not say
//! how much of the step it understands: the *frozen* time does, which remains when no op takes any time, beyond what the recording itself
//! calls a launch, a gap between ops or a queue at a sender.

use super::scenario::Scenario;
use super::schedule::Schedule;
use super::{Replay, parts_per_million, simulate};
use crate::Study;
use crate::base::units::Nanos;
use crate::causality::observed::SegmentKind;

/// A prediction is made only where no more of the step than this is frozen, in millionths: what happens to the rest of it nobody knows.
pub const MOST_FROZEN_PPM: i64 = 500_000;

/// The number of draws of wake-ups, and of the order of ops that wait for a thread, by which a range is found; with fewer where a step has many nodes, because each is a replay.
const DRAWS: u32 = 8;
const FEW_DRAWS: u32 = 2;
const MANY_NODES: usize = 50_000;

/// Whether nothing that was recorded says why this time passed.
fn is_frozen(kind: SegmentKind) -> bool {
    matches!(kind, SegmentKind::Gap | SegmentKind::Starting | SegmentKind::Producer | SegmentKind::Behind)
}

impl Replay {
    /// What remains of the step when nothing takes any time, beyond launches, gaps and queues at senders that were recorded as such.
    pub fn frozen(&self, study: &Study) -> Nanos {
        *self.frozen.get_or_init(|| {
            let nothing = simulate::run(&self.model, &Scenario::nothing(&self.model));
            let segments = nothing.path(study, self);
            let frozen = segments.iter().filter(|own| is_frozen(own.kind));
            frozen.map(|own| own.end - own.start).fold(Nanos(0), |sum, own| sum + own)
        })
    }

    /// Whether predictions may be made: the replay is near enough to the recording, and not too much of the step is frozen.
    pub fn may_predict(&self, study: &Study) -> bool {
        self.error.may_predict()
            && parts_per_million(self.frozen(study), self.error.recorded) <= MOST_FROZEN_PPM
    }

    /// Between which lengths the step would lie, of which `after` is the replay with `scenario`: with other times in which threads wake
    /// up, and another order in which they take ops that wait; as far from it as the steps vary and the replay is off; and with `frozen` time that moves like the rest, or does not.
    pub fn range(
        &self,
        scenario: &Scenario,
        after: &Schedule,
        frozen: Nanos,
        variation: Option<Nanos>,
    ) -> (Nanos, Nanos) {
        let predicted = after.length().0;
        let (mut low, mut high) = (predicted, predicted);
        let threads = |&own: &u32| scenario.threads.unwrap_or(own) > 1;
        let are_given = !self.model.are_on_threads() || scenario.threads.is_some();
        if are_given && self.model.threads.iter().any(threads) {
            let draws = if self.model.len() > MANY_NODES { FEW_DRAWS } else { DRAWS };
            for draw in 1..=draws {
                let mut scenario = scenario.clone();
                scenario.wakes = Some(draw);
                let length = simulate::run(&self.model, &scenario).length().0;
                (low, high) = (low.min(length), high.max(length));
            }
        }
        let before = self.unchanged.length().0.max(1);
        let part = |time: i64, of: i64, whole: i64| {
            (i128::from(time) * i128::from(of) / i128::from(whole.max(1))).clamp(0, i64::MAX.into()) as i64
        };
        let margin = part(
            variation.unwrap_or_default().0.max(self.error_with(scenario).difference().0),
            predicted,
            before,
        );
        let moved = before - predicted;
        let frozen_too = part(frozen.0, moved.abs(), before - frozen.0);
        (low, high) = (low.saturating_sub(margin), high.saturating_add(margin));
        if moved > 0 {
            low = low.saturating_sub(frozen_too);
        } else {
            high = high.saturating_add(frozen_too);
        }
        (Nanos(low.max(after.floor()).min(predicted)), Nanos(high))
    }
}
