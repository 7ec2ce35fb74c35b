//! The form of a text with arguments, and how it is filled in.
//!
//! `build.rs` writes a Fluent pattern as one string: `\1 name \2` stands for an argument; `\3 name \2` begins a choice by an argument, `\4 key \2`
//! each of its variants (`*` before the key of the default), and `\5` ends it.

use crate::plural::Rule;

/// What a text says about this trace.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A count, which may choose between the forms of a noun.
    Number(u64),
    /// A count that is written with separators: `4,175`.
    Grouped(u64),
    /// Any text, from a trace or another message; or a word that chooses a variant.
    Text(&'a str),
}

/// Names and values.
pub type Arguments<'a> = [(&'a str, Argument<'a>)];

/// Fills `arguments` into `text`.
pub(crate) fn filled(text: &str, arguments: &Arguments<'_>, rule: Rule) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    Filling { arguments, rule }.write(text, Some(&mut out));
    out
}

struct Filling<'a> {
    arguments: &'a Arguments<'a>,
    rule: Rule,
}

impl Filling<'_> {
    /// Writes a pattern up to its end, and returns what follows; only skips it without `out`.
    fn write<'t>(&self, text: &'t str, mut out: Option<&mut String>) -> &'t str {
        let mut rest = text;
        while let Some(at) = rest.find(['\u{1}', '\u{3}', '\u{4}', '\u{5}']) {
            let (plain, marked) = rest.split_at(at);
            if let Some(out) = out.as_deref_mut() {
                out.push_str(plain);
            }
            rest = match marked.as_bytes()[0] {
                1 => {
                    let (name, after) = named(marked);
                    if let Some(out) = out.as_deref_mut() {
                        match self.value(name) {
                            Argument::Number(number) => out.push_str(&number.to_string()),
                            Argument::Grouped(number) => out.push_str(&grouped(number)),
                            Argument::Text(text) => out.push_str(text),
                        }
                    }
                    after
                }
                3 => self.choose(marked, out.as_deref_mut()),
                _ => return marked,
            };
        }
        if let Some(out) = out {
            out.push_str(rest);
        }
        ""
    }

    /// Writes the first variant that the argument chooses, else the default; returns what follows the choice.
    fn choose<'t>(&self, choice: &'t str, out: Option<&mut String>) -> &'t str {
        let (name, mut rest) = named(choice);
        let value = self.value(name);
        let (mut chosen, mut default) = (None, "");
        while rest.starts_with('\u{4}') {
            let (key, variant) = named(rest);
            let (is_default, key) = key.strip_prefix('*').map_or((false, key), |key| (true, key));
            let fits = match value {
                Argument::Number(number) | Argument::Grouped(number) => {
                    (self.rule)(number) == key || key.parse() == Ok(number)
                }
                Argument::Text(text) => text == key,
            };
            if fits && chosen.is_none() {
                chosen = Some(variant);
            }
            if is_default {
                default = variant;
            }
            rest = self.write(variant, None);
        }
        if out.is_some() {
            self.write(chosen.unwrap_or(default), out);
        }
        rest.strip_prefix('\u{5}').unwrap_or(rest)
    }

    /// `find` has made sure at compile time that there is one of each name.
    fn value(&self, name: &str) -> Argument<'_> {
        self.arguments
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(Argument::Text(""), |&(_, value)| value)
    }
}

/// The name after a mark, and what follows it.
fn named(marked: &str) -> (&str, &str) {
    marked[1..].split_once('\u{2}').unwrap_or_default()
}

/// What may be filled in.
pub trait AsArgument {
    /// As a text sees it.
    fn as_argument(&self) -> Argument<'_>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl AsArgument for $number {
            fn as_argument(&self) -> Argument<'_> {
                // At most 64 bits wide, on all machines that this is built for.
                Argument::Number(*self as u64)
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64 usize);

macro_rules! texts {
    ($($text:ty)*) => {$(
        impl AsArgument for $text {
            fn as_argument(&self) -> Argument<'_> {
                Argument::Text(self)
            }
        }
    )*};
}
texts!(str String std::borrow::Cow<'_, str>);

impl<T: AsArgument + ?Sized> AsArgument for &T {
    fn as_argument(&self) -> Argument<'_> {
        (**self).as_argument()
    }
}

/// A count that is written with separators.
#[derive(Clone, Copy, Debug)]
pub struct Grouped(pub u64);

impl AsArgument for Grouped {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Grouped(self.0)
    }
}

/// `4,175`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plural::rule;

    const RUSSIAN: &str = "\u{1}file\u{2}: \u{3}count\u{2}\u{4}0\u{2}нет\u{4}one\u{2}\u{1}count\u{2} лист\
        \u{4}few\u{2}\u{1}count\u{2} листа\u{4}*many\u{2}\u{3}word\u{2}\u{4}a\u{2}A\u{4}*b\u{2}B\u{5} \u{1}count\u{2} листов\u{5}!";

    #[test]
    fn numbers_and_words_choose_variants() {
        let said = |count: u64, word| {
            let arguments = [
                ("count", count.as_argument()),
                ("file", Argument::Text("f")),
                ("word", Argument::Text(word)),
            ];
            filled(RUSSIAN, &arguments, rule("ru").expect("Russian has a rule"))
        };
        assert_eq!(said(0, "a"), "f: нет!");
        assert_eq!(said(21, "a"), "f: 21 лист!");
        assert_eq!(said(3, "a"), "f: 3 листа!");
        assert_eq!(said(12, "a"), "f: A 12 листов!");
        assert_eq!(said(12, "other"), "f: B 12 листов!");
    }

    #[test]
    fn marks_in_arguments_are_only_text() {
        let arguments = [("file", Argument::Text("\u{3}x\u{2}\u{5}"))];
        assert_eq!(filled("a \u{1}file\u{2} b", &arguments, |_| "other"), "a \u{3}x\u{2}\u{5} b");
    }
}
