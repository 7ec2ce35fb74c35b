//! `NodeDef`: one node of a partition graph, with the attributes that name the other end of a transfer.

use super::bytes;
use steplens_core::base::ids::GraphNodeId;
use steplens_core::model::graph::End;
use steplens_core::{StringId, Trace};
use steplens_proto::tensorflow::attr_value::Value;
use steplens_proto::tensorflow::node_def::AttrEntry;
use steplens_proto::tensorflow::{AttrValue, NodeDef};

/// The node of row `node`.
pub(super) fn message(trace: &Trace, node: u32) -> NodeDef {
    let (graph, node) = (trace.graph(), GraphNodeId::new(node));
    let text = |id: StringId| bytes(trace.text(id));
    let mut attributes = Vec::new();
    let mut attribute = |key: &'static str, value| {
        let value = Some(AttrValue { value: Some(value) });
        attributes.push(AttrEntry { key: key.into(), value });
    };
    if let Some(own) = graph.meeting(node) {
        attribute("recv_device", Value::S(text(own.destination)));
        attribute("send_device", Value::S(text(own.source)));
        attribute("tensor_name", Value::S(text(own.tensor)));
        let key = match own.end {
            End::Send => "T",
            End::Recv => "tensor_type",
        };
        if own.dtype != 0 {
            attribute(key, Value::Type(own.dtype.cast_signed()));
        }
    }
    if let Some(own) = graph.collective(node) {
        for (key, number) in [("group_key", own.group), ("instance_key", own.instance)] {
            if number != 0 {
                attribute(key, Value::I(number));
            }
        }
        if !trace.text(own.name).is_empty() {
            attribute("shared_name", Value::S(text(own.name)));
        }
    }
    NodeDef {
        name: text(graph.name(node)),
        op: text(graph.op(node)),
        input: graph.inputs(node).iter().map(|&input| text(input)).collect(),
        device: text(graph.device(node)),
        attr: attributes,
    }
}
