//! The tables of one file.

use super::paths::PathFacts;
use super::piece::Piece;
use std::io;
use steplens_core::Study;
use steplens_formats::Opened;
use steplens_report::fleet::{FleetTable, Member, SourceRow, State, sources_row};
use steplens_report::summary::LOSES_OPS;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path below the folder that is indexed, with `/` between its names.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// When it was changed last, in ns from 1970.
    pub modified_unix_ns: i64,
}

/// Why nothing was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// Its code in `docs/problems.md`.
    pub code: String,
    /// What is wrong, and what to do.
    pub what: String,
}

/// Codes of files that are something else than a trace.
const NO_TRACES: [&str; 4] =
    ["other-format", "not-run-metadata", "other-json", "pickle-without-run-metadata"];

/// The rows of one file, table by table.
pub struct Tables<'a> {
    study: Option<Study>,
    source: &'a SourceFile,
    facts: &'a PathFacts,
    read: Result<Reports, NotRead>,
}

/// What opening said of a file.
struct Reports {
    format: String,
    first: Option<(String, String)>,
    problems: u64,
    is_damaged: bool,
    ops: usize,
}

impl<'a> Tables<'a> {
    /// Of what was `opened` from `source`.
    pub fn of(source: &'a SourceFile, facts: &'a PathFacts, opened: Result<Opened, NotRead>) -> Self {
        let (study, read) = match opened {
            Ok(opened) => {
                let reports = Reports::of(&opened);
                (Some(Study::new(opened.trace)), Ok(reports))
            }
            Err(why) => (None, Err(why)),
        };
        Self { study, source, facts, read }
    }

    /// How many ops it has.
    pub fn ops(&self) -> usize {
        self.read.as_ref().map_or(0, |read| read.ops)
    }

    /// The rows of all of `tables`, each given to `take` as it is made.
    pub fn each(
        &self,
        tables: &[FleetTable],
        take: &mut dyn FnMut(FleetTable, Piece) -> io::Result<()>,
    ) -> io::Result<()> {
        let member = self.study.as_ref().map(|study| Member::new(study, &self.source.file, &self.facts.says));
        for &table in tables {
            let mut piece = Piece::of(&table.columns());
            let mut push = |row: &[steplens_report::tables::Value<'_>]| {
                piece.push(row);
                Ok(())
            };
            match &member {
                _ if table == FleetTable::Sources => self.source_row(member.as_ref(), &mut push)?,
                Some(member) => table.rows(member, &mut push)?,
                None => {}
            }
            take(table, piece)?;
        }
        Ok(())
    }

    fn source_row(
        &self,
        member: Option<&Member<'_>>,
        take: steplens_report::tables::Take<'_>,
    ) -> io::Result<()> {
        let SourceFile { file, bytes, modified_unix_ns } = self.source;
        let empty = SourceRow {
            file,
            bytes: *bytes,
            modified_unix_ns: *modified_unix_ns,
            state: State::Unreadable,
            format: "unreadable",
            problem: None,
            problems: 1,
            ops: 0,
            steps: 0,
            step_from: "",
        };
        let row = match &self.read {
            Err(NotRead { code, what }) => SourceRow {
                state: if NO_TRACES.contains(&code.as_str()) { State::NoTrace } else { State::Unreadable },
                problem: Some((code, what)),
                ..empty
            },
            Ok(read) => SourceRow {
                state: if read.is_damaged { State::Damaged } else { State::Whole },
                format: &read.format,
                problem: read.first.as_ref().map(|(code, what)| (code.as_str(), what.as_str())),
                problems: read.problems,
                ops: read.ops,
                steps: member.map_or(0, Member::step_count),
                step_from: member.map_or("", |member| member.step_from),
                ..empty
            },
        };
        sources_row(&row, take)
    }
}

impl Reports {
    fn of(opened: &Opened) -> Self {
        let problems =
            || opened.files.iter().flat_map(|file| &file.problems).filter(|problem| !problem.is_note());
        Self {
            format: opened.files.first().map_or_else(String::new, |file| file.format.clone().into_owned()),
            first: problems().next().map(|problem| (problem.code.to_string(), problem.detail.clone())),
            problems: problems().map(|problem| problem.count).sum(),
            is_damaged: problems().any(|problem| problem.count > 0 && LOSES_OPS.contains(&&*problem.code)),
            ops: opened.trace.counted_ops(),
        }
    }
}
