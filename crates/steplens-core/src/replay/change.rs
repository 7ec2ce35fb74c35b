//! What may be different in a replay.

use crate::Category;
use crate::search::pattern::Pattern;
use steplens_messages::say;

/// One change. A *factor* multiplies a duration: 0.5 is twice as fast, 2 half as fast, 0 takes no time.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The ops whose name, op type, device or label matches a regular expression take `factor` times as long. Kernels count with the
    /// op that launched them.
    Ops {
        /// The expression, with the prefixes that a search knows (`type:`, `name=`).
        pattern: String,
        /// The factor.
        factor: f64,
    },
    /// The ops of a category take `factor` times as long. The delays before them stay: they are time of the host or of a launch.
    Category {
        /// The category.
        category: Category,
        /// The factor.
        factor: f64,
    },
    /// The transfers from one task or device to another take `factor` times as long.
    Link {
        /// The source: a task or a device, or a part of its name.
        source: String,
        /// The destination, likewise.
        destination: String,
        /// The factor.
        factor: f64,
    },
    /// All transfers and collectives take `factor` times as long; or those that one task sends or receives.
    Network {
        /// The task, or a part of its name; `None` for all.
        task: Option<String>,
        /// The factor.
        factor: f64,
    },
    /// All ops of a device take `factor` times as long.
    Device {
        /// The device, or a part of its name.
        name: String,
        /// The factor.
        factor: f64,
    },
    /// Executors have this many threads.
    Threads(u32),
    /// Transfers that wait for one line go in the order in which their tensors are needed.
    BetterOrder,
    /// The tensors that match a regular expression have half as many bytes.
    Half {
        /// The expression.
        pattern: String,
    },
    /// The tensors that match a regular expression, and go from one task to another, go as one tensor each.
    Merge {
        /// The expression.
        pattern: String,
    },
    /// Each op of a task takes as long as the median of the ops with its role on other tasks.
    LikePeers {
        /// The task, or a part of its name.
        task: String,
    },
}

/// Why a change cannot be made: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadChange(pub String);

impl Change {
    /// The words of all changes, as options of the program and fields of an address.
    pub const WORDS: [&'static str; 10] =
        ["op", "hide", "link", "network", "device", "threads", "order", "half", "merge", "like-peers"];

    /// Reads a change: `word` is one of [`WORDS`](Self::WORDS), `text` what stands behind it, such as `type:Conv2D=0.5`.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub fn read(word: &str, text: &str) -> Result<Self, BadChange> {
        let with_factor = || {
            let (what, factor) = text.rsplit_once('=').ok_or_else(|| no_factor(word, text))?;
            Ok::<_, BadChange>((what.trim().to_owned(), factor_of(factor)?))
        };
        match word {
            "op" => {
                let (pattern, factor) = with_factor()?;
                checked(&pattern)?;
                Ok(Self::Ops { pattern, factor })
            }
            "hide" => {
                let category = [Category::Input, Category::Launch, Category::Copy, Category::Communication]
                    .into_iter()
                    .find(|category| category.word() == text.trim());
                let category = category.ok_or_else(|| BadChange(say!("what-if-bad-category", text)))?;
                Ok(Self::Category { category, factor: 0.0 })
            }
            "link" => {
                let (link, factor) = with_factor()?;
                let ends = link.split_once("->").or_else(|| link.split_once(','));
                let (source, destination) = ends.ok_or_else(|| BadChange(say!("what-if-bad-link", text)))?;
                let end = |text: &str| text.trim().to_owned();
                Ok(Self::Link { source: end(source), destination: end(destination), factor })
            }
            "network" => match text.rsplit_once('=') {
                Some((task, factor)) => {
                    Ok(Self::Network { task: Some(task.trim().to_owned()), factor: factor_of(factor)? })
                }
                None => Ok(Self::Network { task: None, factor: factor_of(text)? }),
            },
            "device" => {
                let (name, factor) = with_factor()?;
                Ok(Self::Device { name, factor })
            }
            "threads" => {
                let threads = text.trim().parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
                threads.map(Self::Threads).ok_or_else(|| BadChange(say!("what-if-bad-threads", text)))
            }
            "order" if text.trim() == "better" => Ok(Self::BetterOrder),
            "order" => Err(BadChange(say!("what-if-bad-order", text))),
            "half" => {
                checked(text)?;
                Ok(Self::Half { pattern: text.to_owned() })
            }
            "merge" => {
                checked(text)?;
                Ok(Self::Merge { pattern: text.to_owned() })
            }
            "like-peers" => Ok(Self::LikePeers { task: text.trim().to_owned() }),
            _ => Err(BadChange(say!("what-if-unknown", text = word))),
        }
    }

    /// Reads a change as one text, `WORD=TEXT`: `op=type:Conv2D=0.5`.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, BadChange> {
        let (word, rest) = text.split_once('=').unwrap_or((text, ""));
        Self::read(word, rest)
    }

    /// The word and the text from which [`read`](Self::read) makes this change again.
    pub fn written(&self) -> (&'static str, String) {
        match self {
            Self::Ops { pattern, factor } => ("op", format!("{pattern}={factor}")),
            Self::Category { category, .. } => ("hide", category.word().to_owned()),
            Self::Link { source, destination, factor } => {
                ("link", format!("{source}->{destination}={factor}"))
            }
            Self::Network { task: Some(task), factor } => ("network", format!("{task}={factor}")),
            Self::Network { task: None, factor } => ("network", factor.to_string()),
            Self::Device { name, factor } => ("device", format!("{name}={factor}")),
            Self::Threads(threads) => ("threads", threads.to_string()),
            Self::BetterOrder => ("order", "better".to_owned()),
            Self::Half { pattern } => ("half", pattern.clone()),
            Self::Merge { pattern } => ("merge", pattern.clone()),
            Self::LikePeers { task } => ("like-peers", task.clone()),
        }
    }
}

/// More threads than any machine has.
const MOST_THREADS: u32 = 4_096;
/// A larger factor makes times that no clock counts.
const MOST_FACTOR: f64 = 1_000.0;

fn factor_of(text: &str) -> Result<f64, BadChange> {
    let factor = text.trim().parse::<f64>().ok().filter(|factor| (0.0..=MOST_FACTOR).contains(factor));
    factor.ok_or_else(|| BadChange(say!("what-if-bad-factor", text)))
}

fn no_factor(word: &str, text: &str) -> BadChange {
    BadChange(say!("what-if-no-factor", word, text))
}

fn checked(pattern: &str) -> Result<(), BadChange> {
    Pattern::new(pattern, true).map(drop).map_err(BadChange)
}
