//! The first lines of a text about a cluster whose clocks differ: that they do, what is withheld therefore, and which option aligns them.

use super::{Loaded, Out};
use crate::render::Screen;
use std::io::{self, Write};
use steplens_messages::say;
use steplens_report::clocks::ClockNote;

/// Aligns them.
const OPTION: &str = "--clocks estimated";

/// Writes them where there is something to say, and returns whether there is.
pub(super) fn write(out: &mut Out, screen: Screen, loaded: &Loaded) -> io::Result<bool> {
    let Some(note) = ClockNote::of(&loaded.study) else { return Ok(false) };
    writeln!(out, "{}", screen.strong_sentence(&note.first()))?;
    writeln!(out, "{}", screen.sentence(&note.withheld, ""))?;
    let what_helps = match note.can_align {
        true => say!("program-clocks-align", option = OPTION),
        false => say!("program-clocks-by-hand", option = "--clocks TASK=OFFSET"),
    };
    writeln!(out, "{}\n", screen.note(&what_helps))?;
    Ok(true)
}
