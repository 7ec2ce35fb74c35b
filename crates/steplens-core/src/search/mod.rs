//! Which ops match a text or a regular expression. From the names, types and labels of ops. For the search field of the
//! page, and for marks of what was found.
//!
//! | module | what it has |
//! |---|---|
//! | [`matches`] | which ops match a pattern |
//! | [`pattern`] | what to search for: a text or a regular expression |

pub mod matches;
pub mod pattern;
