//! What a redaction does, for whoever decides on it: how many texts of each kind there are, and some before and after.

use super::Kind;
use super::trace::{Redaction, devices_of};
use crate::model::file::FileReport;
use crate::{StringId, Trace};
use std::collections::BTreeSet;

/// How many examples are shown of each kind.
const EXAMPLES: usize = 3;

/// The texts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Which kind.
    pub kind: Kind,
    /// How many different ones there are.
    pub count: usize,
    /// Some of them, and what they become.
    pub examples: Vec<(String, String)>,
}

impl Redaction<'_> {
    /// Every kind of text that a trace has: all but notes, which the view has.
    pub fn shown(&mut self, files: &[FileReport]) -> Vec<Shown> {
        let trace = self.original;
        let texts = |ids: BTreeSet<StringId>| -> Vec<String> {
            ids.into_iter().map(|id| trace.text(id).to_owned()).collect()
        };
        let nodes = trace.nodes();
        let names = texts(nodes.ids().map(|node| nodes.name(node)).collect());
        let mut op_types = texts(nodes.ids().map(|node| nodes.op_type(node)).collect());
        op_types.retain(|op_type| !self.public.has(op_type));
        let mut hosts: Vec<String> =
            devices_of(trace).into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect();
        hosts.sort_unstable();
        let files = files.iter().map(|file| file.name.clone()).collect();
        let shapes: BTreeSet<&[i64]> = trace.outputs().shapes().collect();
        let is_shape_hidden = !self.included.has(Kind::Shapes);
        let shape_examples = shapes.iter().take(EXAMPLES).map(|shape| {
            let after =
                if is_shape_hidden { vec![shape.iter().product::<i64>().max(-1)] } else { shape.to_vec() };
            (format!("{shape:?}"), format!("{after:?}"))
        });
        let shape_examples = shape_examples.collect();
        vec![
            self.of_kind(Kind::Names, names, Self::name),
            self.of_kind(Kind::OpTypes, op_types, Self::op_type),
            self.of_kind(Kind::Hosts, hosts, |redaction, text| redaction.device(text)),
            self.of_kind(Kind::Tags, tags(trace), Self::tag),
            self.of_kind(Kind::Files, files, Self::file_name),
            Shown { kind: Kind::Shapes, count: shapes.len(), examples: shape_examples },
        ]
    }

    fn of_kind(&mut self, kind: Kind, texts: Vec<String>, hide: impl Fn(&mut Self, &str) -> String) -> Shown {
        let count = texts.len();
        let is_hidden = !self.included.has(kind);
        let pairs = texts.into_iter().map(|text| {
            let hidden = hide(self, &text);
            (text, hidden)
        });
        // Where all are hidden, those that show it.
        let examples = pairs.filter(|(text, hidden)| !is_hidden || text != hidden).take(EXAMPLES).collect();
        Shown { kind, count, examples }
    }
}

fn tags(trace: &Trace) -> Vec<String> {
    let mut tags = BTreeSet::new();
    for part in trace.parts() {
        tags.insert(trace.text(part.name));
        tags.extend(
            part.facts.iter().filter(|fact| trace.text(fact.0) != "host").map(|fact| trace.text(fact.1)),
        );
    }
    tags.into_iter().filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}
