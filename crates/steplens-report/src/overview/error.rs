//! Why a summary cannot be read: what is wrong in the user's terms, what to do, then where.

use steplens_messages::say;

/// Why a file is no summary that can be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", kind.about())]
pub struct Unreadable {
    /// What is wrong.
    pub kind: UnreadableKind,
}

/// What is wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadableKind {
    /// The file is none.
    Other,
    /// Another version of Steplens wrote it.
    Newer {
        /// The version of its format.
        version: u32,
    },
    /// It ends too soon, or has more than it says.
    Cut {
        /// How long it says that it is, in bytes.
        wanted: u64,
        /// How long it is.
        got: u64,
    },
    /// Something in it cannot be true.
    Damaged {
        /// Which part of the file.
        part: &'static str,
        /// What was found there.
        why: String,
    },
    /// A run that it does not have.
    NoRun {
        /// Its place, from 0.
        run: usize,
    },
    /// A figure that there is not.
    NoFigure {
        /// Its word.
        word: String,
    },
}

impl UnreadableKind {
    /// Stable, kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Other => "no-fleet-overview",
            Self::Newer { .. } => "fleet-overview-newer",
            Self::Cut { .. } => "fleet-overview-cut",
            Self::Damaged { .. } => "fleet-overview-damaged",
            Self::NoRun { .. } => "no-fleet-run",
            Self::NoFigure { .. } => "no-fleet-figure",
        }
    }

    fn about(&self) -> String {
        match self {
            Self::Other => say!("fleet-other").to_owned(),
            Self::Newer { version } => say!("fleet-newer", version = version.to_string()),
            Self::Cut { wanted, got } => {
                say!("fleet-cut", wanted = wanted.to_string(), got = got.to_string())
            }
            Self::Damaged { part, why } => say!("fleet-damaged", part = *part, why = why.clone()),
            Self::NoFigure { word } => say!("fleet-no-figure", word = word.clone()),
            Self::NoRun { run } => say!("fleet-no-run", run = (run + 1).to_string()),
        }
    }
}

impl From<UnreadableKind> for Unreadable {
    fn from(kind: UnreadableKind) -> Self {
        Self { kind }
    }
}

/// Damage in `part`.
pub(crate) fn damaged(part: &'static str, why: impl ToString) -> Unreadable {
    UnreadableKind::Damaged { part, why: why.to_string() }.into()
}
