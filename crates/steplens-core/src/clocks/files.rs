//! Clocks of files: some profilers count from the start of the machine and not from 1970. Next to other files these files would be
//! decades away; or days away, if two machines started at different times.
//!
//! The times within such a file are known, and, on one machine, the times between such files. So files with the same clock are
//! moved together, to where the others start, and each moved file is reported. Nothing is moved within a file.

use crate::Trace;
use crate::base::order;
use crate::base::units::Nanos;
use crate::build::rebuilt::Placed;

/// No trace was recorded before 2000: a file that ends earlier does not count from a date.
const FIRST_DATE_UNIX_NS: i64 = 946_684_800_000_000_000;
/// Files of one step, or of a few, follow each other within an hour. If clocks are further apart, they are of two machines.
const ONE_CLOCK_NS: i64 = 3_600_000_000_000;

/// A file that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedFile {
    /// The number of the file, in the order of opening.
    pub file: u32,
    /// How much later all of its times are now.
    pub by: Nanos,
}

/// When the ops of a file ran, in ns from 1970 or from where its clock starts.
#[derive(Clone, Copy)]
struct Span {
    file: u32,
    start: i64,
    end: i64,
}

/// Moves the files of `trace` whose clocks do not count from a date to where the others start.
pub fn set_beside(trace: Trace) -> (Trace, Vec<MovedFile>) {
    let moved = moves(&spans(&trace));
    if moved.is_empty() {
        return (trace.with_joined_samples(), moved);
    }
    let by_part: Vec<Nanos> = trace
        .parts()
        .iter()
        .map(|part| moved.iter().find(|moved| moved.file == part.file).map_or(Nanos(0), |moved| moved.by))
        .collect();
    let shift = |place: &Placed| by_part.get(trace.ops().part(place.op).index()).copied().unwrap_or_default();
    let mut places = trace.places().map(|place| Placed { shift: shift(&place), ..place });
    let rebuilt = trace.rebuilt(&mut places).trace;
    (rebuilt, moved)
}

/// The files with ops, in their order.
fn spans(trace: &Trace) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for part in trace.parts().iter().filter(|part| part.ops > 0) {
        let (start, end) = (trace.unix_ns(part.span.start), trace.unix_ns(part.span.end));
        match spans.last_mut().filter(|span| span.file == part.file) {
            Some(span) => (span.start, span.end) = (span.start.min(start), span.end.max(end)),
            None => spans.push(Span { file: part.file, start, end }),
        }
    }
    spans
}

fn moves(spans: &[Span]) -> Vec<MovedFile> {
    let (mut dateless, dated): (Vec<Span>, Vec<Span>) =
        spans.iter().partition(|span| span.end < FIRST_DATE_UNIX_NS);
    order::by_number(&mut dateless, |span| (span.start, span.end));
    let mut clocks: Vec<Vec<Span>> = Vec::new();
    let mut last_end = i64::MIN;
    for span in dateless {
        match clocks.last_mut() {
            Some(clock) if span.start.saturating_sub(last_end) < ONE_CLOCK_NS => clock.push(span),
            _ => clocks.push(vec![span]),
        }
        last_end = last_end.max(span.end);
    }
    // A single time of a file with dates may be damaged.
    let believable = dated.iter().map(|span| span.start).filter(|&start| start >= FIRST_DATE_UNIX_NS);
    let dated_start = believable.min().or_else(|| dated.iter().map(|span| span.end).min());
    let first_file = |clock: &&Vec<Span>| clock.iter().map(|span| span.file).min();
    let clock_start = |clock: &[Span]| clock.first().map_or(0, |span| span.start);
    // If no file has a date, the clock of the first file stays.
    let Some(start) =
        dated_start.or_else(|| clocks.iter().min_by_key(first_file).map(|clock| clock_start(clock)))
    else {
        return Vec::new();
    };
    let mut moved = Vec::new();
    for clock in &clocks {
        let by = Nanos(start.saturating_sub(clock_start(clock)));
        moved.extend(clock.iter().filter(|_| by.0 != 0).map(|span| MovedFile { file: span.file, by }));
    }
    order::by_number(&mut moved, |moved| (i64::from(moved.file), 0));
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::{OpRecord, TraceBuilder};
    use crate::model::op::OpTimes;

    const DATE: i64 = 1_700_000_000_000_000_000;
    const DAY: i64 = 86_400_000_000_000;

    /// A trace of files with one op of 5 ns each; returns the starts afterwards, and what was moved.
    fn starts(of_files: &[i64]) -> (Vec<i64>, Vec<(u32, i64)>) {
        let mut builder = TraceBuilder::default();
        for (file, &start) in (0..).zip(of_files) {
            builder.begin_file(file);
            let slot = builder.begin_device();
            builder.name_device(slot, file.to_string().as_bytes());
            let times = OpTimes { start_unix_ns: start, length_ns: 5, ..OpTimes::default() };
            builder.op(slot, &OpRecord { name: b"a", label: b"", times }).unwrap();
        }
        let (trace, moved) = set_beside(builder.finish(&Default::default()));
        let starts = trace.ops().ids().map(|op| trace.unix_ns(trace.ops().start(op))).collect();
        (starts, moved.iter().map(|moved| (moved.file, moved.by.0)).collect())
    }

    #[test]
    fn files_without_a_date_start_with_the_others() {
        let unmoved = |files: &[i64]| assert_eq!(starts(files), (files.to_vec(), vec![]));
        unmoved(&[DATE, DATE + DAY]);
        unmoved(&[7]);
        // One clock: the time between the files is true.
        unmoved(&[DAY, DAY + 9, DAY - 20]);
        let by = DATE - DAY;
        assert_eq!(starts(&[DATE, DAY + 9, DAY]), (vec![DATE, DATE + 9, DATE], vec![(1, by), (2, by)]));
        // Two machines: the clock of the first file stays.
        assert_eq!(starts(&[9 * DAY, 3 * DAY, 3 * DAY + 1]).0, [9 * DAY, 9 * DAY, 9 * DAY + 1]);
        assert_eq!(starts(&[]).1, []);
    }
}
