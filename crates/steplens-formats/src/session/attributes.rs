//! Attributes of graph nodes in addition to name, inputs and rendezvous: the type of a tensor, and the keys of a collective.

use super::Damage;
use super::codec::Column;
use super::reader::{Reader, all_read};
use super::writer::{Writer, columns};
use steplens_core::model::graph::CollectiveRecord;
use steplens_proto::sessions::GraphAttributes;

const HAS_TYPE: u64 = 1;
const IS_COLLECTIVE: u64 = 2;

/// Writes the section, if any node has an attribute.
pub(super) fn write(writer: &mut Writer<'_>) {
    let graph = writer.trace.graph();
    let [mut nodes, mut flags, mut types, mut groups, mut instances, mut names] = columns();
    let mut rows = 0;
    for node in graph.ids() {
        let dtype = graph.meeting(node).map_or(0, |meeting| meeting.dtype);
        let collective = graph.collective(node);
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let own = flag(dtype != 0, HAS_TYPE) | flag(collective.is_some(), IS_COLLECTIVE);
        if own == 0 {
            continue;
        }
        rows += 1;
        nodes.delta(i64::from(node.get()));
        flags.number(own);
        if dtype != 0 {
            types.number(u64::from(dtype));
        }
        if let Some(collective) = collective {
            groups.signed(collective.group);
            instances.signed(collective.instance);
            names.number(writer.row(collective.name));
        }
    }
    if rows > 0 {
        writer.out.graph_attributes = Some(GraphAttributes {
            rows,
            node: nodes.message(),
            flags: flags.message(),
            r#type: types.message(),
            group: groups.message(),
            instance: instances.message(),
            name: names.message(),
        });
    }
}

/// The section while it is read together with the nodes.
pub(super) struct Attributes<'c> {
    columns: [Column<'c>; 6],
    rows: usize,
    next: Option<usize>,
}

/// The type and the collective of a node.
pub(super) type Said<'a> = (u32, Option<CollectiveRecord<'a>>);

impl<'c> Attributes<'c> {
    /// The section of the session of `reader`, which has `nodes` graph nodes.
    pub(super) fn of(
        section: &'c GraphAttributes,
        reader: &Reader<'_, '_>,
        nodes: usize,
    ) -> Result<Self, Damage> {
        let GraphAttributes { rows, node, flags, r#type, group, instance, name } = section;
        let columns = [node, flags, r#type, group, instance, name];
        let (rows, columns) = reader.tables.read(*rows, columns)?;
        let mut attributes = Self { columns, rows, next: None };
        attributes.step(nodes)?;
        Ok(attributes)
    }

    fn step(&mut self, nodes: usize) -> Result<(), Damage> {
        self.next = match self.rows {
            0 => None,
            _ => Some(self.columns[0].delta_row(nodes)?),
        };
        self.rows = self.rows.saturating_sub(1);
        Ok(())
    }

    /// The attributes of `node`, one of `nodes`. Must be called for the nodes in order.
    pub(super) fn of_node<'a>(
        &mut self,
        reader: &mut Reader<'a, '_>,
        node: usize,
        nodes: usize,
    ) -> Result<Said<'a>, Damage> {
        let mut said = (0, None);
        if self.next != Some(node) {
            return Ok(said);
        }
        let [_, flags, types, groups, instances, names] = &mut self.columns;
        let own = flags.number()?;
        if own & HAS_TYPE != 0 {
            said.0 = types.narrow()?;
        }
        if own & IS_COLLECTIVE != 0 {
            let (group, instance) = (groups.signed()?, instances.signed()?);
            said.1 = Some(CollectiveRecord { group, instance, name: reader.text(names)? });
        }
        self.step(nodes)?;
        Ok(said)
    }

    /// Checks that all of the section was read.
    pub(super) fn end(self) -> Result<(), Damage> {
        all_read(self.columns)
    }
}
