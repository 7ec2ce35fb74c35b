//! Chakra execution traces (MLCommons): what each task did and waited for, so that ASTRA-sim can replay what was measured.
//!
//! Each task has one file. The files are in the order of the tasks' names; the number of a file is its rank, which `comm_src` and
//! `comm_dst` use. In a file, the length of each message stands before the message: `GlobalMetadata` first, then a `Node` for each
//! op. The names and types of attributes are those that the feeder reads (`src/feeder/et_feeder_node.cpp` of `mlcommons/chakra`).
//! `docs/export.md` says how each thing is exported.

use crate::archive::Archive;
use crate::buffer;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use prost::Message;
use std::io;
use steplens_core::base::natural;
use steplens_core::base::order;
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::makers::Source;
use steplens_core::model::device::DeviceKind;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::{Category, DeviceId, OpId, StringId, Study, Timestamp, TransferId};
use steplens_proto::chakra::attribute_proto::Value;
use steplens_proto::chakra::{AttributeProto, GlobalMetadata, Node, NodeType};

/// The version of the schema of the nodes.
const VERSION: &str = "0.0.4";

/// How many nodes were written, and how many inputs were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChakraCounts {
    /// Nodes of all files.
    pub nodes: u64,
    /// Inputs that were left out because their maker began after their reader, by the current clocks. Without them, no file has a
    /// cycle.
    pub backwards: u64,
}

/// Writes a file for each task.
pub fn write(study: &Study, out: &mut dyn Archive) -> io::Result<ChakraCounts> {
    at_once(async |pace: &Pace| paced(study, out, pace).await)
}

/// Like [`write`], but in pieces, so that the caller can do other work in between.
pub async fn paced(study: &Study, out: &mut dyn Archive, pace: &Pace) -> io::Result<ChakraCounts> {
    let ranks = Ranks::of(study);
    let rows = RowsOfRanks::of(study, &ranks);
    let mut writer = Writer {
        study,
        ranks,
        rows,
        counts: ChakraCounts::default(),
        held: Vec::new(),
        progress: Progress::new(pace, 0, study.trace().ops().len()),
    };
    for rank in 0..writer.ranks.names.len() as u32 {
        out.begin_file(&format!("steplens.{rank}.et"))?;
        writer.metadata(rank)?;
        writer.task(rank, out).await?;
    }
    Ok(writer.counts)
}

/// How many files the export has.
pub(crate) fn files(study: &Study) -> usize {
    Ranks::of(study).names.len()
}

/// The ranks of the tasks. A device that belongs to no task counts as a task.
struct Ranks {
    names: Vec<StringId>,
    /// By device: the rank of its task. `None` for GPU streams, whose ops another device holds too.
    of_device: Vec<Option<u32>>,
    of_name: HashMap<StringId, u32, FixedState>,
}

impl Ranks {
    fn of(study: &Study) -> Self {
        let trace = study.trace();
        let own = |device: DeviceId| {
            let row = trace.devices().get(device);
            let is_stream =
                matches!(row.kind, DeviceKind::Stream | DeviceKind::StreamAll | DeviceKind::Memcpy);
            (!is_stream).then_some(row.task.unwrap_or(row.name))
        };
        let mut names: Vec<StringId> = trace.devices().ids().filter_map(own).collect();
        names.sort_by(|&a, &b| natural::compare(trace.text(a), trace.text(b)));
        names.dedup();
        let of_name: HashMap<_, _, FixedState> = names.iter().copied().zip(0..).collect();
        let of_device = trace.devices().ids().map(|device| of_name.get(&own(device)?).copied()).collect();
        Self { names, of_device, of_name }
    }

    /// The transfer, if it goes from one task to another.
    fn between_tasks(&self, study: &Study, id: TransferId) -> Option<Sent> {
        let transfer = study.transfers().get(id);
        let from = self.of_end(study, transfer.source)?;
        let to = self.of_end(study, transfer.destination)?;
        (from != to).then_some(Sent { id, from, to, bytes: transfer.bytes.0 })
    }

    /// The rank of a device that a transfer names.
    fn of_end(&self, study: &Study, name: StringId) -> Option<u32> {
        let trace = study.trace();
        match trace.devices().by_name(name) {
            Some(device) => self.of_device.get(device.index()).copied().flatten(),
            None => {
                let task = steplens_core::model::device::task_of(trace.text(name))?;
                self.of_name.get(&trace.strings().find(task)?).copied()
            }
        }
    }
}

/// A transfer between two tasks of the trace.
#[derive(Clone, Copy)]
struct Sent {
    id: TransferId,
    from: u32,
    to: u32,
    bytes: u64,
}

/// Which devices and transfers the file of each rank has, so that no file looks through those of all.
struct RowsOfRanks {
    devices: Grouped<DeviceId>,
    transfers: Grouped<TransferId>,
}

impl RowsOfRanks {
    fn of(study: &Study, ranks: &Ranks) -> Self {
        let devices = study.trace().devices().ids();
        let device = |id: DeviceId| Some((ranks.of_device[id.index()]?, id));
        let transfers = study.transfers().all();
        let ends = transfers.filter_map(|(id, _)| ranks.between_tasks(study, id));
        let rows = ends.flat_map(|sent| [(sent.from, sent.id), (sent.to, sent.id)]);
        Self {
            devices: Grouped::new(ranks.names.len(), devices.filter_map(device).collect()),
            transfers: Grouped::new(ranks.names.len(), rows.collect()),
        }
    }
}

/// Rows by rank, those of a rank in their order.
struct Grouped<T> {
    rows: Vec<(u32, T)>,
    /// Where the rows of each rank begin, and where those of the last one end.
    starts: Vec<usize>,
}

impl<T> Grouped<T> {
    fn new(ranks: usize, mut rows: Vec<(u32, T)>) -> Self {
        rows.sort_by_key(|(rank, _)| *rank);
        let starts = (0..=ranks).map(|rank| rows.partition_point(|row| (row.0 as usize) < rank)).collect();
        Self { rows, starts }
    }

    fn of(&self, rank: u32) -> impl Iterator<Item = &T> {
        self.rows[self.starts[rank as usize]..self.starts[rank as usize + 1]].iter().map(|(_, row)| row)
    }
}

struct Writer<'a> {
    study: &'a Study,
    ranks: Ranks,
    rows: RowsOfRanks,
    counts: ChakraCounts,
    /// Messages that wait for the sink.
    held: Vec<u8>,
    progress: Progress<'a>,
}

impl Writer<'_> {
    fn metadata(&mut self, rank: u32) -> io::Result<()> {
        let task = self.study.trace().text(self.ranks.names[rank as usize]);
        let attr = vec![attribute("task", Value::StringVal(task.to_owned()))];
        self.add(&GlobalMetadata { version: VERSION.to_owned(), attr })
    }

    /// Adds a message, with its length before it.
    fn add(&mut self, message: &impl Message) -> io::Result<()> {
        Ok(message.encode_length_delimited(&mut self.held)?)
    }

    async fn task(&mut self, rank: u32, out: &mut dyn Archive) -> io::Result<()> {
        let study = self.study;
        let devices: Vec<_> = self.rows.devices.of(rank).copied().collect();
        for device in devices {
            for op in study.trace().ops_of(device) {
                if study.trace().category(op) != Category::Range {
                    let node = self.op(op, device);
                    self.add(&node)?;
                    buffer::hand_over(&mut self.held, out)?;
                }
                self.progress.row().await;
            }
        }
        let transfers: Vec<_> = self.rows.transfers.of(rank).copied().collect();
        for id in transfers {
            self.progress.other_row().await;
            let transfer = study.transfers().get(id);
            let Some(sent) = self.between_tasks(id) else { continue };
            if sent.from == rank {
                let node = self.send(sent, transfer.producer.ok());
                self.add(&node)?;
            }
            if sent.to == rank && transfer.op.is_none() {
                let node = self.receive(sent, self.silent_id(id), None);
                self.add(&node)?;
            }
            buffer::hand_over(&mut self.held, out)?;
        }
        buffer::flush(&mut self.held, out)
    }

    /// The node of an op: a receive if it recorded a transfer between tasks, a collective if it is one, otherwise a
    /// computation.
    fn op(&mut self, op: OpId, device: DeviceId) -> Node {
        let trace = self.study.trace();
        let received = self.study.transfers().id_of_op(op).and_then(|id| self.between_tasks(id));
        if let Some(sent) = received {
            return self.receive(sent, u64::from(op.get()), Some(op));
        }
        let op_type = trace.text(trace.nodes().op_type(trace.ops().node(op)));
        let collective = collective(op_type).filter(|_| trace.category(op) == Category::Communication);
        let kind = if collective.is_some() { NodeType::CommCollNode } else { NodeType::CompNode };
        let is_cpu = !matches!(trace.devices().get(device).kind, DeviceKind::Gpu | DeviceKind::Tpu);
        let bytes = op_bytes(trace, op).0;
        let mut attr = vec![attribute("is_cpu_op", Value::BoolVal(is_cpu && collective.is_none()))];
        match collective {
            Some(kind) => {
                attr.push(attribute("comm_type", Value::Int64Val(kind)));
                attr.push(attribute("comm_size", size(bytes)));
            }
            None => {
                // Only the duration was measured; the number of arithmetic operations is not known.
                attr.push(attribute("num_ops", Value::Int64Val(0)));
                attr.push(attribute("tensor_size", Value::Uint64Val(bytes)));
            }
        }
        let [ctrl_deps, data_deps] = self.dependencies(op);
        Node {
            ctrl_deps,
            data_deps,
            attr,
            ..self.node(u64::from(op.get()), trace.op_name(op), kind, Some(op))
        }
    }

    fn send(&mut self, sent: Sent, producer: Option<OpId>) -> Node {
        let id = self.send_id(sent.id);
        let tensor = self.study.transfers().get(sent.id).tensor;
        let producer = producer.filter(|&producer| self.is_written(producer));
        Node {
            data_deps: producer.map(|producer| u64::from(producer.get())).into_iter().collect(),
            attr: ends(sent),
            ..self.node(id, self.study.trace().text(tensor), NodeType::CommSendNode, None)
        }
    }

    fn receive(&mut self, sent: Sent, id: u64, op: Option<OpId>) -> Node {
        let tensor = self.study.transfers().get(sent.id).tensor;
        let name = self.study.trace().text(tensor);
        Node { attr: ends(sent), ..self.node(id, name, NodeType::CommRecvNode, op) }
    }

    /// The makers of the op's inputs, each once: of control inputs, and of all.
    fn dependencies(&mut self, op: OpId) -> [Vec<u64>; 2] {
        let edges = self.study.edges();
        let ops = self.study.trace().ops();
        let (mut data, mut control) = (Vec::new(), Vec::new());
        for edge in edges.inputs(op, usize::MAX) {
            let maker = match edge.source {
                Source::Op(maker) => Some(maker),
                Source::Transfer(id) => {
                    let transfer = self.study.transfers().get(id);
                    if transfer.op.is_none() && self.between_tasks(id).is_some() {
                        data.push(self.silent_id(id));
                        None
                    } else {
                        transfer.op.or(transfer.producer.ok())
                    }
                }
                Source::NotTaken | Source::NotRecorded => None,
            };
            let Some(maker) = maker.filter(|&maker| self.is_of_rank_of(maker, op)) else { continue };
            if (ops.start(maker), maker) >= (ops.start(op), op) {
                self.counts.backwards += 1;
                continue;
            }
            data.push(u64::from(maker.get()));
            control.extend(edge.input.control.then_some(u64::from(maker.get())));
        }
        [control, data].map(|mut list| {
            order::by_number(&mut list, |id| (id as i64, 0));
            list.dedup();
            list
        })
    }

    /// Whether both ops are nodes of the same file.
    fn is_of_rank_of(&self, maker: OpId, op: OpId) -> bool {
        let rank = |op| self.ranks.of_device[self.study.trace().device_of(op).index()];
        self.is_written(maker) && rank(maker) == rank(op)
    }

    fn is_written(&self, op: OpId) -> bool {
        let trace = self.study.trace();
        trace.category(op) != Category::Range && self.ranks.of_device[trace.device_of(op).index()].is_some()
    }

    fn between_tasks(&self, id: TransferId) -> Option<Sent> {
        self.ranks.between_tasks(self.study, id)
    }

    /// The node id of a send. Nodes that are not ops have ids after those of all ops.
    fn send_id(&self, id: TransferId) -> u64 {
        self.study.trace().ops().len() as u64 + u64::from(id.get())
    }

    fn silent_id(&self, id: TransferId) -> u64 {
        self.send_id(id) + self.study.transfers().rows().len() as u64
    }

    /// A node without dependencies and attributes.
    fn node(&mut self, id: u64, name: &str, kind: NodeType, op: Option<OpId>) -> Node {
        self.counts.nodes += 1;
        let own = op.map(|op| self.study.trace().ops().interval(op));
        let micros = |at: Timestamp| u64::try_from(at.0.div_euclid(1_000)).unwrap_or(0);
        Node {
            id,
            name: name.to_owned(),
            r#type: kind.into(),
            start_time_micros: own.map_or(0, |own| micros(own.start)),
            // Both ends are cut to whole microseconds before they are subtracted, so that the rounding does not add up over ops.
            duration_micros: own.map_or(0, |own| micros(own.end).saturating_sub(micros(own.start))),
            ..Node::default()
        }
    }
}

/// The `CollectiveCommType` for an op type, found by its name.
fn collective(op_type: &str) -> Option<i64> {
    let name: String =
        op_type.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    // Longer names come first, because some of them contain a shorter one.
    let kinds = [
        ("reducescatter", 7),
        ("allgather", 2),
        ("alltoall", 6),
        ("broadcast", 5),
        ("bcast", 5),
        ("allreduce", 0),
        ("collectivereduce", 0),
        ("collectivegather", 2),
        ("barrier", 9),
    ];
    kinds.into_iter().find(|(part, _)| name.contains(part)).map(|(_, kind)| kind)
}

fn ends(sent: Sent) -> Vec<AttributeProto> {
    let number = |number: u32| Value::Int32Val(number.cast_signed());
    vec![
        attribute("is_cpu_op", Value::BoolVal(false)),
        attribute("comm_size", size(sent.bytes)),
        attribute("comm_src", number(sent.from)),
        attribute("comm_dst", number(sent.to)),
        attribute("comm_tag", number(sent.id.get())),
    ]
}

fn size(bytes: u64) -> Value {
    Value::Int64Val(i64::try_from(bytes).unwrap_or(i64::MAX))
}

fn attribute(name: &str, value: Value) -> AttributeProto {
    AttributeProto { name: name.to_owned(), value: Some(value) }
}

#[cfg(test)]
mod tests {
    use super::collective;

    #[test]
    fn collectives_are_known_by_name() {
        let kinds =
            ["CollectiveReduceV2", "HorovodAllgather", "NcclAllReduce", "ReduceScatter", "RecvTensor"];
        assert_eq!(kinds.map(collective), [Some(0), Some(2), Some(0), Some(7), None]);
    }
}
