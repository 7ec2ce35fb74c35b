//! The figures of a cell. [`Stored`] ones are in the file; each [`Figure`] is one of them, or worked out from them.

use super::error::{Unreadable, UnreadableKind};
use serde::{Deserialize, Serialize};

/// A figure that the file has for each cell, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are called as the columns of the dataset are")]
pub enum Stored {
    Window,
    Own,
    End,
    Compute,
    Input,
    Copy,
    Communication,
    Launch,
    Allocation,
    Waiting,
    Idle,
    AllCommunication,
    HiddenCommunication,
}

impl Stored {
    /// All of them, in the order in which the file has them.
    pub const ALL: [Self; 13] = [
        Self::Window,
        Self::Own,
        Self::End,
        Self::Compute,
        Self::Input,
        Self::Copy,
        Self::Communication,
        Self::Launch,
        Self::Allocation,
        Self::Waiting,
        Self::Idle,
        Self::AllCommunication,
        Self::HiddenCommunication,
    ];
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();
}

/// A figure that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The step's span over all devices of its source.
    Window,
    /// Busy without exposed communication and waiting: what only this task can make shorter.
    Own,
    /// Own work beyond the median of the peers in the same step; nothing below 0.
    Extra,
    /// How much later the last op ended than the median of the peers in the same step; nothing below 0.
    Late,
    /// Of the split of the step.
    Compute,
    /// Of the split: exposed input.
    Input,
    /// Of the split: exposed copies.
    Copy,
    /// Of the split: exposed communication.
    Communication,
    /// Of the split: exposed launches.
    Launch,
    /// Of the split: exposed allocation.
    Allocation,
    /// Of the split: exposed waiting.
    Waiting,
    /// Of the split: no op at all.
    Idle,
    /// Communication, exposed or not.
    AllCommunication,
    /// Communication that other work covers.
    HiddenCommunication,
}

impl Figure {
    /// All of them, as the page lists them.
    pub const ALL: [Self; 14] = [
        Self::Window,
        Self::Own,
        Self::Extra,
        Self::Late,
        Self::Compute,
        Self::Input,
        Self::Copy,
        Self::Communication,
        Self::Launch,
        Self::Allocation,
        Self::Waiting,
        Self::Idle,
        Self::AllCommunication,
        Self::HiddenCommunication,
    ];

    /// The word in answers and addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Own => "own",
            Self::Extra => "extra",
            Self::Late => "late",
            Self::Compute => "compute",
            Self::Input => "input",
            Self::Copy => "copy",
            Self::Communication => "communication",
            Self::Launch => "launch",
            Self::Allocation => "allocation",
            Self::Waiting => "waiting",
            Self::Idle => "idle",
            Self::AllCommunication => "all-communication",
            Self::HiddenCommunication => "hidden-communication",
        }
    }

    /// The figure of a word.
    ///
    /// # Errors
    ///
    /// If there is none of it.
    pub fn named(word: &str) -> Result<Self, Unreadable> {
        let found = Self::ALL.into_iter().find(|figure| figure.word() == word);
        found.ok_or_else(|| UnreadableKind::NoFigure { word: word.to_owned() }.into())
    }

    /// What it is in the file, or what it is worked out from.
    pub fn stored(self) -> Stored {
        match self {
            Self::Window => Stored::Window,
            Self::Own | Self::Extra => Stored::Own,
            Self::Late => Stored::End,
            Self::Compute => Stored::Compute,
            Self::Input => Stored::Input,
            Self::Copy => Stored::Copy,
            Self::Communication => Stored::Communication,
            Self::Launch => Stored::Launch,
            Self::Allocation => Stored::Allocation,
            Self::Waiting => Stored::Waiting,
            Self::Idle => Stored::Idle,
            Self::AllCommunication => Stored::AllCommunication,
            Self::HiddenCommunication => Stored::HiddenCommunication,
        }
    }

    /// Whether it is what a task has beyond its peers.
    pub fn is_beyond_peers(self) -> bool {
        matches!(self, Self::Extra | Self::Late)
    }

    /// Whether it is a part of the step, which can be shown as a share of it.
    pub fn is_part(self) -> bool {
        !matches!(self, Self::Window)
    }
}
