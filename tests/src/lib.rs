//! Fixtures and generators.
