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
use steplens_proto::perfetto::{
    CounterDescriptor, DebugAnnotation, ProcessDescriptor, TrackDescriptor, TrackEvent,
};

/// Types of events.
const BEGIN: i32 = 1;
const END: i32 = 2;
const INSTANT: i32 = 3;
const COUNTER: i32 = 4;

/// Child tracks are ordered by their ranks.
const EXPLICIT: i32 = 3;
/// Whether tracks with the same name are shown as one, or never merged.
const MERGE_BY_NAME: i32 = 1;
const MERGE_NONE: i32 = 2;

/// Units of counters.
const UNIT_COUNT: i32 = 2;
const UNIT_BYTES: i32 = 3;

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
    progress: Progress<'o>,
}

impl<'a> Writer<'a, '_> {
    async fn device(&mut self, device: DeviceId, arrows: &Arrows<'_>) -> io::Result<()> {
        let study = self.study;
        let (trace, lanes) = (study.trace(), study.lanes());
        let parent = PROCESSES + u64::from(device.get());
        self.process(parent, trace.text(trace.devices().get(device).name), device.index())?;
        let op_lanes = lanes.op_lanes(device);
        for (place, lane) in lanes.of_device(device).enumerate() {
            let uuid = LANES + u64::from(lane.get());
            let is_of_ops = place < op_lanes;
            self.packets.track(TrackDescriptor {
                uuid: Some(uuid),
                parent_uuid: Some(parent),
                name: Some(match is_of_ops {
                    true => format!("lane {}", place + 1),
                    false => "communication".to_owned(),
                }),
                // The counters come above the lanes.
                sibling_order_rank: Some(rank(1_000 + place.min(op_lanes))),
                sibling_merge_behavior: Some(if is_of_ops { MERGE_NONE } else { MERGE_BY_NAME }),
                ..TrackDescriptor::default()
            })?;
            self.lane(lanes, lane, uuid, arrows).await?;
        }
        let track = self.counter(parent, "ops in flight", Some(UNIT_COUNT), Some("ops"))?;
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
        let mut annotations = vec![self.text("op type", trace.text(trace.nodes().op_type(node)))];
        if let Some(queued) = trace.ops().queued(op) {
            annotations.push(self.figure("queued ns", queued.0));
        }
        let bytes = op_bytes(trace, op).0;
        if bytes > 0 {
            annotations.push(self.figure("output bytes", i64::try_from(bytes).unwrap_or(i64::MAX)));
        }
        let id = |arrow: Arrow| u64::from(arrow.id.get()) + 1;
        let [leaving, arriving]: [Vec<u64>; 2] =
            [arrows.from(op).map(id).collect(), arrows.to(op).map(id).collect()];
        self.packets.event(
            own.start,
            TrackEvent {
                r#type: Some(BEGIN),
                track_uuid: Some(uuid),
                name_iid: Some(name),
                category_iids: vec![category],
                debug_annotations: annotations,
                // Each arrow in two fields: one for current readers, one for older ones.
                flow_ids_old: leaving.clone(),
                flow_ids: leaving,
                terminating_flow_ids_old: arriving.clone(),
                terminating_flow_ids: arriving,
                ..TrackEvent::default()
            },
        )?;
        let end = TrackEvent { r#type: Some(END), track_uuid: Some(uuid), ..TrackEvent::default() };
        self.packets.event(own.end, end)
    }

    /// Writes the counters of memory and of the network.
    async fn figures(&mut self) -> io::Result<()> {
        let study = self.study;
        let wire = on_the_wire(study);
        let memory = study.best_memory();
        let accounts = || memory.iter().flat_map(|(_, memory)| &memory.accounts);
        if !wire.is_empty() || accounts().any(|account| account.device.is_none()) {
            self.process(ALL_DEVICES, "all devices", study.trace().devices().len())?;
        }
        if !wire.is_empty() {
            let track = self.counter(ALL_DEVICES, "bytes in transit", Some(UNIT_BYTES), None)?;
            self.values(track, wire.iter().map(|&(at, bytes, _)| (at, bytes))).await?;
            let track = self.counter(ALL_DEVICES, "bandwidth", None, Some("bytes/s"))?;
            self.values(track, wire.iter().map(|&(at, _, rate)| (at, rate))).await?;
        }
        for account in accounts() {
            let parent = account.device.map_or(ALL_DEVICES, |device| PROCESSES + u64::from(device.get()));
            let name = format!("memory {}", study.trace().text(account.allocator));
            let track = self.counter(parent, &name, Some(UNIT_BYTES), None)?;
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
            let rank = trace.devices().len() + 1 + owners.place(name);
            self.process(parent(Owner::Process(name)), trace.text(name), rank)?;
        }
        for counter in trace.counters().ids() {
            let own = trace.counters().get(counter);
            let [name, series] = [own.name, own.series].map(|id| trace.text(id));
            // One series with the name of its counter says nothing more.
            let full = if name == series { name.to_owned() } else { format!("{name} {series}") };
            let track = self.counter(parent(own.owner), &full, None, None)?;
            for (at, value) in trace.counters().points(counter) {
                let value = TrackEvent { double_counter_value: Some(value.get()), ..of_counter(track) };
                self.packets.event(at, value)?;
                self.progress.other_row().await;
            }
        }
        for own in trace.instants().all() {
            let lane = study.thread_lanes().get(own.owner, own.scope);
            let track = lane.map_or_else(|| parent(own.owner), |lane| LANES + u64::from(lane.get()));
            let name = self.packets.intern(Interned::Name, trace.text(own.name));
            let arguments = own.arguments.map(|arguments| self.text("arguments", trace.text(arguments)));
            let instant = TrackEvent {
                r#type: Some(INSTANT),
                track_uuid: Some(track),
                name_iid: Some(name),
                debug_annotations: arguments.into_iter().collect(),
                ..TrackEvent::default()
            };
            self.packets.event(own.at, instant)?;
            self.progress.other_row().await;
        }
        Ok(())
    }

    fn process(&mut self, uuid: u64, name: &str, place: usize) -> io::Result<()> {
        let process = ProcessDescriptor {
            pid: Some(rank(place).saturating_add(1)),
            process_name: Some(name.to_owned()),
        };
        self.packets.track(TrackDescriptor {
            uuid: Some(uuid),
            process: Some(process),
            child_ordering: Some(EXPLICIT),
            sibling_order_rank: Some(rank(place)),
            ..TrackDescriptor::default()
        })
    }

    /// Begins a counter track and returns its number.
    fn counter(
        &mut self,
        parent: u64,
        name: &str,
        unit: Option<i32>,
        unit_name: Option<&str>,
    ) -> io::Result<u64> {
        let uuid = COUNTERS + self.counters;
        let place = self.counters.min(999) as i32;
        self.counters += 1;
        self.packets.track(TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: Some(parent),
            name: Some(name.to_owned()),
            counter: Some(CounterDescriptor { unit, unit_name: unit_name.map(str::to_owned) }),
            sibling_order_rank: Some(place),
            ..TrackDescriptor::default()
        })?;
        Ok(uuid)
    }

    async fn values(&mut self, uuid: u64, values: impl Iterator<Item = (Timestamp, i64)>) -> io::Result<()> {
        for (at, value) in values {
            let value = TrackEvent { counter_value: Some(value), ..of_counter(uuid) };
            self.packets.event(at, value)?;
            self.progress.other_row().await;
        }
        Ok(())
    }

    fn text(&mut self, name: &'static str, text: &str) -> DebugAnnotation {
        let name_iid = Some(self.packets.intern(Interned::Annotation, name));
        DebugAnnotation { name_iid, string_value: Some(text.to_owned()), ..DebugAnnotation::default() }
    }

    fn figure(&mut self, name: &'static str, figure: i64) -> DebugAnnotation {
        let name_iid = Some(self.packets.intern(Interned::Annotation, name));
        DebugAnnotation { name_iid, int_value: Some(figure), ..DebugAnnotation::default() }
    }
}

fn of_counter(track: u64) -> TrackEvent {
    TrackEvent { r#type: Some(COUNTER), track_uuid: Some(track), ..TrackEvent::default() }
}

/// A place as a rank, which has 31 bits.
fn rank(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(i32::MAX)
}
