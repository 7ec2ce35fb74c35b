//! Figures with units, as the page writes them.

pub(crate) use steplens_report::figures::{
    UNKNOWN, bytes, count, duration, maybe_duration, plural, rate, share,
};
