//! Why the program ends early.

use std::fmt::{self, Display, Formatter};
use std::io;
use steplens_messages::say;
use steplens_report::options::BadOption;
use steplens_report::question::NoSheet;

/// Why a command did not do all that it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// The reader of the output has closed it.
    ClosedPipe,
    /// Something was unusable; standard error already says so.
    Reported,
    /// A step exceeds a limit; the output already says so.
    OverLimit,
    /// A sentence for the user: what is wrong, and what to do.
    Sentence(String),
    /// An option that cannot be used: its name without hyphens, and what is wrong, and what to do.
    Option(&'static str, String),
    /// Nothing could be opened: the code of the first file, and what is wrong with it, and what to do.
    Unusable(&'static str, String),
    /// The user of the library stopped it.
    Stopped,
}

/// As the program says it.
impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sentence(why) => f.write_str(why),
            Self::Option(name, why) => f.write_str(&say!("option-unusable", name, why)),
            Self::Unusable(code, why) => write!(f, "{why} [{code}]"),
            // The output says so already, or nobody reads it.
            Self::ClosedPipe | Self::Reported | Self::OverLimit | Self::Stopped => Ok(()),
        }
    }
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

impl From<BadOption> for Failure {
    fn from(BadOption(why): BadOption) -> Self {
        Self::Sentence(why)
    }
}

impl From<NoSheet> for Failure {
    fn from(why: NoSheet) -> Self {
        match why {
            NoSheet::Option(why) => why.into(),
            NoSheet::Output(why) => why.into(),
        }
    }
}

/// The reason that the system gives, as part of a sentence.
pub fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => say!("failure-not-there").to_owned(),
        io::ErrorKind::PermissionDenied => say!("failure-no-permission").to_owned(),
        _ => why.to_string(),
    }
}
