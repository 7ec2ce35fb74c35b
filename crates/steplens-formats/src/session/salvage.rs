//! Reading what is left of a damaged session: its tables are found again ([`envelope`]), and one that makes no sense is mended ([`mend`]) until the
//! rest does.
//!
//! A session that fits its checksum is not damaged: what makes no sense in it was written so, by a newer Steplens or another program, and is refused.

use super::envelope::{self, Rebuilt};
use super::mend::{self, Lost};
use super::read::{Read, Strictness, as_it_is, check_start, whole};
use super::tables::Tables;
use super::{Damage, START, Section};
use crate::reader::{Checked, FoundSession};
use bytes::Bytes;
use prost::Message;
use steplens_core::Problem;
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::file::FileReport;
use steplens_messages::say;
use steplens_proto::sessions::Session;

/// Reads the session `file` into `builder`, and may use `memory_bytes`. Of a damaged session as much gets into the builder as makes sense.
pub(super) fn read(
    file: &Bytes,
    memory_bytes: usize,
    builder: &mut TraceBuilder,
) -> Result<FoundSession, Damage> {
    check_start(file)?;
    as_it_is(file, memory_bytes, builder).or_else(|damage| read_damaged(file, damage, memory_bytes, builder))
}

/// Reads what makes sense of `file` into `builder`; `damage` is what was met first. Fails with it if nothing can be shown.
fn read_damaged(
    file: &[u8],
    damage: Damage,
    memory_bytes: usize,
    builder: &mut TraceBuilder,
) -> Result<FoundSession, Damage> {
    let is_newer = damage.got == say!("got-newer-session");
    match envelope::is_as_written(file) {
        _ if damage.section == Section::Session => return Err(damage),
        Some(true) => return Err(damage),
        None if is_newer => return Err(damage),
        _ => {}
    }
    let Rebuilt { file: rebuilt, broken, is_open } = envelope::rebuilt(file);
    let mut session = Session::decode(Bytes::from(rebuilt).slice(START..)).map_err(|_| damage)?;
    let is_cut = session.files.is_none();
    // Later blocks are of no use without what is missing, and those before are as they were.
    let has_all_blocks = session.ops.len() < 2 || session.ops.iter().all(super::blocks::is_whole);
    mend::join_blocks(&mut session);
    let mut lost = Lost::default();
    let doubtful = broken.iter().filter(|&&(table, is_empty)| is_empty || mend::is_doubtful(table, &session));
    let mut tried: Vec<Section> = doubtful.map(|&(table, _)| mend::section_of(table)).collect();
    tried.dedup();
    if !has_all_blocks && !tried.contains(&Section::Ops) {
        tried.push(Section::Ops);
    }
    let missing = mend::missing(&session);
    tried.extend(missing.into_iter().filter(|section| *section != Section::Strings));
    for &section in &tried {
        mend::mend(section, &mut session, &mut lost).ok_or(damage)?;
    }
    let (read, tables) = loop {
        let ops = session.ops.pop();
        let tables = Tables::mended(session, ops);
        let found = match whole(&tables, file.len(), memory_bytes, builder.heap_bytes(), Strictness::Mended) {
            Ok(read) => break (read, tables),
            Err(found) => found,
        };
        session = Session { ops: tables.ops.into_iter().collect(), ..tables.session };
        // Each section is mended once, and those of names once more, for what the first time could not know.
        let most = if found.section == Section::Ops { 2 } else { 1 };
        if tried.iter().filter(|&&section| section == found.section).count() >= most {
            return Err(damage);
        }
        tried.push(found.section);
        mend::mend(found.section, &mut session, &mut lost).ok_or(damage)?;
    };
    let Read { trace, mut files } = read;
    if files.is_empty() {
        // Parts say which of the files they are of.
        let last = trace.parts().iter().map(|part| part.file).max().unwrap_or(0);
        let count = (last as usize).min(trace.parts().len()) + 1;
        let report = || FileReport {
            name: String::new(),
            format: super::FORMAT.name.into(),
            bytes: 0,
            ops: 0,
            problems: Vec::new(),
        };
        files = (0..count).map(|_| report()).collect();
    }
    // What costs most comes first.
    lost.what
        .sort_by_key(|(section, ..)| !matches!(section, Section::Ops | Section::Names | Section::Strings));
    let mut what: Vec<(u64, String)> = lost.what.into_iter().map(|(_, count, what)| (count, what)).collect();
    if is_cut {
        what.push((1, say!("session-lost-end").to_owned()));
    } else if is_open {
        what.push((1, say!("session-lost-table").to_owned()));
    }
    let problem = |(count, what): (u64, String)| Problem {
        code: "session-incomplete".into(),
        count,
        offset: damage.at,
        detail: say!("session-incomplete", what, at = damage.at),
    };
    let shown = tables.shown();
    builder.take_trace(trace);
    let lost = what.into_iter().map(problem).collect();
    Ok(FoundSession { files, shown, unknown: 0, checked: Checked::Changed, lost })
}
