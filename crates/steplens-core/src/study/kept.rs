//! Results that are likely to be needed again: clocks, and the traffic of a route.

use crate::clocks::Clocks;
use crate::doctor::Repair;
use crate::transfers::links::Route;
use crate::transfers::traffic::Traffic;
use crate::{Study, Trace, View};
use std::sync::Arc;

/// The clocks of everything that was opened, and the repairs with which they were computed.
#[derive(Debug, Default)]
pub struct KeptClocks(Option<(Vec<Repair>, Arc<Clocks>)>);

impl KeptClocks {
    /// The clocks of `whole` with `repairs`. Uses the results of `study` if it shows the whole trace as it was recorded.
    pub fn of(&mut self, whole: &Arc<Trace>, study: Option<&Study>, repairs: &[Repair]) -> Arc<Clocks> {
        if let Some((_, clocks)) = self.0.as_ref().filter(|(done, _)| done == repairs) {
            return Arc::clone(clocks);
        }
        let clocks = match study {
            Some(study) if repairs.is_empty() && study.old_op().is_none() => {
                Clocks::estimated(study.trace(), study.transfers())
            }
            _ => View { repairs: repairs.to_vec(), ..View::default() }.clocks_of(whole),
        };
        let clocks = Arc::new(clocks);
        self.0 = Some((repairs.to_vec(), Arc::clone(&clocks)));
        clocks
    }
}

/// The traffic of the last route. A study itself keeps the traffic of all routes together.
#[derive(Debug, Default)]
pub struct KeptTraffic(Option<(Route, Traffic)>);

impl KeptTraffic {
    /// The traffic over `route` in `study`. `study` must be the same as in the last call, or `self` must be new.
    pub fn of<'a>(&'a mut self, study: &'a Study, route: &Route) -> &'a Traffic {
        if *route == Route::ALL {
            return study.traffic();
        }
        let known = self.0.take().filter(|(of, _)| of == route);
        let follow = || (route.clone(), Traffic::followed(study.trace(), study.transfers(), route));
        &self.0.insert(known.unwrap_or_else(follow)).1
    }
}
