//! The packets of one sequence. A packet also carries the names that are used for the first time.

use crate::buffer;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use prost::Message;
use std::io::{self, Write};
use steplens_core::{Study, Timestamp};
use steplens_proto::perfetto::clock_snapshot::Clock;
use steplens_proto::perfetto::{
    ClockSnapshot, InternedData, InternedName, Trace, TracePacket, TrackDescriptor, TrackEvent,
};

/// The id of the only sequence. It may be any number except 0.
const SEQUENCE: u32 = 1;
/// Everything interned before is void. Only the first packet has this flag.
const CLEARED: u32 = 1;
/// The packet needs the interned names.
const NEEDED: u32 = 2;

/// Ids of the clocks in a clock snapshot.
const REAL_TIME: u32 = 1;
const BOOT_TIME: u32 = 6;

/// The kinds of interned names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interned {
    Category,
    Name,
    Annotation,
}

pub(super) struct Packets<'a, 'o> {
    out: &'o mut dyn Write,
    buffer: Vec<u8>,
    /// Has each packet while it is encoded: traces merge when they follow one another.
    trace: Trace,
    /// By kind, the number of each name.
    names: [HashMap<&'a str, u64, FixedState>; 3],
    /// New names, which the next packet will carry.
    new: Option<InternedData>,
    is_first: bool,
    /// The zero of all times in packets, because packets cannot hold negative times.
    zero: Timestamp,
}

impl<'a, 'o> Packets<'a, 'o> {
    pub(super) fn new(study: &'a Study, out: &'o mut dyn Write) -> io::Result<Self> {
        let trace = study.trace();
        let first = trace.devices().ids().filter_map(|device| trace.ops_of(device).next());
        let first = first.map(|op| trace.ops().start(op)).min().unwrap_or_default();
        let instants = trace.instants().all().iter().map(|own| own.at);
        let counters = trace.counters();
        let of_counters = counters.ids().filter_map(|counter| counters.points(counter).next());
        let first = instants.chain(of_counters.map(|(at, _)| at)).min().map_or(first, |at| at.min(first));
        let mut packets = Self {
            out,
            buffer: Vec::new(),
            trace: Trace::default(),
            names: Default::default(),
            new: None,
            is_first: true,
            zero: first.min(Timestamp(0)),
        };
        // The time of `zero` since 1970.
        if let Ok(unix_ns) = u64::try_from(trace.unix_ns(packets.zero)) {
            let clocks = [(BOOT_TIME, 0), (REAL_TIME, unix_ns)]
                .map(|(clock, at)| Clock { clock_id: Some(clock), timestamp: Some(at) });
            packets.add(TracePacket {
                clock_snapshot: Some(ClockSnapshot { clocks: clocks.into() }),
                timestamp: Some(0),
                ..TracePacket::default()
            })?;
        }
        Ok(packets)
    }

    /// Returns the id of a name. A new name is written with the next event.
    pub(super) fn intern(&mut self, kind: Interned, name: &'a str) -> u64 {
        let names = &mut self.names[kind as usize];
        if let Some(&number) = names.get(name) {
            return number;
        }
        let number = names.len() as u64 + 1;
        names.insert(name, number);
        let new = self.new.get_or_insert_default();
        let new = match kind {
            Interned::Category => &mut new.event_categories,
            Interned::Name => &mut new.event_names,
            Interned::Annotation => &mut new.debug_annotation_names,
        };
        new.push(InternedName { iid: Some(number), name: Some(name.to_owned()) });
        number
    }

    pub(super) fn track(&mut self, track: TrackDescriptor) -> io::Result<()> {
        self.add(TracePacket { track_descriptor: Some(track), ..TracePacket::default() })
    }

    pub(super) fn event(&mut self, at: Timestamp, event: TrackEvent) -> io::Result<()> {
        let at = (at - self.zero).0.max(0) as u64;
        self.add(TracePacket { timestamp: Some(at), track_event: Some(event), ..TracePacket::default() })
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        buffer::flush(&mut self.buffer, self.out)?;
        self.out.flush()
    }

    fn add(&mut self, packet: TracePacket) -> io::Result<()> {
        let first = if std::mem::take(&mut self.is_first) { CLEARED } else { 0 };
        self.trace.packet.push(TracePacket {
            interned_data: self.new.take(),
            trusted_packet_sequence_id: Some(SEQUENCE),
            sequence_flags: Some(first | NEEDED),
            ..packet
        });
        self.trace.encode(&mut self.buffer)?;
        self.trace.packet.clear();
        buffer::hand_over(&mut self.buffer, self.out)
    }
}
