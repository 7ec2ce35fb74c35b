//! The keys by which participants of collectives belong together, where graphs have them: `group_key` and `instance_key` of
//! `Collective*` nodes, `shared_name` of `Nccl*` nodes. Nodes with the same key belong together even if their names differ, as the
//! sender and receivers of a broadcast do.

use crate::base::ids::NodeId;
use crate::base::order;
use crate::model::graph::Collective;
use crate::{DeviceId, StringId, Trace};

/// Classes of nodes by their keys.
pub(crate) struct Keys {
    /// (name, device) of the node as one number, and its class; sorted.
    class_of: Vec<(i64, u32)>,
}

impl Keys {
    /// Reads the keys in the graphs of `trace`.
    pub(crate) fn read(trace: &Trace) -> Self {
        let graph = trace.graph();
        let mut found: Vec<(Collective, i64)> = graph
            .ids()
            .filter_map(|node| Some((graph.collective(node)?, node_on(graph.name(node), graph.device(node)))))
            // A key of zeros or without a name is no key.
            .filter(|(key, _)| key.instance != 0 || !trace.text(key.name).is_empty())
            .collect();
        order::by_number(&mut found, |(key, _)| (i64::from(key.name.get()), 0));
        order::by_number(&mut found, |(key, _)| (key.group, key.instance));
        let mut class_of = Vec::with_capacity(found.len());
        for (class, members) in found.chunk_by(|a, b| a.0 == b.0).enumerate() {
            class_of.extend(members.iter().map(|&(_, node)| (node, class as u32)));
        }
        order::by_number(&mut class_of, |(node, class)| (node, i64::from(class)));
        Self { class_of }
    }

    /// The class of `node` on `device`.
    pub(crate) fn class(&self, trace: &Trace, node: NodeId, device: DeviceId) -> Option<u32> {
        let wanted = node_on(trace.nodes().name(node), trace.devices().get(device).name);
        let place = self.class_of.binary_search_by_key(&wanted, |&(node, _)| node).ok()?;
        Some(self.class_of[place].1)
    }

    /// An upper bound for the number of classes.
    pub(crate) fn len(&self) -> usize {
        self.class_of.len()
    }
}

fn node_on(name: StringId, device: StringId) -> i64 {
    i64::from(name.get()) << 32 | i64::from(device.get())
}

#[cfg(test)]
mod tests {
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::collectives::Collectives;
    use crate::model::graph::{CollectiveRecord, GraphNodeRecord};
    use crate::model::op::OpTimes;
    use crate::{Nanos, Study};

    /// A broadcast from `a` to `b` and `c`, whose nodes have different names and types. `instances` are their keys.
    fn broadcast(instances: [i64; 3]) -> Collectives {
        let mut builder = TraceBuilder::default();
        let nodes = [
            ("a", "CollectiveBcastSend", 100),
            ("b", "CollectiveBcastRecv", 40),
            ("c", "CollectiveBcastRecv", 70),
        ];
        for ((device, op, start), instance) in nodes.into_iter().zip(instances) {
            let device = format!("/job:{device}/replica:0/task:0/device:CPU:0");
            let name = format!("of_{}", &device[5..6]);
            let collective = Some(CollectiveRecord { group: 1, instance, name: b"" });
            let (name, device) = (name.as_bytes(), device.as_bytes());
            builder.graph_node(&GraphNodeRecord {
                name,
                op: op.as_bytes(),
                device,
                collective,
                ..Default::default()
            });
            let slot = builder.begin_device();
            builder.name_device(slot, device);
            let times = OpTimes { start_unix_ns: start, length_ns: 200 - start, ..OpTimes::default() };
            let label = format!("{} = {op}()", String::from_utf8_lossy(name));
            builder.op(slot, &OpRecord { name, label: label.as_bytes(), times }).unwrap();
        }
        let study = Study::new(builder.finish(&Default::default()));
        study.collectives()
    }

    #[test]
    fn one_key_is_one_collective_whatever_the_names() {
        let found = broadcast([7, 7, 7]);
        assert_eq!(found.rows.len(), 1);
        assert_eq!(found.rows[0].last.map(|(_, late)| late), Some(Nanos(30)));
        let waiting: Vec<_> = found.participants.iter().map(|own| own.waiting).collect();
        assert_eq!(waiting, [Some(Nanos(0)), Some(Nanos(60)), Some(Nanos(30))]);
    }

    #[test]
    fn other_keys_are_other_collectives() {
        assert_eq!(broadcast([7, 7, 8]).rows.len(), 2);
    }
}
