//! Which files are inputs, by whatever name: what is read must never be written over.

use crate::reading::input::Input;
use same_file::{Handle, is_same_file};
use std::path::Path;

/// Whether `output` is one of the inputs: by its name, a link of any kind, or another way through the folders.
pub(super) fn is_input(inputs: &[Input], output: &Path) -> bool {
    // Files are compared by opening them, and opening a pipe waits for its other end.
    if !output.is_file() {
        return false;
    }
    inputs.iter().any(|input| match &input.path {
        Some(path) => path.is_file() && is_same_file(path, output).unwrap_or(false),
        // A file that the shell hands over, as in `steplens export - < FILE`.
        None => {
            Handle::stdin().is_ok_and(|input| Handle::from_path(output).is_ok_and(|output| input == output))
        }
    })
}
