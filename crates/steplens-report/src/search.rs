//! What a search found.

use crate::text;
use serde::Serialize;
use steplens_core::Trace;
use steplens_core::search::matches::Matches;

/// The result of a search: the count, and the count on each device; or the problem with its pattern.
pub fn json(trace: &Trace, query: &str, regex: bool, matches: &Matches, problem: Option<&str>) -> String {
    #[derive(Serialize)]
    struct SearchCounts<'a> {
        query: &'a str,
        regex: bool,
        count: usize,
        per_device: Vec<usize>,
        problem: Option<&'a str>,
    }
    let per_device = trace.devices().ids().map(|device| matches.count_on(trace, device)).collect();
    text(&SearchCounts { query, regex, count: matches.len(), per_device, problem })
}
