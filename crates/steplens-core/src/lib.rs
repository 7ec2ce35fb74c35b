//! The trace model and every analysis of it.
