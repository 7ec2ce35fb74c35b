//! The sessions of tensorflow-tracer: what its `TracingSource` knows about each run, and the traces of some runs.
//!
//! `_run_profile` has an entry for each `Session.run` with different fetches and feeds: `info` (`fetches`, `feeds`, `options`, as
//! `repr` writes them), `stats` (`runs`, `traces`, `runtimes`: the mean, `first_run`, `last_run`), `traces` (the date of each), and
//! `run_id`. `_traces` has for each run id a list of RunMetadata, or None where the tracer kept no more. Its dates are by a clock
//! in an unknown time zone. The zone follows from the first op of a trace, because the date of a trace is when it had just ended.

use super::heap::{Heap, MAX_TEXT_BYTES, Value};
use super::parts_to_describe::PartsToDescribe;
use super::time::{WallTime, duration_micros, duration_text};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::part::PartRecord;
use steplens_messages::say;

/// The longest name of a run.
const MAX_NAME_CHARS: usize = 80;

/// A session found in a pickle.
#[derive(Clone, Copy)]
pub(super) struct Session {
    profiles: Value,
    traces: Value,
}

/// What is known about a run: its profile, and its traces in two lists.
struct Run {
    id: u32,
    profile: Value,
    traces: Value,
}

/// A trace of a run: the number of its RunMetadata.
struct Trace {
    number: u32,
    date: Option<WallTime>,
}

type Facts = Vec<(&'static str, String)>;

impl Session {
    /// The session whose state is `dict`.
    pub(super) fn of(heap: &Heap, dict: Value) -> Option<Self> {
        Some(Self { profiles: heap.get(dict, b"_run_profile")?, traces: heap.get(dict, b"_traces")? })
    }

    /// Describes for each part which trace of which run it is, and adds runs without a trace. Returns the number of runs.
    pub(super) fn describe(
        self,
        heap: &Heap,
        parts_to_describe: &mut PartsToDescribe<'_>,
        builder: &mut TraceBuilder,
    ) -> usize {
        let (mut traces, order) = self.traces_by_run(heap);
        let dated = self.profiled(heap).map(|(id, profile)| Run {
            id,
            profile,
            traces: traces.get(&id).copied().unwrap_or(Value::None),
        });
        let zone = zone(heap, dated, parts_to_describe, builder);
        let mut count = 0;
        for (id, profile) in self.profiled(heap) {
            let traces = traces.remove(&id).unwrap_or(Value::None);
            Run { id, profile, traces }.describe(heap, zone, parts_to_describe, builder);
            count += 1;
        }
        for id in order {
            let Some(traces) = traces.remove(&id) else { continue };
            Run { id, profile: Value::None, traces }.describe(heap, zone, parts_to_describe, builder);
            count += 1;
        }
        builder.end_part();
        count
    }

    /// The ids and profiles of the session's runs, in its order.
    fn profiled(self, heap: &Heap) -> impl Iterator<Item = (u32, Value)> {
        let profiles = heap
            .entries(self.profiles)
            .filter(|&(key, profile)| key != Value::Mark && matches!(profile, Value::Object(_)));
        profiles.enumerate().map(|(place, (_, profile))| match heap.get(profile, b"run_id") {
            Some(Value::Int(id)) => (id, profile),
            _ => (place as u32, profile),
        })
    }

    /// The list of traces of each run with any, and the ids of these runs in order. A list that is in several places belongs to the
    /// first of these runs.
    fn traces_by_run(self, heap: &Heap) -> (HashMap<u32, Value, RandomState>, Vec<u32>) {
        let mut is_seen = vec![false; heap.objects()];
        let mut traces = HashMap::with_hasher(RandomState::default());
        let mut order = Vec::new();
        for (key, list) in heap.entries(self.traces) {
            let (Value::Int(id), Value::Object(object)) = (key, list) else { continue };
            let seen = is_seen.get_mut(object as usize);
            if seen.is_some_and(|seen| !std::mem::replace(seen, true))
                && heap.items(list).any(|trace| number_of(heap, trace).is_some())
                && traces.insert(id, list).is_none()
            {
                order.push(id);
            }
        }
        (traces, order)
    }
}

impl Run {
    fn describe(
        &self,
        heap: &Heap,
        zone: Option<i64>,
        parts_to_describe: &mut PartsToDescribe<'_>,
        builder: &mut TraceBuilder,
    ) {
        let at = |date: Option<WallTime>| Some(date?.unix_ns(zone?));
        let traces: Vec<Trace> =
            self.traces(heap).filter(|trace| parts_to_describe.mark_described(trace.number)).collect();
        if traces.is_empty() && !parts_to_describe.list_one_more() {
            return;
        }
        let (name, facts) = (self.name(heap), self.facts(heap));
        for (place, trace) in traces.iter().enumerate() {
            let name = match traces.len() {
                1 => say!("run-named-by-id", name, id = self.id),
                _ => say!("run-trace-named", name, id = self.id, trace = place + 1),
            };
            let mut facts = facts.clone();
            facts.extend(trace.date.map(|date| (say!("fact-traced-at"), date.text())));
            with_record(&name, at(trace.date), &facts, |record| {
                if let Some(part) = parts_to_describe.part(trace.number) {
                    builder.describe_part(part, record);
                }
            });
        }
        if traces.is_empty() {
            let last = self.stat(heap, b"last_run").and_then(|last| WallTime::of(heap, last));
            let name = say!("run-named-by-id", name, id = self.id);
            with_record(&name, at(last), &facts, |record| _ = builder.begin_part(record));
        }
    }

    /// The traces of the run that the session still has.
    fn traces(&self, heap: &Heap) -> impl Iterator<Item = Trace> {
        let dates = heap.get(self.profile, b"traces").unwrap_or(Value::None);
        let dates = heap.items(dates).map(Some).chain(std::iter::repeat(None));
        heap.items(self.traces).zip(dates).filter_map(|(trace, date)| {
            let date = date.and_then(|date| WallTime::of(heap, heap.get(date, b"date")?));
            Some(Trace { number: number_of(heap, trace)?, date })
        })
    }

    fn stat(&self, heap: &Heap, key: &[u8]) -> Option<Value> {
        heap.get(heap.get(self.profile, b"stats")?, key)
    }

    /// The facts about the run in the session, in plain words.
    fn facts(&self, heap: &Heap) -> Facts {
        let mut facts = Facts::new();
        let info = heap.get(self.profile, b"info").unwrap_or(Value::None);
        for (what, key) in [
            (say!("fact-fetches"), &b"fetches"[..]),
            (say!("fact-feeds"), b"feeds"),
            (say!("fact-options"), b"options"),
        ] {
            let text = heap.get(info, key).map(|text| text_of(heap, text));
            facts.extend(text.filter(|text| !text.is_empty() && text != "None").map(|text| (what, text)));
        }
        for (what, key) in [(say!("fact-runs"), &b"runs"[..]), (say!("fact-traces"), b"traces")] {
            if let Some(Value::Int(count)) = self.stat(heap, key) {
                facts.push((what, count.to_string()));
            }
        }
        let mean = self.stat(heap, b"runtimes").and_then(|mean| duration_micros(heap, mean));
        facts.extend(mean.map(|mean| (say!("fact-mean-runtime"), duration_text(mean))));
        for (what, key) in [(say!("fact-first-run"), &b"first_run"[..]), (say!("fact-last-run"), b"last_run")]
        {
            let date = self.stat(heap, key).and_then(|date| WallTime::of(heap, date));
            facts.extend(date.map(|date| (what, date.text())));
        }
        facts
    }

    /// The name of the run: its fetches, if they are names of ops and tensors as TensorFlow writes them.
    fn name(&self, heap: &Heap) -> String {
        let info = heap.get(self.profile, b"info").unwrap_or(Value::None);
        let fetches = heap.get(info, b"fetches").map(|fetches| text_of(heap, fetches)).unwrap_or_default();
        let names: Vec<&str> = fetches
            .split("<tf.")
            .skip(1)
            .filter_map(|object| object.split_once(" '")?.1.split_once('\''))
            .map(|(name, _)| name)
            .collect();
        let name = if names.is_empty() { fetches } else { names.join(", ") };
        match name.char_indices().nth(MAX_NAME_CHARS) {
            _ if name.is_empty() => say!("unknown-fetches").to_owned(),
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        }
    }
}

/// The time zone of the session's clock, in quarters of an hour: how much its dates are ahead of the ops.
fn zone(
    heap: &Heap,
    mut runs: impl Iterator<Item = Run>,
    parts_to_describe: &PartsToDescribe<'_>,
    builder: &TraceBuilder,
) -> Option<i64> {
    let starts = builder.starts_of_parts();
    let zone_of = |trace: Trace| {
        let start = starts.get(parts_to_describe.part(trace.number)?.index()).copied().flatten()?;
        trace.date?.zone_after(start)
    };
    runs.find_map(|run| run.traces(heap).find_map(zone_of))
}

/// The number of the RunMetadata in `trace`, whose state has the bytes.
fn number_of(heap: &Heap, trace: Value) -> Option<u32> {
    let run = |value| match value {
        Value::Run(number) => Some(number),
        _ => None,
    };
    run(trace)
        .or_else(|| heap.entries(trace).take(4).find_map(|(_, state)| run(heap.get(state, b"serialized")?)))
}

/// A text for users, which shows where it was cut.
fn text_of(heap: &Heap, value: Value) -> String {
    let bytes = heap.bytes_of(value);
    let text = String::from_utf8_lossy(bytes);
    if bytes.len() < MAX_TEXT_BYTES {
        text.into_owned()
    } else {
        format!("{}…", text.trim_end_matches('\u{fffd}'))
    }
}

fn with_record(name: &str, recorded_unix_ns: Option<i64>, facts: &Facts, take: impl FnOnce(&PartRecord<'_>)) {
    let facts: Vec<(&str, &str)> = facts.iter().map(|(what, value)| (*what, value.as_str())).collect();
    take(&PartRecord { name, recorded_unix_ns, is_run: true, facts: &facts, ..PartRecord::default() });
}
