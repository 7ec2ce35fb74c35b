//! Collectives: the time that participants spent in each, and how much of it they waited for the last one to arrive.

use crate::listed::Listed;
use crate::op_ref::OpRef;
use serde::Serialize;
use steplens_core::base::order;
use steplens_core::collectives as core;
use steplens_core::{DeviceId, Study};

/// The most collectives that are listed; the total counts all.
const MAX_COLLECTIVES: usize = 200;
/// The most participants of a collective that are listed.
const MAX_PARTICIPANTS: usize = 64;

/// All collectives.
#[derive(Serialize)]
pub struct Collectives {
    /// The collectives, those with the longest waits first.
    #[serde(flatten)]
    pub listed: Listed<Collective>,
    /// The number of collectives whose participants are known.
    pub matched: usize,
    /// The time in them, summed over all participants.
    pub time_ns: i64,
    /// How much of this time was waiting for the last participant; null if no participants are known.
    pub waiting_ns: Option<i64>,
    /// How many times each device arrived last, the largest number first: (device, times).
    pub last: Vec<(u32, u64)>,
    /// How many collectives have participants whose files are not open: how long these were waited for is not known.
    pub without_files: usize,
}

impl Collectives {
    /// The answer if times of different tasks cannot be compared.
    pub(super) fn nothing() -> Self {
        let listed = Listed { total: 0, rows: Vec::new() };
        Self { listed, matched: 0, time_ns: 0, waiting_ns: None, last: Vec::new(), without_files: 0 }
    }
}

/// One collective.
#[derive(Serialize)]
pub struct Collective {
    /// The number of the step, as in `steplens steps`: from 1.
    pub step: usize,
    /// The op that arrived last, or the only known one.
    pub op: OpRef,
    /// How much later it arrived than the one before it; null if the participants are not known.
    pub last_by_ns: Option<i64>,
    /// The time in it, summed over all participants.
    pub time_ns: i64,
    /// How much of this time was waiting for the last one.
    pub waiting_ns: Option<i64>,
    /// In order of device.
    pub participants: Vec<Participant>,
    /// The number of participants; null if they are not known.
    pub participant_count: Option<usize>,
    /// The operation, as the framework calls it: `allreduce`; null if it is not recorded.
    pub operation: Option<String>,
    /// The process group, by its name; null if it is not recorded.
    pub group: Option<String>,
    /// The number of ranks in that group; null if it is not recorded.
    pub group_size: Option<u64>,
    /// How much each participant gives, of different amounts the largest; null if it is not recorded.
    pub bytes: Option<u64>,
    /// How many participants are of files that are not open.
    pub without_files: u64,
}

/// One device in a collective.
#[derive(Serialize)]
pub struct Participant {
    /// Its row in `devices` of the summary.
    pub device: u32,
    /// Its op.
    pub op: u32,
    /// How long it waited for the last one.
    pub waiting_ns: Option<i64>,
}

#[inline(never)]
pub(super) fn all(study: &Study) -> Collectives {
    let collectives = study.collectives();
    let mut rows: Vec<usize> = (0..collectives.rows.len()).collect();
    order::by_number(&mut rows, |at| (collectives.rows[at].waiting.0.saturating_neg(), 0));
    let known = || collectives.rows.iter().filter(|row| row.last.is_some());
    let mut times = vec![0; study.trace().devices().len()];
    // Where two began last at once, nobody waited for one of them.
    for (op, _) in known().filter_map(|row| row.last).filter(|(_, by)| by.0 > 0) {
        times[study.trace().device_of(op).index()] += 1;
    }
    let mut last: Vec<(u32, u64)> = study
        .trace()
        .devices()
        .ids()
        .map(|device: DeviceId| (device.get(), times[device.index()]))
        .filter(|&(_, times)| times > 0)
        .collect();
    order::by_number(&mut last, |(device, times)| (-(times as i64), i64::from(device)));
    let sum = |rows: &mut dyn Iterator<Item = i64>| rows.fold(0, i64::saturating_add);
    Collectives {
        listed: Listed::of(rows.len(), MAX_COLLECTIVES, &mut |at| {
            row(study, &collectives, &collectives.rows[rows[at]])
        }),
        matched: known().count(),
        time_ns: sum(&mut collectives.rows.iter().map(|row| row.time.0)),
        waiting_ns: (known().count() > 0).then(|| sum(&mut known().map(|row| row.waiting.0))),
        last,
        without_files: collectives.rows.iter().filter(|row| row.without_files > 0).count(),
    }
}

#[inline(never)]
fn row(study: &Study, collectives: &core::Collectives, collective: &core::Collective) -> Collective {
    let own = &collectives.participants[collective.participants.clone()];
    let (last, all) = (collective.last, &collectives.groups);
    let group = collective.group.and_then(|row| all.groups.get(row as usize));
    Collective {
        step: collective.step + 1,
        op: OpRef::of(study, last.map_or(own[0].op, |(op, _)| op)),
        last_by_ns: last.map(|(_, by)| by.0),
        time_ns: collective.time.0,
        waiting_ns: last.map(|_| collective.waiting.0),
        participants: own
            .iter()
            .take(MAX_PARTICIPANTS)
            .map(|own| Participant {
                device: own.device.get(),
                op: own.op.get(),
                waiting_ns: own.waiting.map(|waiting| waiting.0),
            })
            .collect(),
        participant_count: last.map(|_| own.len()),
        operation: collective.operation.and_then(|row| all.operations.get(row as usize)).cloned(),
        group: group.map(|group| group.name.clone()),
        group_size: group.and_then(|group| group.size),
        bytes: collective.bytes.map(|bytes| bytes.0),
        without_files: collective.without_files,
    }
}
