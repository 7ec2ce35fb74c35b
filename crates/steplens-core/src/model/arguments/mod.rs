//! Arguments: data of events that no other table has, such as the arguments of Chrome events and the stats of an `XSpace`.
//!
//! A million events differ in little except their numbers. So everything except the numbers is stored as a form, and each form is
//! stored once: names, texts, lists, and the places of numbers. An op has the row of its form, and its numbers.

mod builder;
mod noun;
mod number;

pub(crate) use builder::MAX_FORM_BYTES;
pub use builder::{ArgumentForm, ArgumentsBuilder, Given, MAX_ARGUMENTS, MAX_VALUE_BYTES, WholeArguments};
pub use noun::Noun;
pub use number::Decimal;

use crate::storage::column::{Column, ColumnBuilder};
use crate::storage::ranges::{Ranges, RangesBuilder};
use crate::storage::shared::shared_bytes;
use crate::storage::strings::StringTable;
use crate::{OpId, StringId};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentValue<'a> {
    /// A text.
    Text(&'a str),
    /// A list, an object, a word or a number, as JSON.
    Json(&'a str),
    /// A number with its digits after the point.
    Number(Decimal),
    /// A whole number without a sign.
    Unsigned(u64),
}

impl<'a> ArgumentValue<'a> {
    /// The text that is shown to the user: without quotes.
    pub fn shown(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) | Self::Json(text) => Cow::Borrowed(text),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Unsigned(number) => Cow::Owned(number.to_string()),
        }
    }

    /// The value as a count, if it is a whole number and not negative.
    pub fn count(self) -> Option<u64> {
        match self {
            Self::Number(Decimal { digits, scale: 0 }) => u64::try_from(digits).ok(),
            Self::Unsigned(number) => Some(number),
            Self::Json(text) | Self::Text(text) => text.parse().ok(),
            Self::Number(_) => None,
        }
    }
}

/// One argument of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument<'a> {
    /// The name in the file.
    pub name: &'a str,
    /// The value.
    pub value: ArgumentValue<'a>,
}

/// The kind of an argument in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A text that all ops of the form share.
    Text,
    /// JSON that all ops of the form share.
    Json,
    /// A number without a sign that each op has for itself.
    Unsigned,
    /// A number with a sign that each op has for itself. The value is how many digits are after the point.
    Number(u8),
}

impl ValueKind {
    /// Whether each op has its own value.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Unsigned | Self::Number(_))
    }
}

/// One argument of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    name: StringId,
    kind: ValueKind,
    /// The empty text if each op has its own value.
    value: StringId,
}

/// Every form, once.
#[derive(Default)]
pub struct ArgumentForms {
    texts: StringTable,
    entries: Vec<Entry>,
    /// The end of the entries of each form.
    ends: Vec<u32>,
}

impl ArgumentForms {
    /// The number of forms.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Name, kind and value of each argument of a form.
    pub fn of(&self, form: usize) -> impl ExactSizeIterator<Item = (&str, ValueKind, &str)> {
        let entries = self.entries_of(form).iter();
        entries.map(|entry| (self.texts.get(entry.name), entry.kind, self.texts.get(entry.value)))
    }

    fn entries_of(&self, form: usize) -> &[Entry] {
        let start = form.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(form).copied().unwrap_or(start);
        self.entries.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Adds a form, even if there is an equal one.
    fn push<'a>(&mut self, entries: impl Iterator<Item = (&'a [u8], ValueKind, &'a [u8])>) {
        for (name, kind, value) in entries {
            let [name, value] = [name, value].map(|text| self.texts.intern(text));
            self.entries.push(Entry { name, kind, value });
        }
        self.ends.push(self.entries.len() as u32);
    }

    fn heap_bytes(&self) -> usize {
        self.texts.heap_bytes()
            + self.entries.capacity() * size_of::<Entry>()
            + self.ends.capacity() * size_of::<u32>()
    }
}

/// The arguments of all ops.
#[derive(Clone, Default)]
pub struct Arguments {
    forms: Arc<ArgumentForms>,
    /// The form of each op that has one.
    form: Arc<Column>,
    /// The numbers of each op.
    numbers: Arc<Ranges>,
    number: Arc<Column>,
}

/// What is left of a form.
#[derive(Clone, Copy)]
struct KeptForm {
    /// Its row.
    form: usize,
    /// Where it stands which entries of the old form are left.
    first: usize,
}

impl Arguments {
    /// Whether no op has any arguments.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// All forms; some may be unused.
    pub fn forms(&self) -> &ArgumentForms {
        &self.forms
    }

    /// The form of `op`, if it has any argument.
    pub fn form(&self, op: OpId) -> Option<usize> {
        self.form.get_option(op.index()).and_then(|form| usize::try_from(form).ok())
    }

    /// The numbers of `op`, in the order of its form.
    pub fn numbers(&self, op: OpId) -> impl Iterator<Item = i64> {
        self.numbers.get(op.index()).map(|row| self.number.get(row))
    }

    /// The arguments of `op`, in the order of the file.
    pub fn of(&self, op: OpId) -> impl Iterator<Item = Argument<'_>> {
        let mut numbers = self.numbers(op);
        let form = self.form(op).into_iter().flat_map(|form| self.forms.of(form));
        form.map(move |(name, kind, value)| {
            let value = match kind {
                ValueKind::Text => ArgumentValue::Text(value),
                ValueKind::Json => ArgumentValue::Json(value),
                ValueKind::Unsigned => ArgumentValue::Unsigned(numbers.next().unwrap_or(0) as u64),
                ValueKind::Number(scale) => {
                    ArgumentValue::Number(Decimal { digits: numbers.next().unwrap_or(0), scale })
                }
            };
            Argument { name, value }
        })
    }

    /// The arguments of `ops`, in that order.
    pub(crate) fn picked(&self, ops: &[OpId]) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let form = ColumnBuilder::of_options(ops.iter().map(|op| self.form.get_option(op.index())));
        let (numbers, old) = RangesBuilder::picked(&self.numbers, ops.iter().map(|op| op.index()));
        let number = ColumnBuilder::of(old.iter().map(|&row| self.number.get(row as usize)));
        Self {
            forms: Arc::clone(&self.forms),
            form: Arc::new(form),
            numbers: Arc::new(numbers),
            number: Arc::new(number),
        }
    }

    /// Keeps the arguments for which `keep` returns a text, with that text as value, and removes the data of the others. `keep` gets whether `is_apart`
    /// holds for the op, then name, kind and value of the argument.
    pub(crate) fn kept<'a>(
        &'a self,
        ops: usize,
        is_apart: impl Fn(OpId) -> bool,
        keep: impl Fn(bool, &str, ValueKind, &'a str) -> Option<Cow<'a, str>>,
    ) -> Self {
        let mut forms = ArgumentForms::default();
        let mut keeps: Vec<bool> = Vec::with_capacity(self.forms.entries.len());
        let mut put = |is_apart: bool, form: usize| -> KeptForm {
            let own = || self.forms.of(form);
            let kept: Vec<Option<Cow<'_, str>>> =
                own().map(|(name, kind, value)| keep(is_apart, name, kind, value)).collect();
            let first = keeps.len();
            keeps.extend(kept.iter().map(Option::is_some));
            forms.push(own().zip(&kept).filter_map(|((name, kind, _), kept)| {
                Some((name.as_bytes(), kind, kept.as_ref()?.as_bytes()))
            }));
            KeptForm { form: forms.len() - 1, first }
        };
        let usual: Vec<KeptForm> = (0..self.forms.len()).map(|form| put(false, form)).collect();
        let mut apart: HashMap<usize, KeptForm, FixedState> = HashMap::default();
        for op in (0..ops).map(OpId::from_usize).filter(|&op| is_apart(op)) {
            if let Some(form) = self.form(op) {
                apart.entry(form).or_insert_with(|| put(true, form));
            }
        }
        let (mut form, mut number) = (ColumnBuilder::default(), ColumnBuilder::default());
        let mut counts = Vec::with_capacity(ops);
        for op in (0..ops).map(OpId::from_usize) {
            let before = number.len();
            let own = self.form(op).and_then(|form| {
                let kept = if is_apart(op) { apart.get(&form) } else { usual.get(form) };
                kept.map(|&kept| (form, kept)).filter(|(_, kept)| !forms.entries_of(kept.form).is_empty())
            });
            form.push_option(own.map(|(_, kept)| kept.form as i64));
            if let Some((form, kept)) = own {
                let entries = self.forms.entries_of(form).iter().zip(&keeps[kept.first..]);
                let of_numbers = entries.filter(|(entry, _)| entry.kind.is_number());
                let kept = of_numbers.zip(self.numbers(op)).filter(|((_, keeps), _)| **keeps);
                kept.for_each(|(_, value)| number.push(value));
            }
            counts.push((number.len() - before) as u32);
        }
        if forms.entries.is_empty() {
            return Self::default();
        }
        Self {
            forms: Arc::new(forms),
            form: Arc::new(form.in_order()),
            numbers: Arc::new(Ranges::of(ops, counts.into_iter())),
            number: Arc::new(number.in_order()),
        }
    }

    /// The arguments from columns that are in the order of the ops already.
    pub(crate) fn of_whole(whole: WholeArguments) -> Self {
        let WholeArguments { forms, form, numbers, number } = whole;
        if forms.is_empty() {
            return Self::default();
        }
        Self {
            forms: Arc::new(forms),
            form: Arc::new(form),
            numbers: Arc::new(numbers),
            number: Arc::new(number),
        }
    }

    /// Heap memory in use, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.forms.heap_bytes()
            + self.form.heap_bytes()
            + self.numbers.heap_bytes()
            + self.number.heap_bytes()
            + shared_bytes::<ArgumentForms>()
            + 2 * shared_bytes::<Column>()
            + shared_bytes::<Ranges>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ops that alternate between two forms, followed by one without arguments after each pair.
    fn built(ops: usize) -> Arguments {
        let mut builder = ArgumentsBuilder::default();
        let a = [
            (&b"External id"[..], Given::Number(0)),
            (b"Input Dims", Given::Json(b"[[2, 3]]")),
            (b"stream", Given::Number(0)),
        ];
        let b = [(&b"share"[..], Given::Number(2)), (b"id", Given::Unsigned), (b"why", Given::Text(b"x\"y"))];
        for row in 0..ops {
            match row % 3 {
                0 => {
                    let form = builder.form(b"a", a.into_iter()).unwrap();
                    builder.push(row, form, &[row as i64 * 7, 5]);
                }
                1 => {
                    let form = builder.form(b"b", b.into_iter()).unwrap();
                    builder.push(row, form, &[-5 - row as i64, -1]);
                }
                _ => {}
            }
        }
        builder.finish(&(0..ops as u32).rev().collect::<Vec<_>>())
    }

    fn said(arguments: &Arguments, op: usize) -> String {
        let all = arguments.of(OpId::from_usize(op));
        all.map(|own| format!("{}={}", own.name, own.value.shown())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn arguments_come_back_in_the_order_of_ops() {
        for ops in [5, 200] {
            let arguments = built(ops);
            let of_row = |row: usize| said(&arguments, ops - 1 - row);
            assert_eq!(of_row(3), "External id=21 Input Dims=[[2, 3]] stream=5");
            assert_eq!(of_row(1), "share=-0.06 id=18446744073709551615 why=x\"y");
            assert_eq!(of_row(2), "");
            let picked = arguments.picked(&[OpId::from_usize(ops - 2), OpId::from_usize(ops - 4)]);
            assert_eq!(said(&picked, 0), of_row(1));
            assert_eq!(said(&picked, 1), of_row(3));
        }
        // A value that all ops of a form share is stored once.
        assert_eq!(built(200).numbers(OpId::from_usize(199)).count(), 1);
    }

    #[test]
    fn what_is_left_out_is_in_no_table() {
        let arguments = built(200);
        let kept = arguments.kept(
            200,
            |_| false,
            |_, name, _, value| matches!(name, "Input Dims" | "share").then_some(Cow::Borrowed(value)),
        );
        assert_eq!(said(&kept, 199), "Input Dims=[[2, 3]]");
        assert_eq!(said(&kept, 198), "share=-0.06");
        assert!(kept.forms.texts.find("External id").is_none() && kept.forms.texts.find("x\"y").is_none());
        assert!(arguments.kept(200, |_| false, |_, _, _, _| None).is_empty());
    }

    #[test]
    fn traces_without_arguments_have_no_memory_of_them() {
        let empty = ArgumentsBuilder::default().finish(&[0, 1, 2]);
        assert!(empty.is_empty() && empty.forms.heap_bytes() == 0 && empty.form.heap_bytes() == 0);
    }
}
