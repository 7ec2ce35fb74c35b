//! A list that grows by pages: its content is never moved, so that growing needs no extra memory.

/// The number of values in a page.
const PAGE: usize = 512;

/// A list that grows and shrinks at its end.
pub(super) struct Pages<T> {
    /// All pages are full except the last. None is empty except the first, which is never removed, and grows like any vector, so
    /// that small lists stay small.
    pages: Vec<Vec<T>>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: Vec::new() }
    }
}

impl<T: Copy> Pages<T> {
    pub(super) fn push(&mut self, value: T) {
        match self.pages.last_mut() {
            Some(page) if page.len() < PAGE => page.push(value),
            _ => {
                let mut page = Vec::with_capacity(if self.pages.is_empty() { 4 } else { PAGE });
                page.push(value);
                self.pages.push(page);
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let page = self.pages.last_mut()?;
        let value = page.pop();
        if page.is_empty() && self.pages.len() > 1 {
            self.pages.pop();
        }
        value
    }

    pub(super) fn last(&self) -> Option<T> {
        self.pages.last()?.last().copied()
    }

    pub(super) fn get(&self, index: usize) -> Option<T> {
        self.pages.get(index / PAGE)?.get(index % PAGE).copied()
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.pages.get_mut(index / PAGE)?.get_mut(index % PAGE)
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.pages.truncate(length.div_ceil(PAGE).max(1));
        if let Some((last, full)) = self.pages.split_last_mut() {
            last.truncate(length.saturating_sub(full.len() * PAGE));
        }
    }

    pub(super) fn len(&self) -> usize {
        match self.pages.split_last() {
            Some((last, full)) => full.len() * PAGE + last.len(),
            None => 0,
        }
    }

    /// Heap memory in use, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        let values = match self.pages.split_last() {
            Some((last, full)) => full.len() * PAGE + last.capacity(),
            None => 0,
        };
        values * size_of::<T>() + self.pages.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_and_go_across_pages() {
        let mut list = Pages::default();
        for value in 0..3 * PAGE {
            assert_eq!(list.len(), value);
            list.push(value);
        }
        assert!((0..3 * PAGE).all(|index| list.get(index) == Some(index)));
        assert_eq!((list.get(3 * PAGE), list.last()), (None, Some(3 * PAGE - 1)));
        list.truncate(2 * PAGE);
        assert_eq!((list.len(), list.pop()), (2 * PAGE, Some(2 * PAGE - 1)));
        list.truncate(PAGE + 1);
        assert_eq!((list.len(), list.pop(), list.pop()), (PAGE + 1, Some(PAGE), Some(PAGE - 1)));
        list.truncate(0);
        assert_eq!((list.len(), list.pop()), (0, None));
    }
}
