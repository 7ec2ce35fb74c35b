//! Density strips: how busy devices were, for rows without lanes.

use crate::gpu::accelerators::accelerators;
use crate::storage::union::Union;
use crate::timeline::colors::FLIGHT_PARTS;
use crate::timeline::in_flight::{STRIP_COLUMN_PX, Slices};
use crate::{Category, DeviceId, Interval, Study};

/// The columns of a strip as slices of time, and their number.
fn columns(window: Interval, width_px: f64) -> (Slices, usize) {
    let width = window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0);
    (Slices::new(window.start, width), (width_px / STRIP_COLUMN_PX).ceil().max(0.0) as usize)
}

/// The density strips of `devices` for a picture of `window` that is `width_px` wide: for each strip and column, the average number
/// of ops of each part ([`FLIGHT_PARTS`]) in flight. Columns are [`STRIP_COLUMN_PX`] wide. If a device is one of several of a GPU,
/// its strip is that of the whole GPU, with each op once.
pub fn strips(
    study: &Study,
    devices: &[DeviceId],
    window: Interval,
    width_px: f64,
) -> Vec<[f32; FLIGHT_PARTS]> {
    let (slices, columns) = columns(window, width_px);
    let mut strips = vec![[0.0; FLIGHT_PARTS]; columns * devices.len()];
    let (trace, gpus) = (study.trace(), accelerators(study.trace()));
    for (strip, &device) in strips.chunks_mut(columns.max(1)).zip(devices) {
        let mut add =
            |one: DeviceId| study.in_flight(one).add_averages(trace, study.colors(), &slices, strip);
        match gpus.iter().find(|gpu| gpu.devices.contains(&device)) {
            Some(gpu) => gpu.unrepeated(trace).for_each(&mut add),
            None if device.index() < trace.devices().len() => add(device),
            None => {}
        }
    }
    strips
}

/// The exposed share of communication, for each of `devices` and each column: of the time in which the device communicates, the
/// share in which nothing hides that; 0 where it does not communicate. Takes time in proportion to columns and the intervals in
/// them. If a device is one of several of a GPU, the share is of this device alone.
pub fn exposed(study: &Study, devices: &[DeviceId], window: Interval, width_px: f64) -> Vec<f32> {
    let (slices, columns) = columns(window, width_px);
    let mut strips = vec![0.0; columns * devices.len()];
    let mut communicating = vec![0.0; columns];
    for (strip, device) in strips.chunks_mut(columns.max(1)).zip(devices) {
        let Some(coverage) = study.coverage().get(device.index()) else { continue };
        communicating.fill(0.0);
        add_covered(coverage.union(Category::Communication), &slices, &mut communicating);
        add_covered(coverage.exposed_communication(), &slices, strip);
        for (share, &all) in strip.iter_mut().zip(&communicating) {
            *share = if all > 0.0 { (*share / all).min(1.0) } else { 0.0 };
        }
    }
    strips
}

/// Adds how much of each column `union` covers.
fn add_covered(union: &Union, slices: &Slices, columns: &mut [f32]) {
    let count = columns.len() as f64;
    for interval in union.after(slices.start()) {
        let (start, end) = (slices.place(interval.start).max(0.0), slices.place(interval.end).min(count));
        if start >= count {
            break;
        }
        for (column, covered) in columns.iter_mut().enumerate().take(end.ceil() as usize).skip(start as usize)
        {
            *covered += (end.min(column as f64 + 1.0) - start.max(column as f64)).max(0.0) as f32;
        }
    }
}
