//! The flame: what ran inside of what, summed over threads and times. From host threads, Python frames, or name scopes. For tables
//! of names, and pictures in which a bar stands on the bar around it.
//!
//! Two events are one bar if the names of all that is around them are the same. So a bar is a path of names, as of a call stack, and
//! has the sum of all that ran there.
//!
//! | module | what it has |
//! |---|---|
//! | [`around`] | what is around one name, and what is in it |
//! | `bars` | bars while they are summed |
//! | `nested` | bars of events that contain one another |
//! | `scopes` | bars of the parts of op names |

pub mod around;
mod bars;
mod nested;
mod scopes;

use crate::base::units::Nanos;
use crate::model::device::FRAMES;
use crate::questions::range::Range;
use crate::{Category, DeviceId, Study, Trace};
use bars::Bars;

/// What the bars are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// Events of threads whose format records nesting: operators, calls, annotations.
    Ops,
    /// The same within PyTorch's modules.
    Modules,
    /// The same within Python's functions.
    Python,
    /// The parts of the names of ops, which are divided by slashes.
    Scopes,
}

impl Layers {
    /// All of them, the one that says most to a user first.
    pub const ALL: [Self; 4] = [Self::Modules, Self::Ops, Self::Python, Self::Scopes];

    /// The word for it in options and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Modules => "modules",
            Self::Python => "python",
            Self::Scopes => "scopes",
        }
    }

    /// The value that `word` stands for.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// Those that `trace` has, in the order of [`ALL`](Self::ALL).
    pub fn of(trace: &Trace) -> Vec<Self> {
        let devices = trace.devices();
        let has_hosts = devices.ids().any(|id| is_host(trace, id));
        let frames = || devices.ids().filter(|&id| is_frames(trace, id));
        let has = |layers: &Self| match layers {
            Self::Ops => has_hosts,
            Self::Modules => frames().any(|id| trace.ops_of(id).any(|op| is_module(trace.op_name(op)))),
            Self::Python => frames().next().is_some(),
            Self::Scopes => scopes::has_scopes(trace),
        };
        Self::ALL.into_iter().filter(has).collect()
    }
}

/// A path of names, and what ran there. Times are those within the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// The bar around it; `None` at the bottom.
    pub parent: Option<u32>,
    /// Its name, as an index of [`Flame::names`].
    pub name: u32,
    /// The category of its first event; `None` for a scope in which ops are, and which is no op.
    pub category: Option<Category>,
    /// The number of events; in scopes, of ops and of kernels whose op was not recorded.
    pub count: u64,
    /// Their time.
    pub total: Nanos,
    /// Their time without what ran in them.
    pub own: Nanos,
    /// The time of the kernels and copies that it, or anything in it, launched.
    pub gpu: Nanos,
    /// The time of those that it launched itself.
    pub gpu_own: Nanos,
}

/// All bars of a range.
#[derive(Clone, Debug, Default)]
pub struct Flame<'a> {
    /// Each name once.
    pub names: Vec<&'a str>,
    /// A bar comes after the one around it.
    pub bars: Vec<Bar>,
    /// The time that is in no bar, because an event ended after the event around it: it belongs to one of them alone.
    pub cut: Nanos,
    /// The number of transfers that are in no bar: in scopes, because they are in none, and wait next to one another.
    pub transfers: u64,
    /// The number of paths that are not followed to their end, because there are too many or they are too long.
    pub shortened: u64,
}

/// All bars of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSum {
    /// The name, as an index of [`Flame::names`].
    pub name: u32,
    /// The category of the first bar that has one.
    pub category: Option<Category>,
    /// The number of events.
    pub count: u64,
    /// Their time: of what is in itself, the outermost alone.
    pub total: Nanos,
    /// Their time without what ran in them.
    pub own: Nanos,
    /// The time of the kernels and copies that they launched, or anything in them: of what is in itself, the outermost alone.
    pub gpu: Nanos,
    /// The time of those that they launched themselves.
    pub gpu_own: Nanos,
}

impl<'a> Flame<'a> {
    /// The bars of `range`, in time n log n.
    pub fn of(study: &'a Study, range: &Range<'_>, layers: Layers) -> Self {
        let mut bars = Bars::default();
        match layers {
            Layers::Scopes => scopes::add(study, range, &mut bars),
            _ => nested::add(study, range, layers, &mut bars),
        }
        bars.finish()
    }

    /// The sum of the bars at the bottom: of time, and of time of GPUs.
    pub fn total(&self) -> (Nanos, Nanos) {
        let bottom = self.bars.iter().filter(|bar| bar.parent.is_none());
        bottom.fold((Nanos(0), Nanos(0)), |(time, gpu), bar| (time + bar.total, gpu + bar.gpu))
    }

    /// The bars by name, in the order of `names`.
    pub fn sums(&self) -> Vec<NameSum> {
        let empty = |name| NameSum { name, ..NameSum::default() };
        let mut sums: Vec<NameSum> = (0..self.names.len() as u32).map(empty).collect();
        let outermost = self.outermost();
        for (bar, is_outermost) in self.bars.iter().zip(outermost) {
            let sum = &mut sums[bar.name as usize];
            sum.category = sum.category.or(bar.category);
            sum.count += bar.count;
            sum.own += bar.own;
            sum.gpu_own += bar.gpu_own;
            if is_outermost {
                sum.total += bar.total;
                sum.gpu += bar.gpu;
            }
        }
        sums
    }

    /// The bar with the names of `path` from the bottom; if it is not there, the last one before it that is.
    pub fn place(&self, path: &[String]) -> Option<u32> {
        let (mut found, mut wanted) = (None, path.iter());
        let mut name = wanted.next();
        // A bar comes after the one around it, so one pass finds the whole path.
        for (place, bar) in (0..).zip(&self.bars) {
            if bar.parent == found && name.is_some_and(|name| self.names[bar.name as usize] == name) {
                (found, name) = (Some(place), wanted.next());
            }
        }
        found
    }

    /// The bars around the bar at `place`, the innermost first.
    pub fn parents(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.bars[place as usize].parent, |&outer| self.bars[outer as usize].parent)
    }

    /// For each bar whether no bar around it has its name.
    ///
    /// One walk over the bars with the path that is open: a search upwards from each bar would cost the square of the depth.
    fn outermost(&self) -> Vec<bool> {
        let mut inner: Vec<Vec<u32>> = vec![Vec::new(); self.bars.len()];
        let mut open: Vec<(u32, bool)> = Vec::new();
        for (place, bar) in self.bars.iter().enumerate().rev() {
            match bar.parent {
                Some(parent) => inner[parent as usize].push(place as u32),
                None => open.push((place as u32, false)),
            }
        }
        let mut depth_of_name = vec![0_u32; self.names.len()];
        let mut is_outermost = vec![false; self.bars.len()];
        while let Some((place, is_done)) = open.pop() {
            let depth = &mut depth_of_name[self.bars[place as usize].name as usize];
            if is_done {
                *depth -= 1;
                continue;
            }
            is_outermost[place as usize] = *depth == 0;
            *depth += 1;
            open.push((place, true));
            open.extend(inner[place as usize].iter().map(|&inner| (inner, false)));
        }
        is_outermost
    }
}

/// Whether events of `device` contain one another, and it is neither an accelerator nor Python's frames.
fn is_host(trace: &Trace, id: DeviceId) -> bool {
    let device = trace.devices().get(id);
    device.nests && !device.is_accelerator && !is_frames(trace, id)
}

fn is_frames(trace: &Trace, id: DeviceId) -> bool {
    trace.text(trace.devices().get(id).name).ends_with(FRAMES)
}

/// Whether a frame is a call of a module of PyTorch: `nn.Module: Linear_0`.
fn is_module(frame: &str) -> bool {
    frame.starts_with("nn.Module: ")
}
