//! How a trace is made: by a reader, from a selection, or from another trace. From the records that a reader hands over, or
//! from the ops of another trace. For the readers of `steplens-formats`, and for every view, repair and redaction that makes a
//! trace from a trace.
//!
//! | module | what it has |
//! |---|---|
//! | [`builder`] | what a reader fills |
//! | [`rebuilt`] | a trace made from another one |
//! | [`patterned`] | the same trace, with more ops that count as communication |
//! | [`selection`] | which devices and times to read |

pub mod builder;
pub mod patterned;
pub mod rebuilt;
pub mod selection;
