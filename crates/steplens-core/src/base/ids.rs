//! Ids: typed `u32` indices, one type per table, four bytes even when optional.

use std::num::NonZeroU32;

/// Defines an id type: a row number stored plus one, so that `Option<Id>` needs no extra space.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of row `index`. Rows from `u32::MAX - 1` on do not exist: tables stop growing before.
            #[inline]
            pub const fn new(index: u32) -> Self {
                match NonZeroU32::new(index.wrapping_add(1)) {
                    Some(raw) => Self(raw),
                    None => Self(NonZeroU32::MAX),
                }
            }

            /// The id of row `index` of a table with fewer than `u32::MAX` rows.
            #[inline]
            pub const fn from_usize(index: usize) -> Self {
                Self::new(index as u32)
            }

            /// The row number.
            #[inline]
            pub const fn get(self) -> u32 {
                self.0.get() - 1
            }

            /// The row number, to index a column with.
            #[inline]
            pub const fn index(self) -> usize {
                self.get() as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.get())
            }
        }
    };
}

id!(
    /// A string of the trace's [`StringTable`](crate::storage::strings::StringTable).
    StringId
);
id!(
    /// A device of the [`DeviceTable`](crate::model::device::DeviceTable), in natural order of task and name.
    DeviceId
);
id!(
    /// A node, the properties of ops that do not depend on time: a row of the [`NodeTable`](crate::model::node::NodeTable).
    NodeId
);
id!(
    /// One execution of a node: a row of the [`OpTable`](crate::model::op::OpTable), in order of device, start, end.
    OpId
);
id!(
    /// A row of the timeline; the lanes of a device are contiguous, in the order of the devices.
    LaneId
);
id!(
    /// A [`Part`](crate::model::part::Part) of what was opened, in the order of reading.
    PartId
);
id!(
    /// A node of a partition graph: a row of the [`Graph`](crate::model::graph::Graph).
    GraphNodeId
);
id!(
    /// A tensor that went from one device to another: a row of [`Transfers`](crate::transfers::Transfers).
    TransferId
);
id!(
    /// A counter: a row of the [`Counters`](crate::model::counters::Counters).
    CounterId
);
id!(
    /// An instant: a row of the [`Instants`](crate::model::instants::Instants).
    InstantId
);

impl PartId {
    /// The id of this row of a table that is appended to another, in which its first row is `first`.
    pub(crate) const fn after(self, first: Self) -> Self {
        Self::new(first.get().saturating_add(self.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_id_is_four_bytes() {
        assert_eq!(size_of::<Option<OpId>>(), 4);
        assert_eq!(OpId::new(0).get(), 0);
        assert_eq!(OpId::from_usize(7).index(), 7);
    }
}
