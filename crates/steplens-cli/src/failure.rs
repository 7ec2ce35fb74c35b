//! Why the program ends early.

use std::io;
use steplens_messages::say;

/// Why a command did not do all that it was asked to.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of the output has closed it.
    ClosedPipe,
    /// Something was unusable; standard error already says so.
    Reported,
    /// A step exceeds a limit; the output already says so.
    OverLimit,
    /// A sentence for the user: what is wrong, and what to do.
    Sentence(String),
}

impl From<io::Error> for Failure {
    /// An error while writing the output. Errors while reading name the file elsewhere.
    fn from(why: io::Error) -> Self {
        if why.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        Self::Sentence(say!("failure-output", why = reason(&why)))
    }
}

/// The reason that the system gives, as part of a sentence.
pub(crate) fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => say!("failure-not-there").to_owned(),
        io::ErrorKind::PermissionDenied => say!("failure-no-permission").to_owned(),
        _ => why.to_string(),
    }
}
