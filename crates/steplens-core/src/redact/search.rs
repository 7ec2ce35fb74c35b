//! Checks a redacted file: searches for every hidden word of the original in every string of the file.
//!
//! This is independent of the code that hides: it has its own list of the texts of a trace. A word is a run of letters, digits and
//! underscores, of [`SHORTEST`] letters or more. Words of [`LONG`] letters or more are also searched for within other words.

use super::arguments::{DETAILS, NUMBERS, TEXTS_OF_NUMBERS, WORDS};
use super::vocabulary::Vocabulary;
use super::{Included, Kind, REDACTED, sorted_once, stages, words};
use crate::causality::host::ENGINE;
use crate::model::category::{GPU_PROGRAM, TRAINING_NORM};
use crate::model::collective::words_of_collectives;
use crate::model::device::is_pool;
use crate::model::file::FileReport;
use crate::model::input_bytes::names_of_types;
use crate::{StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use steplens_messages::say;

/// Shorter words are found in nearly every text.
const SHORTEST: usize = 4;
/// Words of at least this many bytes are also searched for within other words.
const LONG: usize = 8;

/// Words of the address to which a view is written; they are from `www/src/state/opened/url.ts`.
const VIEW: [&str; 47] = [
    "steps",
    "step",
    "time",
    "clocks",
    "hide",
    "fold",
    "tall",
    "open",
    "order",
    "color",
    "content",
    "file",
    "record",
    "schedule",
    "recorded",
    "estimated",
    "auto",
    "packed",
    "thread",
    "op-type",
    "scope",
    "category",
    "device",
    "selection",
    "memory",
    "network",
    "transfers",
    "path",
    "scheduling",
    "doctor",
    "links",
    "matrix",
    "waits",
    "collectives",
    "stragglers",
    "devices",
    "tensors",
    "name",
    "type",
    "duration",
    "time-bases",
    "same-devices",
    "repeats",
    "missing",
    "files",
    "steplens",
    "export",
];

/// The hidden words of a trace, and the words that may stay.
pub struct Originals<'a> {
    hidden: HashSet<String, FixedState>,
    allowed: HashSet<String, FixedState>,
    /// The long ones among the hidden words, sorted.
    long: Vec<String>,
    public: &'a Vocabulary<'a>,
}

impl<'a> Originals<'a> {
    /// The words of `trace`, of `files` and of the user's texts, if only the `included` kinds and `public` op types may stay.
    pub fn of(
        trace: &Trace,
        files: &[FileReport],
        written: &[String],
        included: Included,
        public: &'a Vocabulary<'a>,
    ) -> Self {
        let mut found =
            Self { hidden: HashSet::default(), allowed: HashSet::default(), long: Vec::new(), public };
        let uses = Kind::ALL.len() + 1;
        let mut seen = vec![false; trace.strings().len() * uses];
        texts(trace, &mut |kind, id| {
            let place = id.index() * uses + kind.map_or(0, |kind| kind as usize + 1);
            if std::mem::replace(&mut seen[place], true) {
                return;
            }
            let text = trace.text(id);
            match kind {
                Some(Kind::OpTypes) if public.has(text) => found.allow(text),
                Some(kind) if included.has(kind) => found.allow(text),
                Some(_) => found.hide(text),
                None => found.allow(text),
            }
        });
        // Labels repeat names, op types and devices; their other content counts as names.
        let nodes = trace.nodes();
        if !included.has(Kind::Names) {
            nodes.ids().for_each(|node| found.hide(trace.text(nodes.label(node))));
        }
        let shows_threads = included.has(Kind::Names) && included.has(Kind::Hosts);
        for &(.., name) in trace.threads() {
            if shows_threads { found.allow(trace.text(name)) } else { found.hide(trace.text(name)) }
        }
        for file in files {
            found.allow(&file.format);
            for problem in &file.problems {
                found.allow(&problem.code);
                if &*problem.code == REDACTED {
                    found.allow(&problem.detail);
                }
            }
            if included.has(Kind::Files) { found.allow(&file.name) } else { found.hide(&file.name) }
        }
        for text in written {
            if included.has(Kind::Notes) { found.allow(text) } else { found.hide(text) }
        }
        found.allow(say!("redacted-detail"));
        included.note().into_iter().for_each(|note| found.allow(&note));
        VIEW.into_iter().for_each(|word| found.allow(word));
        // Profilers themselves use these names of arguments.
        let names = NUMBERS.into_iter().chain(TEXTS_OF_NUMBERS).chain(DETAILS).chain(WORDS);
        names.for_each(|word| found.allow(word));
        words_of_collectives().chain(names_of_types()).for_each(|word| found.allow(word));
        // "from" is between the ends of a transfer; the others are before the hashes of collectives and of batch norm.
        ["from", "collective", TRAINING_NORM[0]].into_iter().for_each(|word| found.allow(word));
        let Self { hidden, allowed, .. } = &mut found;
        hidden.retain(|word| !allowed.contains(word));
        let long = found.hidden.iter().map(String::as_str).filter(|word| word.len() >= LONG);
        let long = sorted_once(long.collect(), Ord::cmp);
        found.long = long.into_iter().map(str::to_owned).collect();
        found
    }

    /// The number of words that are searched for.
    pub fn len(&self) -> usize {
        self.hidden.len()
    }

    /// Whether no words are searched for.
    pub fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    /// Lets the words of `text` stay, because Steplens itself writes them.
    fn allow(&mut self, text: &str) {
        for word in words_of(text) {
            self.hidden.remove(word);
            self.allowed.insert(word.to_owned());
        }
    }

    fn hide(&mut self, text: &str) {
        for word in words_of(text) {
            if !self.hidden.contains(word) && !is_everybodys(word, self.public) && !is_pool(word) {
                self.hidden.insert(word.to_owned());
            }
        }
    }

    /// The first hidden word in any of `texts`.
    pub fn find_in_any(&self, texts: &[String]) -> Option<&str> {
        texts.iter().find_map(|text| self.find_in(text))
    }

    /// The first hidden word in `text`.
    pub fn find_in(&self, text: &str) -> Option<&str> {
        words_of(text).filter(|word| !self.allowed.contains(*word)).find_map(|word| {
            // If a hidden word is inside `word`, it is one of the long words that begin like the rest of `word` from there.
            let within = || {
                let places = (0..word.len()).filter(|&place| word.is_char_boundary(place));
                places.map(|place| &word[place..]).find_map(|rest| {
                    let head = rest.get(..LONG)?;
                    let first = self.long.partition_point(|known| known.as_str() < head);
                    self.long[first..]
                        .iter()
                        .take_while(|known| known.starts_with(head))
                        .find(|known| rest.starts_with(known.as_str()))
                })
            };
            self.hidden.get(word).or_else(within).map(String::as_str)
        })
    }
}

/// Every text of the trace, except labels and threads, with its kind; `None` for texts of Steplens.
fn texts(trace: &Trace, each: &mut dyn FnMut(Option<Kind>, StringId)) {
    let nodes = trace.nodes();
    for node in nodes.ids() {
        each(Some(Kind::Names), nodes.name(node));
        each(Some(Kind::OpTypes), nodes.op_type(node));
        each(None, nodes.reason(node));
    }
    let graph = trace.graph();
    for node in graph.ids() {
        each(Some(Kind::Names), graph.name(node));
        each(Some(Kind::OpTypes), graph.op(node));
        each(Some(Kind::Hosts), graph.device(node));
        graph.inputs(node).iter().for_each(|&input| each(Some(Kind::Names), input));
        graph.collective(node).into_iter().for_each(|own| each(Some(Kind::Names), own.name));
    }
    for end in graph.rendezvous() {
        each(Some(Kind::Names), end.tensor);
        each(Some(Kind::Hosts), end.source);
        each(Some(Kind::Hosts), end.destination);
    }
    for id in trace.devices().ids() {
        each(Some(Kind::Hosts), trace.devices().get(id).name);
    }
    for op in trace.ops().ids() {
        trace.outputs().of(op).for_each(|output| each(Some(Kind::Names), output.allocator));
        trace.memory().of(op).for_each(|(used, _)| each(Some(Kind::Names), used.allocator));
    }
    trace.processes().for_each(|name| each(Some(Kind::Hosts), name));
    for own in trace.counters().ids().map(|counter| trace.counters().get(counter)) {
        [own.name, own.series].into_iter().for_each(|id| each(Some(Kind::Names), id));
    }
    for own in trace.instants().all() {
        [Some(own.name), own.arguments].into_iter().flatten().for_each(|id| each(Some(Kind::Names), id));
    }
    for part in trace.parts() {
        each(Some(Kind::Tags), part.name);
        part.host.into_iter().for_each(|host| each(Some(Kind::Hosts), host));
        for &(what, value) in &part.facts {
            each(Some(if trace.text(what) == "host" { Kind::Hosts } else { Kind::Tags }), value);
            if words::FACTS.contains(&trace.text(what)) {
                each(None, what);
            } else {
                each(Some(Kind::Tags), what);
            }
        }
    }
}

/// The words of a text that are long enough, without the partitioner's prefix of edges.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .map(without_edge)
        .filter(|word| word.len() >= SHORTEST && word.contains(char::is_alphabetic))
}

fn without_edge(word: &str) -> &str {
    let edge = word.strip_prefix("edge_").and_then(|rest| rest.split_once('_'));
    edge.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit())).map_or(word, |(_, name)| name)
}

/// Whether `word` is in any trace: an op type, a word of devices and allocators, a size.
fn is_everybodys(word: &str, public: &Vocabulary<'_>) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let stem =
        ["_S", "_"].iter().find_map(|mark| word.rsplit_once(mark).filter(|(_, number)| is_number(number)));
    let stem = stem.map_or(word, |(stem, _)| stem);
    let is_known = |text: &str| {
        text.is_empty()
            || is_number(text)
            || words::is_python(text)
            || ENGINE.split("::").any(|word| word == text)
            || words::is_one(&words::DEVICES, text)
            || words::is_one(&words::ALLOCATORS, text)
            || words::is_one(&words::DETAILS, text)
            || words::is_one(&words::VALUES, text)
            || words::is_one(&words::EXTENSIONS, text)
    };
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    public.has(word)
        || public.has(stem)
        || is_known(word)
        || word.split('_').all(is_known)
        || [words::GRADIENTS, "replica"].contains(&stem)
        || word == stages::BEGINNING.trim_end_matches(':')
        || stages::is_public(word)
        || words::NODES.iter().any(|node| node.split("::").any(|part| part == word))
        || words::FUNCTIONS
            .iter()
            .chain([&GPU_PROGRAM])
            .any(|own| own.split([':', ' ', '_', '(']).any(|part| part == word))
        || words::HOST_LABELS.contains(&word)
        || words::READS.iter().any(|read| read.split('/').any(|part| part == stem))
        || (unit.len() < word.len() && matches!(unit, "B" | "KB" | "MB" | "GB" | "Mb"))
}
