//! `NodeDef`: one node of a partition graph.

use crate::wire::{Damaged, Fields, Message, Value};
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::graph::{CollectiveRecord, GraphNodeRecord};
use steplens_proto::fields::{attr_value, entry, node_def};

/// Reads the message and adds the node to `builder`. Only the attributes with a rendezvous or the keys of a collective are kept.
pub(super) fn read(message: Message<'_>, builder: &mut TraceBuilder) -> Result<(), Damaged> {
    let mut record = GraphNodeRecord::default();
    let mut inputs = Vec::new();
    let (mut tensor, mut source, mut destination) = (None, None, None);
    let mut collective = CollectiveRecord::default();
    let mut fields = message.fields();
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (node_def::NAME, Value::Bytes(bytes)) => record.name = bytes,
            (node_def::OP, Value::Bytes(bytes)) => record.op = bytes,
            (node_def::INPUT, Value::Bytes(bytes)) => inputs.push(bytes),
            (node_def::DEVICE, Value::Bytes(bytes)) => record.device = bytes,
            (node_def::ATTR, Value::Bytes(entry)) => match read_attribute(fields.of_value(entry))? {
                (b"tensor_name", Attribute { text, .. }) => tensor = text,
                (b"send_device", Attribute { text, .. }) => source = text,
                (b"recv_device", Attribute { text, .. }) => destination = text,
                (b"tensor_type", Attribute { dtype, .. }) => record.dtype = dtype,
                (b"T", Attribute { dtype, .. }) if record.dtype == 0 => record.dtype = dtype,
                (b"group_key", Attribute { number, .. }) => collective.group = number,
                (b"instance_key", Attribute { number, .. }) => collective.instance = number,
                (b"shared_name", Attribute { text: Some(name), .. }) => collective.name = name,
                _ => {}
            },
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
    Ok(())
}

/// An `AttrValue`, of which one field is set.
#[derive(Default)]
struct Attribute<'a> {
    text: Option<&'a [u8]>,
    number: i64,
    dtype: u32,
}

/// The key and value of an entry of `NodeDef.attr`.
fn read_attribute(mut fields: Fields<'_>) -> Result<(&[u8], Attribute<'_>), Damaged> {
    let (mut key, mut value_of_key) = (&[][..], &[][..]);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (entry::KEY, Value::Bytes(bytes)) => key = bytes,
            (entry::VALUE, Value::Bytes(bytes)) => value_of_key = bytes,
            _ => {}
        }
    }
    let mut attribute = Attribute::default();
    if !KEPT.contains(&key) {
        return Ok((key, attribute));
    }
    let mut fields = Fields::of(value_of_key);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (attr_value::S, Value::Bytes(bytes)) => attribute.text = Some(bytes),
            (attr_value::I, Value::Varint(number)) => attribute.number = number as i64,
            (attr_value::TYPE, Value::Varint(dtype)) => attribute.dtype = u32::try_from(dtype).unwrap_or(0),
            _ => {}
        }
    }
    Ok((key, attribute))
}

/// The attributes that are read.
const KEPT: [&[u8]; 8] = [
    b"tensor_name",
    b"send_device",
    b"recv_device",
    b"tensor_type",
    b"T",
    b"group_key",
    b"instance_key",
    b"shared_name",
];
