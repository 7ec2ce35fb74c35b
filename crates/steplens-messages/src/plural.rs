//! Which form of a noun a number takes, as Unicode's CLDR has it for whole numbers.
//!
//! `tests/tests/messages/main.rs` compares these rules with the `intl_pluralrules` that Fluent uses.

/// The form that a number takes.
pub(crate) type Rule = fn(u64) -> &'static str;

/// The rule of a language, by its tag; `None` where it is not known here.
pub(crate) fn rule(language: &str) -> Option<Rule> {
    Some(match language.split('-').next().unwrap_or_default() {
        "ja" | "ko" | "zh" | "th" | "vi" | "id" | "ms" => |_| "other",
        "en" | "de" | "nl" | "sv" | "da" | "nb" | "no" | "fi" | "et" | "hu" | "tr" | "el" | "bg" => {
            one_or_other
        }
        "it" | "es" | "ca" => |count| if millions(count) { "many" } else { one_or_other(count) },
        "fr" => |count| match count {
            0 | 1 => "one",
            _ if millions(count) => "many",
            _ => "other",
        },
        "pt" => |count| match count {
            0 | 1 => "one",
            _ if millions(count) => "many",
            _ => "other",
        },
        "cs" | "sk" => |count| match count {
            1 => "one",
            2..=4 => "few",
            _ => "other",
        },
        "pl" => |count| match count {
            1 => "one",
            _ if is_few(count) => "few",
            _ => "many",
        },
        "ru" | "uk" => |count| match count {
            _ if count % 10 == 1 && count % 100 != 11 => "one",
            _ if is_few(count) => "few",
            _ => "many",
        },
        _ => return None,
    })
}

pub(crate) fn one_or_other(count: u64) -> &'static str {
    if count == 1 { "one" } else { "other" }
}

/// Languages that say "a million of ops".
fn millions(count: u64) -> bool {
    count != 0 && count.is_multiple_of(1_000_000)
}

/// 2 to 4 at the end of a Slavic number, but 12 to 14.
fn is_few(count: u64) -> bool {
    (2..=4).contains(&(count % 10)) && !(12..=14).contains(&(count % 100))
}
