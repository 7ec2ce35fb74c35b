//! Reads a session into a separate builder. The result is used only if all of the session is valid.

use super::VERSION_OF_BLOCKS;
use super::attributes::Attributes;
use super::codec::{Column, unzigzag};
use super::label::{Expected, WORD};
use super::parts::{self, Parts};
use super::reader::{Reader, all_read};
use super::strings::StringRows;
use super::tables::Tables;
use super::{CATEGORIES, Damage, GROWTH, IS_ACCELERATOR, In, MAGIC, NESTS, START, Section, Shown, VERSION};
use super::{ops, samples};
use crate::reader::FoundSession;
use bytes::Bytes;
use std::ops::RangeInclusive;
use steplens_core::build::builder::{BlockOps, DeviceSlot, TraceBuilder};
use steplens_core::model::capability::Capability;
use steplens_core::model::file::FileReport;
use steplens_core::model::graph::GraphNodeTexts;
use steplens_core::{Problem, Trace};
use steplens_messages::say;
use steplens_proto::sessions::{Categories, Devices, Graph, Nodes, Strings, Threads};

/// About how many bytes an op uses while it is read and sorted.
const BYTES_PER_OP: usize = 96;

/// Checks that `file` begins as a session that is known here.
pub(super) fn check_start(file: &Bytes) -> Result<(), Damage> {
    let mut start = Column::new(file, 0);
    if start.take(MAGIC.len() as u64)? != MAGIC {
        return Err(Damage::new(0, say!("got-no-session")));
    }
    let version = start.take(1)?.first().copied().unwrap_or(0);
    if version != VERSION && version != VERSION_OF_BLOCKS {
        let got =
            if version > VERSION_OF_BLOCKS { say!("got-newer-session") } else { say!("got-early-session") };
        return Err(start.damage(got));
    }
    Ok(())
}

/// Reads the session `file`, which is whole, into `builder`, and may use `memory_bytes`.
pub(super) fn as_it_is(
    file: &Bytes,
    memory_bytes: usize,
    builder: &mut TraceBuilder,
) -> Result<FoundSession, Damage> {
    let tables = Tables::of(file).of(Section::Ops)?;
    let Read { trace, files } =
        whole(&tables, file.len(), memory_bytes, builder.heap_bytes(), Strictness::Whole)?;
    let (unknown, checked, shown) = (tables.unknown, tables.checked(file), tables.shown());
    builder.take_trace(trace);
    Ok(FoundSession { files, unknown, checked, shown, ..FoundSession::default() })
}

/// Whether all of a session must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    Whole,
    /// It was mended: files may have other ops than there are.
    Mended,
}

/// What is read.
pub(super) struct Read {
    pub(super) trace: Trace,
    pub(super) files: Vec<FileReport>,
}

/// Reads the tables of a file with `file_bytes`, beside `held_bytes` of other files.
pub(super) fn whole(
    tables: &Tables,
    file_bytes: usize,
    memory_bytes: usize,
    held_bytes: usize,
    strictness: Strictness,
) -> Result<Read, Damage> {
    let budget = (file_bytes as u64).saturating_mul(GROWTH);
    let strings = strings_of(tables, budget).of(Section::Strings)?;
    let ops = match &tables.ops {
        Some(table) => tables.read(table.rows, [&table.node]).of(Section::Ops)?.0,
        None => 0,
    };
    if ops == 0 {
        return Err(Damage::new(START as u64, say!("got-no-op"))).of(Section::Ops);
    }
    if ops.saturating_mul(BYTES_PER_OP).saturating_add(held_bytes) > memory_bytes {
        return Err(Damage::new(0, say!("got-ops-over-memory")));
    }
    let mut own = TraceBuilder::default();
    let ids = vec![None; strings.len()];
    let by_names = strictness == Strictness::Mended && tables.session.categories.is_none();
    let mut reader = Reader { tables, strings: &strings, left: budget, builder: &mut own, by_names, ids };
    let parts = parts::read(&mut reader).of(Section::Parts)?;
    let (slots, blocks) = reader.devices(&parts).of(Section::Devices)?;
    reader.threads(&slots).of(Section::Threads)?;
    let suggestions = reader.graph(&parts).of(Section::Graph)?;
    let nodes = reader.nodes(&suggestions).of(Section::Labels)?;
    let mut whole = ops::read(&mut reader, &blocks, &parts, nodes)?;
    samples::read(&mut reader, blocks.len(), &mut whole).of(Section::Samples)?;
    // Files do not count the records of a host profiler; sessions of older versions do.
    let counted = ops.saturating_sub(reader.builder.repeated_ops_of(&blocks));
    let files = match strictness {
        Strictness::Whole => reader.files(Some(counted..=ops)).of(Section::Files)?,
        Strictness::Mended => {
            let mut files = reader.files(None).of(Section::Files)?;
            let total = files.iter().fold(0, |sum: usize, file| sum.saturating_add(file.ops));
            if total != counted && total != ops {
                count_anew(&mut files, ops);
            }
            files
        }
    };
    Ok(Read { files, trace: own.finish_whole(whole, &blocks) })
}

/// Gives each file as many of `ops` as it had, as long as there are some, and the last file the others.
fn count_anew(files: &mut [FileReport], mut ops: usize) {
    for file in &mut *files {
        file.ops = file.ops.min(ops);
        ops -= file.ops;
    }
    files.last_mut().into_iter().for_each(|last| last.ops += ops);
}

fn strings_of(tables: &Tables, budget: u64) -> Result<StringRows, Damage> {
    let Strings { rows, shared, length, rest } = tables.session.strings.clone().unwrap_or_default();
    let (rows, columns) = tables.read(rows, [&shared, &length, &rest])?;
    StringRows::read(rows, columns, budget)
}

/// Every string in the session `file`: names, words and patterns of labels, tags, files, and what was shown; `None` if it is not a
/// session.
pub fn strings(file: &[u8]) -> Option<Vec<String>> {
    let tables = Tables::of(&Bytes::copy_from_slice(file)).ok()?;
    let strings = strings_of(&tables, (file.len() as u64).saturating_mul(GROWTH)).ok()?;
    let text = |row| String::from_utf8_lossy(strings.get(row)).into_owned();
    let Shown { view, communication, past } = tables.shown();
    let shown = communication.into_iter().chain([view, past]);
    file.starts_with(MAGIC).then(|| (0..strings.len()).map(text).chain(shown).collect())
}

/// Name, op type and inputs of every graph node, from which labels are read.
#[derive(Default)]
struct Suggestions {
    words: Vec<usize>,
    /// The words of node `i` are `words[first[i] .. first[i + 1]]`.
    first: Vec<usize>,
    /// The first node with each name, by the row of the name.
    node_of_name: Vec<Option<usize>>,
}

impl Suggestions {
    fn of_name(&self, name: usize) -> Option<&[usize]> {
        let node = (*self.node_of_name.get(name)?)?;
        self.words.get(*self.first.get(node)?..*self.first.get(node + 1)?)
    }
}

impl<'a> Reader<'a, '_> {
    /// Reads the devices.
    fn devices(&mut self, parts: &Parts) -> Result<(Vec<DeviceSlot>, Vec<BlockOps>), Damage> {
        let session = &self.tables.session;
        let Devices { rows, name, ops, flags, capability } = session.devices.clone().unwrap_or_default();
        let (rows, [mut names, mut counts, mut flags, mut capabilities]) =
            self.tables.read(rows, [&name, &ops, &flags, &capability])?;
        let (mut slots, mut blocks) = (Vec::<DeviceSlot>::with_capacity(rows), Vec::with_capacity(rows));
        for _ in 0..rows {
            let name = self.text(&mut names)?;
            let slot = match parts.ids.first() {
                Some(&part) => self.builder.begin_device_of(part),
                None => self.builder.begin_device(),
            };
            self.builder.name_device(slot, name);
            slots.push(slot);
            let (ops, flags) = (counts.narrow()?, flags.number()?);
            let (nests, is_accelerator) = (flags & NESTS != 0, flags & IS_ACCELERATOR != 0);
            let capability = match capability {
                Some(_) => Capability::of_number(capabilities.number()?),
                None => None,
            };
            blocks.push(BlockOps { ops, nests, is_accelerator, capability });
        }
        all_read([names, counts, flags, capabilities])?;
        Ok((slots, blocks))
    }

    /// Reads the threads of the devices, which are the slots of the builder in their order.
    fn threads(&mut self, slots: &[DeviceSlot]) -> Result<(), Damage> {
        let session = &self.tables.session;
        let Threads { rows, device, thread, name } = session.threads.clone().unwrap_or_default();
        let (rows, [mut places, mut threads, mut names]) =
            self.tables.read(rows, [&device, &thread, &name])?;
        for _ in 0..rows {
            let slot = slots[places.row(slots.len())?];
            let (thread, name) = (threads.narrow()?, self.text(&mut names)?);
            self.builder.name_thread(slot, thread, name);
        }
        all_read([places, threads, names])
    }

    fn graph(&mut self, parts: &Parts) -> Result<Suggestions, Damage> {
        let table = self.tables.session.graph.clone().unwrap_or_default();
        let Graph { name, op, device, input_count, flags, inputs, tensor, source, destination, .. } = &table;
        let (rows, [mut names, mut ops, mut devices, mut counts, mut flags, mut inputs]) =
            self.tables.read(table.rows, [name, op, device, input_count, flags, inputs])?;
        let (_, [mut tensors, mut sources, mut destinations]) =
            self.tables.read(0, [tensor, source, destination])?;
        let strings = self.strings.len();
        let mut suggestions =
            Suggestions { node_of_name: vec![None; strings], first: vec![0], ..Suggestions::default() };
        // For each text the id of the text with a `^` in front.
        let mut controls = vec![None; strings];
        let mut own_inputs = Vec::new();
        let mut part_ends = parts.graph_nodes.iter().scan(0u64, |end, &nodes| {
            *end = end.saturating_add(nodes);
            Some(*end)
        });
        let (mut part, mut part_end) = (0, part_ends.next());
        let attributes = self.tables.session.graph_attributes.clone().unwrap_or_default();
        let mut attributes = Attributes::of(&attributes, self, rows).of(Section::Attributes)?;
        for node in 0..rows {
            while part_end.is_some_and(|end| end <= node as u64) {
                (part, part_end) = (part + 1, part_ends.next());
            }
            if let Some(&id) = parts.ids.get(part) {
                self.builder.continue_graphs(id);
            }
            let name = names.delta_row(strings)?;
            let op = ops.row(strings)?;
            suggestions.node_of_name[name].get_or_insert(node);
            suggestions.words.extend([name, op]);
            own_inputs.clear();
            for _ in 0..counts.number()? {
                let code = inputs.number()?;
                let input = unzigzag(code >> 1).wrapping_add(name as i64);
                let input = inputs.as_row(input.try_into(), strings)?;
                suggestions.words.push(input);
                own_inputs.push(match code & 1 {
                    0 => self.id_of(input, &inputs)?,
                    _ => self.control_of(input, &inputs, &mut controls)?,
                });
            }
            suggestions.first.push(suggestions.words.len());
            let (name, op) = (self.id_of(name, &names)?, self.id_of(op, &ops)?);
            let device = self.next_id(&mut devices)?;
            let rendezvous = match flags.number()? {
                0 => None,
                _ => {
                    let tensor = tensors.delta_row(strings)?;
                    let tensor = self.id_of(tensor, &tensors)?;
                    Some([tensor, self.next_id(&mut sources)?, self.next_id(&mut destinations)?])
                }
            };
            let (dtype, collective) = attributes.of_node(self, node, rows).of(Section::Attributes)?;
            let inputs = own_inputs.as_slice();
            let texts = GraphNodeTexts { name, op, device, inputs, rendezvous, dtype, collective };
            self.builder.graph_node_of_texts(&texts);
        }
        attributes.end().of(Section::Attributes)?;
        all_read([names, ops, devices, counts, flags, inputs, tensors, sources, destinations])?;
        Ok(suggestions)
    }

    /// Reads the nodes, and returns their number.
    fn nodes(&mut self, suggestions: &Suggestions) -> Result<usize, Damage> {
        let session = &self.tables.session;
        let Nodes { rows, name, label, codes, words } = session.nodes.clone().unwrap_or_default();
        let (rows, [mut names, mut labels, mut codes, mut refs]) =
            self.tables.read(rows, [&name, &label, &codes, &words])?;
        let Categories { rows: rows_of_section, category, reason } =
            session.categories.clone().unwrap_or_default();
        let (rows_of_section, [mut categories, mut reasons]) =
            self.tables.read(rows_of_section, [&category, &reason]).of(Section::Categories)?;
        if rows_of_section != rows && !self.by_names {
            return Err(categories.damage(say!("got-other-categories"))).of(Section::Categories);
        }
        let strings = self.strings.len();
        let mut label = Vec::new();
        for _ in 0..rows {
            let name = names.delta_row(strings)?;
            let code = labels.number()?;
            let pattern = labels.as_row((code >> 1).try_into(), strings)?;
            let pattern = self.text_of(pattern, &labels)?;
            let text = if code & 1 == 1 {
                pattern
            } else {
                label.clear();
                let only_name = [name];
                let suggested = suggestions.of_name(name).unwrap_or(&only_name);
                let mut expected = Expected::default();
                for &byte in pattern {
                    if byte != WORD {
                        label.push(byte);
                        continue;
                    }
                    let word = match codes.number()? {
                        0 => refs.row(strings)?,
                        code => {
                            let place = expected.place(code, suggested.len());
                            suggested[codes.as_row(place.ok_or(()), suggested.len())?]
                        }
                    };
                    label.extend_from_slice(self.text_of(word, &codes)?);
                }
                &label
            };
            let (name, label) = (self.id_of(name, &names)?, self.builder.text(text));
            if self.by_names {
                self.builder.undecided_node(name, label);
                continue;
            }
            let category = CATEGORIES[categories.row(CATEGORIES.len()).of(Section::Categories)?];
            let reason = reasons.row(strings).of(Section::Categories)?;
            let reason = self.id_of(reason, &reasons).of(Section::Categories)?;
            self.builder.decided_node(name, label, category, reason);
        }
        all_read([categories, reasons]).of(Section::Categories)?;
        all_read([names, labels, codes, refs])?;
        Ok(rows)
    }

    /// Reads the reports of the files. The sum of their ops must be the start or the end of `ops`, if that is known.
    fn files(&mut self, ops: Option<RangeInclusive<usize>>) -> Result<Vec<FileReport>, Damage> {
        let table = self.tables.session.files.clone().unwrap_or_default();
        let columns = [&table.name, &table.format, &table.bytes, &table.ops, &table.problem_count];
        let (rows, [mut names, mut formats, mut sizes, mut counts, mut problem_counts]) =
            self.tables.read(table.rows, columns)?;
        let columns = [&table.code, &table.count, &table.offset, &table.detail];
        let (_, [mut codes, mut times, mut offsets, mut details]) = self.tables.read(0, columns)?;
        let mut files = Vec::new();
        let mut total = 0usize;
        for _ in 0..rows {
            let mut file = FileReport {
                name: self.owned(&mut names)?,
                format: self.word(&mut formats)?.into(),
                bytes: sizes.number()?,
                ops: counts.narrow()?,
                problems: Vec::new(),
            };
            total = total.saturating_add(file.ops);
            for _ in 0..problem_counts.number()? {
                file.problems.push(Problem {
                    code: self.word(&mut codes)?.into(),
                    count: times.number()?,
                    offset: offsets.number()?,
                    detail: self.owned(&mut details)?,
                });
            }
            files.push(file);
        }
        if ops.is_some_and(|ops| total != *ops.start() && total != *ops.end()) {
            return Err(counts.damage(say!("got-other-files")));
        }
        all_read([names, formats, sizes, counts, problem_counts, codes, times, offsets, details])?;
        Ok(files)
    }
}
