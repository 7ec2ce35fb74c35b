//! Which call launched which kernel or copy, and how many bytes a call copies, in a trace of rocprof (v1).
//!
//! rocprof writes no number that both have: an arrow (category `DataFlow`, name `dep`) leads from a moment within the call, on its thread, to
//! the moment at which the kernel or copy starts, in its process (`bin/tblextr.py` and `bin/dform.py` of ROCm's rocprofiler).

use steplens_core::base::order;
use steplens_core::build::builder::TraceBuilder;

/// The size among what was passed to a call that copies or sets memory: `( dst(0x7f13) src(0x7de1) sizeBytes(24) kind(1) stream(1))`.
pub(super) fn passed_bytes(passed: &[u8]) -> Option<u64> {
    let (_, rest) = std::str::from_utf8(passed).ok()?.split_once("sizeBytes(")?;
    rest.split_once(')')?.0.parse().ok()
}

/// A process and a moment in it, in ns.
type Moment = (u32, i64);

/// The ends of arrows, and what they may lead from and to.
#[derive(Default)]
pub(super) struct Arrows {
    /// (number, process, thread, time) of the beginnings.
    begins: Vec<(i64, u32, u32, i64)>,
    /// (number, moment) of the ends.
    ends: Vec<(i64, Moment)>,
    /// (process, thread, start, end, row).
    calls: Vec<(u32, u32, i64, i64, u32)>,
    /// (moment of the start, row).
    work: Vec<(Moment, u32)>,
}

impl Arrows {
    /// Adds one end of the arrow with this number.
    pub(super) fn add(&mut self, begins: bool, number: i64, (process, thread): (u32, u32), at_ns: i64) {
        match begins {
            true => self.begins.push((number, process, thread, at_ns)),
            false => self.ends.push((number, (process, at_ns))),
        }
    }

    /// Adds the call in `row`.
    pub(super) fn add_call(
        &mut self,
        (process, thread): (u32, u32),
        start_ns: i64,
        length_ns: i64,
        row: u32,
    ) {
        self.calls.push((process, thread, start_ns, start_ns.saturating_add(length_ns), row));
    }

    /// Adds the kernel or copy in `row`, in the process in which the file has it.
    pub(super) fn add_work(&mut self, process: u32, start_ns: i64, row: u32) {
        self.work.push(((process, start_ns), row));
    }

    /// Joins what arrows lead to with the calls that they lead from.
    pub(super) fn join(mut self, builder: &mut TraceBuilder) {
        if self.begins.is_empty() || self.work.is_empty() {
            return;
        }
        order::by_number(&mut self.begins, |(number, ..)| (number, 0));
        order::by_number(&mut self.calls, |(.., start, _, row)| (start, i64::from(row)));
        order::by_number(&mut self.calls, |(process, thread, ..)| (i64::from(process), i64::from(thread)));
        order::by_number(&mut self.ends, |(number, (_, at))| (at, number));
        order::by_number(&mut self.ends, |(_, (process, _))| (i64::from(process), 0));
        order::by_number(&mut self.work, |((_, at), row)| (at, i64::from(row)));
        order::by_number(&mut self.work, |((process, _), _)| (i64::from(process), 0));
        let mut next = 0;
        for &(number, moment) in &self.ends {
            // Of several that start in one microsecond each takes one arrow.
            while self.work.get(next).is_some_and(|(other, _)| *other < moment) {
                next += 1;
            }
            let Some(&(_, work)) = self.work.get(next).filter(|(other, _)| *other == moment) else {
                continue;
            };
            next += 1;
            if let Some(call) = self.call_of(number) {
                builder.set_call(work, call);
            }
        }
    }

    /// The row of the call from within which an arrow leads.
    fn call_of(&self, number: i64) -> Option<u32> {
        let place = self.begins.binary_search_by_key(&number, |own| own.0).ok()?;
        let (_, process, thread, at) = self.begins[place];
        let started = self.calls.partition_point(|own| (own.0, own.1, own.2) <= (process, thread, at));
        let &(of_process, of_thread, _, end, row) = self.calls.get(started.checked_sub(1)?)?;
        ((of_process, of_thread) == (process, thread) && at <= end).then_some(row)
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.begins.capacity() * size_of::<(i64, u32, u32, i64)>()
            + self.ends.capacity() * size_of::<(i64, Moment)>()
            + self.calls.capacity() * size_of::<(u32, u32, i64, i64, u32)>()
            + self.work.capacity() * size_of::<(Moment, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::passed_bytes;

    #[test]
    fn sizes_are_among_what_was_passed() {
        assert_eq!(passed_bytes(b"( dst(0x7f13) src(0x7de1) sizeBytes(24) kind(1) stream(1))"), Some(24));
        assert_eq!(
            [passed_bytes(b""), passed_bytes(b"( sizeBytes(x))"), passed_bytes(b"sizeBytes(4")],
            [None; 3]
        );
    }
}
