//! Every stretch of memory that was alive, by the first reading that the trace has.

use super::{Give, columns};
use std::io;
use steplens_core::Study;
use steplens_core::base::progress::Progress;
use steplens_core::memory::Life;

columns! { AllocationRow {
    /// By what it is known: `records`, `tensors` or `timeline.py`.
    reading: text => |row| row.reading.into();
    /// Whose memory it is, where a reading keeps devices apart.
    device: maybe_text => |row| row.device.into();
    /// The allocator.
    allocator: text => |row| row.allocator.into();
    /// The op that allocated it.
    op: count => |row| row.life.op.into();
    /// The place of the output that it is among those of the op, from 0.
    output: maybe_count => |row| row.life.output.into();
    /// How large it is.
    bytes: size => |row| row.life.bytes.into();
    /// When it was allocated; empty if it was there before.
    allocated_ns: maybe_moment => |row| row.life.allocated.into();
    /// When it was freed; empty if it stayed.
    freed_ns: maybe_moment => |row| row.life.freed.into();
} }

struct AllocationRow<'s> {
    reading: &'static str,
    device: Option<&'s str>,
    allocator: &'s str,
    life: Life,
}

pub(super) async fn rows(study: &Study, give: &mut Give<'_>, progress: &mut Progress<'_>) -> io::Result<()> {
    let trace = study.trace();
    let Some((reading, memory)) = study.best_memory() else { return Ok(()) };
    for account in &memory.accounts {
        let device = account.device.map(|device| trace.text(trace.devices().get(device).name));
        for life in account.lives.iter() {
            let row = AllocationRow {
                reading: reading.word(),
                device,
                allocator: trace.text(account.allocator),
                life,
            };
            give.row(&VALUES, &row)?;
            progress.other_row().await;
        }
    }
    Ok(())
}
