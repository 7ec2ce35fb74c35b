//! The GPUs that a document of PyTorch names (`deviceProperties`, `DeviceProperties.cpp` in Kineto): how many, and their compute capability.
//!
//! ROCm writes numbers of AMD's GPUs in the same fields. They are known by their names; a GPU without a name may be of either.

use super::lexer::Token;
use super::number::integer;
use super::processes::Processes;
use steplens_core::build::builder::{DeviceSlot, TraceBuilder};
use steplens_core::model::capability::Capability;

/// Of more GPUs than any machine has, only these are kept.
const MOST_KEPT: usize = 1_024;
/// What is in the names of GPUs that are not NVIDIA's.
const OF_OTHERS: [&str; 6] = ["AMD", "Radeon", "Instinct", "gfx", "Intel", "Device "];
/// How many threads of a GPU of NVIDIA run together; GPUs of AMD have twice as many, or as many.
const WARP: i64 = 32;

/// A value that is read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Property {
    Id,
    Name,
    Major,
    Minor,
    WarpSize,
    #[default]
    Other,
}

impl Property {
    fn of(key: &[u8]) -> Self {
        match key {
            b"id" => Self::Id,
            b"name" => Self::Name,
            b"computeMajor" => Self::Major,
            b"computeMinor" => Self::Minor,
            b"warpSize" => Self::WarpSize,
            _ => Self::Other,
        }
    }
}

/// The numbers of the GPU that is being read.
#[derive(Clone, Copy, Default)]
struct Read {
    id: Option<i64>,
    is_of_nvidia: bool,
    major: Option<i64>,
    minor: Option<i64>,
    warp: Option<i64>,
}

impl Read {
    fn capability(&self) -> Option<Capability> {
        let is_of_nvidia = self.is_of_nvidia && self.warp.is_none_or(|own| own == WARP);
        Capability::new(self.major?, self.minor?).filter(|_| is_of_nvidia)
    }
}

/// All GPUs that a document names.
#[derive(Default)]
pub(super) struct NamedGpus {
    count: u64,
    /// Its number and its compute capability, for each GPU.
    all: Vec<(Option<i64>, Option<Capability>)>,
    read: Read,
    property: Property,
    is_value: bool,
}

impl NamedGpus {
    /// Takes a token within the list of GPUs, which is `depth` brackets deep.
    pub(super) fn take(&mut self, token: &Token<'_>, depth: u64) {
        match (token, depth) {
            (Token::Open(b'{'), 1) => {
                self.count = self.count.saturating_add(1);
                (self.read, self.is_value) = (Read::default(), false);
            }
            (Token::Close(b'}'), 2) if self.all.len() < MOST_KEPT => {
                self.all.push((self.read.id, self.read.capability()));
            }
            (Token::Colon, 2) => self.is_value = true,
            (Token::Comma, 2) => self.is_value = false,
            (Token::Text { raw, .. }, 2) if !self.is_value => self.property = Property::of(raw),
            (Token::Text { raw, .. } | Token::Bare(raw), 2) => self.value(raw),
            _ => {}
        }
    }

    fn value(&mut self, raw: &[u8]) {
        match self.property {
            Property::Id => self.read.id = integer(raw),
            Property::Name => {
                let name = String::from_utf8_lossy(raw);
                self.read.is_of_nvidia =
                    !name.trim().is_empty() && !OF_OTHERS.iter().any(|own| name.contains(own));
            }
            Property::Major => self.read.major = integer(raw),
            Property::Minor => self.read.minor = integer(raw),
            Property::WarpSize => self.read.warp = integer(raw),
            Property::Other => {}
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The compute capability of the GPU with this number; of one that is not named that of all, if they have the same.
    fn capability(&self, id: Option<i64>) -> Option<Capability> {
        let named = self.all.iter().find(|(own, _)| own.is_some() && *own == id);
        let first = self.all.first().filter(|first| self.all.iter().all(|own| own.1 == first.1));
        named.or(first)?.1
    }

    /// Gives accelerators among these blocks, each with its process, their compute capability.
    pub(super) fn describe(
        &self,
        blocks: &[(DeviceSlot, u32)],
        processes: &Processes,
        builder: &mut TraceBuilder,
    ) {
        for &(slot, process) in blocks {
            let capability = self.capability(integer(processes.pid(process as usize)));
            capability.into_iter().for_each(|own| builder.set_capability(slot, own));
        }
    }
}
