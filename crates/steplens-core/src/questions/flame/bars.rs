//! Bars while they are summed.

use super::{Bar, Flame};
use crate::Category;
use crate::base::units::Nanos;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Bars by their path.
#[derive(Default)]
pub(super) struct Bars<'a> {
    flame: Flame<'a>,
    name_of: HashMap<&'a str, u32, FixedState>,
    bar_of: HashMap<(Option<u32>, u32), u32, FixedState>,
}

impl<'a> Bars<'a> {
    /// The bar called `name` on `parent`.
    pub(super) fn bar(&mut self, parent: Option<u32>, name: &'a str) -> u32 {
        let name = *self.name_of.entry(name).or_insert_with(|| {
            self.flame.names.push(name);
            self.flame.names.len() as u32 - 1
        });
        *self.bar_of.entry((parent, name)).or_insert_with(|| {
            self.flame.bars.push(Bar { parent, name, ..Bar::default() });
            self.flame.bars.len() as u32 - 1
        })
    }

    /// Adds one event of `length` to `bar`. [`take`](Self::take) takes from it what runs in it.
    pub(super) fn add_event(&mut self, bar: u32, category: Category, length: Nanos) {
        self.add(bar, Some(category), 1, length);
    }

    /// Adds `count` events, whose time without that of the bars on `bar` is `own`.
    pub(super) fn add(&mut self, bar: u32, category: Option<Category>, count: u64, own: Nanos) {
        let bar = &mut self.flame.bars[bar as usize];
        bar.category = bar.category.or(category);
        bar.count += count;
        bar.own += own;
    }

    /// Takes `length` of the time of `bar` for an event that ran in it.
    pub(super) fn take(&mut self, bar: u32, length: Nanos) {
        let own = &mut self.flame.bars[bar as usize].own;
        *own = Nanos(own.0.saturating_sub(length.0));
    }

    /// Adds the time of kernels that `bar` launched itself.
    pub(super) fn add_gpu(&mut self, bar: u32, length: Nanos) {
        self.flame.bars[bar as usize].gpu_own += length;
    }

    /// The number of bars.
    pub(super) fn len(&self) -> usize {
        self.flame.bars.len()
    }

    /// Counts a transfer that is in no bar.
    pub(super) fn leave_out_transfer(&mut self) {
        self.flame.transfers += 1;
    }

    /// Counts a path that is not followed to its end.
    pub(super) fn shorten(&mut self) {
        self.flame.shortened += 1;
    }

    /// Adds time that is in no bar.
    pub(super) fn cut(&mut self, length: Nanos) {
        self.flame.cut += length;
    }

    /// The flame. A bar has its own time and all time of the bars on it.
    pub(super) fn finish(self) -> Flame<'a> {
        let mut flame = self.flame;
        for place in (0..flame.bars.len()).rev() {
            let bar = &mut flame.bars[place];
            bar.total += bar.own;
            bar.gpu += bar.gpu_own;
            let (parent, total, gpu) = (bar.parent, bar.total, bar.gpu);
            if let Some(parent) = parent {
                let parent = &mut flame.bars[parent as usize];
                parent.total += total;
                parent.gpu += gpu;
            }
        }
        flame
    }
}
