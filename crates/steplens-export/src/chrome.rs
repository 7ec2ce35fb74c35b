//! Chrome trace JSON that holds more than that of `timeline.py`: events of a thread never overlap, times are exact to the
//! nanosecond, arrows are transfers, and counters stand with their devices. Counters and instants of the files are written as they
//! were read.
//!
//! A process is a device, and a thread is one of its lanes. Steplens can open the file and finds the same ops again; that is why
//! each op carries its label and category. Times count from the first op, and `baseTimeNanoseconds` says when that was: with times
//! since 1970, readers that keep microseconds as a double would lose the nanoseconds.

use crate::arrows::{Arrow, ArrowCounts, Arrows};
use crate::counters::{in_flight, on_the_wire};
use crate::json::Json;
use crate::samples::Owners;
use std::io::{self, Write};
use steplens_core::base::pace::{Pace, at_once};
use steplens_core::base::progress::Progress;
use steplens_core::model::arguments::ArgumentValue;
use steplens_core::model::instants::Scope;
use steplens_core::model::op_bytes::op_bytes;
use steplens_core::model::owner::Owner;
use steplens_core::{DeviceId, OpId, Study, Timestamp};

/// The process for counters that belong to no device.
const ALL_DEVICES: i64 = 0;

/// The category of arrows and counters.
const CATEGORY: &str = "Steplens";

/// Writes what `study` shows.
pub fn write(study: &Study, out: &mut dyn Write) -> io::Result<ArrowCounts> {
    at_once(async |pace: &Pace| paced(study, out, pace).await)
}

/// The devices that are written. A host profiler's device holds ops that another device holds too; they would be counted twice.
fn shown(study: &Study) -> impl Iterator<Item = DeviceId> + '_ {
    let devices = study.trace().devices();
    devices.ids().filter(|&device| !devices.is_host_profiler(device))
}

/// Like [`write`], but in pieces, so that the caller can do other work in between.
pub async fn paced(study: &Study, out: &mut dyn Write, pace: &Pace) -> io::Result<ArrowCounts> {
    let trace = study.trace();
    let mut progress = Progress::new(pace, 0, trace.ops().len());
    let mut json = Json::new(out);
    json.open(b'{');
    // There is no `displayTimeUnit`: with "ns", the Perfetto of 2021 reads microseconds as nanoseconds.
    json.key("traceEvents");
    json.open(b'[');
    for device in shown(study) {
        name_device(study, device, &mut json);
        json.hand_over()?;
        progress.other_row().await;
    }
    let arrows = Arrows::of(study);
    for device in shown(study) {
        for lane in study.lanes().of_device(device) {
            let thread = thread(study, device, lane.get());
            for &op in study.lanes().ops(lane) {
                write_op(study, (device, thread), op, &mut json);
                for arrow in arrows.from(op) {
                    write_end(study, arrow, "s", (device, thread), arrow.leaves, &mut json);
                }
                for arrow in arrows.to(op) {
                    write_end(study, arrow, "f", (device, thread), arrow.arrives, &mut json);
                }
                json.hand_over()?;
                progress.row().await;
            }
        }
        for (at, ops) in in_flight(study, device) {
            write_counter("ops in flight", process(device), at, "ops", ops, &mut json)?;
            progress.other_row().await;
        }
    }
    let wire = on_the_wire(study);
    let memory = study.best_memory();
    let is_of_all = memory.is_some_and(|(_, memory)| memory.accounts.iter().any(|own| own.device.is_none()));
    if !wire.is_empty() || is_of_all {
        name_process("all devices", ALL_DEVICES, trace.devices().len() as i64, &mut json);
    }
    for (at, bytes, rate) in wire {
        write_counter("bytes in transit", ALL_DEVICES, at, "bytes", bytes, &mut json)?;
        write_counter("bandwidth", ALL_DEVICES, at, "bytes per second", rate, &mut json)?;
        progress.other_row().await;
    }
    for account in memory.iter().flat_map(|(_, memory)| &memory.accounts) {
        let name = format!("memory {}", trace.text(account.allocator));
        let process = account.device.map_or(ALL_DEVICES, process);
        for (at, bytes) in account.curve.steps() {
            let bytes = i64::try_from(bytes.0).unwrap_or(i64::MAX);
            write_counter(&name, process, at, "bytes", bytes, &mut json)?;
            progress.other_row().await;
        }
    }
    write_samples(study, &mut json, &mut progress).await?;
    json.close(b']');
    // These keys come after the events: when they came first, the Perfetto of 2021 found no events.
    json.integer_of("baseTimeNanoseconds", trace.origin_unix_ns());
    json.text_of("schema", "steplens.chrome/1");
    json.close(b'}');
    json.finish()?;
    Ok(arrows.counts())
}

/// Writes the counters and instants that the files recorded. Processes without ops come after the devices.
async fn write_samples(study: &Study, json: &mut Json<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    let trace = study.trace();
    let owners = Owners::of(trace);
    let next = trace.devices().len() as i64 + 1;
    let process_of = |owner: Owner| match owner {
        Owner::Device(device) => process(device),
        Owner::Process(name) => next + 1 + owners.place(name) as i64,
    };
    for &name in owners.processes() {
        let number = process_of(Owner::Process(name));
        name_process(trace.text(name), number, number, json);
    }
    for counter in trace.counters().ids() {
        let own = trace.counters().get(counter);
        let (name, series) = (trace.text(own.name), trace.text(own.series));
        for (at, value) in trace.counters().points(counter) {
            begin(json, "C", process_of(own.owner), 0, name);
            json.micros_of("ts", at.0);
            json.object_of("args");
            json.key(series);
            json.number(value.get());
            end(json);
            json.hand_over()?;
            progress.other_row().await;
        }
    }
    for own in trace.instants().all() {
        let (scope, number) = match own.scope {
            Scope::Global => ("g", 0),
            Scope::Process => ("p", 0),
            Scope::Thread(of) => {
                let lane = study.thread_lanes().get(own.owner, own.scope);
                let lane =
                    lane.zip(own.owner.device()).map(|(lane, device)| thread(study, device, lane.get()));
                ("t", lane.unwrap_or(i64::from(of)))
            }
        };
        begin(json, "i", process_of(own.owner), number, trace.text(own.name));
        json.text_of("s", scope);
        json.micros_of("ts", own.at.0);
        if let Some(arguments) = own.arguments {
            json.key("args");
            json.json(trace.text(arguments));
        }
        json.close(b'}');
        json.hand_over()?;
        progress.other_row().await;
    }
    Ok(())
}

fn process(device: DeviceId) -> i64 {
    i64::from(device.get()) + 1
}

/// The number of a lane within its device, counted from 1.
fn thread(study: &Study, device: DeviceId, lane: u32) -> i64 {
    let first = study.lanes().of_device(device).next().map_or(0, |lane| lane.get());
    i64::from(lane - first) + 1
}

fn name_device(study: &Study, device: DeviceId, json: &mut Json<'_>) {
    let name = study.trace().text(study.trace().devices().get(device).name);
    name_process(name, process(device), device.get().into(), json);
    let lanes = study.lanes().of_device(device);
    let op_lanes = study.lanes().op_lanes(device);
    for place in 0..lanes.len() {
        let name = match place.checked_sub(op_lanes) {
            None => format!("lane {}", place + 1),
            Some(place) => format!("communication {}", place + 1),
        };
        let number = place as i64 + 1;
        begin(json, "M", process(device), number, "thread_name");
        json.object_of("args");
        json.text_of("name", &name);
        end(json);
        begin(json, "M", process(device), number, "thread_sort_index");
        json.object_of("args");
        json.integer_of("sort_index", number);
        end(json);
    }
}

fn name_process(name: &str, process: i64, order: i64, json: &mut Json<'_>) {
    begin(json, "M", process, 0, "process_name");
    json.object_of("args");
    json.text_of("name", name);
    end(json);
    begin(json, "M", process, 0, "process_sort_index");
    json.object_of("args");
    json.integer_of("sort_index", order);
    end(json);
}

fn write_op(study: &Study, (device, thread): (DeviceId, i64), op: OpId, json: &mut Json<'_>) {
    let trace = study.trace();
    let node = trace.ops().node(op);
    let own = trace.ops().interval(op);
    begin(json, "X", process(device), thread, study.title(op));
    json.text_of("cat", "Op");
    json.micros_of("ts", own.start.0);
    json.micros_of("dur", own.length().0);
    json.object_of("args");
    json.text_of("name", trace.op_name(op));
    json.text_of("op", trace.text(trace.nodes().op_type(node)));
    json.text_of("category", trace.category(op).word());
    json.text_of("reason", trace.text(trace.nodes().reason(node)));
    let label = trace.text(trace.nodes().label(node));
    if !label.is_empty() {
        json.text_of("label", label);
    }
    if let Some(queued) = trace.ops().queued(op) {
        json.micros_of("queued_us", queued.0);
    }
    if trace.arguments().form(op).is_some() {
        json.object_of("arguments");
        for own in trace.arguments().of(op) {
            json.key(own.name);
            match own.value {
                ArgumentValue::Text(text) => json.text(text),
                value => json.json(&value.shown()),
            }
        }
        json.close(b'}');
    }
    let bytes = op_bytes(trace, op).0;
    if bytes > 0 {
        json.integer_of("output_bytes", i64::try_from(bytes).unwrap_or(i64::MAX));
    }
    end(json);
}

/// Writes one end of an arrow. It is bound to the op that encloses it.
fn write_end(
    study: &Study,
    arrow: Arrow,
    phase: &str,
    (device, thread): (DeviceId, i64),
    at: Timestamp,
    json: &mut Json<'_>,
) {
    let transfer = study.transfers().get(arrow.id);
    begin(json, phase, process(device), thread, study.trace().text(transfer.tensor));
    json.text_of("cat", CATEGORY);
    json.micros_of("ts", at.0);
    json.integer_of("id", arrow.id.get().into());
    if phase == "f" {
        json.text_of("bp", "e");
    }
    json.close(b'}');
}

fn write_counter(
    name: &str,
    process: i64,
    at: Timestamp,
    unit: &str,
    value: i64,
    json: &mut Json<'_>,
) -> io::Result<()> {
    begin(json, "C", process, 0, name);
    json.text_of("cat", CATEGORY);
    json.micros_of("ts", at.0);
    json.object_of("args");
    json.integer_of(unit, value);
    end(json);
    json.hand_over()
}

fn begin(json: &mut Json<'_>, phase: &str, process: i64, thread: i64, name: &str) {
    json.next_line();
    json.open(b'{');
    json.text_of("ph", phase);
    json.integer_of("pid", process);
    json.integer_of("tid", thread);
    json.text_of("name", name);
}

/// Closes the arguments of an event, and then the event.
fn end(json: &mut Json<'_>) {
    json.close(b'}');
    json.close(b'}');
}
