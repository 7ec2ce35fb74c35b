//! `NodeDef`: one node of a partition graph, with the attributes that name the other end of a transfer.

use steplens_core::Trace;
use steplens_core::base::ids::GraphNodeId;
use steplens_core::model::graph::End;
use steplens_wire::Message;
use steplens_wire::tensorflow::{attr_value, entry, node_def};

/// Writes the node of row `node`.
pub(super) fn write(trace: &Trace, node: u32, out: &mut Message) {
    let (graph, node) = (trace.graph(), GraphNodeId::new(node));
    out.some_text(node_def::NAME, trace.text(graph.name(node)));
    out.some_text(node_def::OP, trace.text(graph.op(node)));
    for &input in graph.inputs(node) {
        out.text(node_def::INPUT, trace.text(input));
    }
    out.some_text(node_def::DEVICE, trace.text(graph.device(node)));
    if let Some(own) = graph.meeting(node) {
        for (key, text) in
            [("recv_device", own.destination), ("send_device", own.source), ("tensor_name", own.tensor)]
        {
            attribute(out, key, |value| value.text(attr_value::S, trace.text(text)));
        }
        let key = match own.end {
            End::Send => "T",
            End::Recv => "tensor_type",
        };
        if own.dtype != 0 {
            attribute(out, key, |value| value.number(attr_value::TYPE, own.dtype.into()));
        }
    }
    if let Some(own) = graph.collective(node) {
        for (key, number) in [("group_key", own.group), ("instance_key", own.instance)] {
            if number != 0 {
                attribute(out, key, |value| value.signed(attr_value::I, number));
            }
        }
        let name = trace.text(own.name);
        if !name.is_empty() {
            attribute(out, "shared_name", |value| value.text(attr_value::S, name));
        }
    }
}

fn attribute(out: &mut Message, key: &str, fill: impl FnOnce(&mut Message)) {
    out.message(node_def::ATTR, |out| {
        out.text(entry::KEY, key);
        out.message(entry::VALUE, fill);
    });
}
