//! Devices and events as the JSON that TensorBoard makes of them (`trace_events_json.py`).

use std::io::Write;
use steplens_proto::profiler::{Device, TraceEvent};

/// What stands before the events.
pub(super) const HEAD: &[u8] = b"{\"traceEvents\":[";
/// What stands after the events.
pub(super) const END: &[u8] = b"]}";

/// Appends the names of a device, which is a process there, and of its resources, which are threads. Each ends with a comma.
pub(super) fn put_device(out: &mut Vec<u8>, number: u32, device: &Device) {
    put_name(out, "process_name", number, None, &device.name);
    for entry in &device.resources {
        let name = entry.value.as_ref().map_or(&b""[..], |resource| &resource.name);
        put_name(out, "thread_name", number, Some(entry.key), name);
    }
}

fn put_name(out: &mut Vec<u8>, kind: &str, process: u32, thread: Option<u32>, name: &[u8]) {
    // Writing to memory succeeds.
    let _ = write!(out, "{{\"ph\":\"M\",\"name\":\"{kind}\",\"pid\":{process},");
    if let Some(thread) = thread {
        let _ = write!(out, "\"tid\":{thread},");
    }
    out.extend_from_slice(b"\"args\":{\"name\":");
    put_text(out, name);
    out.extend_from_slice(b"}},");
}

/// Appends an event, and a comma. One without a length is an instant.
pub(super) fn put_event(out: &mut Vec<u8>, event: &TraceEvent) {
    let (process, thread) = (event.device_id, event.resource_id);
    let _ = write!(out, "{{\"pid\":{process},\"tid\":{thread},\"ts\":");
    put_micros(out, event.timestamp_ps);
    out.extend_from_slice(b",\"name\":");
    put_text(out, &event.name);
    if event.duration_ps > 0 {
        out.extend_from_slice(b",\"ph\":\"X\",\"dur\":");
        put_micros(out, event.duration_ps);
    } else {
        out.extend_from_slice(b",\"ph\":\"i\",\"s\":\"t\"");
    }
    for (place, argument) in event.args.iter().enumerate() {
        out.extend_from_slice(if place == 0 { b",\"args\":{" } else { b"," });
        put_text(out, &argument.key);
        out.push(b':');
        put_text(out, &argument.value);
    }
    out.extend_from_slice(if event.args.is_empty() { b"}," } else { b"}}," });
}

/// Appends picoseconds as microseconds, all digits of them.
fn put_micros(out: &mut Vec<u8>, ps: u64) {
    let _ = write!(out, "{}.{:06}", ps / 1_000_000, ps % 1_000_000);
}

/// Appends a text of JSON. Bytes that are no UTF-8 stay as they are.
fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            ..b' ' => _ = write!(out, "\\u{byte:04x}"),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
