//! Density strips: how busy devices were, for rows that show no lanes.

use crate::gpu::accelerators::accelerators;
use crate::timeline::colors::FLIGHT_PARTS;
use crate::timeline::in_flight::{STRIP_COLUMN_PX, Slices};
use crate::{DeviceId, Interval, Study};

/// The density strips of `devices` over a picture of `window` that is `width_px` wide: strip after strip, column after
/// column, how many ops of each part ([`FLIGHT_PARTS`]) are in flight on average. Columns are [`STRIP_COLUMN_PX`] wide. The strip of a device that is
/// one of several of a GPU is that of the GPU: all of its streams together, and nothing twice.
pub fn strips(
    study: &Study,
    devices: &[DeviceId],
    window: Interval,
    width_px: f64,
) -> Vec<[f32; FLIGHT_PARTS]> {
    let columns = (width_px / STRIP_COLUMN_PX).ceil().max(0.0) as usize;
    let slices = Slices::new(window.start, window.length().0 as f64 * STRIP_COLUMN_PX / width_px.max(1.0));
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
