//! The figures of tensorflow-tracer's `Timeline`, under its names.

use serde::Serialize;
use steplens_core::Study;
use steplens_core::network::tracer_figures::tracer_figures;

/// The figures in microseconds, as tensorflow-tracer counts.
#[derive(Serialize)]
pub struct TracerFigures {
    pub step_time_us: i64,
    pub communication_time_us: i64,
    pub communication_elapsed_time_us: i64,
}

impl TracerFigures {
    pub(super) fn of(study: &Study) -> Self {
        let figures = tracer_figures(study.trace());
        Self {
            step_time_us: figures.step_us,
            communication_time_us: figures.communication_us,
            communication_elapsed_time_us: figures.communication_elapsed_us,
        }
    }
}
