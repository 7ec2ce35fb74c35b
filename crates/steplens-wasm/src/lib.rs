//! The edge to JavaScript.
