//! Field numbers of `proto/perfetto/trace.proto`, by message.

pub(super) mod trace {
    pub(in super::super) const PACKET: u32 = 1;
}

pub(super) mod packet {
    pub(in super::super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(in super::super) const TIMESTAMP: u32 = 8;
    pub(in super::super) const SEQUENCE: u32 = 10;
    pub(in super::super) const TRACK_EVENT: u32 = 11;
    pub(in super::super) const INTERNED_DATA: u32 = 12;
    pub(in super::super) const SEQUENCE_FLAGS: u32 = 13;
    pub(in super::super) const TRACK_DESCRIPTOR: u32 = 60;
}

pub(super) mod clocks {
    pub(in super::super) const CLOCK: u32 = 1;
    pub(in super::super) const CLOCK_ID: u32 = 1;
    pub(in super::super) const TIMESTAMP: u32 = 2;
}

pub(super) mod track {
    pub(in super::super) const UUID: u32 = 1;
    pub(in super::super) const NAME: u32 = 2;
    pub(in super::super) const PROCESS: u32 = 3;
    pub(in super::super) const PARENT_UUID: u32 = 5;
    pub(in super::super) const COUNTER: u32 = 8;
    pub(in super::super) const CHILD_ORDERING: u32 = 11;
    pub(in super::super) const SIBLING_ORDER_RANK: u32 = 12;
    pub(in super::super) const SIBLING_MERGE_BEHAVIOR: u32 = 15;
}

pub(super) mod process {
    pub(in super::super) const PID: u32 = 1;
    pub(in super::super) const PROCESS_NAME: u32 = 6;
}

pub(super) mod counter {
    pub(in super::super) const UNIT: u32 = 3;
    pub(in super::super) const UNIT_NAME: u32 = 6;
}

pub(super) mod event {
    pub(in super::super) const CATEGORY_IIDS: u32 = 3;
    pub(in super::super) const DEBUG_ANNOTATIONS: u32 = 4;
    pub(in super::super) const TYPE: u32 = 9;
    pub(in super::super) const NAME_IID: u32 = 10;
    pub(in super::super) const TRACK_UUID: u32 = 11;
    pub(in super::super) const COUNTER_VALUE: u32 = 30;
    pub(in super::super) const FLOW_IDS_OLD: u32 = 36;
    pub(in super::super) const TERMINATING_FLOW_IDS_OLD: u32 = 42;
    pub(in super::super) const FLOW_IDS: u32 = 47;
    pub(in super::super) const TERMINATING_FLOW_IDS: u32 = 48;
}

pub(super) mod annotation {
    pub(in super::super) const NAME_IID: u32 = 1;
    pub(in super::super) const INT_VALUE: u32 = 4;
    pub(in super::super) const STRING_VALUE: u32 = 6;
}

pub(super) mod interned {
    pub(in super::super) const EVENT_CATEGORIES: u32 = 1;
    pub(in super::super) const EVENT_NAMES: u32 = 2;
    pub(in super::super) const DEBUG_ANNOTATION_NAMES: u32 = 3;
    pub(in super::super) const IID: u32 = 1;
    pub(in super::super) const NAME: u32 = 2;
}
