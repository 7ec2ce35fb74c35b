//! `steplens op`: what the file says about one op, and which ops contain it.

use super::{Loaded, Out, Print};
use crate::args::{self, Form};
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_core::{OpId, Study};
use steplens_host::failure::Failure;
use steplens_messages::say;
use steplens_report as report;
use steplens_report::OpRef;
use steplens_report::work::WorkFigures;

pub(super) fn run(args: &args::Op) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let Some(op) = find(&loaded.study, &args.op) else {
        return Err(Failure::Sentence(say!("failure-no-such-op", op = visible(&args.op))));
    };
    let form = Form { json: args.json, csv: false, color: args.color };
    loaded.print(&form, |out| match args.json {
        true => writeln!(out, "{}", report::ops::details(&loaded.study, op).unwrap_or_default()),
        false => write(out, Screen::new(args.color), &loaded.study, op),
    })
}

/// The op with this number, or the longest op with this name.
fn find(study: &Study, wanted: &str) -> Option<OpId> {
    let ops = study.trace().ops();
    if let Ok(number) = wanted.parse::<usize>() {
        return (number < ops.len()).then(|| OpId::from_usize(number));
    }
    let named = ops.ids().filter(|&op| study.title(op) == wanted || study.trace().op_name(op) == wanted);
    named.max_by_key(|&op| (ops.interval(op).length(), std::cmp::Reverse(op)))
}

fn write(out: &mut Out, screen: Screen, study: &Study, op: OpId) -> io::Result<()> {
    let trace = study.trace();
    let ops = trace.ops();
    let node = ops.node(op);
    let device = trace.device_of(op);
    let title = visible(study.title(op)).into_owned();
    let op_type = visible(trace.text(trace.nodes().op_type(node))).into_owned();
    writeln!(out, "{}", screen.strong(&title))?;
    let mut lines: Vec<(&str, String)> = vec![
        (say!("title-op-type"), op_type),
        (say!("title-device"), visible(trace.text(trace.devices().get(device).name)).into_owned()),
    ];
    let thread = ops.thread(op);
    let thread_name = trace.thread_name(device, thread).map(|name| visible(name).into_owned());
    lines.extend(thread_name.map(|name| (say!("op-thread"), name)));
    lines.push((say!("title-start"), units::duration(ops.start(op).0)));
    lines.push((say!("op-runs-for"), units::duration(ops.interval(op).length().0)));
    let self_ns = study.self_time(op).0;
    if trace.devices().get(device).nests && self_ns > 0 {
        lines.push((say!("op-self-time"), units::duration(self_ns)));
    }
    let kernels = study.kernels().of_op(trace, op);
    if !kernels.is_empty() {
        let sum = kernels.iter().map(|&kernel| ops.interval(kernel).length().0).sum();
        lines.push((say!("op-kernels"), units::count(kernels.len() as u64)));
        lines.push((say!("op-gpu-time"), units::duration(sum)));
    }
    lines.extend(work(study, op));
    let around = report::ops::surroundings(study, op);
    let named = |other: &OpRef| visible(other.name()).into_owned();
    lines.extend(
        study.kernels().op_of(op).map(|by| (say!("op-launched-by"), visible(study.title(by)).into_owned())),
    );
    lines.extend(around.inside_of.as_ref().map(|other| (say!("op-inside-of"), named(other))));
    lines.extend(around.before.as_ref().map(|other| (say!("op-after"), named(other))));
    if report::ops::has_recorded_label(study, op) {
        lines.push((say!("op-label"), visible(trace.text(trace.nodes().label(node))).into_owned()));
    }
    if !around.modules.is_empty() {
        lines.push((say!("argument-module"), visible(&around.modules.join(" › ")).into_owned()));
    }
    let arguments = report::ops::arguments(study, op);
    let said = |row: &report::ops::ArgumentRow<'_>| visible(&row.value).into_owned();
    for row in &arguments {
        lines.extend(row.noun.and_then(noun).map(|noun| (noun, said(row))));
    }
    list(out, &lines)?;
    if !around.frames.is_empty() {
        writeln!(out, "{}", screen.strong(say!("argument-stack")))?;
        around.frames.iter().try_for_each(|frame| writeln!(out, "  {}", named(frame)))?;
        let more = around.frame_count - around.frames.len();
        if more > 0 {
            writeln!(out, "  {}", screen.note(&say!("op-more-frames", count = more)))?;
        }
    }
    let others: Vec<(&str, String)> =
        arguments.iter().filter(|row| row.noun.is_none()).map(|row| (row.name, said(row))).collect();
    if !others.is_empty() {
        writeln!(out, "{}", screen.strong(say!("op-also-recorded")))?;
        list(out, &others)?;
    }
    Ok(())
}

/// What the op calculates and moves, how fast, and how that is known.
fn work(study: &Study, op: OpId) -> Vec<(&'static str, String)> {
    let Some(own) = study.works().of(op) else { return Vec::new() };
    let figures =
        WorkFigures::of_one(Some(own), study.trace().ops().interval(op).length(), study.trace().peak_flops());
    let speed = |amount: String, rate: String| match rate.is_empty() {
        true => amount,
        false => say!("op-work-at", amount, rate),
    };
    let mut lines = Vec::new();
    if figures.flops.is_some() {
        lines.push((say!("op-calculates"), speed(figures.said_flops(), figures.said_flop_rate())));
    }
    if figures.flops_of_peak_ppm.is_some() {
        lines.push((say!("op-of-peak"), figures.said_of_peak()));
    }
    if let Some(bytes) = figures.moved_bytes {
        lines.push((say!("op-moves"), speed(units::bytes(bytes), figures.said_byte_rate())));
    }
    let basis = if own.is_recorded { say!("op-work-recorded") } else { say!("op-work-by-shapes") };
    lines.push((say!("op-work-known-by"), basis.to_owned()));
    lines
}

/// Writes names and values, one pair per line.
fn list(out: &mut Out, lines: &[(&str, String)]) -> io::Result<()> {
    for (name, value) in lines {
        let name = visible(name);
        let room = 20_usize.saturating_sub(name.chars().count());
        writeln!(out, "  {name}{:room$}  {value}", "")?;
    }
    Ok(())
}

/// The noun for a known argument.
fn noun(word: &str) -> Option<&'static str> {
    Some(match word {
        "shapes" => say!("argument-shapes"),
        "types" => say!("argument-types"),
        "strides" => say!("argument-strides"),
        "inputs" => say!("argument-inputs"),
        "module" => say!("argument-module"),
        "stack" => say!("argument-stack"),
        "grid" => say!("argument-grid"),
        "block" => say!("argument-block"),
        "registers" => say!("argument-registers"),
        "shared-memory" => say!("argument-shared-memory"),
        "occupancy" => say!("argument-occupancy"),
        "stream" => say!("argument-stream"),
        "correlation" => say!("argument-correlation"),
        "bytes" => say!("argument-bytes"),
        "bandwidth" => say!("argument-bandwidth"),
        "flops" => say!("argument-flops"),
        _ => return None,
    })
}
