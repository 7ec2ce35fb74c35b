//! `NodeDef`: one node of a partition graph.

use crate::wire::{MAX_FIELDS, Message};
use bytes::Bytes;
use prost::Message as _;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::graph::{CollectiveRecord, GraphNodeRecord};
use steplens_proto::tensorflow::attr_value::Value;
use steplens_proto::tensorflow::{AttrValue, NodeDef};

/// Reads the message and adds the node to `builder`; `None` if it is damaged. Only the attributes with a rendezvous or the keys of a
/// collective are kept.
pub(super) fn read(message: Message<'_>, builder: &mut TraceBuilder) -> Option<()> {
    if message.fields().has_more_than(MAX_FIELDS, 0) {
        return None;
    }
    // The texts of the node are slices of one copy.
    let node = NodeDef::decode(Bytes::copy_from_slice(message.bytes())).ok()?;
    let inputs: Vec<&[u8]> = node.input.iter().map(|input| &**input).collect();
    let mut record = GraphNodeRecord {
        name: &node.name,
        op: &node.op,
        device: &node.device,
        ..GraphNodeRecord::default()
    };
    let (mut tensor, mut source, mut destination) = (None, None, None);
    let mut collective = CollectiveRecord::default();
    for attribute in &node.attr {
        let Some(AttrValue { value: Some(value) }) = &attribute.value else { continue };
        match (&*attribute.key, value) {
            (b"tensor_name", Value::S(text)) => tensor = Some(&**text),
            (b"send_device", Value::S(text)) => source = Some(&**text),
            (b"recv_device", Value::S(text)) => destination = Some(&**text),
            (b"tensor_type", Value::Type(dtype)) => record.dtype = u32::try_from(*dtype).unwrap_or(0),
            (b"T", Value::Type(dtype)) if record.dtype == 0 => {
                record.dtype = u32::try_from(*dtype).unwrap_or(0);
            }
            (b"group_key", Value::I(number)) => collective.group = *number,
            (b"instance_key", Value::I(number)) => collective.instance = *number,
            (b"shared_name", Value::S(name)) => collective.name = name,
            _ => {}
        }
    }
    record.inputs = &inputs;
    if let (Some(tensor), Some(source), Some(destination)) = (tensor, source, destination) {
        record.rendezvous = Some((tensor, source, destination));
    }
    // Variables and queues also have a shared name.
    let is_collective = record.op.starts_with(b"Collective") || record.op.starts_with(b"Nccl");
    record.collective = Some(collective).filter(|key| is_collective && *key != CollectiveRecord::default());
    builder.graph_node(&record);
    Some(())
}
