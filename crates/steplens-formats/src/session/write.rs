//! Writing a session: one function for each part of the trace.

use super::codec::{Writing, section, zigzag};
use super::label::{self, Expected};
use super::strings::Strings;
use super::{GROWTH, IS_ACCELERATOR, MAGIC, NESTS, VERSION, parts};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::units::MAX_UNIX_NS;
use steplens_core::model::file::FileReport;
use steplens_core::{OpId, StringId, Timestamp, Trace};

/// How often the work may rest: after so many ops.
const STRIDE: usize = 1 << 12;
/// How many times all ops are gone through.
const PARTS: u32 = 5;

/// `trace`, read from `files`, as a session.
pub fn write(trace: &Trace, files: &[FileReport]) -> Vec<u8> {
    at_once(async |pace: &Pace| paced(trace, files, pace).await)
}

/// The same, in pieces.
pub async fn paced(trace: &Trace, files: &[FileReport], pace: &Pace) -> Vec<u8> {
    let nodes = trace.nodes();
    let split = |node| label::split(trace.text(nodes.label(node)), &mut Vec::new());
    let patterns: Vec<Option<String>> = nodes.ids().map(split).collect();
    let unit_ns = record_unit(trace);
    pace.did(1, PARTS);
    let mut writer = Writer { trace, strings: strings(trace, files, &patterns, pace).await, out: Vec::new() };
    writer.head(unit_ns);
    writer.devices();
    let suggested = writer.graph();
    super::attributes::write(&mut writer);
    writer.nodes(&patterns, &suggested);
    pace.did(2, PARTS);
    writer.ops(pace).await;
    pace.did(3, PARTS);
    writer.outputs(pace).await;
    pace.did(4, PARTS);
    writer.memory(unit_ns, pace).await;
    parts::write(&mut writer);
    writer.files(files);
    writer.finish()
}

/// Every string that the session refers to.
async fn strings<'a>(
    trace: &'a Trace,
    files: &'a [FileReport],
    patterns: &'a [Option<String>],
    pace: &Pace,
) -> Strings<'a> {
    let (graph, nodes) = (trace.graph(), trace.nodes());
    let mut strings = Strings::default();
    let mut seen = vec![false; trace.strings().len()];
    let mut add = |strings: &mut Strings<'a>, id: StringId| {
        if !std::mem::replace(&mut seen[id.index()], true) {
            strings.add(trace.text(id));
        }
    };
    for device in trace.devices().ids() {
        add(&mut strings, trace.devices().get(device).name);
    }
    trace.threads().iter().for_each(|&(_, _, name)| add(&mut strings, name));
    for node in graph.ids() {
        for id in [graph.name(node), graph.op(node), graph.device(node)] {
            add(&mut strings, id);
        }
        graph.inputs(node).iter().for_each(|&input| strings.add(without_caret(trace.text(input)).1));
    }
    for end in graph.rendezvous() {
        for id in [end.tensor, end.source, end.destination] {
            add(&mut strings, id);
        }
    }
    graph.ids().filter_map(|node| graph.collective(node)).for_each(|own| add(&mut strings, own.name));
    let mut words = Vec::new();
    for (node, pattern) in nodes.ids().zip(patterns) {
        add(&mut strings, nodes.name(node));
        add(&mut strings, nodes.reason(node));
        match pattern {
            Some(pattern) => {
                strings.add(pattern);
                label::split(trace.text(nodes.label(node)), &mut words);
                words.drain(..).for_each(|word| strings.add(word));
            }
            None => add(&mut strings, nodes.label(node)),
        }
    }
    for op in trace.ops().ids() {
        trace.outputs().of(op).for_each(|output| add(&mut strings, output.allocator));
        trace.memory().of(op).for_each(|(used, _)| add(&mut strings, used.allocator));
        rest(op, pace).await;
    }
    parts::add_strings(trace, &mut strings);
    for file in files {
        strings.add(&file.name);
        strings.add(&file.format);
        for problem in &file.problems {
            strings.add(&problem.code);
            strings.add(&problem.detail);
        }
    }
    strings.sort();
    strings
}

/// Counts ops as done, now and then.
async fn rest(op: OpId, pace: &Pace) {
    if op.index().is_multiple_of(STRIDE) {
        pace.worked(STRIDE).await;
    }
}

/// An input of a graph node as whether it is a control input, and the rest.
fn without_caret(input: &str) -> (bool, &str) {
    input.strip_prefix('^').map_or((false, input), |rest| (true, rest))
}

/// What the label of a node of some name is likely to hold, by the row of the name: its op type and inputs.
type Suggested = HashMap<u64, Vec<u64>, FixedState>;

pub(super) struct Writer<'a> {
    pub(super) trace: &'a Trace,
    strings: Strings<'a>,
    pub(super) out: Vec<u8>,
}

impl Writer<'_> {
    pub(super) fn row(&mut self, id: StringId) -> u64 {
        self.strings.row(self.trace.text(id))
    }

    fn head(&mut self, unit_ns: i64) {
        self.out.extend_from_slice(MAGIC);
        self.out.push(VERSION);
        let [mut origin, mut unit] = columns();
        origin.signed(self.trace.unix_ns(first_start(self.trace)));
        unit.number(unit_ns as u64);
        section(&mut self.out, *b"head", 1, [origin, unit]);
        section(&mut self.out, *b"strs", self.strings.len(), self.strings.columns());
    }

    fn devices(&mut self) {
        let trace = self.trace;
        let [mut names, mut counts, mut flags] = columns();
        for device in trace.devices().ids().map(|id| trace.devices().get(id)) {
            names.number(self.row(device.name));
            counts.number(u64::from(device.op_count));
            let flag = |is_set, flag| if is_set { flag } else { 0 };
            flags.number(flag(device.nests, NESTS) | flag(device.is_accelerator, IS_ACCELERATOR));
        }
        section(&mut self.out, *b"devs", trace.devices().len(), [names, counts, flags]);
        let [mut devices, mut threads, mut names] = columns();
        for &(device, thread, name) in trace.threads() {
            devices.number(u64::from(device.get()));
            threads.number(u64::from(thread));
            names.number(self.row(name));
        }
        section(&mut self.out, *b"thrd", trace.threads().len(), [devices, threads, names]);
    }

    fn graph(&mut self) -> Suggested {
        let (trace, graph) = (self.trace, self.trace.graph());
        let mut suggested = Suggested::default();
        let [mut names, mut ops, mut devices, mut counts, mut flags, mut inputs] = columns();
        let [mut tensors, mut sources, mut destinations] = columns();
        let mut ends = graph.rendezvous().iter().peekable();
        for node in graph.ids() {
            let (name, op) = (self.row(graph.name(node)), self.row(graph.op(node)));
            let mut suggestion = vec![name, op];
            names.delta(name as i64);
            ops.number(op);
            devices.number(self.row(graph.device(node)));
            counts.number(graph.inputs(node).len() as u64);
            for &input in graph.inputs(node) {
                let (is_control, text) = without_caret(trace.text(input));
                let input = self.strings.row(text);
                suggestion.push(input);
                inputs.number(zigzag(input as i64 - name as i64) << 1 | u64::from(is_control));
            }
            let end = ends.next_if(|end| end.node == node);
            flags.number(u64::from(end.is_some()));
            if let Some(end) = end {
                tensors.delta(self.row(end.tensor) as i64);
                sources.number(self.row(end.source));
                destinations.number(self.row(end.destination));
            }
            suggested.entry(name).or_insert(suggestion);
        }
        let all = [names, ops, devices, counts, flags, inputs, tensors, sources, destinations];
        section(&mut self.out, *b"grph", graph.len(), all);
        suggested
    }

    fn nodes(&mut self, patterns: &[Option<String>], suggested: &Suggested) {
        let (trace, nodes) = (self.trace, self.trace.nodes());
        let [mut names, mut labels, mut codes, mut refs] = columns();
        let mut words = Vec::new();
        for (node, pattern) in nodes.ids().zip(patterns) {
            let name = self.row(nodes.name(node));
            names.delta(name as i64);
            let Some(pattern) = pattern else {
                labels.number(self.row(nodes.label(node)) << 1 | 1);
                continue;
            };
            labels.number(self.strings.row(pattern) << 1);
            label::split(trace.text(nodes.label(node)), &mut words);
            let only_name = [name];
            let suggested = suggested.get(&name).map_or(&only_name[..], Vec::as_slice);
            let mut expected = Expected::default();
            for word in words.drain(..) {
                let word = self.strings.row(word);
                let code = expected.code(word, suggested);
                codes.number(code);
                if code == 0 {
                    refs.number(word);
                }
            }
        }
        section(&mut self.out, *b"node", nodes.len(), [names, labels, codes, refs]);
        let [mut categories, mut reasons] = columns();
        for node in nodes.ids() {
            categories.number(nodes.category(node) as u64);
            reasons.number(self.row(nodes.reason(node)));
        }
        section(&mut self.out, *b"catg", nodes.len(), [categories, reasons]);
    }

    async fn ops(&mut self, pace: &Pace) {
        let (trace, ops) = (self.trace, self.trace.ops());
        let [mut nodes, mut starts, mut lengths, mut flags, mut queues] = columns();
        let [mut kernel_starts, mut kernel_ends, mut threads, mut outputs, mut reports] = columns();
        let first = first_start(trace);
        for device in trace.devices().ids() {
            let mut before = first;
            for op in trace.ops_of(device) {
                let (start, length) = (ops.start(op), (ops.end(op) - ops.start(op)).0);
                nodes.delta(i64::from(ops.node(op).get()));
                starts.number((start - before).0 as u64);
                lengths.number(length as u64);
                before = start;
                let (queued, kernel) = (ops.queued(op), ops.kernel(op));
                let (kernel_start, kernel_end) = ((kernel.start - start).0, (kernel.end - start).0);
                let has_kernel = (kernel_start, kernel_end) != (0, 0);
                flags.number(u64::from(queued.is_some()) | u64::from(has_kernel) << 1);
                if let Some(queued) = queued {
                    queues.signed(queued.0);
                }
                if has_kernel {
                    kernel_starts.signed(kernel_start);
                    kernel_ends.signed(length.wrapping_sub(kernel_end));
                }
                threads.number(u64::from(ops.thread(op)));
                outputs.number(trace.outputs().of(op).count() as u64);
                reports.number(trace.memory().of(op).count() as u64);
                rest(op, pace).await;
            }
        }
        let all =
            [nodes, starts, lengths, flags, queues, kernel_starts, kernel_ends, threads, outputs, reports];
        section(&mut self.out, *b"oper", ops.len(), all);
        let [mut kernels, mut calls] = columns();
        for &(kernel, call) in trace.calls() {
            kernels.delta(i64::from(kernel.get()));
            calls.number(u64::from(call.get()));
        }
        if !trace.calls().is_empty() {
            section(&mut self.out, *b"call", trace.calls().len(), [kernels, calls]);
        }
    }

    async fn outputs(&mut self, pace: &Pace) {
        let trace = self.trace;
        let [mut slots, mut dtypes, mut allocators, mut requested, mut allocated, mut ranks, mut sizes] =
            columns();
        let [mut rows, mut ids] = columns();
        let [mut replaced] = columns();
        let mut distinct = HashMap::<_, u64, FixedState>::default();
        let (mut count, mut replaced_count) = (0, 0);
        for op in trace.ops().ids() {
            rest(op, pace).await;
            for output in trace.outputs().of(op) {
                let allocator = trace.text(output.allocator);
                let key =
                    (output.slot, output.dtype, output.shape, allocator, output.requested, output.allocated);
                let next = distinct.len() as u64;
                let row = *distinct.entry(key).or_insert(next);
                if row == next {
                    slots.signed(i64::from(output.slot));
                    dtypes.number(u64::from(output.dtype));
                    allocators.number(self.strings.row(allocator));
                    requested.number(output.requested.0);
                    allocated.number(output.allocated.0);
                    ranks.number(output.shape.map_or(0, |shape| shape.len() as u64 + 1));
                    output.shape.unwrap_or_default().iter().for_each(|&size| sizes.signed(size));
                }
                // Every use is looked up again by who reads it.
                self.strings.looked_up += (allocator.len() + 8 * output.shape.map_or(0, <[i64]>::len)) as u64;
                rows.number(row);
                ids.signed(output.allocation_id);
                if output.is_replaced {
                    replaced.delta(count as i64);
                    replaced_count += 1;
                }
                count += 1;
            }
        }
        let all = [slots, dtypes, allocators, requested, allocated, ranks, sizes];
        section(&mut self.out, *b"opnd", distinct.len(), all);
        section(&mut self.out, *b"outs", count, [rows, ids]);
        if replaced_count > 0 {
            section(&mut self.out, *b"repl", replaced_count, [replaced]);
        }
    }

    async fn memory(&mut self, unit_ns: i64, pace: &Pace) {
        let trace = self.trace;
        let [mut allocators, mut totals, mut peaks, mut lives] = columns();
        let [mut rows, mut counts, mut times, mut held_after] = columns();
        let mut distinct = HashMap::<_, u64, FixedState>::default();
        let [mut in_use] = columns();
        let mut in_use_count = 0;
        for (_, bytes) in trace.ops().ids().flat_map(|op| trace.memory().reports_of(op)) {
            in_use.number(bytes.map_or(0, |bytes| bytes.0.saturating_add(1)));
            in_use_count += usize::from(bytes.is_some());
        }
        let (mut report_count, mut record_count) = (0, 0);
        for op in trace.ops().ids() {
            rest(op, pace).await;
            for (used, records) in trace.memory().of(op) {
                let next = distinct.len() as u64;
                let row = *distinct.entry(used).or_insert(next);
                if row == next {
                    allocators.number(self.row(used.allocator));
                    totals.number(used.total.0);
                    peaks.number(used.peak.0);
                    lives.number(used.live.0);
                }
                self.strings.looked_up += trace.text(used.allocator).len() as u64;
                rows.number(row);
                report_count += 1;
                let (mut before, mut held, mut own) = (start_in_units(trace, op, unit_ns), 0i64, 0);
                for record in records {
                    let at = start_unix(trace, op).wrapping_add(record.after_start.0);
                    times.signed(at.wrapping_sub(before) / unit_ns);
                    held = held.wrapping_add(record.bytes);
                    held_after.signed(held);
                    before = at;
                    own += 1;
                }
                counts.number(own);
                record_count += own as usize;
            }
        }
        section(&mut self.out, *b"alls", distinct.len(), [allocators, totals, peaks, lives]);
        section(&mut self.out, *b"mems", report_count, [rows, counts]);
        if in_use_count > 0 {
            section(&mut self.out, *b"muse", report_count, [in_use]);
        }
        section(&mut self.out, *b"recs", record_count, [times, held_after]);
    }

    fn files(&mut self, files: &[FileReport]) {
        let [mut names, mut formats, mut sizes, mut ops, mut problems] = columns();
        let [mut codes, mut counts, mut offsets, mut details] = columns();
        for file in files {
            names.number(self.strings.row(&file.name));
            formats.number(self.strings.row(&file.format));
            sizes.number(file.bytes);
            ops.number(file.ops as u64);
            problems.number(file.problems.len() as u64);
            for problem in &file.problems {
                codes.number(self.strings.row(&problem.code));
                counts.number(problem.count);
                offsets.number(problem.offset);
                details.number(self.strings.row(&problem.detail));
            }
        }
        let all = [names, formats, sizes, ops, problems, codes, counts, offsets, details];
        section(&mut self.out, *b"file", files.len(), all);
    }

    /// The file, filled up so that it may look up as much text as it does.
    fn finish(mut self) -> Vec<u8> {
        let missing = (self.strings.looked_up / GROWTH + 1).saturating_sub(self.out.len() as u64);
        if missing > 0 {
            let fill = Writing::of_zeros(missing as usize);
            section(&mut self.out, *b"fill", 0, [fill]);
        }
        self.out
    }
}

/// New columns.
pub(super) fn columns<const N: usize>() -> [Writing; N] {
    [(); N].map(|()| Writing::default())
}

/// When the first op starts: before the origin if that is a range.
fn first_start(trace: &Trace) -> Timestamp {
    let first = |device| trace.ops_of(device).next().map(|op| trace.ops().start(op));
    trace.devices().ids().filter_map(first).min().unwrap_or(Timestamp(0))
}

fn start_unix(trace: &Trace, op: OpId) -> i64 {
    trace.origin_unix_ns().wrapping_add(trace.ops().start(op).0)
}

/// The last whole unit before an op's start.
fn start_in_units(trace: &Trace, op: OpId, unit_ns: i64) -> i64 {
    let start = start_unix(trace, op);
    start - start.rem_euclid(unit_ns)
}

/// Allocations are recorded in microseconds; where that is so throughout, they are written so.
fn record_unit(trace: &Trace) -> i64 {
    let is_whole = |op: OpId| {
        trace.memory().of(op).all(|(_, mut records)| {
            records.all(|record| {
                let at = start_unix(trace, op).checked_add(record.after_start.0);
                at.is_some_and(|at| at % 1_000 == 0 && (-MAX_UNIX_NS..MAX_UNIX_NS).contains(&at))
            })
        })
    };
    if trace.ops().ids().all(is_whole) { 1_000 } else { 1 }
}
