//! Arguments while a reader adds them.

use super::{ArgumentForms, Arguments, Decimal, Entry, ValueKind};
use crate::storage::chunked::Chunked;
use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::Ranges;
use crate::storage::strings::equal;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The most arguments of an op; further ones are left out and counted.
pub const MAX_ARGUMENTS: usize = 128;
/// The most bytes of a value; a longer one is left out and counted. Call stacks of a hundred frames have a tenth of that.
pub const MAX_VALUE_BYTES: usize = 1 << 16;
/// The most bytes of the forms of all ops; further forms are left out and counted.
pub(crate) const MAX_FORM_BYTES: usize = 1 << 27;
/// If at least this many ops have a form and all have the same value for a number, the value is stored once.
const FEWEST_ALIKE: u32 = 8;

/// An argument as a reader gives it. The values of numbers are given with the op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<'a> {
    /// A text.
    Text(&'a [u8]),
    /// JSON.
    Json(&'a [u8]),
    /// A number with a sign. The value is how many digits are after the point.
    Number(u8),
    /// A number without a sign.
    Unsigned,
}

/// A form; only valid for the builder that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentForm(u32);

/// The arguments of a trace as sorted columns, from a reader that has the ops in order.
#[derive(Default)]
pub struct WholeArguments {
    pub(super) forms: ArgumentForms,
    /// For each op with arguments the row of its form.
    pub form: Column,
    /// The numbers of each op.
    pub numbers: Ranges,
    /// All numbers.
    pub number: Column,
}

impl WholeArguments {
    /// Adds the next form: name, kind and value of each argument.
    pub fn push_form<'a>(&mut self, entries: impl Iterator<Item = (&'a [u8], ValueKind, &'a [u8])>) {
        self.forms.push(entries);
    }
}

/// The arguments that a reader has added, in the order of the file.
#[derive(Default)]
pub struct ArgumentsBuilder {
    forms: ArgumentForms,
    /// The forms, found by their entries.
    ids: HashTable<u32>,
    hasher: FixedState,
    skeletons: Skeletons,
    /// For each op with arguments: its row, its form, and where its numbers start.
    rows: Chunked<u32>,
    form: Chunked<u32>,
    first: Chunked<u32>,
    number: ColumnBuilder,
    left_out: u64,
}

/// Identifies forms by the bytes of a file, so that most events need only one look-up in a table.
#[derive(Default)]
struct Skeletons {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    form: Vec<u32>,
    ids: HashTable<u32>,
    /// The skeleton that was looked up last.
    newest: u32,
}

impl Skeletons {
    fn get(&self, id: u32) -> &[u8] {
        let start = (id as usize).checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(id as usize).copied().unwrap_or(0);
        self.bytes.get(start.unwrap_or(0)..end).unwrap_or_default()
    }

    fn find(&mut self, hasher: &FixedState, skeleton: &[u8]) -> Option<u32> {
        if !self.ends.is_empty() && equal(self.get(self.newest), skeleton) {
            return self.form.get(self.newest as usize).copied();
        }
        let hash = hasher.hash_one(skeleton);
        let id = *self.ids.find(hash, |&id| equal(self.get(id), skeleton))?;
        self.newest = id;
        self.form.get(id as usize).copied()
    }

    fn add(&mut self, hasher: &FixedState, skeleton: &[u8], form: u32) {
        let id = self.ends.len() as u32;
        self.bytes.extend_from_slice(skeleton);
        self.ends.push(self.bytes.len());
        self.form.push(form);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.ids.insert_unique(hasher.hash_one(skeleton), id, |&other| {
            let start = (other as usize).checked_sub(1).map_or(0, |before| ends[before]);
            hasher.hash_one(&bytes[start..ends[other as usize]])
        });
        self.newest = id;
    }

    fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.form.capacity() * 4
            + self.ids.capacity() * 5
    }
}

impl ArgumentsBuilder {
    /// The form with this `skeleton`: all bytes of the arguments except those of numbers; `None` if there is none yet.
    #[inline]
    pub fn known(&mut self, skeleton: &[u8]) -> Option<ArgumentForm> {
        self.skeletons.find(&self.hasher, skeleton).map(ArgumentForm)
    }

    /// The form with this `skeleton` and these arguments; `None` if there is no room for it, which is counted.
    pub fn form<'a>(
        &mut self,
        skeleton: &[u8],
        given: impl ExactSizeIterator<Item = (&'a [u8], Given<'a>)>,
    ) -> Option<ArgumentForm> {
        if let Some(known) = self.known(skeleton) {
            return Some(known);
        }
        let form = self.of_arguments(given)?;
        self.skeletons.add(&self.hasher, skeleton, form.0);
        Some(form)
    }

    /// The form with these arguments, for readers without skeletons; `None` if there is no room for it, which is counted.
    pub fn of_arguments<'a>(
        &mut self,
        given: impl ExactSizeIterator<Item = (&'a [u8], Given<'a>)>,
    ) -> Option<ArgumentForm> {
        if self.form_bytes() > MAX_FORM_BYTES {
            self.left_out(given.len() as u64);
            return None;
        }
        Some(self.of_entries(given))
    }

    /// Appends the arguments of `other`, whose first op comes in row `first_op`.
    pub(crate) fn append(&mut self, other: &Self, first_op: usize) {
        let forms: Vec<u32> = (0..other.forms.len())
            .map(|form| {
                let texts =
                    other.forms.of(form).map(|(name, kind, value)| (name.as_bytes(), kind, value.as_bytes()));
                self.of_kinds(texts).0
            })
            .collect();
        let numbers = self.number.len() as u32;
        other.rows.iter().for_each(|row| self.rows.push(first_op as u32 + row));
        other.form.iter().for_each(|form| self.form.push(forms[form as usize]));
        other.first.iter().for_each(|first| self.first.push(numbers + first));
        self.number.append(&other.number);
        self.left_out += other.left_out;
    }

    /// How many bytes count towards the most that forms may take.
    pub(crate) fn form_bytes(&self) -> usize {
        self.forms.heap_bytes() + self.skeletons.heap_bytes()
    }

    /// The form with these arguments.
    fn of_entries<'a>(&mut self, given: impl Iterator<Item = (&'a [u8], Given<'a>)>) -> ArgumentForm {
        self.of_kinds(given.map(|(name, given)| match given {
            Given::Text(text) => (name, ValueKind::Text, text),
            Given::Json(text) => (name, ValueKind::Json, text),
            Given::Number(scale) => (name, ValueKind::Number(scale), &b""[..]),
            Given::Unsigned => (name, ValueKind::Unsigned, &b""[..]),
        }))
    }

    /// The form with these names, kinds and values.
    fn of_kinds<'a>(
        &mut self,
        entries: impl Iterator<Item = (&'a [u8], ValueKind, &'a [u8])>,
    ) -> ArgumentForm {
        let first = self.forms.entries.len();
        self.forms.push(entries);
        let new = self.forms.len() as u32 - 1;
        let Self { forms, ids, hasher, .. } = self;
        let entries = &forms.entries[first..];
        let hash = hasher.hash_one(entries);
        if let Some(&known) = ids.find(hash, |&id| forms.entries_of(id as usize) == entries) {
            forms.entries.truncate(first);
            forms.ends.pop();
            return ArgumentForm(known);
        }
        ids.insert_unique(hash, new, |&other| hasher.hash_one(forms.entries_of(other as usize)));
        ArgumentForm(new)
    }

    /// Sets the arguments of the op in `row`, with its numbers in the order of the form. Rows must come in ascending order.
    #[inline]
    pub fn push(&mut self, row: usize, form: ArgumentForm, numbers: &[i64]) {
        self.rows.push(row as u32);
        self.form.push(form.0);
        self.first.push(self.number.len() as u32);
        numbers.iter().for_each(|&number| self.number.push(number));
    }

    /// Counts arguments that were left out because they were too many or too long.
    pub fn left_out(&mut self, count: u64) {
        self.left_out += count;
    }

    /// The number of arguments left out since the last call.
    pub fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }

    /// The arguments of the ops that were in `rows` of the file.
    pub(crate) fn finish(mut self, rows: &[u32]) -> Arguments {
        if self.rows.len() == 0 {
            return Arguments::default();
        }
        self.skeletons = Skeletons::default();
        // For each row of the file the place of its op, and the index of its arguments in the lists.
        let most = rows.iter().max().map_or(0, |&row| row as usize + 1);
        let mut place_of_row = vec![u32::MAX; most];
        for (place, row) in self.rows.iter().enumerate() {
            place_of_row.get_mut(row as usize).into_iter().for_each(|own| *own = place as u32);
        }
        let places = || rows.iter().map(|&row| place_of_row[row as usize]);
        let alike = self.alike(places().filter(|&place| place != u32::MAX));
        let (mut form, mut number) = (ColumnBuilder::default(), ColumnBuilder::default());
        let mut counts = Vec::with_capacity(rows.len());
        for place in places() {
            if place == u32::MAX {
                form.push_option(None);
                counts.push(0);
                continue;
            }
            let (own, before) = (self.form.get(place as usize), number.len());
            form.push(i64::from(own));
            let first = self.first.get(place as usize) as usize;
            for (value, is_alike) in (first..).zip(alike.of(own)) {
                if is_alike.is_none() {
                    number.push(self.number.get(value));
                }
            }
            counts.push((number.len() - before) as u32);
        }
        alike.settle(&mut self.forms);
        Arguments {
            forms: Arc::new(self.forms),
            form: Arc::new(form.in_order()),
            numbers: Arc::new(Ranges::of(rows.len(), counts.into_iter())),
            number: Arc::new(number.in_order()),
        }
    }

    /// Finds the numbers that are equal for all ops of a form.
    fn alike(&self, places: impl Iterator<Item = u32>) -> Alike {
        let mut alike = Alike::new(&self.forms);
        let mut ops = vec![0_u32; self.forms.len()];
        for place in places.map(|place| place as usize) {
            let form = self.form.get(place);
            let first = self.first.get(place) as usize;
            let count = &mut ops[form as usize];
            let is_first = *count == 0;
            *count = count.saturating_add(1);
            for (row, own) in (first..).zip(alike.of_mut(form)) {
                let value = self.number.get(row);
                *own = if is_first { Some(value) } else { own.filter(|&own| own == value) };
            }
        }
        for (form, _) in ops.iter().enumerate().filter(|&(_, &ops)| ops < FEWEST_ALIKE) {
            alike.of_mut(form as u32).iter_mut().for_each(|own| *own = None);
        }
        alike
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.forms.heap_bytes()
            + self.skeletons.heap_bytes()
            + self.ids.capacity() * 5
            + self.rows.heap_bytes()
            + self.form.heap_bytes()
            + self.first.heap_bytes()
            + self.number.heap_bytes()
    }
}

/// For every number of every form the value that all ops share.
struct Alike {
    values: Vec<Option<i64>>,
    ends: Vec<usize>,
}

impl Alike {
    fn new(forms: &ArgumentForms) -> Self {
        let mut ends = Vec::with_capacity(forms.len());
        let mut end = 0;
        for form in 0..forms.len() {
            end += forms.entries_of(form).iter().filter(|entry| entry.kind.is_number()).count();
            ends.push(end);
        }
        Self { values: vec![None; end], ends }
    }

    fn range(&self, form: u32) -> std::ops::Range<usize> {
        let start = (form as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[form as usize]
    }

    fn of(&self, form: u32) -> &[Option<i64>] {
        &self.values[self.range(form)]
    }

    fn of_mut(&mut self, form: u32) -> &mut [Option<i64>] {
        let range = self.range(form);
        &mut self.values[range]
    }

    /// Moves the shared values into the forms.
    fn settle(self, forms: &mut ArgumentForms) {
        let ArgumentForms { texts, entries, .. } = forms;
        let of_numbers = entries.iter_mut().filter(|entry| entry.kind.is_number());
        for (entry, value) in of_numbers.zip(self.values) {
            let Some(value) = value else { continue };
            let text = match entry.kind {
                ValueKind::Number(scale) => Decimal { digits: value, scale }.to_string(),
                _ => (value as u64).to_string(),
            };
            let value = texts.intern(text.as_bytes());
            *entry = Entry { kind: ValueKind::Json, value, ..*entry };
        }
    }
}
