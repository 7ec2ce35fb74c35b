//! Bytes to `Trace`.
