//! Instants for the page: what to draw of a window, and what one of them says.

use super::names_of;
use crate::text;
use serde::Serialize;
use steplens_core::marks::flags::{self, Flag};
use steplens_core::model::instants::{Instant, Scope};
use steplens_core::{InstantId, Interval, LaneId, Study};

/// How far apart flags are, in pixels.
const APART_PX: f64 = 3.0;
/// The most flags of a picture.
const MOST: usize = 2_000;

/// What to draw of a window.
#[derive(Serialize)]
pub struct Flags<'a> {
    /// Row by row, in order of time.
    pub flags: Vec<InstantFlag<'a>>,
}

/// Instants that one flag stands for: they are too close to draw each.
#[derive(Serialize)]
pub struct InstantFlag<'a> {
    /// The first of them.
    pub instant: u32,
    /// How many they are.
    pub count: u32,
    /// The name of the first.
    pub name: &'a str,
    /// When it was.
    pub at_ns: i64,
    /// The row of its device, or null if its process ran no op.
    pub device: Option<u32>,
    /// The lane of its thread, or null if it is of no thread, or of one without ops.
    pub lane: Option<u32>,
    /// Whether it is about all of the trace.
    pub is_global: bool,
}

/// One instant.
#[derive(Serialize)]
pub struct InstantDetails<'a> {
    /// Its name.
    pub name: &'a str,
    /// When it was.
    pub at_ns: i64,
    /// The device, or null if its process ran no op.
    pub device: Option<&'a str>,
    /// The process without ops, or null.
    pub process: Option<&'a str>,
    /// Whether it is about all of the trace. Otherwise it is about its thread, or about its process.
    pub is_global: bool,
    /// The name of its thread, or the number if it has no name; null if it is about no thread.
    pub thread: Option<String>,
    /// What was recorded with it, in the order of the file.
    pub arguments: Vec<InstantArgument>,
}

/// One argument.
#[derive(Serialize)]
pub struct InstantArgument {
    /// Its name in the file.
    pub name: String,
    /// Its value: a text as it is, anything else as JSON.
    pub value: String,
}

/// The flags of `window`, drawn `width_px` wide, as JSON.
pub fn flags(study: &Study, window: Interval, width_px: f64) -> String {
    let trace = study.trace();
    let instants = trace.instants();
    let of = |Flag { first, count }: Flag| {
        let own = instants.get(first)?;
        let lane = study.thread_lanes().get(own.owner, own.scope).map(LaneId::get);
        Some(InstantFlag {
            instant: first.get(),
            count,
            name: trace.text(own.name),
            at_ns: own.at.0,
            device: own.owner.device().map(steplens_core::DeviceId::get),
            lane,
            is_global: own.scope == Scope::Global,
        })
    };
    let flags = flags::flags(instants, window, width_px, APART_PX, MOST);
    text(&Flags { flags: flags.into_iter().filter_map(of).collect() })
}

/// What one instant says, as JSON; `None` if there is no such one.
pub fn instant(study: &Study, instant: InstantId) -> Option<String> {
    let trace = study.trace();
    let own: &Instant = trace.instants().get(instant)?;
    let (device, _, process) = names_of(trace, own.owner);
    let thread = match (own.scope, own.owner.device()) {
        (Scope::Thread(thread), Some(device)) => {
            Some(trace.thread_name(device, thread).map_or_else(|| thread.to_string(), str::to_owned))
        }
        (Scope::Thread(thread), None) => Some(thread.to_string()),
        _ => None,
    };
    Some(text(&InstantDetails {
        name: trace.text(own.name),
        at_ns: own.at.0,
        device,
        process,
        is_global: own.scope == Scope::Global,
        thread,
        arguments: own.arguments.map_or_else(Vec::new, |id| arguments(trace.text(id))),
    }))
}

/// The arguments in an object in JSON. What cannot be read is one argument as it is.
fn arguments(json: &str) -> Vec<InstantArgument> {
    members(json).unwrap_or_else(|| vec![InstantArgument { name: String::new(), value: json.to_owned() }])
}

/// The members of an object in JSON. Values that are no texts stay as they are written, because a number would be rounded.
fn members(json: &str) -> Option<Vec<InstantArgument>> {
    let mut rest = json.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_at(value_end(rest)?);
        let after = after.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = after.split_at(value_end(after)?);
        let text = |raw: &str| serde_json::from_str::<String>(raw).ok();
        members.push(InstantArgument {
            name: text(name)?,
            value: text(value).unwrap_or_else(|| value.to_owned()),
        });
        let after = after.trim_start();
        rest = if after.is_empty() { after } else { after.strip_prefix(',')?.trim_start() };
    }
    Some(members)
}

/// Where the value ends that `text` begins with; `None` if it does not end.
fn value_end(text: &str) -> Option<usize> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' | b':' if depth == 0 => return (at > 0).then_some(at),
            _ => {}
        }
    }
    (depth == 0 && !is_text && !text.is_empty()).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<(String, String)> {
        arguments(json).into_iter().map(|own| (own.name, own.value)).collect()
    }

    #[test]
    fn arguments_stay_as_they_are_written() {
        let json =
            r#"{"loss": 0.09090909090909091, "a \"b\": {": "x, y}", "list": [1, {"z": "]"}], "no": null}"#;
        let wanted = [
            ("loss", "0.09090909090909091"),
            ("a \"b\": {", "x, y}"),
            ("list", r#"[1, {"z": "]"}]"#),
            ("no", "null"),
        ];
        assert_eq!(read(json), wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(read("{}"), []);
        for damaged in ["", "{", "[1]", r#"{"a"}"#, r#"{"a": }"#, r#"{"a": 1 "b": 2}"#, r#"{a: 1}"#] {
            assert_eq!(read(damaged), [(String::new(), damaged.to_owned())], "{damaged}");
        }
    }
}
