//! What to search for, and which ops match.
//!
//! | module | what it has |
//! |---|---|
//! | [`matches`] | which ops match a pattern |
//! | [`pattern`] | what to search for: a text or a regular expression |

pub mod matches;
pub mod pattern;
