//! A trace with replaced texts: all columns of ops are shared with the original.

use super::key::{Key, Tokens};
use super::vocabulary::Vocabulary;
use super::{Included, Kind, sorted_once};
use crate::model::counters::OfCounter;
use crate::model::device::{Device, DeviceTable};
use crate::model::file::FileReport;
use crate::model::graph::TextOf;
use crate::model::instants::Instant;
use crate::model::label;
use crate::model::part::Part;
use crate::storage::strings::StringTable;
use crate::{Problem, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;
use steplens_messages::say;

/// The code of the note that a file is redacted.
pub const REDACTED: &str = "redacted";

/// One redaction of one trace, with the replacement of each text.
pub struct Redaction<'a> {
    pub(super) original: &'a Trace,
    pub(super) included: Included,
    pub(super) public: &'a Vocabulary<'a>,
    pub(super) tokens: Tokens,
    /// The replacement of each hidden part of a device's name.
    pub(super) hosts: HashMap<String, String, FixedState>,
    /// The replacement of each thread name; empty if there is nothing to hide.
    pub(super) threads: HashMap<String, String, FixedState>,
    /// The replacements of texts with numbers, by domain.
    pub(super) known: HashMap<String, String, FixedState>,
    pub(super) used: HashSet<String, FixedState>,
}

/// The number of uses.
const USES: usize = Use::Said as usize + 1;

/// The use of a text, which decides how it is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Name,
    OpType,
    Device,
    Thread,
    Label,
    Allocator,
    Tag,
    /// Texts of Steplens.
    Said,
}

impl<'a> Redaction<'a> {
    /// The redaction of `trace` under `key`, which hides all texts except the `included` kinds and `public` op types.
    pub fn of(trace: &'a Trace, included: Included, key: Key, public: &'a Vocabulary<'a>) -> Self {
        let mut tokens = Tokens::of(key);
        trace.strings().iter().for_each(|text| tokens.avoid(text));
        let mut redaction = Self {
            original: trace,
            included,
            public,
            tokens,
            hosts: HashMap::default(),
            threads: HashMap::default(),
            known: HashMap::default(),
            used: HashSet::default(),
        };
        redaction.learn_hosts(devices_of(trace).into_iter());
        redaction.learn_threads(trace.threads().iter().map(|&(.., name)| trace.text(name)));
        redaction
    }

    /// The redacted trace.
    pub fn trace(&mut self) -> Trace {
        let original = self.original;
        let mut texts = Texts {
            redaction: self,
            strings: StringTable::default(),
            known: vec![None; original.strings().len() * USES],
        };
        let mut trace = Trace {
            ops: Arc::clone(&original.ops),
            calls: original.calls.clone(),
            marks: original.marks.clone(),
            period_unix_ns: original.period_unix_ns,
            peak_flops: original.peak_flops,
            file_order: original.file_order.clone(),
            origin_unix_ns: original.origin_unix_ns,
            end: original.end,
            ..Trace::default()
        };
        let nodes = original.nodes();
        trace.nodes = Arc::new(nodes.with_texts(|node| {
            [
                texts.id(Use::Name, nodes.name(node)),
                texts.label(nodes.label(node)),
                texts.id(Use::OpType, nodes.op_type(node)),
                texts.id(Use::Said, nodes.reason(node)),
            ]
        }));
        trace.graph = Arc::new(original.graph().with_texts(&mut |of, id| {
            let used = match of {
                TextOf::Name => Use::Name,
                TextOf::OpType => Use::OpType,
                TextOf::Device => Use::Device,
            };
            texts.id(used, id)
        }));
        let devices = original.devices().ids().map(|id| {
            let device = original.devices().get(id);
            let task = device.task.map(|task| texts.id(Use::Device, task));
            Device { name: texts.id(Use::Device, device.name), task, ..device.clone() }
        });
        trace.devices = DeviceTable::new(devices.collect());
        let threads = original.threads().iter();
        trace.threads =
            threads.map(|&(device, thread, name)| (device, thread, texts.id(Use::Thread, name))).collect();
        let has_shapes = texts.redaction.included.has(Kind::Shapes);
        trace.outputs =
            Arc::new(original.outputs().with_texts(|id| texts.id(Use::Allocator, id), has_shapes));
        trace.memory = Arc::new(original.memory().with_texts(|id| texts.id(Use::Allocator, id)));
        trace.arguments = texts.redaction.arguments();
        trace.counters = Arc::new(original.counters().with_texts(&mut |of, id| match of {
            OfCounter::Process => texts.id(Use::Device, id),
            OfCounter::Name => texts.id(Use::Name, id),
        }));
        trace.instants = Arc::new(original.instants().with_texts(|own| texts.instant(own)));
        trace.parts = original.parts().iter().map(|part| texts.part(part)).collect();
        trace.strings = Arc::new(texts.strings);
        trace
    }

    /// The reports of the files. The first one gets a note that says what is hidden.
    pub fn files(&mut self, files: &[FileReport]) -> Vec<FileReport> {
        let shows_details = [Kind::Names, Kind::OpTypes, Kind::Hosts, Kind::Tags, Kind::Files];
        let shows_details = shows_details.into_iter().all(|kind| self.included.has(kind));
        let mut redacted: Vec<FileReport> = files
            .iter()
            .map(|file| {
                let mut file = FileReport { name: self.file_name(&file.name), ..file.clone() };
                for problem in &mut file.problems {
                    if !shows_details && &*problem.code != REDACTED {
                        problem.detail = say!("redacted-detail").to_owned();
                    }
                }
                file
            })
            .collect();
        if let (Some(file), Some(detail)) = (redacted.first_mut(), self.included.note()) {
            // If something was hidden before, its note stays.
            file.problems.retain(|problem| problem.detail != detail);
            file.problems.push(Problem { code: REDACTED.into(), count: 0, offset: 0, detail });
        }
        redacted
    }

    /// Hides a word of a clock setting: `TASK=OFFSET`, or a word without a task.
    pub fn clock_word(&self, word: &str) -> String {
        match word.rsplit_once('=') {
            Some((task, offset)) => [&self.device(task), "=", offset].concat(),
            None => word.to_owned(),
        }
    }
}

/// Every name of a device, a task or a machine in `trace`, in order.
pub(super) fn devices_of(trace: &Trace) -> Vec<&str> {
    let (mut names, mut seen) = (Vec::new(), vec![false; trace.strings().len()]);
    let mut add = |id: StringId| {
        if !std::mem::replace(&mut seen[id.index()], true) {
            names.push(trace.text(id));
        }
    };
    for id in trace.devices().ids() {
        let device = trace.devices().get(id);
        device.task.into_iter().for_each(&mut add);
        add(device.name);
    }
    trace.graph().ids().for_each(|node| add(trace.graph().device(node)));
    for end in trace.graph().rendezvous() {
        [end.source, end.destination].into_iter().for_each(&mut add);
    }
    trace.processes().for_each(&mut add);
    for part in trace.parts() {
        part.facts.iter().filter(|fact| trace.text(fact.0) == "host").for_each(|fact| add(fact.1));
        part.host.into_iter().for_each(&mut add);
    }
    for node in trace.nodes().ids() {
        let transfer = label::transfer(trace.text(trace.nodes().label(node)));
        names.extend(transfer.into_iter().flat_map(|transfer| [transfer.source, transfer.destination]));
    }
    sorted_once(names, Ord::cmp)
}

/// The texts of the new trace while they are being made.
struct Texts<'a, 'b> {
    redaction: &'b mut Redaction<'a>,
    strings: StringTable,
    /// For each use the new id of each old text.
    known: Vec<Option<StringId>>,
}

impl Texts<'_, '_> {
    fn id(&mut self, used: Use, old: StringId) -> StringId {
        let place = old.index() * USES + used as usize;
        if let Some(known) = self.known[place] {
            return known;
        }
        let text = self.redaction.original.text(old);
        let new = match used {
            Use::Name => self.redaction.name(text),
            Use::OpType => self.redaction.op_type(text),
            Use::Device => self.redaction.device(text),
            Use::Thread => self.redaction.thread(text),
            Use::Label => self.redaction.label(text),
            Use::Allocator => self.redaction.allocator(text),
            Use::Tag => self.redaction.tag(text),
            Use::Said => text.to_owned(),
        };
        let id = self.strings.intern(new.as_bytes());
        self.known[place] = Some(id);
        id
    }

    /// Hides a label. The parts of a transfer's label get ids, too, because transfers are found by them.
    fn label(&mut self, old: StringId) -> StringId {
        let id = self.id(Use::Label, old);
        let label = self.strings.get(id).to_owned();
        if let Some(transfer) = label::transfer(&label) {
            let producer = label::producer_of_edge(transfer.tensor).name;
            for part in [transfer.tensor, transfer.source, transfer.destination, producer] {
                self.strings.intern(part.as_bytes());
            }
        }
        id
    }

    /// Arguments of instants may have any content: they stay only where all texts do.
    fn instant(&mut self, own: Instant) -> Instant {
        let shows_all = Kind::ALL.into_iter().all(|kind| self.redaction.included.has(kind));
        let text = own.arguments.filter(|_| shows_all).map(|id| self.id(Use::Said, id));
        let owner = own.owner.with_process(&mut |id| self.id(Use::Device, id));
        Instant { owner, name: self.id(Use::Name, own.name), arguments: text, ..own }
    }

    fn part(&mut self, part: &Part) -> Part {
        let original = self.redaction.original;
        let facts = part.facts.iter().map(|&(what, value)| {
            let (what, value) = self.redaction.fact(original.text(what), original.text(value));
            (self.strings.intern(what.as_bytes()), self.strings.intern(value.as_bytes()))
        });
        let facts = facts.collect();
        let host = part.host.map(|host| {
            let (_, host) = self.redaction.fact("host", original.text(host));
            self.strings.intern(host.as_bytes())
        });
        Part { name: self.id(Use::Tag, part.name), facts, host, ..part.clone() }
    }
}
