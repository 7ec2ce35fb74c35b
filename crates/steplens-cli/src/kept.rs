//! What a session keeps about how its trace was shown: the fragment of the page's address (`www/src/state/opened/url.ts`), and
//! patterns.
//!
//! As on the page, all of it applies unless an option says otherwise.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use steplens_core::clocks::ClockChoice;
use steplens_core::doctor::Repair;
use steplens_core::gpu::op_time::OpTime;
use steplens_core::steps::rule::StepRule;
use steplens_core::{CategoryRules, Trace, View};
use steplens_formats::session::Shown;

/// Bytes to escape in a name in a URL fragment: the same ones that the page escapes with JavaScript's `encodeURIComponent`. They
/// include the separators of tasks and fields.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// `text`, escaped as a value in a fragment.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The fields that belong to [`View`], and the patterns.
const CORRECTIONS: [&str; 7] = ["k", "steps", "step", "time", "clocks", "fix", "com"];
/// The fields for devices, lanes, ops and times of what was shown. They mean nothing when something else is shown.
const PLACES: [&str; 11] = ["w", "y", "order", "hide", "pin", "fold", "tall", "open", "op", "r", "rl"];

/// What a session keeps; empty if anything else was opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// (name, value), as in the address.
    fields: Vec<(String, String)>,
    /// Patterns of what else counted as communication.
    pub(crate) communication: Vec<String>,
}

impl Kept {
    /// What `shown` says about `trace`. If only a part of the saved trace was opened, only corrections apply, because places and
    /// steps differ there.
    pub(crate) fn of(shown: &Shown, trace: &Trace) -> Self {
        let fields = shown.view.split('&').filter_map(|field| field.split_once('='));
        let mut kept = Self {
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            communication: shown.communication.clone(),
        };
        if kept.value("k").is_some_and(|key| key != key_of(trace)) {
            kept.fields
                .retain(|(name, _)| ["steps", "time", "clocks", "fix", "com"].contains(&name.as_str()));
        }
        if let Some(patterns) = kept.value("com") {
            kept.communication =
                patterns.split('\n').filter(|own| !own.is_empty()).map(str::to_owned).collect();
        }
        // Invalid patterns are left out, as on the page.
        kept.communication.retain(|own| CategoryRules::new(std::slice::from_ref(own)).is_ok());
        kept
    }

    fn value(&self, name: &str) -> Option<String> {
        let (_, value) = self.fields.iter().find(|(own, _)| own == name)?;
        Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
    }

    pub(crate) fn rule(&self) -> Option<StepRule> {
        let word = self.value("steps")?;
        StepRule::ALL.into_iter().find(|rule| rule.word() == word)
    }

    /// The row of the step. The address counts steps from 1.
    pub(crate) fn step(&self) -> Option<usize> {
        self.value("step")?.parse::<usize>().ok()?.checked_sub(1)
    }

    pub(crate) fn repairs(&self) -> Vec<Repair> {
        let words = self.value("fix").unwrap_or_default();
        Repair::ALL.into_iter().filter(|repair| words.split(',').any(|word| word == repair.word())).collect()
    }

    pub(crate) fn op_time(&self) -> Option<OpTime> {
        let word = self.value("time")?;
        OpTime::ALL.into_iter().find(|op_time| op_time.word() == word)
    }

    pub(crate) fn clocks(&self) -> ClockChoice {
        let words = self.value("clocks").unwrap_or_default();
        let words = words.split(',').filter(|word| !word.is_empty());
        ClockChoice::of_words(words).unwrap_or_default()
    }

    /// The fragment that shows `view` of `whole`, with everything else that was kept; empty if there is nothing to say.
    pub(crate) fn fragment(&self, view: &View, whole: &Trace) -> String {
        let mut fields = corrections(view);
        let own = View {
            rule: self.rule().unwrap_or_default(),
            step: self.step(),
            repairs: self.repairs(),
            op_time: self.op_time().unwrap_or_default(),
            clocks: None,
        };
        let is_same = corrections(&own)
            .into_iter()
            .filter(|(name, _)| name != "clocks")
            .eq(fields.iter().filter(|(name, _)| name != "clocks").cloned())
            && view.clocks.as_ref().map_or_else(Vec::new, |set| set.choice.words()) == self.clocks().words();
        fields.extend(self.others(is_same));
        joined(&key_of(whole), fields)
    }

    /// The fragment for `trace`, in which all corrections are already made. The zero of its times is `later_ns` after the zero of
    /// the kept times.
    pub(crate) fn fragment_of_corrected(&self, trace: &Trace, later_ns: i64) -> String {
        let moved = |(name, value): (String, String)| match name.as_str() {
            "n" => (name, moved_notes(&value, later_ns)),
            _ => (name, value),
        };
        joined(&key_of(trace), self.others(false).map(moved).collect())
    }

    fn others(&self, has_places: bool) -> impl Iterator<Item = (String, String)> {
        let is_kept =
            move |name: &str| !CORRECTIONS.contains(&name) && (has_places || !PLACES.contains(&name));
        self.fields.iter().filter(move |(name, _)| is_kept(name)).cloned()
    }
}

/// The key of a trace, from the ops and the span of everything that was opened.
fn key_of(trace: &Trace) -> String {
    format!("{}.{}", trace.counted_ops(), trace.span().length().0)
}

fn joined(key: &str, fields: Vec<(String, String)>) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let fields = fields.into_iter().map(|(name, value)| [&name, "=", &value].concat());
    [format!("k={key}")].into_iter().chain(fields).collect::<Vec<_>>().join("&")
}

/// The corrections of `view`, as fields of the page's address.
fn corrections(view: &View) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut field = |name: &str, value: String| fields.push((name.to_owned(), value));
    if view.rule != StepRule::default() {
        field("steps", view.rule.word().to_owned());
    }
    if let Some(row) = view.step {
        field("step", (row + 1).to_string());
    }
    if view.op_time != OpTime::default() {
        field("time", view.op_time.word().to_owned());
    }
    if let Some(setting) = &view.clocks {
        let words = setting.choice.words();
        field("clocks", words.iter().map(|word| escaped(word)).collect::<Vec<_>>().join(","));
    }
    if !view.repairs.is_empty() {
        let words: Vec<_> = view.repairs.iter().map(|repair| repair.word()).collect();
        field("fix", words.join(","));
    }
    fields
}

/// The notes (`start,end,text` each), with times counted from a zero that is `later_ns` later.
fn moved_notes(value: &str, later_ns: i64) -> String {
    let note = |note: &str| {
        let mut parts = note.splitn(3, ',');
        let mut time = || Some((parts.next()?.parse::<f64>().ok()? - later_ns as f64).to_string());
        let (start, end) = (time()?, time()?);
        Some([start.as_str(), ",", &end, ",", parts.next()?].concat())
    };
    // A semicolon separates notes; an address escapes it.
    value.split("%3B").flat_map(|notes| notes.split(';')).filter_map(note).collect::<Vec<_>>().join("%3B")
}
