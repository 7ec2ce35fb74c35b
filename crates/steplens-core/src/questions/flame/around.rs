//! One name: what is around it, from inside to outside, and what ran in it.

use super::bars::Bars;
use super::{Bar, Flame};
use crate::base::units::Nanos;

/// How far what is around a name is followed outwards.
const MOST_AROUND: usize = 256;
/// The most bars around a name. Paths of a hostile trace could have a square of its events.
const MOST_BARS: usize = 200_000;

impl<'a> Flame<'a> {
    /// The bars in all bars of `name`, as one: at the bottom is `name`. What is in itself counts once, as part of the outermost.
    pub fn within(&self, name: u32) -> Flame<'a> {
        let mut bars = Bars::default();
        let mut made: Vec<Option<u32>> = vec![None; self.bars.len()];
        for (place, bar) in self.bars.iter().enumerate() {
            let parent = bar.parent.and_then(|parent| made[parent as usize]);
            if parent.is_none() && bar.name != name {
                continue;
            }
            let copy = bars.bar(parent, self.names[bar.name as usize]);
            made[place] = Some(copy);
            bars.copy(copy, bar);
        }
        bars.finish()
    }

    /// What is around the bars of `name`: at the bottom is `name`, on it what was around that, and so on. The times of each bar are
    /// those of `name` there. Of what is in itself, only the outermost counts.
    pub fn outside(&self, name: u32) -> Flame<'a> {
        let mut bars = Bars::default();
        let outermost = self.outermost();
        for (place, bar) in self.bars.iter().enumerate() {
            if bar.name != name || !outermost[place] {
                continue;
            }
            let mut top = bars.bar(None, self.names[name as usize]);
            bars.add(top, bar.category, bar.count, Nanos(0));
            for (depth, outer) in
                self.parents(place as u32).map(|outer| &self.bars[outer as usize]).enumerate()
            {
                if depth == MOST_AROUND || bars.len() >= MOST_BARS {
                    bars.shorten();
                    break;
                }
                top = bars.bar(Some(top), self.names[outer.name as usize]);
                bars.add(top, outer.category, bar.count, Nanos(0));
            }
            bars.add(top, None, 0, bar.total);
            bars.add_gpu(top, bar.gpu);
        }
        bars.finish()
    }
}

impl Bars<'_> {
    /// Adds to `copy` what `bar` of another flame has without the bars on it.
    fn copy(&mut self, copy: u32, bar: &Bar) {
        self.add(copy, bar.category, bar.count, bar.own);
        self.add_gpu(copy, bar.gpu_own);
    }
}
