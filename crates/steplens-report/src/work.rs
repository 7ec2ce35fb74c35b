//! What ops calculate and move, as figures of a row.

use crate::figures;
use serde::Serialize;
use steplens_core::work::{Work, WorkSum};
use steplens_core::{Flops, Nanos};

/// What ops calculate and move, of those of which it is known: recorded, or by the shapes of their tensors.
#[derive(Serialize)]
pub struct WorkFigures {
    /// Their floating-point operations; null if those of none are known.
    pub flops: Option<u64>,
    /// Of these in a second, while they ran; for what launches kernels, while these ran. Null if nothing says how long that took.
    pub flops_per_second: Option<u64>,
    /// That rate, in millionths of the most that the trace’s accelerators calculate; null where no profiler says that most, or not one for all.
    pub flops_of_peak_ppm: Option<i64>,
    /// What they must read and write at least; null if that of none is known.
    pub moved_bytes: Option<u64>,
    /// Of these in a second, like `flops_per_second`.
    pub moved_bytes_per_second: Option<u64>,
    /// The part of their time, in millionths, that is of ops with any of these figures; null if it is none.
    pub work_known_ppm: Option<i64>,
}

impl WorkFigures {
    /// The figures of `sum`, of ops that last `whole`, on accelerators that calculate `peak` in a second at most.
    pub fn of(sum: &WorkSum, whole: Nanos, peak: Option<Flops>) -> Self {
        let rate = sum.flops_per_second();
        let (flops, bytes) = (sum.flops(), sum.bytes());
        let known = i128::from(sum.known().0) * 1_000_000 / i128::from(whole.0.max(1));
        Self {
            flops: flops.map(|own| own.0),
            flops_per_second: rate.map(|own| own as u64),
            flops_of_peak_ppm: rate.zip(peak).map(|(rate, peak)| (rate / peak.0 as f64 * 1e6) as i64),
            moved_bytes: bytes.map(|own| own.0),
            moved_bytes_per_second: sum.bytes_per_second().map(|own| own as u64),
            work_known_ppm: (flops.is_some() || bytes.is_some()).then_some(known as i64),
        }
    }

    /// How many floating-point operations, as text; empty if they are not known.
    pub fn said_flops(&self) -> String {
        self.flops.map_or_else(String::new, |own| figures::flops(own as f64))
    }

    /// How many of a second, as text; empty if nothing says it.
    pub fn said_flop_rate(&self) -> String {
        self.flops_per_second.map_or_else(String::new, |own| figures::flop_rate(own as f64))
    }

    /// The part of what accelerators calculate at most, as text; empty if nothing says that.
    pub fn said_of_peak(&self) -> String {
        self.flops_of_peak_ppm.map_or_else(String::new, |own| figures::share(own, 1_000_000))
    }

    /// How many bytes of a second, as text; empty if they are not known.
    pub fn said_byte_rate(&self) -> String {
        self.moved_bytes_per_second.map_or_else(String::new, |own| figures::rate(own, Some(1_000_000_000)))
    }

    /// The part of the time that is known, as text; empty if it is none.
    pub fn said_known(&self) -> String {
        self.work_known_ppm.map_or_else(String::new, |own| figures::share(own, 1_000_000))
    }

    /// The figures of one op.
    pub fn of_one(work: Option<Work>, length: Nanos, peak: Option<Flops>) -> Self {
        let mut sum = WorkSum::default();
        work.into_iter().for_each(|own| sum.add(own, length));
        Self::of(&sum, length, peak)
    }
}
