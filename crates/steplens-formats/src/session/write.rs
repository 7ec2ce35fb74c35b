//! Writing a session: one function for each part of the trace.

use super::codec::{Writing, zigzag};
use super::label::{self, Expected};
use super::strings::Strings;
use super::write_ops::{self, first_start};
use super::writer::{Writer, columns, rest};
use super::{
    CATEGORIES, CHECKSUM, CHECKSUM_BYTES, GROWTH, IS_ACCELERATOR, MAGIC, NESTS, Shown, VERSION, parts,
};
use crate::crc32c::Crc32c;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use prost::Message;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::model::capability::Capability;
use steplens_core::model::file::FileReport;
use steplens_core::{StringId, Trace};
use steplens_proto::sessions::{
    Categories, Devices, Files, Graph, Head, Nodes, OutputKinds, ReportKinds, Session, Threads,
};

/// The number of parts in the progress of the work.
const PARTS: u32 = 5;

/// Writes `trace`, read from `files`, as a session without a view.
pub fn write(trace: &Trace, files: &[FileReport]) -> Vec<u8> {
    write_shown(trace, files, &Shown::default())
}

/// Writes `trace`, read from `files`, as a session that shows again what was `shown` of it.
pub fn write_shown(trace: &Trace, files: &[FileReport], shown: &Shown) -> Vec<u8> {
    at_once(async |pace: &Pace| paced(trace, files, shown, pace).await)
}

/// Like `write_shown`, but in pieces, so that the caller can do other work between them.
pub async fn paced(trace: &Trace, files: &[FileReport], shown: &Shown, pace: &Pace) -> Vec<u8> {
    let nodes = trace.nodes();
    let split = |node| label::split(trace.text(nodes.label(node)), &mut Vec::new());
    let patterns: Vec<Option<String>> = nodes.ids().map(split).collect();
    let unit_ns = write_ops::record_unit(trace);
    pace.did(1, PARTS);
    let strings = strings(trace, files, &patterns, pace).await;
    let mut writer = Writer { trace, strings, out: session_of(shown) };
    writer.head(unit_ns);
    writer.devices();
    let suggested = writer.graph();
    super::attributes::write(&mut writer);
    writer.nodes(&patterns, &suggested);
    pace.did(2, PARTS);
    let kinds = writer.output_kinds(pace).await;
    let used = writer.report_kinds(pace).await;
    pace.did(3, PARTS);
    write_ops::write(&mut writer, unit_ns, &kinds, &used, pace).await;
    pace.did(4, PARTS);
    writer.files(files);
    parts::write(&mut writer);
    super::arguments::write(&mut writer);
    super::samples::write(&mut writer);
    writer.finish()
}

/// A session without tables.
fn session_of(shown: &Shown) -> Session {
    Session {
        version: u32::from(VERSION),
        writer: env!("CARGO_PKG_VERSION").into(),
        view: shown.view.clone().into(),
        communication: shown.communication.iter().map(|own| own.clone().into()).collect(),
        past: shown.past.clone().into(),
        ..Session::default()
    }
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
    super::arguments::add_strings(trace, &mut strings);
    super::samples::add_strings(trace, &mut strings);
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

/// Splits an input of a graph node into whether it is a control input, and the rest.
fn without_caret(input: &str) -> (bool, &str) {
    input.strip_prefix('^').map_or((false, input), |rest| (true, rest))
}

/// The likely words in the label of a node, by the row of its name: its op type and inputs.
type Suggested = HashMap<u64, Vec<u64>, FixedState>;

impl Writer<'_> {
    fn head(&mut self, unit_ns: i64) {
        let [mut first, mut unit, mut origin] = columns();
        let first_ns = self.trace.unix_ns(first_start(self.trace));
        first.signed(first_ns);
        unit.number(unit_ns as u64);
        origin.signed(self.trace.origin_unix_ns().wrapping_sub(first_ns));
        let period = self.trace.is_period().then(|| {
            let [mut period] = columns();
            period.number(self.trace.span().length().0 as u64);
            period
        });
        let peak = self.trace.peak_flops().map(|own| {
            let [mut peak] = columns();
            peak.number(own.0);
            peak
        });
        self.out.head = Some(Head {
            rows: 1,
            first_start: first.message(),
            record_unit: unit.message(),
            origin: origin.message(),
            period: period.and_then(Writing::message),
            peak_flops: peak.and_then(Writing::message),
        });
        self.out.strings = Some(self.strings.message());
    }

    fn devices(&mut self) {
        let trace = self.trace;
        let [mut names, mut counts, mut flags, mut capabilities] = columns();
        for device in trace.devices().ids().map(|id| trace.devices().get(id)) {
            names.number(self.row(device.name));
            counts.number(u64::from(device.op_count));
            let flag = |is_set, flag| if is_set { flag } else { 0 };
            flags.number(flag(device.nests, NESTS) | flag(device.is_accelerator, IS_ACCELERATOR));
            capabilities.number(device.capability.map_or(0, Capability::number));
        }
        let has_any = capabilities.values.iter().any(|&own| own > 0);
        self.out.devices = Some(Devices {
            rows: trace.devices().len() as u64,
            name: names.message(),
            ops: counts.message(),
            flags: flags.message(),
            capability: Some(capabilities).filter(|_| has_any).and_then(Writing::message),
        });
        let [mut devices, mut threads, mut names] = columns();
        for &(device, thread, name) in trace.threads() {
            devices.number(u64::from(device.get()));
            threads.number(u64::from(thread));
            names.number(self.row(name));
        }
        self.out.threads = Some(Threads {
            rows: trace.threads().len() as u64,
            device: devices.message(),
            thread: threads.message(),
            name: names.message(),
        });
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
        self.out.graph = Some(Graph {
            rows: graph.len() as u64,
            name: names.message(),
            op: ops.message(),
            device: devices.message(),
            input_count: counts.message(),
            flags: flags.message(),
            inputs: inputs.message(),
            tensor: tensors.message(),
            source: sources.message(),
            destination: destinations.message(),
        });
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
        self.out.nodes = Some(Nodes {
            rows: nodes.len() as u64,
            name: names.message(),
            label: labels.message(),
            codes: codes.message(),
            words: refs.message(),
        });
        let [mut categories, mut reasons] = columns();
        for node in nodes.ids() {
            let category = nodes.category(node);
            categories.number(CATEGORIES.iter().position(|&own| own == category).unwrap_or(0) as u64);
            reasons.number(self.row(nodes.reason(node)));
        }
        self.out.categories = Some(Categories {
            rows: nodes.len() as u64,
            category: categories.message(),
            reason: reasons.message(),
        });
    }

    /// Writes the values that outputs share, and returns the row of these values for each output.
    async fn output_kinds(&mut self, pace: &Pace) -> Vec<u32> {
        let trace = self.trace;
        let [mut slots, mut dtypes, mut allocators, mut requested, mut allocated, mut ranks, mut sizes] =
            columns();
        let mut distinct = HashMap::<_, u32, FixedState>::default();
        let mut kinds = Vec::with_capacity(trace.outputs().len());
        for (op, output) in
            trace.ops().ids().flat_map(|op| trace.outputs().of(op).map(move |output| (op, output)))
        {
            rest(op, pace).await;
            let allocator = output.allocator;
            let key =
                (output.slot, output.dtype, output.shape, allocator, output.requested, output.allocated);
            let next = distinct.len() as u32;
            let row = *distinct.entry(key).or_insert(next);
            if row == next {
                slots.signed(i64::from(output.slot));
                dtypes.number(u64::from(output.dtype));
                allocators.number(self.row(allocator));
                requested.number(output.requested.0);
                allocated.number(output.allocated.0);
                ranks.number(output.shape.map_or(0, |shape| shape.len() as u64 + 1));
                output.shape.unwrap_or_default().iter().for_each(|&size| sizes.signed(size));
            }
            kinds.push(row);
        }
        self.out.output_kinds = Some(OutputKinds {
            rows: distinct.len() as u64,
            slot: slots.message(),
            r#type: dtypes.message(),
            allocator: allocators.message(),
            requested: requested.message(),
            allocated: allocated.message(),
            rank: ranks.message(),
            sizes: sizes.message(),
        });
        kinds
    }

    /// Writes the values of allocator reports, and returns the row of these values for each report.
    async fn report_kinds(&mut self, pace: &Pace) -> Vec<u32> {
        let trace = self.trace;
        let [mut allocators, mut totals, mut peaks, mut lives] = columns();
        let mut distinct = HashMap::<_, u32, FixedState>::default();
        let mut kinds = Vec::new();
        let reports = |op| trace.memory().reports_of(op).map(move |(used, _)| (op, used));
        for (op, used) in trace.ops().ids().flat_map(reports) {
            rest(op, pace).await;
            let next = distinct.len() as u32;
            let row = *distinct.entry(used).or_insert(next);
            if row == next {
                allocators.number(self.row(used.allocator));
                totals.number(used.total.0);
                peaks.number(used.peak.0);
                lives.number(used.live.0);
            }
            kinds.push(row);
        }
        self.out.report_kinds = Some(ReportKinds {
            rows: distinct.len() as u64,
            allocator: allocators.message(),
            total: totals.message(),
            peak: peaks.message(),
            live: lives.message(),
        });
        kinds
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
        self.out.files = Some(Files {
            rows: files.len() as u64,
            name: names.message(),
            format: formats.message(),
            bytes: sizes.message(),
            ops: ops.message(),
            problem_count: problems.message(),
            code: codes.message(),
            count: counts.message(),
            offset: offsets.message(),
            detail: details.message(),
        });
    }

    /// The finished file, with zeros added so that it may look up as much text as it does.
    fn finish(mut self) -> Vec<u8> {
        let missing = (self.strings.looked_up / GROWTH + 1).saturating_sub(self.out.encoded_len() as u64);
        self.out.fill = vec![0; missing as usize].into();
        let start = MAGIC.len() + 1 + CHECKSUM_BYTES;
        let mut file = Vec::with_capacity(start + self.out.encoded_len());
        file.extend_from_slice(MAGIC);
        file.extend([self.out.version as u8, CHECKSUM, 0, 0, 0, 0]);
        // A vector has room for all of it.
        let _ = self.out.encode(&mut file);
        let checksum = Crc32c::of(&file[start..]).to_le_bytes();
        file[start - checksum.len()..start].copy_from_slice(&checksum);
        file
    }
}
