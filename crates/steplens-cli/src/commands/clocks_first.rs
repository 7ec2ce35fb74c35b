//! The first lines of a text about a cluster whose clocks differ: the fact itself, what is withheld because of it, and which option
//! aligns the clocks.

use super::{Loaded, Out};
use crate::render::Screen;
use std::io::{self, Write};
use steplens_messages::say;
use steplens_report::clocks::ClockNote;

/// The option that aligns the clocks.
const OPTION: &str = "--clocks estimated";

/// Writes these lines if the clocks differ. Returns whether they do.
pub(super) fn write(out: &mut Out, screen: Screen, loaded: &Loaded) -> io::Result<bool> {
    let Some(note) = ClockNote::of(&loaded.study) else { return Ok(false) };
    writeln!(out, "{}", screen.strong_sentence(&note.first()))?;
    writeln!(out, "{}", screen.sentence(&note.withheld, ""))?;
    let what_helps = match note.why {
        // Clocks are set by tasks.
        "accelerator" => None,
        _ if note.can_align => Some(say!("program-clocks-align", option = OPTION)),
        _ => Some(say!("program-clocks-by-hand", option = "--clocks TASK=OFFSET")),
    };
    match what_helps {
        Some(text) => writeln!(out, "{}\n", screen.note(&text))?,
        None => writeln!(out)?,
    }
    Ok(true)
}
