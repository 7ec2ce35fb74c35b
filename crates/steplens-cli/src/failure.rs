//! Why the program ends early.

use std::io;
use steplens_messages::say;

/// Why a command did not do all that it was asked to.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more.
    ClosedPipe,
    /// Something was unusable, and standard error says so already.
    Reported,
    /// A step exceeds a limit, and the output says so.
    OverLimit,
    /// For the user: what is wrong, and what to do.
    Sentence(String),
}

impl From<io::Error> for Failure {
    /// An error of writing the output; reading says which file it is about.
    fn from(why: io::Error) -> Self {
        if why.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        Self::Sentence(say!("failure-output", why = reason(&why)))
    }
}

/// What the system says, as part of a sentence.
pub(crate) fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => say!("failure-not-there").to_owned(),
        io::ErrorKind::PermissionDenied => say!("failure-no-permission").to_owned(),
        _ => why.to_string(),
    }
}
