//! `NodeDef`: one node of a partition graph.

use crate::wire::{Damaged, Fields, Value};
use steplens_core::builder::TraceBuilder;
use steplens_core::graph::{CollectiveRecord, GraphNodeRecord};

/// Reads the message and adds the node to `builder`. Of the attributes only those are kept that say whom the node meets.
pub(super) fn read(message: &[u8], builder: &mut TraceBuilder) -> Result<(), Damaged> {
    let mut record = GraphNodeRecord::default();
    let mut inputs = Vec::new();
    let (mut tensor, mut source, mut destination) = (None, None, None);
    let mut collective = CollectiveRecord::default();
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => record.name = bytes,
            (2, Value::Bytes(bytes)) => record.op = bytes,
            (3, Value::Bytes(bytes)) => inputs.push(bytes),
            (4, Value::Bytes(bytes)) => record.device = bytes,
            (5, Value::Bytes(entry)) => match read_attribute(entry)? {
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
    // Variables and queues have a shared name, too.
    let is_collective = record.op.starts_with(b"Collective") || record.op.starts_with(b"Nccl");
    record.collective = Some(collective).filter(|key| is_collective && *key != CollectiveRecord::default());
    builder.graph_node(&record);
    Ok(())
}

/// An `AttrValue`, of which one is set.
#[derive(Default)]
struct Attribute<'a> {
    text: Option<&'a [u8]>,
    number: i64,
    dtype: u32,
}

/// The key and value of an entry of `NodeDef.attr`.
fn read_attribute(entry: &[u8]) -> Result<(&[u8], Attribute<'_>), Damaged> {
    let (mut key, mut value_of_key) = (&[][..], &[][..]);
    let mut fields = Fields::of(entry);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => key = bytes,
            (2, Value::Bytes(bytes)) => value_of_key = bytes,
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
            (2, Value::Bytes(bytes)) => attribute.text = Some(bytes),
            (3, Value::Varint(number)) => attribute.number = number as i64,
            (6, Value::Varint(dtype)) => attribute.dtype = u32::try_from(dtype).unwrap_or(0),
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
