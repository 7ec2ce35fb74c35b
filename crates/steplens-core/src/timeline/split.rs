//! The split: how a window of a device divides into what the device did, and idle.

use crate::Category;
use crate::base::units::Nanos;

/// The categories that are active at a moment: a bit for each of [`Category::parts`], the lowest for the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Active(u8);

impl Active {
    /// The number of combinations.
    const COUNT: usize = 1 << Category::PARTS;

    fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Starts or ends the category with this place among [`Category::parts`].
    #[inline]
    pub(crate) fn toggle(&mut self, part: usize) {
        self.0 ^= 1 << part;
    }

    fn has(self, category: Category) -> bool {
        category.part().is_some_and(|part| self.0 >> part & 1 == 1)
    }

    /// The active category with the highest priority.
    #[inline]
    pub(crate) fn first(self) -> Option<Category> {
        (self.0 != 0).then(|| Category::ALL[self.0.trailing_zeros() as usize])
    }
}

/// How long each combination of categories was active.
pub(crate) struct ActiveTimes([Nanos; Active::COUNT]);

impl Default for ActiveTimes {
    fn default() -> Self {
        Self([Nanos(0); Active::COUNT])
    }
}

impl ActiveTimes {
    #[inline]
    pub(crate) fn add(&mut self, length: Nanos, active: Active) {
        if let Some(sum) = self.0.get_mut(usize::from(active.0)) {
            *sum += length;
        }
    }

    /// How a window of this length divides.
    pub(crate) fn split(&self, window: Nanos) -> Split {
        let mut split = Split { window, ..Split::default() };
        Active::all().zip(self.0).for_each(|(active, length)| split.add(length, active));
        split
    }
}

/// `compute + exposed_input + exposed_copy + exposed_communication + exposed_launch + exposed_allocation + exposed_waiting + idle =
/// window`, exactly.
///
/// A moment counts for the first category that is active then, in this order. So a category is exposed when no category before it
/// is active. Communication that is hidden by compute is `overlapped_communication`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The window's length.
    pub window: Nanos,
    /// The time when anything ran.
    pub busy: Nanos,
    /// The time when a compute op ran.
    pub compute: Nanos,
    /// The time when input was loaded and nothing computed.
    pub exposed_input: Nanos,
    /// The time when a copy ran, and nothing of the categories before.
    pub exposed_copy: Nanos,
    /// The time when communication ran, and nothing of the categories before.
    pub exposed_communication: Nanos,
    /// The time when work was launched, and nothing of the categories before ran.
    pub exposed_launch: Nanos,
    /// The time when memory was allocated or freed, and nothing else except waiting.
    pub exposed_allocation: Nanos,
    /// The time when there was only waiting.
    pub exposed_waiting: Nanos,
    /// The time when nothing ran.
    pub idle: Nanos,
    /// The time when communication ran, whatever else ran.
    pub communication: Nanos,
    /// The time when communication and compute ran at once.
    pub overlapped_communication: Nanos,
}

impl Split {
    /// Adds `length`, during which the categories `active` ran.
    fn add(&mut self, length: Nanos, active: Active) {
        let communicates = active.has(Category::Communication);
        match active.first() {
            Some(category) => {
                *self.part_mut(category) += length;
                self.busy += length;
            }
            None => self.idle += length,
        }
        if communicates {
            self.communication += length;
        }
        if communicates && active.has(Category::Compute) {
            self.overlapped_communication += length;
        }
    }

    /// The part for `category`; 0 for a range.
    pub fn part(&self, category: Category) -> Nanos {
        match category {
            Category::Compute => self.compute,
            Category::Input => self.exposed_input,
            Category::Copy => self.exposed_copy,
            Category::Communication => self.exposed_communication,
            Category::Launch => self.exposed_launch,
            Category::Allocation => self.exposed_allocation,
            Category::Waiting => self.exposed_waiting,
            Category::Range => Nanos(0),
        }
    }

    fn part_mut(&mut self, category: Category) -> &mut Nanos {
        match category {
            Category::Compute => &mut self.compute,
            Category::Input => &mut self.exposed_input,
            Category::Copy => &mut self.exposed_copy,
            Category::Communication => &mut self.exposed_communication,
            Category::Launch => &mut self.exposed_launch,
            Category::Allocation => &mut self.exposed_allocation,
            Category::Waiting => &mut self.exposed_waiting,
            Category::Range => &mut self.idle,
        }
    }
}

/// Collects splits of one window, to compute their mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: Split,
    count: i64,
}

impl Mean {
    /// Adds a split.
    pub fn add(&mut self, split: &Split) {
        let sum = &mut self.sum;
        sum.window = split.window;
        sum.busy += split.busy;
        sum.communication += split.communication;
        sum.overlapped_communication += split.overlapped_communication;
        Category::parts().for_each(|category| *sum.part_mut(category) += split.part(category));
        self.count += 1;
    }

    /// The mean of each figure, rounded down; the remainder counts as idle, so that the parts still add up to the window. `None`
    /// without any split.
    pub fn get(&self) -> Option<Split> {
        let whole = |sum: Nanos| sum.0.checked_div(self.count).map(Nanos);
        let mut mean = Split {
            window: self.sum.window,
            busy: whole(self.sum.busy)?,
            communication: whole(self.sum.communication)?,
            overlapped_communication: whole(self.sum.overlapped_communication)?,
            idle: self.sum.window,
            ..Split::default()
        };
        for category in Category::parts() {
            let part = whole(self.sum.part(category))?;
            *mean.part_mut(category) = part;
            mean.idle = mean.idle - part;
        }
        Some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_active_category_is_the_one_of_highest_priority() {
        let mut active = Active::default();
        assert_eq!(active.first(), None);
        for category in Category::parts().rev() {
            active.toggle(category.part().unwrap_or_default());
            assert!(active.first() == Some(category) && active.has(category));
        }
        active.toggle(0);
        assert_eq!((active.first(), active.has(Category::Compute)), (Some(Category::ALL[1]), false));
    }

    #[test]
    fn the_mean_adds_up_to_the_window() {
        let of = |compute: i64, exposed_copy: i64| Split {
            window: Nanos(10),
            busy: Nanos(compute + exposed_copy),
            compute: Nanos(compute),
            exposed_copy: Nanos(exposed_copy),
            idle: Nanos(10 - compute - exposed_copy),
            ..Split::default()
        };
        let mut all = Mean::default();
        [of(10, 0), of(3, 2), of(0, 0)].iter().for_each(|split| all.add(split));
        let mean = all.get().unwrap_or_default();
        assert_eq!(
            (mean.window, mean.compute, mean.exposed_copy, mean.idle),
            (Nanos(10), Nanos(4), Nanos(0), Nanos(6))
        );
        assert_eq!(mean.busy, Nanos(5));
        assert_eq!(Mean::default().get(), None);
    }
}
