//! The replay against a simulator of its own: clusters that are simulated, recorded as TensorFlow would, and simulated again with each
//! change; and laws that hold for every recording.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod again;
mod bounds;
mod clusters;
mod laws;
mod real;
mod simulator;
mod threads;
mod watchers;
