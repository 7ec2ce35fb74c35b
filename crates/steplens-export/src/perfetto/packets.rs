//! The packets of one sequence. A packet also carries the names that are used for the first time.

use crate::buffer;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::io::{self, Write};
use steplens_core::{Study, Timestamp};
use steplens_wire::Message;
use steplens_wire::perfetto::{clock, clock_snapshot, interned_data, interned_name, trace, trace_packet};

/// The id of the only sequence. It may be any number except 0.
const SEQUENCE: u64 = 1;
/// Everything interned before is void. Only the first packet has this flag.
const CLEARED: u64 = 1;
/// The packet needs the interned names.
const NEEDED: u64 = 2;

/// Ids of the clocks in a clock snapshot.
const REAL_TIME: u64 = 1;
const BOOT_TIME: u64 = 6;

/// The kinds of interned names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interned {
    Category,
    Name,
    Annotation,
}

pub(super) struct Packets<'a, 'o> {
    out: &'o mut dyn Write,
    buffer: Message,
    packet: Message,
    event: Message,
    /// By kind, the number of each name.
    names: [HashMap<&'a str, u64, FixedState>; 3],
    /// New names, which the next event will carry.
    new: Message,
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
            buffer: Message::default(),
            packet: Message::default(),
            event: Message::default(),
            names: Default::default(),
            new: Message::default(),
            is_first: true,
            zero: first.min(Timestamp(0)),
        };
        // The time of `zero` since 1970.
        if let Ok(unix_ns) = u64::try_from(trace.unix_ns(packets.zero)) {
            packets.packet.message(trace_packet::CLOCK_SNAPSHOT, |message| {
                for (clock, at) in [(BOOT_TIME, 0), (REAL_TIME, unix_ns)] {
                    message.message(clock_snapshot::CLOCKS, |message| {
                        message.number(clock::CLOCK_ID, clock);
                        message.number(clock::TIMESTAMP, at);
                    });
                }
            });
            packets.packet.number(trace_packet::TIMESTAMP, 0);
            packets.end_packet()?;
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
        let field = match kind {
            Interned::Category => interned_data::EVENT_CATEGORIES,
            Interned::Name => interned_data::EVENT_NAMES,
            Interned::Annotation => interned_data::DEBUG_ANNOTATION_NAMES,
        };
        self.new.message(field, |message| {
            message.number(interned_name::IID, number);
            message.text(interned_name::NAME, name);
        });
        number
    }

    pub(super) fn track(&mut self, fill: impl FnOnce(&mut Message)) -> io::Result<()> {
        self.packet.message(trace_packet::TRACK_DESCRIPTOR, fill);
        self.end_packet()
    }

    pub(super) fn event(&mut self, at: Timestamp, fill: impl FnOnce(&mut Message)) -> io::Result<()> {
        self.event.clear();
        fill(&mut self.event);
        self.packet.number(trace_packet::TIMESTAMP, (at - self.zero).0.max(0) as u64);
        self.packet.data(trace_packet::TRACK_EVENT, self.event.bytes());
        self.end_packet()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        buffer::flush(self.buffer.bytes_mut(), self.out)?;
        self.out.flush()
    }

    fn end_packet(&mut self) -> io::Result<()> {
        if !self.new.bytes().is_empty() {
            self.packet.data(trace_packet::INTERNED_DATA, self.new.bytes());
            self.new.clear();
        }
        self.packet.number(trace_packet::TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE);
        let first = if std::mem::take(&mut self.is_first) { CLEARED } else { 0 };
        self.packet.number(trace_packet::SEQUENCE_FLAGS, first | NEEDED);
        self.buffer.data(trace::PACKET, self.packet.bytes());
        self.packet.clear();
        buffer::hand_over(self.buffer.bytes_mut(), self.out)
    }
}
