//! `steplens doctor`: problems of a trace that can be read, and how to repair them.

use super::{Loaded, Out, Print, headline};
use crate::args::{Asking, Whole};
use crate::render::names::shortened;
use crate::render::{Screen, units, visible};
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_messages::{Message, clauses, message, say};
use steplens_report as report;
use steplens_report::doctor::Finding;

/// How many devices a finding lists.
const MAX_DEVICES: usize = 4;

pub(super) type Args = Asking<report::doctor::Options, Whole>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        headline::write(out, screen, &loaded)?;
        let findings = report::doctor::findings(&loaded.whole, &loaded.study);
        // What is wrong with a file is said even if its figures show nothing.
        let wrong = loaded.files.iter().flat_map(|file| &file.problems).filter(|own| !own.is_note());
        let mut has_wrong = false;
        for problem in wrong {
            has_wrong = true;
            let times = format!("× {}", problem.count);
            writeln!(out, "{}", screen.title(&visible(&problem.code), &times))?;
            writeln!(out, "{}", screen.sentence(&visible(&problem.detail), "  "))?;
        }
        if findings.is_empty() && has_wrong {
            return Ok(());
        }
        if findings.is_empty() {
            return Ok(writeln!(out, "{}", say!("doctor-nothing"))?);
        }
        for (place, finding) in findings.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            write(out, screen, finding)?;
        }
        Ok(())
    })
}

fn write(out: &mut Out, screen: Screen, finding: &Finding) -> io::Result<()> {
    let times = units::plural(finding.count, counted(finding.counted));
    writeln!(out, "{}", screen.title(finding.title, &clauses([finding.code, &times])))?;
    writeln!(out, "{}", screen.sentence(&visible(&finding.sentence), "  "))?;
    for device in finding.devices.iter().take(MAX_DEVICES) {
        writeln!(out, "  - {}", shortened(&visible(device), screen.width.saturating_sub(4)))?;
    }
    if finding.devices.len() > MAX_DEVICES {
        let more =
            units::plural(finding.devices.len() - MAX_DEVICES, message!("program-more-devices", count));
        writeln!(out, "  {}", screen.note(&say!("more-not-shown", more)))?;
    }
    match finding.repair {
        Some(_) if finding.code == "clocks-differ" && finding.repaired => {
            writeln!(out, "  {}", say!("doctor-clocks-set"))
        }
        Some(repair) if finding.code == "clocks-differ" => {
            writeln!(out, "  {}", say!("doctor-clocks-would", repair))
        }
        Some(_) if finding.repaired => writeln!(out, "  {}", say!("doctor-repaired")),
        Some(repair) => writeln!(out, "  {}", say!("doctor-repair-would", code = finding.code, repair)),
        None => Ok(()),
    }
}

/// The noun for what a finding counts.
fn counted(word: &str) -> &'static Message {
    match word {
        "task" => message!("program-tasks", count),
        "tensor" => message!("program-tensors", count),
        "transfer" => message!("program-transfers", count),
        "straggler" => message!("program-stragglers", count),
        "device" => message!("program-devices", count),
        _ => message!("program-ops", count),
    }
}
