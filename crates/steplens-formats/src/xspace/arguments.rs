//! The stats of events as arguments of their ops: computed once per shape, because there are many events.

use super::shapes::{OfShapes, StatValue};
use super::tables::{Plane, Tables};
use steplens_core::build::builder::TraceBuilder;
use steplens_core::model::arguments::{ArgumentForm, Given, MAX_ARGUMENTS, MAX_VALUE_BYTES};

/// The arguments of the events of a shape.
#[derive(Clone, Copy)]
pub(super) struct Told {
    form: Option<ArgumentForm>,
    /// How many numbers each event has, and how many of these are arguments.
    pub(super) numbers: u32,
    given: u32,
    /// The number of stats that are left out.
    left_out: u32,
}

/// The arguments of all shapes.
pub(super) struct Stats {
    of_shape: OfShapes<u32, Told>,
    /// The numbers of the current event.
    numbers: Vec<i64>,
}

impl Stats {
    pub(super) fn new() -> Self {
        Self { of_shape: OfShapes::new(), numbers: Vec::new() }
    }

    /// Takes the numbers of the next event, which has the shape `shape`.
    #[inline]
    pub(super) fn next(
        &mut self,
        tables: &Tables,
        (plane, shape): (&Plane, u32),
        left: &mut impl Iterator<Item = u64>,
        builder: &mut TraceBuilder,
    ) -> Told {
        let told = self.of_shape.get(plane.dictionary.number, shape, || told(tables, plane, shape, builder));
        self.numbers.clear();
        self.numbers.extend(left.take(told.numbers as usize).map(|number| number as i64));
        told
    }

    /// Gives the arguments to the newest op.
    #[inline]
    pub(super) fn give(&self, told: Told, builder: &mut TraceBuilder) {
        if told.left_out > 0 {
            builder.argument_forms().left_out(u64::from(told.left_out));
        }
        if let Some(form) = told.form {
            builder.arguments(form, self.numbers.get(..told.given as usize).unwrap_or_default());
        }
    }
}

/// The name of a stat, or its number if the file has no name.
fn name_of(tables: &Tables, plane: &Plane, id: u64) -> String {
    tables.stat_name(plane, id).map_or_else(|| format!("stat {id}"), str::to_owned)
}

fn told(tables: &Tables, plane: &Plane, shape: u32, builder: &mut TraceBuilder) -> Told {
    let mut told = Told { form: None, numbers: 0, given: 0, left_out: 0 };
    // After a number that is left out, the numbers would not match their names.
    let mut is_over = false;
    let mut texts: Vec<(String, Vec<u8>, StatValue)> = Vec::new();
    for stat in tables.all_stats(plane, shape) {
        let is_number = matches!(stat.value, StatValue::Number { .. });
        told.numbers += u32::from(is_number);
        let value = match &stat.value {
            StatValue::Number { .. } => Vec::new(),
            StatValue::Whole { number, is_signed: true } => (*number as i64).to_string().into_bytes(),
            StatValue::Whole { number, is_signed: false } => number.to_string().into_bytes(),
            StatValue::Fraction(bits) => f64::from_bits(*bits).to_string().into_bytes(),
            StatValue::Ref(id) => tables.stat_name(plane, *id).unwrap_or_default().as_bytes().to_vec(),
            StatValue::Text(text) => text.clone(),
        };
        let name = name_of(tables, plane, stat.id);
        is_over |= texts.len() >= MAX_ARGUMENTS;
        if is_over || value.len().max(name.len()) > MAX_VALUE_BYTES {
            told.left_out += 1;
            is_over |= is_number;
            continue;
        }
        told.given += u32::from(is_number);
        texts.push((name, value, stat.value));
    }
    if !texts.is_empty() {
        let given = texts.iter().map(|(name, value, stat)| {
            let given = match stat {
                StatValue::Number { is_signed: true } => Given::Number(0),
                StatValue::Number { is_signed: false } => Given::Unsigned,
                StatValue::Whole { .. } | StatValue::Fraction(_) => Given::Json(value),
                StatValue::Ref(_) | StatValue::Text(_) => Given::Text(value),
            };
            (name.as_bytes(), given)
        });
        told.form = builder.argument_forms().of_arguments(given);
    }
    told
}
