//! Tables of a damaged session, made such that they can be read: what cannot be read of them is left out, or a word that says so stands for it.
//! What was lost is counted, and nothing is guessed: an op without its times is left out, one without its name is called [`LOST`].

use super::codec::{Column, Encoding, Writing};
use super::strings::StringRows;
use super::{GROWTH, Section, blocks};
use bytes::Bytes;
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_messages::say;
use steplens_proto::sessions::{self, Categories, Head, Nodes, Ops, PartsOfOps, Session};

/// Stands for a text that is lost.
pub(super) const LOST: &str = "(lost)";

/// What is missing of a session.
#[derive(Default)]
pub(super) struct Lost {
    /// In which section, how many of its rows, and what that means.
    pub(super) what: Vec<(Section, u64, String)>,
    /// Ops of the session that are left out.
    pub(super) ops: u64,
}

impl Lost {
    fn add(&mut self, section: Section, count: usize, what: String) {
        match self.what.iter_mut().find(|(own, ..)| *own == section) {
            Some(row) => *row = (section, row.1.max(count as u64), what),
            None => self.what.push((section, count as u64, what)),
        }
    }

    pub(super) fn has(&self, section: Section) -> bool {
        self.what.iter().any(|(own, ..)| *own == section)
    }
}

/// Makes `section` of `session` readable and adds to `lost` what it costs; `None` if nothing of the session can be shown without it.
pub(super) fn mend(section: Section, session: &mut Session, lost: &mut Lost) -> Option<()> {
    let said = |text: &str| text.to_owned();
    match section {
        Section::Session | Section::Devices => return None,
        Section::Head => {
            let zero = || written([0], Writing::signed);
            let record_unit = plain([1]);
            let head = Head {
                rows: 1,
                first_start: zero(),
                record_unit,
                origin: zero(),
                period: None,
                peak_flops: None,
            };
            session.head = Some(head);
            memory_is_lost(session);
            lost.add(section, 1, said(say!("session-lost-head")));
        }
        Section::Strings => {
            let count = strings(session)?;
            if count > 0 {
                lost.add(section, count, say!("session-lost-strings", count, lost = LOST));
            }
        }
        Section::Threads => {
            session.threads = None;
            lost.add(section, 1, said(say!("session-lost-threads")));
        }
        Section::Graph => {
            (session.graph, session.graph_attributes) = (None, None);
            if lost.has(Section::Labels) || has_words(session.nodes.as_ref()) {
                mend(Section::Labels, session, lost)?;
            }
            lost.add(section, 1, said(say!("session-lost-graph")));
        }
        Section::Attributes => {
            session.graph_attributes = None;
            lost.add(section, 1, said(say!("session-lost-attributes")));
        }
        Section::Labels => {
            let count = names_for_labels(session)?;
            lost.add(section, 1, said(say!("session-lost-labels")));
            if count > 0 {
                lost.add(Section::Names, count, say!("session-lost-names", count, lost = LOST));
            }
        }
        Section::Categories => {
            session.categories = None;
            lost.add(section, 1, said(say!("session-lost-categories")));
        }
        Section::Ops | Section::Names => ops(session, lost)?,
        Section::Kernels => {
            let table = session.ops.first_mut()?;
            (table.flags, table.queued, table.kernel_start, table.after_kernel) = (None, None, None, None);
            table.thread = None;
            lost.add(section, 1, said(say!("session-lost-kernels")));
        }
        Section::Calls => {
            session.calls = None;
            lost.add(section, 1, said(say!("session-lost-calls")));
        }
        Section::Outputs => {
            outputs_are_lost(session);
            lost.add(section, 1, said(say!("session-lost-outputs")));
        }
        Section::Memory => {
            memory_is_lost(session);
            lost.add(section, 1, said(say!("session-lost-memory")));
        }
        Section::Files => {
            session.files = None;
            lost.add(section, 1, said(say!("session-lost-files")));
        }
        Section::Parts => {
            (session.parts, session.parts_of_ops, session.marks) = (None, None, None);
            lost.add(section, 1, said(say!("session-lost-parts")));
        }
        Section::Arguments => {
            (session.argument_forms, session.arguments) = (None, None);
            lost.add(section, 1, said(say!("session-lost-arguments")));
        }
        Section::Samples => {
            (session.counters, session.points, session.instants) = (None, None, None);
            lost.add(section, 1, said(say!("session-lost-samples")));
        }
        Section::Marks => {
            session.marks = None;
            lost.add(section, 1, said(say!("session-lost-marks")));
        }
    }
    Some(())
}

/// The section of the table with this number.
pub(super) fn section_of(table: u32) -> Section {
    match table {
        10 => Section::Head,
        11 => Section::Strings,
        12 => Section::Devices,
        13 => Section::Threads,
        14 => Section::Graph,
        15 => Section::Attributes,
        16 => Section::Labels,
        17 => Section::Categories,
        20 => Section::Ops,
        21 => Section::Calls,
        18 | 22 | 23 => Section::Outputs,
        19 | 24..=26 => Section::Memory,
        27 => Section::Files,
        28 | 29 => Section::Parts,
        30 | 31 => Section::Arguments,
        32..=34 => Section::Samples,
        35 => Section::Marks,
        _ => Section::Session,
    }
}

/// Whether a table that is not whole has to be looked at: a column that is missing reads as zeros. All others do not read at all.
pub(super) fn is_doubtful(table: u32, session: &Session) -> bool {
    match table {
        11 | 20 => true,
        // Names that are lost make ops nameless, which is to be known before these are read.
        16 => session.nodes.as_ref().is_none_or(|own| {
            let rows = usize::try_from(own.rows).ok();
            rows_of(own.name.as_ref()) != rows || rows_of(own.label.as_ref()) != rows
        }),
        22 => session.outputs.as_ref().is_none_or(|own| own.allocation_id.is_none()),
        24 => session.reports.as_ref().is_none_or(|own| own.record_count.is_none()),
        26 => session.records.as_ref().is_none_or(|own| own.held.is_none()),
        _ => false,
    }
}

/// The sections that every session has, and that are missing in `session`.
pub(super) fn missing(session: &Session) -> Vec<Section> {
    let tables = [
        (Section::Head, session.head.is_none()),
        (Section::Strings, session.strings.is_none()),
        (Section::Threads, session.threads.is_none()),
        (Section::Graph, session.graph.is_none()),
        (Section::Labels, session.nodes.is_none()),
        (Section::Categories, session.categories.is_none()),
        (Section::Outputs, session.output_kinds.is_none() || session.outputs.is_none()),
        (Section::Memory, session.report_kinds.is_none() || session.reports.is_none()),
        (Section::Memory, session.records.is_none()),
        (Section::Files, session.files.is_none()),
    ];
    tables.into_iter().filter(|&(_, is_missing)| is_missing).map(|(section, _)| section).collect()
}

fn outputs_are_lost(session: &mut Session) {
    (session.output_kinds, session.outputs, session.replaced) = (None, None, None);
    session.ops.iter_mut().for_each(|ops| ops.output_count = None);
}

fn memory_is_lost(session: &mut Session) {
    (session.report_kinds, session.reports, session.in_use, session.records) = (None, None, None, None);
    session.ops.iter_mut().for_each(|ops| ops.report_count = None);
}

/// Whether labels of `nodes` refer to the graph.
fn has_words(nodes: Option<&Nodes>) -> bool {
    nodes.and_then(|nodes| nodes.codes.as_ref()).is_some_and(|codes| codes.data.iter().any(|&byte| byte != 0))
}

/// The values of `column`, which should have `rows`, in a table that may be cut: as many as are whole.
fn values(column: Option<&sessions::Column>, rows: usize) -> Vec<i64> {
    let Some(column) = column else { return Vec::new() };
    let (width, held) = (column.width as usize, column.data.len());
    let is_number = Encoding::try_from(column.encoding).is_ok_and(|encoding| encoding != Encoding::Text);
    if !is_number || width > 8 || (width == 0 && held > 0) {
        return Vec::new();
    }
    // Of the last plane there may be only a part.
    let whole = match width {
        0 => rows,
        _ => held.saturating_sub((width - 1) * rows).min(rows),
    };
    let mut padded = column.clone();
    if held != width * rows {
        let mut data = column.data[..held.min(width * rows)].to_vec();
        data.resize(width * rows, 0);
        padded.data = data.into();
    }
    let Ok(values) = Column::of_planes(&padded, 0).and_then(|column| column.values(rows)) else {
        return Vec::new();
    };
    let mut values = values;
    (0..whole).map(|_| values.take_one()).collect()
}

/// How many rows a column with a value for each has, if it is whole.
fn rows_of(column: Option<&sessions::Column>) -> Option<usize> {
    let column = column?;
    let width = column.width as usize;
    (column.data.len().is_multiple_of(width.max(1)))
        .then(|| column.data.len().checked_div(width))
        .flatten()
        .filter(|&rows| rows > 0)
}

fn written(
    values: impl IntoIterator<Item = i64>,
    push: impl Fn(&mut Writing, i64),
) -> Option<sessions::Column> {
    let mut column = Writing::default();
    values.into_iter().for_each(|value| push(&mut column, value));
    column.message()
}

fn plain(values: impl IntoIterator<Item = i64>) -> Option<sessions::Column> {
    written(values, |column, value| column.number(value as u64))
}

/// Keeps the strings before the damage, and writes [`LOST`] with its number for the others. Returns how many these are; `None` if there is none.
fn strings(session: &mut Session) -> Option<usize> {
    let table = session.strings.take()?;
    let sizes = [&table.shared, &table.length].map(|column| column.as_ref().map_or(0, |own| own.data.len()));
    let rows = usize::try_from(table.rows).ok().filter(|&rows| rows <= sizes[0].max(sizes[1]));
    let rows = rows.or_else(|| rows_of(table.shared.as_ref())).unwrap_or(0);
    let [shared, length] = [&table.shared, &table.length].map(|column| values(column.as_ref(), rows));
    let rest = table.rest.map_or(Bytes::new(), |own| own.data);
    // There are several copies of the text for a moment.
    let budget = (rest.len() as u64).saturating_mul(GROWTH / 4);
    let whole = StringRows::whole(&shared, &length, &rest, budget);
    if whole.len() == 0 {
        return None;
    }
    let lost = rows.saturating_sub(whole.len());
    let texts = (0..whole.len()).map(|row| whole.get(row).to_vec());
    let texts = texts.chain((whole.len()..rows).map(|row| format!("{LOST} {row}").into_bytes()));
    let (mut lengths, mut all) = (Writing::default(), Vec::new());
    for text in texts {
        lengths.number(text.len() as u64);
        all.extend_from_slice(&text);
    }
    let rest = Some(sessions::Column { encoding: Encoding::Text.into(), width: 0, data: all.into() });
    let (shared, length) = (plain(vec![0; rows]), lengths.message());
    session.strings = Some(sessions::Strings { rows: rows as u64, shared, length, rest });
    Some(lost)
}

/// The row of the string [`LOST`], which is added.
fn lost_string(session: &mut Session) -> Option<usize> {
    let table = session.strings.as_mut()?;
    let rows = usize::try_from(table.rows).ok()?;
    let [mut shared, mut length] = [&table.shared, &table.length].map(|own| values(own.as_ref(), rows));
    let rest = table.rest.get_or_insert_default();
    if shared.len() != rows || length.len() != rows {
        return None;
    }
    shared.push(0);
    length.push(LOST.len() as i64);
    rest.encoding = Encoding::Text.into();
    rest.data = [&rest.data[..], LOST.as_bytes()].concat().into();
    (table.rows, table.shared, table.length) = (rows as u64 + 1, plain(shared), plain(length));
    Some(rows)
}

/// Makes the names of nodes their labels. Returns how many of the names are lost.
fn names_for_labels(session: &mut Session) -> Option<usize> {
    let table = session.nodes.take().unwrap_or_default();
    let categories = session.categories.as_ref().and_then(|own| own.category.as_ref());
    let whole = [rows_of(table.name.as_ref()), rows_of(table.label.as_ref()), rows_of(categories)];
    let said = usize::try_from(table.rows).ok();
    // The number that two agree on, or the highest.
    let agreed = said.filter(|said| whole.contains(&Some(*said)));
    let rows = agreed.or_else(|| whole.into_iter().flatten().max()).unwrap_or(1);
    let lost = lost_string(session)?;
    let mut names = values(table.name.as_ref(), rows);
    let is_string = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < lost);
    names.iter_mut().filter(|row| !is_string(row)).for_each(|row| *row = lost as i64);
    names.resize(rows, lost as i64);
    let count = names.iter().filter(|&&row| row == lost as i64).count();
    session.nodes = Some(Nodes {
        rows: rows as u64,
        label: plain(names.iter().map(|row| row << 1 | 1)),
        name: written(names, Writing::delta),
        codes: Writing::default().message(),
        words: Writing::default().message(),
    });
    Some(count)
}

/// The row of a node that is called [`LOST`], which is added.
fn lost_node(session: &mut Session) -> Option<usize> {
    let lost = lost_string(session)?;
    let table = session.nodes.as_mut()?;
    let rows = usize::try_from(table.rows).ok()?;
    let [mut names, mut labels] = [&table.name, &table.label].map(|own| values(own.as_ref(), rows));
    if names.len() != rows || labels.len() != rows {
        return None;
    }
    names.push(lost as i64);
    labels.push((lost << 1 | 1) as i64);
    (table.rows, table.name, table.label) = (rows as u64 + 1, written(names, Writing::delta), plain(labels));
    if let Some(Categories { rows: count, category, reason }) = &mut session.categories {
        let [mut own, mut why] = [&*category, &*reason].map(|column| values(column.as_ref(), rows));
        own.resize(rows + 1, 0);
        why.resize(rows + 1, lost as i64);
        (*count, *category, *reason) = (rows as u64 + 1, plain(own), plain(why));
    }
    Some(rows)
}

/// Makes one block of the ops before the first block that is not whole; of a single one all that is there.
pub(super) fn join_blocks(session: &mut Session) {
    let mut blocks = std::mem::take(&mut session.ops);
    let whole = blocks.iter().take_while(|block| blocks::is_whole(block)).count();
    blocks.truncate(whole.max(1));
    session.ops = blocks::joined(blocks, usize::MAX).ok().flatten().into_iter().collect();
}

/// Leaves out the ops whose times are lost, and everything about ops that rests on their order; gives names that are lost a word.
fn ops(session: &mut Session, lost: &mut Lost) -> Option<()> {
    let mut table = session.ops.pop()?;
    let devices = session.devices.as_mut()?;
    let device_rows = usize::try_from(devices.rows).ok()?;
    let mut counts = values(devices.ops.as_ref(), rows_of(devices.ops.as_ref())?);
    let of_devices =
        counts.iter().try_fold(0_usize, |sum, &count| sum.checked_add(usize::try_from(count).ok()?));
    let of_devices = of_devices.filter(|_| counts.len() == device_rows)?;
    // The counts of the devices are of another table than the columns, so that damage seldom meets both. There are fewer ops where blocks are lost.
    let said = usize::try_from(table.rows).ok().filter(|&said| said > 0 && said < of_devices);
    let is_of_devices = |column: &sessions::Column| column.data.len() == column.width as usize * of_devices;
    let rows = match table.node.as_ref().is_some_and(is_of_devices) {
        true => of_devices,
        false => said.unwrap_or(of_devices),
    };
    let starts = values(table.start.as_ref(), rows);
    let lengths = values(table.length.as_ref(), rows);
    let mut nodes = values(table.node.as_ref(), rows);
    if rows == 0 || starts.is_empty() || lengths.is_empty() {
        return None;
    }
    let head = session.head.as_ref().and_then(|head| values(head.first_start.as_ref(), 1).first().copied());
    let mut kept = Vec::with_capacity(rows);
    let mut first = 0;
    for count in &mut counts {
        let (mut at, end, before) = (head.unwrap_or(0), first + *count as usize, kept.len());
        for row in first..end {
            let (Some(&after), Some(&length)) = (starts.get(row), lengths.get(row)) else { break };
            let start = at.checked_add(after).filter(|_| after >= 0 && length >= 0);
            let own_end = start.and_then(|start| start.checked_add(length));
            let (Some(start), true) = (start, own_end.is_some_and(|end| end < MAX_UNIX_NS)) else { break };
            at = start;
            kept.push(row);
        }
        (*count, first) = ((kept.len() - before) as i64, end);
    }
    if kept.is_empty() {
        return None;
    }
    let node_rows = usize::try_from(session.nodes.as_ref()?.rows).ok()?;
    let is_node = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < node_rows);
    let nameless = kept.iter().filter(|&&row| !nodes.get(row).is_some_and(is_node)).count();
    if nameless > 0 {
        let lost_row = lost_node(session)? as i64;
        nodes.iter_mut().filter(|row| !is_node(row)).for_each(|row| *row = lost_row);
        nodes.resize(rows, lost_row);
        lost.add(Section::Names, nameless, say!("session-lost-names", count = nameless, lost = LOST));
    }
    let left_out = of_devices - kept.len();
    let per_op = [&table.flags, &table.queued, &table.kernel_start, &table.after_kernel, &table.thread];
    let mut details = per_op.map(|column| values(column.as_ref(), rows));
    if details.iter().any(|values| values.len() < rows) {
        details.iter_mut().for_each(Vec::clear);
        lost.add(Section::Kernels, 1, say!("session-lost-kernels").to_owned());
    }
    let of_kept =
        |values: &Vec<i64>| kept.iter().filter_map(|&row| values.get(row).copied()).collect::<Vec<_>>();
    let [flags, queued, kernel_start, after_kernel, thread] = details.map(|values| of_kept(&values));
    let signed = |values| written(values, Writing::signed);
    table = Ops {
        rows: kept.len() as u64,
        node: written(of_kept(&nodes), Writing::delta),
        start: plain(of_kept(&starts)),
        length: plain(of_kept(&lengths)),
        flags: plain(flags),
        queued: signed(queued),
        kernel_start: signed(kernel_start),
        after_kernel: signed(after_kernel),
        thread: signed(thread),
        output_count: table.output_count.filter(|_| left_out == 0),
        report_count: table.report_count.filter(|_| left_out == 0),
    };
    session.devices.as_mut()?.ops = plain(counts);
    session.ops = vec![table];
    if left_out == 0 {
        return Some(());
    }
    lost.ops = left_out as u64;
    lost.add(Section::Ops, left_out, say!("session-lost-ops", count = left_out, all = of_devices));
    if let Some(parts) = &mut session.parts_of_ops {
        let own = values(parts.part.as_ref(), of_devices);
        let is_whole = own.len() == of_devices;
        let part = written(of_kept(&own), Writing::delta);
        *parts = PartsOfOps { rows: kept.len() as u64, part };
        if !is_whole {
            mend(Section::Parts, session, lost)?;
        }
    }
    // They count ops by their rows.
    outputs_are_lost(session);
    memory_is_lost(session);
    (session.calls, session.marks) = (None, None);
    (session.argument_forms, session.arguments) = (None, None);
    Some(())
}
