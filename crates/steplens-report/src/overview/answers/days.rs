//! Which op types take longer on a day than on an earlier one, over all runs of the dataset: the question `regressions` of `steplens fleet`.
//!
//! What is compared is the mean self time of a step of one task: the sum over the day, divided by the steps of tasks of that job.

use crate::overview::Overview;
use crate::overview::error::{Unreadable, damaged};
use crate::text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most op types that are listed.
const MOST_LISTED: usize = 200;
/// Categories whose time includes that of others; they come last.
const WAITING: [&str; 2] = ["communication", "waiting"];

/// What the file has of days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Days {
    pub(crate) steps: Vec<StepsOfDay>,
    pub(crate) types: Vec<TypeOverDays>,
    /// How many rows are in none of these, because there are too many different ones.
    pub(crate) left_out: u64,
}

/// How many steps of tasks of a job began on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StepsOfDay {
    pub(crate) job: String,
    /// Among the days of the dataset.
    pub(crate) day: u32,
    pub(crate) steps: u64,
}

/// An op type of a job, and its self time by day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TypeOverDays {
    pub(crate) job: String,
    pub(crate) category: String,
    pub(crate) op_type: String,
    pub(crate) place: String,
    /// Days among those of the dataset, and self time in ns.
    pub(crate) self_ns: Vec<(u32, i64)>,
}

/// What is different between two days.
#[derive(Serialize)]
pub struct FleetDays<'a> {
    /// The earlier day.
    pub day_a: &'a str,
    /// The later one.
    pub day_b: &'a str,
    /// Most growth first; communication and waiting, whose time includes that of others, come last.
    pub types: Vec<TypeOfTwoDays<'a>>,
    /// How many of them are not listed.
    pub more: u64,
    /// How many rows of the dataset are in none of these, because it has too many different ones.
    pub left_out: u64,
}

/// An op type that both days have steps for.
#[derive(Serialize)]
pub struct TypeOfTwoDays<'a> {
    /// Its name.
    pub op_type: &'a str,
    /// The job, whose tasks are peers.
    pub job: &'a str,
    /// What its time is spent on, as a word.
    pub category: &'a str,
    /// `accelerator` or `host`.
    pub place: &'a str,
    /// How many steps of tasks of that job began on the earlier day.
    pub steps_a: u64,
    /// How many on the later one.
    pub steps_b: u64,
    /// The mean self time of a step of one task, on the earlier day.
    pub mean_a_ns: i64,
    /// The same on the later one.
    pub mean_b_ns: i64,
    /// How much longer it takes on the later one; below 0 where it takes less.
    pub difference_ns: i64,
    /// Whether that time includes waiting for others.
    pub is_waiting: bool,
}

impl Overview {
    /// `FleetDays` as JSON; of days that the dataset has not, without op types.
    ///
    /// # Errors
    ///
    /// If the block of days is damaged.
    pub fn days_json(&self, day_a: &str, day_b: &str) -> Result<String, Unreadable> {
        let days = self.days()?;
        let place = |day: &str| self.head().days.iter().position(|own| own == day).map(|at| at as u32);
        let pair = place(day_a).zip(place(day_b));
        let mut types: Vec<_> = pair.map_or_else(Vec::new, |pair| {
            let steps = steps_of(&days, pair);
            days.types.iter().filter_map(|own| compared(own, pair, *steps.get(own.job.as_str())?)).collect()
        });
        types.sort_by(|a, b| {
            let key = |own: &TypeOfTwoDays<'_>| (own.is_waiting, std::cmp::Reverse(own.difference_ns));
            let name =
                |own: &TypeOfTwoDays<'_>| [own.job, own.category, own.op_type, own.place].map(str::to_owned);
            key(a).cmp(&key(b)).then_with(|| name(a).cmp(&name(b)))
        });
        let more = types.len().saturating_sub(MOST_LISTED) as u64;
        types.truncate(MOST_LISTED);
        Ok(text(&FleetDays { day_a, day_b, types, more, left_out: days.left_out }))
    }

    fn days(&self) -> Result<Days, Unreadable> {
        let Some(block) = self.head().of_days else { return Ok(Days::default()) };
        let bytes = self.unpacked(block, "days")?;
        serde_json::from_slice(&bytes).map_err(|why| damaged("days", why))
    }
}

/// By job, how many steps it has on each of the two days.
fn steps_of(days: &Days, (a, b): (u32, u32)) -> BTreeMap<&str, (u64, u64)> {
    let mut steps = BTreeMap::<&str, (u64, u64)>::new();
    for own in &days.steps {
        let of_job = steps.entry(&own.job).or_default();
        of_job.0 = of_job.0.saturating_add(if own.day == a { own.steps } else { 0 });
        of_job.1 = of_job.1.saturating_add(if own.day == b { own.steps } else { 0 });
    }
    steps
}

/// `own` on the two days; `None` where its job has no step on one of them, or it ran on neither.
fn compared(
    own: &TypeOverDays,
    (a, b): (u32, u32),
    (steps_a, steps_b): (u64, u64),
) -> Option<TypeOfTwoDays<'_>> {
    let sum = |day: u32| {
        let of_day = own.self_ns.iter().filter(|(of, _)| *of == day);
        of_day.fold(0_i64, |sum, (_, ns)| sum.saturating_add(*ns))
    };
    let (self_a, self_b) = (sum(a), sum(b));
    if steps_a == 0 || steps_b == 0 || (self_a == 0 && self_b == 0) {
        return None;
    }
    let mean = |sum: i64, steps: u64| sum.div_euclid(i64::try_from(steps).unwrap_or(i64::MAX));
    let (mean_a_ns, mean_b_ns) = (mean(self_a, steps_a), mean(self_b, steps_b));
    Some(TypeOfTwoDays {
        op_type: &own.op_type,
        job: &own.job,
        category: &own.category,
        place: &own.place,
        steps_a,
        steps_b,
        mean_a_ns,
        mean_b_ns,
        difference_ns: mean_b_ns.saturating_sub(mean_a_ns),
        is_waiting: WAITING.contains(&own.category.as_str()),
    })
}
