//! Rows to what is known of days: over all runs, because a day has many and a run may last for several.

use super::texts::Texts;
use crate::overview::answers::days::{Days, StepsOfDay, TypeOverDays};
use crate::overview::rows::OpTypeRow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most pairs of an op type and a day that are counted.
const MOST_PAIRS: usize = 1 << 18;
/// The most pairs of a job and a day that are counted.
const MOST_DAYS: usize = 1 << 14;
/// Ranges contain ops, whose time would count twice.
const RANGE: &str = "range";

/// What is known of days, while rows come.
#[derive(Debug, Default)]
pub(super) struct OfDays {
    texts: Texts,
    /// By job and day.
    steps: HashMap<[u32; 2], u64>,
    /// By job, category, op type, place and day.
    types: HashMap<[u32; 5], i64>,
    left_out: u64,
}

impl OfDays {
    /// A step of a task of `job` began on `day`.
    pub(super) fn step(&mut self, job: &str, day: &str) {
        if day.is_empty() {
            return;
        }
        let is_full = self.steps.len() >= MOST_DAYS;
        match self.texts.key([job, day], is_full).filter(|key| !is_full || self.steps.contains_key(key)) {
            Some(key) => *self.steps.entry(key).or_default() += 1,
            None => self.left_out += 1,
        }
    }

    pub(super) fn op_type(&mut self, row: &OpTypeRow<'_>) {
        if row.day.is_empty() || row.category == RANGE {
            return;
        }
        let names = [row.job, row.category, row.op_type, row.place, row.day];
        let is_full = self.types.len() >= MOST_PAIRS;
        match self.texts.key(names, is_full).filter(|key| !is_full || self.types.contains_key(key)) {
            Some(key) => {
                let sum = self.types.entry(key).or_default();
                *sum = sum.saturating_add(row.self_ns);
            }
            None => self.left_out += 1,
        }
    }

    /// The days, ascending, and what is known of them.
    pub(super) fn finish(self) -> (Vec<String>, Days) {
        let text = |id: u32| self.texts.text(id);
        let days: BTreeSet<&str> = self.steps.keys().map(|&[_, day]| text(day)).collect();
        let days: Vec<String> = days.into_iter().map(str::to_owned).collect();
        let place =
            |day: u32| days.binary_search_by(|own| own.as_str().cmp(text(day))).ok().map(|at| at as u32);
        let step = |(&[job, day], &steps): (&[u32; 2], &u64)| {
            Some(StepsOfDay { job: text(job).to_owned(), day: place(day)?, steps })
        };
        let mut steps: Vec<StepsOfDay> = self.steps.iter().filter_map(step).collect();
        steps.sort_by(|a, b| (&a.job, a.day).cmp(&(&b.job, b.day)));
        let mut types: BTreeMap<[&str; 4], BTreeMap<u32, i64>> = BTreeMap::new();
        // In any order: what it fills is in order.
        self.types.iter().for_each(|(&[job, category, op_type, place_of, day], &self_ns)| {
            if let Some(day) = place(day) {
                types.entry([job, category, op_type, place_of].map(text)).or_default().insert(day, self_ns);
            }
        });
        let over_days = |(names, self_ns): ([&str; 4], BTreeMap<u32, i64>)| {
            let [job, category, op_type, place] = names.map(str::to_owned);
            TypeOverDays { job, category, op_type, place, self_ns: self_ns.into_iter().collect() }
        };
        let types = types.into_iter().map(over_days).collect();
        (days, Days { steps, types, left_out: self.left_out })
    }
}
