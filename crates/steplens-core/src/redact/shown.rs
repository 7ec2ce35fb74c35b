//! A preview of a redaction, for the user who decides on it: how many texts of each kind there are, and examples before and after.

use super::trace::{Redaction, devices_of};
use super::{Kind, sorted_once};
use crate::model::file::FileReport;
use crate::model::node::NodeTable;
use crate::{NodeId, StringId, Trace};

/// The number of examples for each kind.
const EXAMPLES: usize = 3;

/// The texts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The kind.
    pub kind: Kind,
    /// The number of different texts.
    pub count: usize,
    /// Examples: (text, hidden text).
    pub examples: Vec<(String, String)>,
}

impl Redaction<'_> {
    /// Every kind of text in a trace: all kinds except notes, which are in the view.
    pub fn shown(&mut self, files: &[FileReport]) -> Vec<Shown> {
        let trace = self.original;
        let nodes = trace.nodes();
        let of = |id: fn(&NodeTable, NodeId) -> StringId| {
            let mut seen = vec![false; trace.strings().len()];
            let ids = nodes.ids().map(|node| id(nodes, node));
            ids.filter(|id| !std::mem::replace(&mut seen[id.index()], true))
                .map(|id| trace.text(id))
                .collect::<Vec<_>>()
        };
        let mut names = of(NodeTable::name);
        let counters = trace.counters().ids().map(|counter| trace.counters().get(counter));
        let of_counters = counters.flat_map(|own| [own.name, own.series]);
        let of_instants = trace.instants().all().iter().map(|own| own.name);
        let samples = of_counters.chain(of_instants).map(|id| trace.text(id)).collect();
        names.extend(sorted_once(samples, Ord::cmp));
        let mut op_types = of(NodeTable::op_type);
        op_types.retain(|op_type| !self.public.has(op_type));
        let mut hosts = devices_of(trace);
        hosts.retain(|name| !name.is_empty());
        let names_of_files: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let shapes: Vec<String> = trace.outputs().shapes().map(text_of).collect();
        let shapes = sorted_once(shapes.iter().map(String::as_str).collect(), Ord::cmp);
        vec![
            self.of_kind(Kind::Names, &names, |redaction, text| redaction.name(text)),
            self.of_kind(Kind::OpTypes, &op_types, |redaction, text| redaction.op_type(text)),
            self.of_kind(Kind::Hosts, &hosts, |redaction, text| redaction.device(text)),
            self.of_kind(Kind::Tags, &tags(trace), |redaction, text| redaction.tag(text)),
            self.of_kind(Kind::Files, &names_of_files, |redaction, text| redaction.file_name(text)),
            self.of_kind(Kind::Shapes, &shapes, |redaction, text| {
                match redaction.included.has(Kind::Shapes) {
                    true => text.to_owned(),
                    false => text
                        .split(" × ")
                        .try_fold(1_i64, |all, size| all.checked_mul(size.parse().ok()?))
                        .map_or_else(String::new, |all| all.to_string()),
                }
            }),
        ]
    }

    fn of_kind(&mut self, kind: Kind, texts: &[&str], hide: fn(&mut Self, &str) -> String) -> Shown {
        let is_hidden = !self.included.has(kind);
        let pairs = texts.iter().map(|&text| (text.to_owned(), hide(self, text)));
        // If the kind is hidden, take examples that show a change.
        let examples = pairs.filter(|(text, hidden)| !is_hidden || text != hidden).take(EXAMPLES).collect();
        Shown { kind, count: texts.len(), examples }
    }
}

fn text_of(shape: &[i64]) -> String {
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    sizes.join(" × ")
}

fn tags(trace: &Trace) -> Vec<&str> {
    let mut tags = Vec::new();
    for part in trace.parts() {
        tags.push(trace.text(part.name));
        tags.extend(
            part.facts.iter().filter(|fact| trace.text(fact.0) != "host").map(|fact| trace.text(fact.1)),
        );
    }
    tags.retain(|tag| !tag.is_empty());
    sorted_once(tags, Ord::cmp)
}
