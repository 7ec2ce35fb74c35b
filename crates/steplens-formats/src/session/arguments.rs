//! The arguments of events in a session: forms as they are, and for each op with a form its numbers as differences from the last op
//! with the same form.

use super::Damage;
use super::reader::{Reader, all_read};
use super::strings::Strings;
use super::writer::{Writer, columns};
use steplens_core::Trace;
use steplens_core::model::arguments::{ValueKind, WholeArguments};
use steplens_core::storage::column::ColumnBuilder;
use steplens_core::storage::ranges::Ranges;
use steplens_messages::say;
use steplens_proto::sessions::{ArgumentForms, Arguments};

/// Kinds of values; a number is written as `NUMBER` plus its digits after the point.
const TEXT: u64 = 0;
const JSON: u64 = 1;
const UNSIGNED: u64 = 2;
const NUMBER: u64 = 3;
/// The most digits of a number.
const MOST_DIGITS: u64 = 18;

/// Adds the strings of the forms.
pub(super) fn add_strings<'a>(trace: &'a Trace, strings: &mut Strings<'a>) {
    let forms = trace.arguments().forms();
    for (name, kind, value) in (0..forms.len()).flat_map(|form| forms.of(form)) {
        strings.add(name);
        if !kind.is_number() {
            strings.add(value);
        }
    }
}

/// Writes both tables, if any op has arguments.
pub(super) fn write(writer: &mut Writer<'_>) {
    let arguments = writer.trace.arguments();
    let forms = arguments.forms();
    if forms.is_empty() {
        return;
    }
    let [mut counts, mut names, mut kinds, mut values] = columns();
    for form in 0..forms.len() {
        let entries = forms.of(form);
        counts.number(entries.len() as u64);
        for (name, kind, value) in entries {
            names.number(writer.row_of(name));
            kinds.number(match kind {
                ValueKind::Text => TEXT,
                ValueKind::Json => JSON,
                ValueKind::Unsigned => UNSIGNED,
                ValueKind::Number(scale) => NUMBER + u64::from(scale),
            });
            if !kind.is_number() {
                values.number(writer.row_of(value));
            }
        }
    }
    writer.out.argument_forms = Some(ArgumentForms {
        rows: forms.len() as u64,
        count: counts.message(),
        name: names.message(),
        kind: kinds.message(),
        value: values.message(),
    });
    let [mut ops, mut of_form, mut numbers] = columns();
    let mut before = vec![Vec::new(); forms.len()];
    let mut rows = 0;
    for op in writer.trace.ops().ids() {
        let Some(form) = arguments.form(op) else { continue };
        rows += 1;
        ops.delta(i64::from(op.get()));
        of_form.number(form as u64);
        let before: &mut Vec<i64> = &mut before[form];
        for (place, number) in arguments.numbers(op).enumerate() {
            if before.len() == place {
                before.push(0);
            }
            numbers.signed(number.wrapping_sub(std::mem::replace(&mut before[place], number)));
        }
    }
    let (op, form, numbers) = (ops.message(), of_form.message(), numbers.message());
    writer.out.arguments = Some(Arguments { rows, op, form, numbers });
}

/// Reads both tables. The trace has `ops` ops.
pub(super) fn read(reader: &mut Reader<'_, '_>, ops: usize) -> Result<WholeArguments, Damage> {
    let mut whole = WholeArguments::default();
    let ArgumentForms { rows, count, name, kind, value } =
        reader.tables.session.argument_forms.clone().unwrap_or_default();
    let (forms, [mut counts, mut names, mut kinds, mut values]) =
        reader.tables.read(rows, [&count, &name, &kind, &value])?;
    let mut numbers_of = Vec::new();
    let mut entries: Vec<(&[u8], ValueKind, &[u8])> = Vec::new();
    for _ in 0..forms {
        entries.clear();
        for _ in 0..counts.number()? {
            let name = reader.text(&mut names)?;
            let kind = match kinds.number()? {
                TEXT => ValueKind::Text,
                JSON => ValueKind::Json,
                UNSIGNED => ValueKind::Unsigned,
                number if number - NUMBER <= MOST_DIGITS => ValueKind::Number((number - NUMBER) as u8),
                _ => return Err(kinds.damage(say!("got-large-number"))),
            };
            let value = if kind.is_number() { &[][..] } else { reader.text(&mut values)? };
            entries.push((name, kind, value));
        }
        numbers_of.push(vec![0_i64; entries.iter().filter(|entry| entry.1.is_number()).count()]);
        whole.push_form(entries.iter().copied());
    }
    all_read([counts, names, kinds, values])?;
    let Arguments { rows, op, form, numbers } = reader.tables.session.arguments.clone().unwrap_or_default();
    let (rows, [mut of_op, mut of_form, mut numbers]) = reader.tables.read(rows, [&op, &form, &numbers])?;
    let (mut form_column, mut number_column) = (ColumnBuilder::default(), ColumnBuilder::default());
    let mut lengths = Vec::new();
    for _ in 0..rows {
        let op = of_op.delta_row(ops)?;
        if op < lengths.len() {
            return Err(of_op.damage(say!("got-no-row")));
        }
        while lengths.len() < op {
            lengths.push(0);
            form_column.push_option(None);
        }
        let form = of_form.row(forms)?;
        form_column.push(form as i64);
        for before in &mut numbers_of[form] {
            *before = before.wrapping_add(numbers.signed()?);
            number_column.push(*before);
        }
        lengths.push(numbers_of[form].len() as u32);
    }
    all_read([of_op, of_form, numbers])?;
    if rows > 0 {
        for _ in lengths.len()..ops {
            form_column.push_option(None);
        }
        lengths.resize(ops, 0);
    }
    whole.form = form_column.in_order();
    whole.numbers = Ranges::of(lengths.len(), lengths.iter().copied());
    whole.number = number_column.in_order();
    Ok(whole)
}
