//! `NodeDef`: one node of a partition graph.

use crate::wire::{Damaged, Fields, Value};
use steplens_core::builder::TraceBuilder;
use steplens_core::graph::GraphNodeRecord;

/// Reads the message and adds the node to `builder`. Of the attributes only those of a rendezvous are kept.
pub(super) fn read(message: &[u8], builder: &mut TraceBuilder) -> Result<(), Damaged> {
    let mut record = GraphNodeRecord::default();
    let mut inputs = Vec::new();
    let (mut tensor, mut source, mut destination) = (None, None, None);
    let mut fields = Fields::of(message);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => record.name = bytes,
            (2, Value::Bytes(bytes)) => record.op = bytes,
            (3, Value::Bytes(bytes)) => inputs.push(bytes),
            (4, Value::Bytes(bytes)) => record.device = bytes,
            (5, Value::Bytes(entry)) => match read_text_attribute(entry)? {
                Some((b"tensor_name", text)) => tensor = Some(text),
                Some((b"send_device", text)) => source = Some(text),
                Some((b"recv_device", text)) => destination = Some(text),
                _ => {}
            },
            _ => {}
        }
    }
    record.inputs = &inputs;
    if let (Some(tensor), Some(source), Some(destination)) = (tensor, source, destination) {
        record.rendezvous = Some((tensor, source, destination));
    }
    builder.graph_node(&record);
    Ok(())
}

/// Key and text.
type Attribute<'a> = (&'a [u8], &'a [u8]);

/// The key and text of an entry of `NodeDef.attr` whose `AttrValue` is a string.
fn read_text_attribute(entry: &[u8]) -> Result<Option<Attribute<'_>>, Damaged> {
    let (mut key, mut attribute) = (&[][..], &[][..]);
    let mut fields = Fields::of(entry);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (1, Value::Bytes(bytes)) => key = bytes,
            (2, Value::Bytes(bytes)) => attribute = bytes,
            _ => {}
        }
    }
    if !matches!(key, b"tensor_name" | b"send_device" | b"recv_device") {
        return Ok(None);
    }
    let mut text = None;
    let mut fields = Fields::of(attribute);
    while let Some((field, value)) = fields.next()? {
        if let (2, Value::Bytes(bytes)) = (field, value) {
            text = Some((key, bytes));
        }
    }
    Ok(text)
}
