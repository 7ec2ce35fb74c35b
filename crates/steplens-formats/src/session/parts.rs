//! The parts of a trace in a session, and the part of every op. A trace with a single part without a description needs neither.

use super::Damage;
use super::reader::{Reader, all_read};
use super::strings::Strings;
use super::writer::{Writer, columns};
use steplens_core::model::part::{Part, PartRecord};
use steplens_core::{PartId, StringId, Trace};
use steplens_proto::sessions;

/// Flags of a part.
const HAS_STEP: u64 = 1;
const IS_RECORDED: u64 = 2;
const IS_RUN: u64 = 4;
const HAS_HOST: u64 = 8;
const IS_APART: u64 = 16;

/// Whether there is anything to write about the parts of `trace`.
fn has_parts(trace: &Trace) -> bool {
    let says_something = |part: &Part| {
        let is_of_process = part.host.is_some() || part.is_apart;
        let is_of_run = part.is_run || part.step.is_some() || part.recorded_unix_ns.is_some();
        is_of_process || is_of_run || !part.facts.is_empty()
    };
    trace.parts().len() > 1 || trace.parts().iter().any(says_something)
}

/// Adds the strings of the parts.
pub(super) fn add_strings<'a>(trace: &'a Trace, strings: &mut Strings<'a>) {
    for part in trace.parts().iter().filter(|_| has_parts(trace)) {
        let facts = part.facts.iter().flat_map(|&(what, value)| [what, value]);
        facts.chain([part.name]).chain(part.host).for_each(|text: StringId| strings.add(trace.text(text)));
    }
}

/// Writes the parts.
pub(super) fn write(writer: &mut Writer<'_>) {
    let trace = writer.trace;
    if !has_parts(trace) {
        return;
    }
    let [mut files, mut names, mut flags, mut steps, mut recorded] = columns();
    let [mut graph_nodes, mut fact_counts, mut facts, mut hosts] = columns();
    for (row, part) in trace.parts().iter().enumerate() {
        files.number(u64::from(part.file));
        names.number(writer.row(part.name));
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        flags.number(
            flag(part.step.is_some(), HAS_STEP)
                | flag(part.recorded_unix_ns.is_some(), IS_RECORDED)
                | flag(part.is_run, IS_RUN)
                | flag(part.host.is_some(), HAS_HOST)
                | flag(part.is_apart, IS_APART),
        );
        part.step.into_iter().for_each(|step| steps.signed(step));
        part.recorded_unix_ns.into_iter().for_each(|at| recorded.signed(at));
        part.host.into_iter().for_each(|host| hosts.number(writer.row(host)));
        graph_nodes.number(trace.graph().of_part(PartId::from_usize(row)).len() as u64);
        fact_counts.number(part.facts.len() as u64);
        for &(what, value) in &part.facts {
            facts.number(writer.row(what));
            facts.number(writer.row(value));
        }
    }
    writer.out.parts = Some(sessions::Parts {
        rows: trace.parts().len() as u64,
        file: files.message(),
        name: names.message(),
        flags: flags.message(),
        step: steps.message(),
        recorded: recorded.message(),
        graph_nodes: graph_nodes.message(),
        fact_count: fact_counts.message(),
        facts: facts.message(),
        host: hosts.message(),
    });
    if trace.parts().len() > 1 {
        let [mut parts] = columns();
        trace.ops().ids().for_each(|op| parts.delta(i64::from(trace.ops().part(op).get())));
        let rows = trace.ops().len() as u64;
        writer.out.parts_of_ops = Some(sessions::PartsOfOps { rows, part: parts.message() });
    }
}

/// The parts of a session that is being read.
#[derive(Default)]
pub(super) struct Parts {
    /// The number of graph nodes of each part.
    pub(super) graph_nodes: Vec<u64>,
    /// The builder's ids of the parts, once they are added.
    pub(super) ids: Vec<PartId>,
}

/// Reads the parts.
pub(super) fn read(reader: &mut Reader<'_, '_>) -> Result<Parts, Damage> {
    let table = reader.tables.session.parts.clone().unwrap_or_default();
    let columns = [&table.file, &table.name, &table.flags, &table.step, &table.recorded];
    let (_, [mut files, mut names, mut flags, mut steps, mut recorded]) = reader.tables.read(0, columns)?;
    let columns = [&table.graph_nodes, &table.fact_count, &table.facts, &table.host];
    let (rows, [mut graph_nodes, mut fact_counts, mut facts, mut hosts]) =
        reader.tables.read(table.rows, columns)?;
    let mut parts = Parts::default();
    for _ in 0..rows {
        let file = files.narrow()?;
        let name = reader.owned(&mut names)?;
        let flag = flags.number()?;
        let step = if flag & HAS_STEP != 0 { Some(steps.signed()?) } else { None };
        let recorded_unix_ns = if flag & IS_RECORDED != 0 { Some(recorded.signed()?) } else { None };
        parts.graph_nodes.push(graph_nodes.number()?);
        let mut owned = Vec::new();
        for _ in 0..fact_counts.number()? {
            owned.push((reader.owned(&mut facts)?, reader.owned(&mut facts)?));
        }
        let facts: Vec<_> = owned.iter().map(|(what, value)| (what.as_str(), value.as_str())).collect();
        let host = if flag & HAS_HOST != 0 { Some(reader.owned(&mut hosts)?) } else { None };
        let (is_run, is_apart) = (flag & IS_RUN != 0, flag & IS_APART != 0);
        let (name, facts, host) = (name.as_str(), facts.as_slice(), host.as_deref());
        let record = PartRecord { name, step, recorded_unix_ns, is_run, facts, host, is_apart };
        parts.ids.push(reader.builder.add_part(file, &record));
    }
    all_read([files, names, flags, steps, recorded, graph_nodes, fact_counts, facts, hosts])?;
    Ok(parts)
}
