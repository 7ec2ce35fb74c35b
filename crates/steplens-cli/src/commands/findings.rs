//! `steplens findings`: what is worth changing, ranked by the time that it would save.

use super::{Loaded, Out, Print, clocks_first, headline};
use crate::args::{Asking, Whole};
use crate::render::{Screen, visible};
use std::io::{self, Write};
use steplens_host::failure::Failure;
use steplens_host::judged::findings;
use steplens_messages::say;
use steplens_report::findings::{FindingRow, Options};
use steplens_report::question::Question;

pub(super) type Args = Asking<Options, Whole>;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    loaded.answer(&args.question, &args.form, |out, screen| {
        let list = args.question.answer(&loaded.shown())?;
        clocks_first::write(out, screen, &loaded)?;
        writeln!(out, "{}\n", screen.verdict(&visible(&list.verdict), &visible(&list.verdict_main)))?;
        headline::write(out, screen, &loaded)?;
        writeln!(out, "{}", screen.sentence(&list.sentence, ""))?;
        write_rows(out, screen, &list.findings)?;
        if list.not_judged.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", screen.title(say!("findings-not-judged"), say!("findings-not-judged-about")))?;
        for row in &list.not_judged {
            writeln!(out, "{}", screen.note(&format!("{}: {}", row.rule, row.needs_words)))?;
        }
        Ok(())
    })
}

/// Writes findings: what was found, what to do, and where to look.
pub(super) fn write_rows(out: &mut Out, screen: Screen, rows: &[FindingRow<'_>]) -> io::Result<()> {
    for (number, row) in (1..).zip(rows) {
        writeln!(out, "\n{}", screen.strong_sentence(&format!("{number}. {}", visible(&row.sentence))))?;
        writeln!(out, "{}", screen.sentence(&row.advice, "   "))?;
        let look = row.evidence.iter().map(|own| visible(own.op).into_owned()).next();
        let look = look.map(|op| say!("finding-look-at", op));
        let change = row.change.as_ref().and_then(|change| change.split_once('='));
        let change =
            change.map(|(word, text)| say!("finding-try", command = format!("--{word} '{}'", visible(text))));
        let more: Vec<String> = [look, change].into_iter().flatten().collect();
        if !more.is_empty() {
            writeln!(out, "{}", screen.note(&format!("   {}", more.join(" · "))))?;
        }
    }
    Ok(())
}

/// How many findings stand in the summary.
const FIRST: usize = 3;

/// Writes the first findings, for the summary.
pub(super) fn write_first(out: &mut Out, screen: Screen, loaded: &Loaded) -> io::Result<()> {
    let list = findings(loaded);
    if list.findings.is_empty() {
        return writeln!(out, "{}\n", screen.sentence(&list.sentence, ""));
    }
    writeln!(out, "{}", screen.title(say!("findings-title"), say!("findings-title-about")))?;
    for (number, row) in (1..).zip(list.findings.iter().take(FIRST)) {
        writeln!(out, "{}", screen.sentence(&format!("{number}. {}", visible(&row.sentence)), ""))?;
    }
    writeln!(out, "{}\n", screen.note(say!("findings-more")))
}
