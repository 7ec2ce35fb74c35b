//! Rows to ranked lists. Each has a bound; what is beyond it is counted, never dropped in silence.

use super::slow_links::Links;
use crate::overview::answers::lists::{
    FailedFile, FinishedLast, FleetFinding, FleetLists, FleetOpType, LinkCell, LinkEnd, LinkMatrix,
};
use crate::overview::rows::{FindingRow, LinkRow, OpTypeRow, SourceRow, StragglerRow};
use crate::overview::shape::RunShape;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most findings, and op types, that are told apart.
const MOST_KINDS: usize = 16_384;
/// The most rows of a list that are kept.
const MOST_LISTED: usize = 200;
/// The most files that are named because they were not read.
const MOST_FAILED: usize = 1000;
/// Rows and columns of the matrix.
const MOST_ENDS: usize = 64;

/// What a run has next to its cells, while its rows come.
#[derive(Debug)]
pub(super) struct Gathered {
    /// Whether a task has cells.
    tasks: HashSet<String>,
    /// By name, the place of a task in the matrix of links.
    end_of: HashMap<String, usize>,
    stragglers: BTreeMap<String, Behind>,
    findings: BTreeMap<(String, String), Found>,
    op_types: BTreeMap<(String, String), FleetOpType>,
    links: BTreeMap<(usize, usize), LinkCell>,
    slow: Links,
    lists: FleetLists,
}

#[derive(Debug, Default)]
struct Behind {
    said: FinishedLast,
    worst_ns: i64,
    causes: BTreeMap<(String, String), u64>,
}

#[derive(Debug, Default)]
struct Found {
    said: FleetFinding,
    largest_ns: i64,
}

impl Gathered {
    pub(super) fn new(shape: &RunShape) -> Self {
        let names: Vec<&String> = shape.tasks.iter().map(|(name, _)| name).chain(&shape.linked).collect();
        let tasks_per_end = names.len().div_ceil(MOST_ENDS).max(1);
        let end = |tasks: &[&String]| LinkEnd {
            first: tasks.first().map(|&name| name.clone()).unwrap_or_default(),
            last: tasks.last().map(|&name| name.clone()).unwrap_or_default(),
        };
        let ends = names.chunks(tasks_per_end).map(end).collect();
        let places = names.iter().enumerate().map(|(at, &name)| (name.clone(), at / tasks_per_end));
        Self {
            tasks: shape.tasks.iter().map(|(name, _)| name.clone()).collect(),
            end_of: places.collect(),
            stragglers: BTreeMap::new(),
            findings: BTreeMap::new(),
            op_types: BTreeMap::new(),
            links: BTreeMap::new(),
            slow: Links::default(),
            lists: FleetLists { links: LinkMatrix { ends, ..Default::default() }, ..Default::default() },
        }
    }

    pub(super) fn straggler(&mut self, row: &StragglerRow<'_>) {
        // A hostile dataset cannot name more tasks than it has.
        if !self.tasks.contains(row.task) {
            return;
        }
        let behind = self.stragglers.entry(row.task.to_owned()).or_default();
        behind.said.steps += 1;
        behind.said.time_ns = behind.said.time_ns.saturating_add(row.after_next_ns);
        if behind.said.steps == 1 || row.after_next_ns > behind.worst_ns {
            behind.worst_ns = row.after_next_ns;
            behind.said.step = row.step;
            row.source.clone_into(&mut behind.said.source);
        }
        let cause = (row.cause.to_owned(), row.cause_op_type.to_owned());
        if behind.causes.len() < MOST_LISTED || behind.causes.contains_key(&cause) {
            *behind.causes.entry(cause).or_default() += 1;
        }
    }

    pub(super) fn finding(&mut self, row: &FindingRow<'_>) {
        let key = (row.rule.to_owned(), row.subject.to_owned());
        if self.findings.len() >= MOST_KINDS && !self.findings.contains_key(&key) {
            self.lists.findings_left_out += 1;
            return;
        }
        let Found { said, largest_ns } = self.findings.entry(key).or_default();
        said.sources += 1;
        said.with_saving += u64::from(row.saving_ns.is_some());
        let saving_ns = row.saving_ns.unwrap_or(0);
        said.saving_ns = said.saving_ns.saturating_add(saving_ns);
        if said.sources == 1 || saving_ns > *largest_ns {
            *largest_ns = saving_ns;
            said.step = row.step;
            row.task.clone_into(&mut said.task);
            row.source.clone_into(&mut said.source);
            row.what.clone_into(&mut said.what);
        }
    }

    pub(super) fn link(&mut self, row: &LinkRow<'_>) {
        let place = |task: &str| self.end_of.get(task).copied();
        let Some((from, to)) = place(row.source_task).zip(place(row.destination_task)) else {
            self.lists.links.left_out += 1;
            return;
        };
        let new = LinkCell { from, to, ..Default::default() };
        let cell = self.links.entry((from, to)).or_insert(new);
        cell.transfers = cell.transfers.saturating_add(row.transfers);
        cell.bytes = cell.bytes.saturating_add(row.bytes);
        cell.timed_bytes = cell.timed_bytes.saturating_add(row.timed_bytes);
        cell.busy_ns = cell.busy_ns.saturating_add(row.busy_ns);
        self.slow.add(row);
    }

    pub(super) fn op_type(&mut self, row: &OpTypeRow<'_>) {
        let mut key = (row.op_type.to_owned(), row.place.to_owned());
        if self.op_types.len() >= MOST_KINDS && !self.op_types.contains_key(&key) {
            // One line has all that are too many.
            key.0 = String::new();
        }
        let found = self.op_types.entry(key).or_default();
        found.count = found.count.saturating_add(row.count);
        found.total_ns = found.total_ns.saturating_add(row.total_ns);
    }

    pub(super) fn source(&mut self, row: &SourceRow<'_>) {
        let files = &mut self.lists.files;
        match row.state {
            "whole" => files.whole += 1,
            "damaged" => files.damaged += 1,
            "no-trace" => files.no_trace += 1,
            _ => files.unreadable += 1,
        }
        if !["whole", "no-trace"].contains(&row.state) && files.failed.len() < MOST_FAILED {
            files.failed.push(FailedFile {
                source: row.source.to_owned(),
                state: row.state.to_owned(),
                code: row.code.to_owned(),
                what: row.what.to_owned(),
            });
        }
    }

    pub(super) fn finish(self) -> FleetLists {
        let mut lists = self.lists;
        lists.stragglers = self.stragglers.into_iter().map(|(task, behind)| behind.said(task)).collect();
        lists.stragglers.sort_by_key(|row| std::cmp::Reverse((row.time_ns, row.steps)));
        lists.stragglers.truncate(MOST_LISTED);
        let findings = self.findings.into_iter();
        lists.findings =
            findings.map(|((rule, subject), found)| FleetFinding { rule, subject, ..found.said }).collect();
        lists.findings.sort_by_key(|row| std::cmp::Reverse((row.saving_ns, row.sources)));
        let rest = lists.findings.iter().skip(MOST_LISTED).map(|row| row.sources).sum::<u64>();
        lists.findings_left_out += rest;
        lists.findings.truncate(MOST_LISTED);
        let op_types = self.op_types.into_iter();
        lists.op_types =
            op_types.map(|((op_type, place), row)| FleetOpType { op_type, place, ..row }).collect();
        lists.op_types.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
        lists.op_types.truncate(MOST_LISTED);
        lists.links.cells = self.links.into_values().collect();
        (lists.links.slow, lists.links.unranked) = self.slow.finish();
        lists
    }
}

impl Behind {
    fn said(self, task: String) -> FinishedLast {
        // Of causes that are as frequent, the first by its word.
        let most = self.causes.into_iter().rev().max_by_key(|(_, steps)| *steps);
        let ((cause, cause_op_type), _) = most.unwrap_or_default();
        FinishedLast { task, cause, cause_op_type, ..self.said }
    }
}
