//! An allocator that counts, to bound what reading may cost: memory at its peak, and the work that allocating is.
//!
//! Counts are kept by thread, so that tests which run side by side do not see each other. Nothing here is a clock: the
//! same input counts the same on every machine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counted. Make it the `#[global_allocator]` of a test.
pub struct Meter;

/// What a piece of work cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The most bytes it held at once, beyond what was held before.
    pub peak_bytes: usize,
    /// How many more bytes are held after it than before it.
    pub held_bytes: isize,
    /// How many bytes it asked for in all.
    pub total_bytes: usize,
    /// How often it asked.
    pub allocations: usize,
}

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Runs `work` and tells what this thread allocated meanwhile.
pub fn cost<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (held, total, count) = (HELD.get(), TOTAL.get(), COUNT.get());
    PEAK.set(held);
    let result = work();
    let cost = Cost {
        peak_bytes: (PEAK.get() - held).unsigned_abs(),
        held_bytes: HELD.get() - held,
        total_bytes: TOTAL.get() - total,
        allocations: COUNT.get() - count,
    };
    (result, cost)
}

fn took(bytes: usize) {
    let held = HELD.get() + bytes as isize;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
    TOTAL.set(TOTAL.get() + bytes);
    COUNT.set(COUNT.get() + 1);
}

fn gave(bytes: usize) {
    HELD.set(HELD.get() - bytes as isize);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait; each call is handed to the system's")]
// SAFETY: every call goes to `System` unchanged; counting touches only constant-initialised thread-locals, which
// neither allocate nor have destructors.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Old and new may both be held while the bytes are moved.
        took(new_size);
        gave(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
