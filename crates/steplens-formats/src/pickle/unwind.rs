//! The probable result of a pickle that was cut: its values are put into the objects for which they were made.
//!
//! Objects are under construction below the marks of the stack, and others inside them. Python's pickler writes an object first and
//! then its content (after a mark, if there are several items): each key with its value, or each object with its state.

use super::heap::{Heap, ObjectKind, Value};
use super::machine::Machine;
use super::pages::Pages;

impl Machine {
    /// Ends a pickle without an end. Nothing is lost: a value that belongs nowhere becomes a root.
    pub(super) fn unwind(&mut self) {
        // The last values come first.
        let mut left_over = Pages::default();
        while let Some(mark) = self.mark() {
            let below = mark.checked_sub(1).and_then(|below| self.stack.get(below));
            match below.map(|below| (below, self.heap.kind(below))) {
                Some((dict, Some(ObjectKind::Dict | ObjectKind::Instance(_)))) => {
                    let rest = self.end_of_entries(mark + 1);
                    self.leave_over(rest, &mut left_over);
                    self.stack.truncate(rest);
                    let entries = self.take_from(mark + 1, Heap::prepend);
                    self.heap.attach(dict, entries);
                }
                Some((list, Some(ObjectKind::List))) => {
                    self.reduce(mark + 1);
                    let items = self.take_from(mark + 1, Heap::prepend);
                    self.heap.attach(list, items);
                }
                Some((callable, _)) if self.is_conversion(callable) => {
                    let first = self.stack.get(mark + 1).unwrap_or(Value::Other);
                    self.stack.truncate(mark - 1);
                    self.push(first);
                    continue;
                }
                _ => {
                    self.reduce(mark + 1);
                    self.leave_over(mark + 1, &mut left_over);
                }
            }
            self.stack.truncate(mark);
        }
        self.reduce(0);
        self.leave_over(0, &mut left_over);
        while let Some(root) = left_over.pop() {
            self.roots.push(root);
        }
        self.clear();
    }

    /// Ends the objects without a mark at the end of the stack, from `base` on.
    fn reduce(&mut self, base: usize) {
        loop {
            let at = |depth: usize| self.stack.len().checked_sub(depth + 1).filter(|&index| index >= base);
            let get = |depth| at(depth).and_then(|index| self.stack.get(index));
            let kind = |value: Value| self.heap.kind(value);
            let (Some(top), Some(first), second) = (get(0), get(1), get(2)) else { return };
            match (second.and_then(kind), kind(first), kind(top)) {
                _ if self.is_conversion(first) => {
                    let converted = self.heap.items(top).next().unwrap_or(top);
                    self.stack.truncate(self.stack.len() - 2);
                    self.push(converted);
                }
                // The encoding, after the text to encode.
                _ if second.is_some_and(|second| self.is_conversion(second)) => self.drop_top(),
                (_, Some(ObjectKind::Instance(_)), Some(ObjectKind::Dict))
                | (_, Some(ObjectKind::List), _) => {
                    self.heap.add_item(first, top);
                    self.drop_top();
                }
                (Some(ObjectKind::Dict), ..) if is_key(first) => {
                    self.heap.add_entry(second.unwrap_or(Value::Other), first, top);
                    self.stack.truncate(self.stack.len() - 2);
                }
                _ => return,
            }
        }
    }

    fn drop_top(&mut self) {
        self.stack.pop();
    }

    /// The values from `base` on are keys and values in turn, until one is no key: it is under construction, and belongs into the
    /// last value. Returns the index from which values belong nowhere.
    fn end_of_entries(&mut self, base: usize) -> usize {
        let mut at = base;
        while self.stack.get(at).is_some_and(is_key) && at + 1 < self.stack.len() {
            at += 2;
        }
        if at > base {
            self.reduce(at - 1);
        }
        at
    }

    /// Keeps the values from `base` on as roots.
    fn leave_over(&self, base: usize, left_over: &mut Pages<Value>) {
        for index in (base..self.stack.len()).rev() {
            if let Some(root @ (Value::Object(_) | Value::Run(_))) = self.stack.get(index) {
                left_over.push(root);
            }
        }
    }
}

/// Whether `value` can be a key of a dict that is needed.
fn is_key(value: Value) -> bool {
    matches!(value, Value::Text(_) | Value::Int(_))
}
