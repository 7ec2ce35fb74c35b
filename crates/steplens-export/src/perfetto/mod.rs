//! Perfetto's own format: protobuf packets of `TrackEvent`s.
//!
//! A process is a device. Each of its lanes of ops is a track that is never merged with another track, in the order of Steplens.
//! Transfers overlap, so their lanes are sibling tracks with the same name, which the viewer lays out itself. All packets belong to
//! one sequence, and each name is interned once.
//!
//! The packets of a lane are in order of time. At equal times an end comes before the next begin, because viewers keep the order of
//! packets with equal times. An arrow is attached to the begin events of its two ops: older readers do not know arrows on end
//! events, and viewers draw the arrow from the end of the first op anyway.

mod packets;

use crate::arrows::{Arrow, ArrowCounts, Arrows};
use crate::counters::{in_flight, on_the_wire};
use crate::samples::Owners;
use packets::{Interned, Packets};
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::model::owner::Owner;
use steplens_core::timeline::lanes::Lanes;
use steplens_core::{DeviceId, LaneId, OpId, Study, Timestamp};
use steplens_wire::Message;
use steplens_wire::perfetto::{
    counter_descriptor, debug_annotation, process_descriptor, track_descriptor, track_event,
};

/// Types of events.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;

/// Child tracks are ordered by their ranks.
const EXPLICIT: u64 = 3;
/// Whether tracks with the same name are shown as one, or never merged.
const MERGE_BY_NAME: u64 = 1;
const MERGE_NONE: u64 = 2;

/// Units of counters.
const UNIT_COUNT: u64 = 2;
const UNIT_BYTES: u64 = 3;

/// The numbers of processes, lanes and counters start far apart, so that they never collide.
const PROCESSES: u64 = 1 << 32;
const LANES: u64 = 2 << 32;
const COUNTERS: u64 = 3 << 32;
const WITHOUT_OPS: u64 = 4 << 32;
/// The process for counters that belong to no device.
const ALL_DEVICES: u64 = PROCESSES + 0xffff_ffff;

/// Writes what `study` shows.
pub fn write(study: &Study, out: &mut dyn Write) -> io::Result<ArrowCounts> {
    at_once(async |pace: &Pace| paced(study, out, pace).await)
}

/// Like [`write`], but in pieces, so that the caller can do other work in between.
pub async fn paced(study: &Study, out: &mut dyn Write, pace: &Pace) -> io::Result<ArrowCounts> {
    let mut writer = Writer {
        study,
        packets: Packets::new(study, out)?,
        counters: 0,
        annotations: Message::default(),
        progress: Progress::new(pace, 0, study.trace().ops().len()),
    };
    let arrows = Arrows::of(study);
    let devices = study.trace().devices();
    // A host profiler's device holds ops that another device holds too; they would be counted twice.
    for device in devices.ids().filter(|&device| !devices.is_host_profiler(device)) {
        writer.device(device, &arrows).await?;
    }
    writer.figures().await?;
    writer.samples().await?;
    writer.packets.finish()?;
    Ok(arrows.counts())
}

struct Writer<'a, 'o> {
    study: &'a Study,
    packets: Packets<'a, 'o>,
    /// How many counter tracks were begun.
    counters: u64,
    annotations: Message,
    progress: Progress<'o>,
}

impl<'a> Writer<'a, '_> {
    async fn device(&mut self, device: DeviceId, arrows: &Arrows<'_>) -> io::Result<()> {
        let study = self.study;
        let (trace, lanes) = (study.trace(), study.lanes());
        let parent = PROCESSES + u64::from(device.get());
        self.process(parent, trace.text(trace.devices().get(device).name), i64::from(device.get()))?;
        let op_lanes = lanes.op_lanes(device);
        for (place, lane) in lanes.of_device(device).enumerate() {
            let uuid = LANES + u64::from(lane.get());
            let is_of_ops = place < op_lanes;
            self.packets.track(|message| {
                message.number(track_descriptor::UUID, uuid);
                message.number(track_descriptor::PARENT_UUID, parent);
                match is_of_ops {
                    true => message.text(track_descriptor::NAME, &format!("lane {}", place + 1)),
                    false => message.text(track_descriptor::NAME, "communication"),
                }
                // The counters come above the lanes.
                message.number(track_descriptor::SIBLING_ORDER_RANK, 1_000 + place.min(op_lanes) as u64);
                message.number(
                    track_descriptor::SIBLING_MERGE_BEHAVIOR,
                    if is_of_ops { MERGE_NONE } else { MERGE_BY_NAME },
                );
            })?;
            self.lane(lanes, lane, uuid, arrows).await?;
        }
        let track = self.counter(parent, "ops in flight", UNIT_COUNT, "ops")?;
        self.values(track, in_flight(study, device)).await
    }

    async fn lane(&mut self, lanes: &Lanes, lane: LaneId, uuid: u64, arrows: &Arrows<'_>) -> io::Result<()> {
        for &op in lanes.ops(lane) {
            self.op(op, uuid, arrows)?;
            self.progress.row().await;
        }
        Ok(())
    }

    fn op(&mut self, op: OpId, uuid: u64, arrows: &Arrows<'_>) -> io::Result<()> {
        let trace = self.study.trace();
        let (node, own) = (trace.ops().node(op), trace.ops().interval(op));
        let name = self.packets.intern(Interned::Name, self.study.title(op));
        let category = self.packets.intern(Interned::Category, trace.category(op).word());
        self.annotations.clear();
        self.annotate_text("op type", trace.text(trace.nodes().op_type(node)));
        if let Some(queued) = trace.ops().queued(op) {
            self.annotate_figure("queued ns", queued.0);
        }
        let bytes = op_bytes(trace, op).0;
        if bytes > 0 {
            self.annotate_figure("output bytes", i64::try_from(bytes).unwrap_or(i64::MAX));
        }
        let annotations = &self.annotations;
        self.packets.event(own.start, |message| {
            message.number(track_event::TYPE, BEGIN);
            message.number(track_event::TRACK_UUID, uuid);
            message.number(track_event::NAME_IID, name);
            message.number(track_event::CATEGORY_IIDS, category);
            message.append(annotations);
            for arrow in arrows.from(op) {
                write_flow(message, track_event::FLOW_IDS, track_event::FLOW_IDS_OLD, arrow);
            }
            for arrow in arrows.to(op) {
                write_flow(
                    message,
                    track_event::TERMINATING_FLOW_IDS,
                    track_event::TERMINATING_FLOW_IDS_OLD,
                    arrow,
                );
            }
        })?;
        self.packets.event(own.end, |message| {
            message.number(track_event::TYPE, END);
            message.number(track_event::TRACK_UUID, uuid);
        })
    }

    /// Writes the counters of memory and of the network.
    async fn figures(&mut self) -> io::Result<()> {
        let study = self.study;
        let wire = on_the_wire(study);
        let memory = study.best_memory();
        let accounts = || memory.iter().flat_map(|(_, memory)| &memory.accounts);
        if !wire.is_empty() || accounts().any(|account| account.device.is_none()) {
            self.process(ALL_DEVICES, "all devices", study.trace().devices().len() as i64)?;
        }
        if !wire.is_empty() {
            let track = self.counter(ALL_DEVICES, "bytes in transit", UNIT_BYTES, "")?;
            self.values(track, wire.iter().map(|&(at, bytes, _)| (at, bytes))).await?;
            let track = self.counter(ALL_DEVICES, "bandwidth", 0, "bytes/s")?;
            self.values(track, wire.iter().map(|&(at, _, rate)| (at, rate))).await?;
        }
        for account in accounts() {
            let parent = account.device.map_or(ALL_DEVICES, |device| PROCESSES + u64::from(device.get()));
            let name = format!("memory {}", study.trace().text(account.allocator));
            let track = self.counter(parent, &name, UNIT_BYTES, "")?;
            let bytes = |bytes| i64::try_from(bytes).unwrap_or(i64::MAX);
            self.values(track, account.curve.steps().map(|(at, held)| (at, bytes(held.0)))).await?;
        }
        Ok(())
    }

    /// Writes the counters and instants that the files recorded.
    async fn samples(&mut self) -> io::Result<()> {
        let study = self.study;
        let trace = study.trace();
        let owners = Owners::of(trace);
        let parent = |owner: Owner| match owner {
            Owner::Device(device) => PROCESSES + u64::from(device.get()),
            Owner::Process(name) => WITHOUT_OPS + owners.place(name) as u64,
        };
        for &name in owners.processes() {
            let rank = trace.devices().len() as i64 + 1 + owners.place(name) as i64;
            self.process(parent(Owner::Process(name)), trace.text(name), rank)?;
        }
        for counter in trace.counters().ids() {
            let own = trace.counters().get(counter);
            let [name, series] = [own.name, own.series].map(|id| trace.text(id));
            // One series with the name of its counter says nothing more.
            let full = if name == series { name.to_owned() } else { format!("{name} {series}") };
            let track = self.counter(parent(own.owner), &full, 0, "")?;
            for (at, value) in trace.counters().points(counter) {
                self.packets.event(at, |message| {
                    message.number(track_event::TYPE, COUNTER);
                    message.number(track_event::TRACK_UUID, track);
                    message.double(track_event::DOUBLE_COUNTER_VALUE, value.get());
                })?;
                self.progress.other_row().await;
            }
        }
        for own in trace.instants().all() {
            let lane = study.thread_lanes().get(own.owner, own.scope);
            let track = lane.map_or_else(|| parent(own.owner), |lane| LANES + u64::from(lane.get()));
            let name = self.packets.intern(Interned::Name, trace.text(own.name));
            self.annotations.clear();
            if let Some(arguments) = own.arguments {
                self.annotate_text("arguments", trace.text(arguments));
            }
            let annotations = &self.annotations;
            self.packets.event(own.at, |message| {
                message.number(track_event::TYPE, INSTANT);
                message.number(track_event::TRACK_UUID, track);
                message.number(track_event::NAME_IID, name);
                message.append(annotations);
            })?;
            self.progress.other_row().await;
        }
        Ok(())
    }

    fn process(&mut self, uuid: u64, name: &str, rank: i64) -> io::Result<()> {
        self.packets.track(|message| {
            message.number(track_descriptor::UUID, uuid);
            message.message(track_descriptor::PROCESS, |message| {
                message.signed(process_descriptor::PID, rank + 1);
                message.text(process_descriptor::PROCESS_NAME, name);
            });
            message.number(track_descriptor::CHILD_ORDERING, EXPLICIT);
            message.signed(track_descriptor::SIBLING_ORDER_RANK, rank);
        })
    }

    /// Begins a counter track and returns its number.
    fn counter(&mut self, parent: u64, name: &str, unit: u64, unit_name: &str) -> io::Result<u64> {
        let uuid = COUNTERS + self.counters;
        let rank = self.counters.min(999);
        self.counters += 1;
        self.packets.track(|message| {
            message.number(track_descriptor::UUID, uuid);
            message.number(track_descriptor::PARENT_UUID, parent);
            message.text(track_descriptor::NAME, name);
            message.message(track_descriptor::COUNTER, |message| {
                if unit > 0 {
                    message.number(counter_descriptor::UNIT, unit);
                }
                if !unit_name.is_empty() {
                    message.text(counter_descriptor::UNIT_NAME, unit_name);
                }
            });
            message.number(track_descriptor::SIBLING_ORDER_RANK, rank);
        })?;
        Ok(uuid)
    }

    async fn values(&mut self, uuid: u64, values: impl Iterator<Item = (Timestamp, i64)>) -> io::Result<()> {
        for (at, value) in values {
            self.packets.event(at, |message| {
                message.number(track_event::TYPE, COUNTER);
                message.number(track_event::TRACK_UUID, uuid);
                message.signed(track_event::COUNTER_VALUE, value);
            })?;
            self.progress.other_row().await;
        }
        Ok(())
    }

    fn annotate_text(&mut self, name: &'static str, text: &str) {
        let name = self.packets.intern(Interned::Annotation, name);
        self.annotations.message(track_event::DEBUG_ANNOTATIONS, |message| {
            message.number(debug_annotation::NAME_IID, name);
            message.text(debug_annotation::STRING_VALUE, text);
        });
    }

    fn annotate_figure(&mut self, name: &'static str, figure: i64) {
        let name = self.packets.intern(Interned::Annotation, name);
        self.annotations.message(track_event::DEBUG_ANNOTATIONS, |message| {
            message.number(debug_annotation::NAME_IID, name);
            message.signed(debug_annotation::INT_VALUE, figure);
        });
    }
}

/// Writes the number of an arrow in two fields: one for current readers, one for older ones.
fn write_flow(message: &mut Message, field: u32, old_field: u32, arrow: Arrow) {
    let id = u64::from(arrow.id.get()) + 1;
    message.fixed(field, id);
    message.number(old_field, id);
}
