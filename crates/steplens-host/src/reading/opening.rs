//! Options for opening: what counts as communication, which part to open, and how much memory to use.

use crate::failure::Failure;
use crate::options::{Files, LastsAs, Repair, Rule};
use crate::reading::at_once;
use crate::reading::input::Input;
use crate::reading::kept::Kept;
use crate::reading::memory_limit;
use std::ops::Range;
use std::sync::Arc;
use steplens_core::clocks::{ClockChoice, ClockSetting};
use steplens_core::doctor;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::steps::rule::StepRule;
use steplens_core::{CategoryRules, Nanos, Selection, Trace, View};
use steplens_formats::error::ReadErrorKind;
use steplens_formats::session::Shown;
use steplens_formats::{Limits, Opened, Opener};
use steplens_messages::{listed, say};

/// What counts as communication.
pub fn rules(files: &Files) -> Result<CategoryRules, Failure> {
    CategoryRules::new(&files.reading.communication).map_err(|why| Failure::Option("communication", why))
}

/// The window of time that `files` asks for, in ns from 1970. `inputs` are read once for it, because the window counts from their
/// first start.
pub fn window(files: &Files, inputs: &[Input]) -> Result<Option<Range<i64>>, Failure> {
    files.window.as_deref().map(|window| window_unix_ns(window, inputs)).transpose()
}

/// An opener for what `files` asks, limited to `window`.
pub fn opener(files: &Files, window: Option<Range<i64>>, rules: CategoryRules) -> Result<Opener, Failure> {
    let limits = memory_limit::limits(files.reading.memory, 1);
    let selection = Selection::new(files.reading.devices.as_deref(), window)
        .map_err(|why| Failure::Option("devices", why))?;
    Ok(Opener::new(rules, limits).select(selection))
}

/// What a session keeps that was `shown` so, if `opened` is one and the user did not ask for `--as-recorded`.
pub(crate) fn kept(files: &Files, shown: &Shown, opened: &Trace) -> Kept {
    if files.reading.as_recorded { Kept::default() } else { Kept::of(shown, opened) }
}

/// Applies the patterns that the session kept to a trace that was read with [`rules`], unless the user gave other patterns.
pub(crate) fn patterned(files: &Files, kept: &Kept, trace: &Arc<Trace>) -> Arc<Trace> {
    match CategoryRules::new(&kept.communication) {
        Ok(rules) if files.reading.communication.is_empty() => trace.with_patterns(&rules),
        _ => Arc::clone(trace),
    }
}

/// Whether an option changes what is shown, other than the rule for steps.
pub(crate) fn corrects(files: &Files) -> bool {
    files.step.is_some()
        || !files.reading.repair.is_empty()
        || !files.reading.clocks.is_empty()
        || files.reading.op_time.is_some()
}

/// The view of `whole` that `files` asks for. Where it says nothing, what was kept applies.
pub(crate) fn view(files: &Files, kept: &Kept, whole: &Arc<Trace>) -> Result<View, Failure> {
    let rule = files.reading.steps_by.map(|rule| match rule {
        Rule::Content => StepRule::Content,
        Rule::File => StepRule::File,
        Rule::Part => StepRule::Part,
        Rule::Together => StepRule::Together,
    });
    let op_time = files.reading.op_time.map(|op_time| match op_time {
        LastsAs::Schedule => OpTime::Schedule,
        LastsAs::Gpu => OpTime::Gpu,
        LastsAs::All => OpTime::All,
    });
    let repairs = files.reading.repair.iter().map(|repair| match repair {
        Repair::TimeBases => doctor::Repair::TimeBases,
        Repair::FarOps => doctor::Repair::FarOps,
        Repair::SameDevices => doctor::Repair::SameDevices,
        Repair::RepeatedOps => doctor::Repair::RepeatedOps,
    });
    let view = View {
        repairs: if files.reading.repair.is_empty() { kept.repairs() } else { repairs.collect() },
        rule: rule.or_else(|| kept.rule()).unwrap_or_default(),
        op_time: op_time.or_else(|| kept.op_time()).unwrap_or_default(),
        ..View::default()
    };
    let view = View { clocks: clocks(files, kept, &view, whole)?, ..view };
    // If steps are formed by another rule, the kept step does not apply.
    let kept_step = kept.step().filter(|_| rule.is_none());
    if files.step.is_none() && kept_step.is_none() {
        return Ok(view);
    }
    let (_, steps) = view.steps(whole);
    let ops_of = |row: usize| steps.rows().get(row).map(|step| step.ops);
    let Some(place) = files.step else {
        let step = kept_step.filter(|&row| steps.rows().len() > 1 && ops_of(row) > Some(0));
        return Ok(View { step, ..view });
    };
    let row = place.checked_sub(1);
    match row.and_then(ops_of) {
        None => Err(Failure::Option("step", say!("option-step", place, steps = steps.rows().len()))),
        Some(0) => Err(Failure::Option("step", say!("option-step-without-ops", place))),
        Some(_) => Ok(View { step: row, ..view }),
    }
}

/// The choice for the clocks; `None` as recorded.
fn clocks(
    files: &Files,
    kept: &Kept,
    view: &View,
    whole: &Arc<Trace>,
) -> Result<Option<ClockSetting>, Failure> {
    let mut choice = ClockChoice::default();
    for word in &files.reading.clocks {
        let by_hand = || {
            let (task, offset) = word.rsplit_once('=')?;
            let size = duration_ns(offset.trim_start_matches(['-', '+']))?;
            Some((task.to_owned(), Nanos(if offset.starts_with('-') { -size } else { size })))
        };
        match word.as_str() {
            "recorded" => choice.is_estimated = false,
            "estimated" => choice.is_estimated = true,
            _ => choice
                .by_hand
                .push(by_hand().ok_or_else(|| Failure::Option("clocks", say!("option-clocks", word)))?),
        }
    }
    if files.reading.clocks.is_empty() {
        choice = kept.clocks();
    }
    if choice.is_recorded() {
        return Ok(None);
    }
    let clocks = Arc::new(view.clocks_of(whole));
    let is_known = |task: &str| clocks.tasks.iter().any(|clock| whole.text(clock.task) == task);
    // If only a part of the saved trace was opened, tasks may be missing.
    if files.reading.clocks.is_empty() {
        choice.by_hand.retain(|(task, _)| is_known(task));
    }
    if let Some((task, _)) = choice.by_hand.iter().find(|(task, _)| !is_known(task)) {
        return Err(Failure::Option("clocks", say!("option-clocks-task", task)));
    }
    Ok((!choice.is_recorded()).then_some(ClockSetting { choice, clocks }))
}

/// Finishes opening `inputs`. If nothing could be opened and all inputs were in folders, the error names the folders.
pub fn finish(opener: Opener, inputs: &[Input]) -> Result<Opened, Failure> {
    opener.finish().map_err(|why| {
        let mut folders: Vec<&str> = inputs.iter().filter_map(|input| input.folder.as_deref()).collect();
        folders.dedup();
        let is_about_all = matches!(why.kind, ReadErrorKind::NothingSelected { .. });
        if inputs.iter().any(|input| input.folder.is_none()) || is_about_all || inputs.len() < 2 {
            return Failure::Unusable(why.kind.code(), why.to_string());
        }
        Failure::Sentence(say!(
            "folder-without-traces",
            folders = listed(folders),
            files = inputs.len(),
            why = why.to_string()
        ))
    })
}

/// Parses `START..END` into ns from 1970. Both ends count from the first start of all ops in the files; percentages are shares of
/// the time from there to the last end.
fn window_unix_ns(window: &str, inputs: &[Input]) -> Result<Range<i64>, Failure> {
    let bounds = Bounds::of(window)?;
    if inputs.iter().any(|input| input.path.is_none()) {
        return Err(Failure::Option("window", say!("option-window-input").to_owned()));
    }
    let span = span_of(inputs)?;
    let (start, end) = bounds.within(span.start, &span)?;
    Ok(start.unwrap_or(i64::MIN)..end.unwrap_or(i64::MAX))
}

/// The value of `--window`.
pub(crate) struct Bounds<'w> {
    window: &'w str,
    start: Option<Bound>,
    end: Option<Bound>,
}

#[derive(Clone, Copy)]
enum Bound {
    Ns(i64),
    /// A share from 0 to 1 of the whole time.
    Share(f64),
}

impl Bound {
    fn of(text: &str) -> Option<Self> {
        let Some(percent) = text.strip_suffix('%') else { return duration_ns(text).map(Self::Ns) };
        let percent: f64 = percent.trim().parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some(Self::Share(percent / 100.0))
    }
}

impl<'w> Bounds<'w> {
    /// Parses `START..END` or `START-END`. A missing end is open, and a start without a unit has the unit of the end.
    pub(crate) fn of(window: &'w str) -> Result<Self, Failure> {
        let unreadable = || Failure::Option("window", say!("option-window", window));
        let (start, end) = window
            .split_once("..")
            .or_else(|| window.split_once(['-', '\u{2013}']))
            .map(|(start, end)| (start.trim(), end.trim()))
            .ok_or_else(unreadable)?;
        let bound = |text: &str| match text {
            "" => Ok(None),
            text => Bound::of(text).map(Some).ok_or_else(unreadable),
        };
        let unit = end.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let bare = !start.is_empty() && start.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let start = if bare { bound(&format!("{start}{unit}"))? } else { bound(start)? };
        Ok(Self { window, start, end: bound(end)? })
    }

    /// Both ends in ns. Percentages are shares of `span`, and times count from `origin`.
    pub(crate) fn within(
        &self,
        origin: i64,
        span: &Range<i64>,
    ) -> Result<(Option<i64>, Option<i64>), Failure> {
        let at = |bound| match bound {
            Bound::Ns(ns) => origin.saturating_add(ns),
            Bound::Share(share) => {
                let length = span.end.saturating_sub(span.start) as f64;
                span.start.saturating_add((length * share).round() as i64)
            }
        };
        match (self.start.map(at), self.end.map(at)) {
            (Some(start), Some(end)) if end <= start => {
                Err(Failure::Option("window", say!("option-window-end", window = self.window)))
            }
            both => Ok(both),
        }
    }
}

/// From the first start to the last end of all ops. Reads all files, but only for the times of their ops.
fn span_of(inputs: &[Input]) -> Result<Range<i64>, Failure> {
    let mut counting = Opener::new(CategoryRules::default(), Limits::default()).count_only();
    drop(at_once::open_all(inputs, &mut counting)?);
    let spans = counting.found().into_iter().filter_map(|device| device.span_unix_ns);
    // Without any op there is no start to count from; opening will report it.
    Ok(spans.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..1))
}

/// A time such as `10ms`, `1.5s`, `800us`, `7ns`, in ns.
pub fn duration_ns(text: &str) -> Option<i64> {
    let unit = text.find(|c: char| c.is_alphabetic() || c == 'µ')?;
    let per_unit = match text[unit..].trim() {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let number: f64 = text[..unit].trim().parse().ok()?;
    let ns = (number * per_unit).round();
    (0.0..=9e18).contains(&ns).then_some(ns as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_of_times_or_of_shares() {
        let within = |window: &str| {
            let bounds = Bounds::of(window).ok()?;
            bounds.within(1_000, &(1_000..201_000)).ok()
        };
        for window in ["40%..60%", "40%-60%", "40..60%", "40-60%", "40 % – 60 %", "80us..120us", "80us-60%"]
        {
            assert_eq!(within(window), Some((Some(81_000), Some(121_000))), "{window}");
        }
        assert_eq!(within("50%.."), Some((Some(101_000), None)));
        assert_eq!(within("..12.5 %"), Some((None, Some(26_000))));
        for window in
            ["60%..40%", "40%..40%", "0..120%", "40..60", "%..%", "-5%..5%", "50%", "nan%..60%", "70%-80us"]
        {
            assert_eq!(within(window), None, "{window}");
        }
    }

    #[test]
    fn durations_have_units() {
        let ns = ["10ms", "1.5s", "800us", "0.25 µs", "7ns", "0s"].map(duration_ns);
        assert_eq!(ns, [Some(10_000_000), Some(1_500_000_000), Some(800_000), Some(250), Some(7), Some(0)]);
        for text in ["10", "ms", "", "-1ms", "1e400s", "nan ms", "10 m"] {
            assert_eq!(duration_ns(text), None, "{text}");
        }
    }
}
