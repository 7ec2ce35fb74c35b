//! `NodeDef`: one node of a partition graph.

use crate::wire::{Message, Value as FieldValue};
use bytes::Bytes;
use prost::Message as _;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::graph::{CollectiveRecord, GraphNodeRecord};
use steplens_proto::fields::node_def;
use steplens_proto::tensorflow::AttrValue;
use steplens_proto::tensorflow::attr_value::Value;
use steplens_proto::tensorflow::node_def::AttrEntry;

/// Reads the message and adds the node to `builder`; `None` if it is damaged. Only the attributes with a rendezvous or the keys of a
/// collective are kept.
///
/// The cursor finds the fields, because a node may have a hundred thousand inputs, and prost decodes one attribute after the other.
pub(super) fn read(message: Message<'_>, builder: &mut TraceBuilder) -> Option<()> {
    let mut record = GraphNodeRecord::default();
    let mut inputs = Vec::new();
    let (mut tensor, mut source, mut destination) = (None, None, None);
    let (mut collective, mut shared_name) = (CollectiveRecord::default(), Bytes::new());
    let mut fields = message.fields();
    while let Some((field, value)) = fields.next().ok()? {
        let FieldValue::Bytes(bytes) = value else { continue };
        match field {
            node_def::NAME => record.name = bytes,
            node_def::OP => record.op = bytes,
            node_def::INPUT => inputs.push(bytes),
            node_def::DEVICE => record.device = bytes,
            node_def::ATTR => {
                let AttrEntry { key, value: Some(AttrValue { value: Some(value) }) } =
                    AttrEntry::decode(bytes).ok()?
                else {
                    continue;
                };
                match (&*key, value) {
                    (b"tensor_name", Value::S(text)) => tensor = Some(text),
                    (b"send_device", Value::S(text)) => source = Some(text),
                    (b"recv_device", Value::S(text)) => destination = Some(text),
                    (b"tensor_type", Value::Type(dtype)) => record.dtype = u32::try_from(dtype).unwrap_or(0),
                    (b"T", Value::Type(dtype)) if record.dtype == 0 => {
                        record.dtype = u32::try_from(dtype).unwrap_or(0);
                    }
                    (b"group_key", Value::I(number)) => collective.group = number,
                    (b"instance_key", Value::I(number)) => collective.instance = number,
                    (b"shared_name", Value::S(name)) => shared_name = name,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    collective.name = &shared_name;
    record.inputs = &inputs;
    if let (Some(tensor), Some(source), Some(destination)) = (&tensor, &source, &destination) {
        record.rendezvous = Some((tensor, source, destination));
    }
    // Variables and queues also have a shared name.
    let is_collective = record.op.starts_with(b"Collective") || record.op.starts_with(b"Nccl");
    record.collective = Some(collective).filter(|key| is_collective && *key != CollectiveRecord::default());
    builder.graph_node(&record);
    Some(())
}
