//! Patterns: a part of a text or a regular expression, in every field of an op or in one of them.

use crate::base::expression;
use regex::bytes::Regex;
use steplens_messages::say;

/// The longest pattern, in bytes. Names are shorter than this.
const MAX_PATTERN_BYTES: usize = 1_000;
/// The largest automaton of a regular expression, in bytes; a state takes about 40. The limit starts at the first number and
/// doubles until the expression fits, up to the second: so the size of the automaton is known.
const EXPRESSION_BYTES: (usize, usize) = (1 << 11, 1 << 17);
/// The largest cost of a search: bytes of the automaton times bytes of text. The engine goes through each text once. It usually
/// touches one state per byte, and at most every state, so this is some seconds for any search.
const MAX_WORK: u64 = 1 << 37;

/// A field of an op that can be searched alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Its node's name or, for a transfer, its tensor's.
    Name,
    /// Its op type.
    OpType,
    /// The device that ran it.
    Device,
    /// Its label as it was recorded.
    Label,
}

/// The prefixes that restrict a pattern to a field.
const FIELDS: [(&str, Field); 4] =
    [("name:", Field::Name), ("type:", Field::OpType), ("device:", Field::Device), ("label:", Field::Label)];
/// The prefixes that compare the whole text of a field, case-sensitively.
const WHOLE_FIELDS: [(&str, Field); 4] =
    [("name=", Field::Name), ("type=", Field::OpType), ("device=", Field::Device), ("label=", Field::Label)];

/// What to search for.
pub struct Pattern {
    field: Option<Field>,
    rule: Rule,
}

enum Rule {
    /// No text matches: there is nothing to search for yet.
    Nothing,
    /// A part of a text, in lower case.
    Part(String),
    /// A whole text.
    Whole(String),
    /// A regular expression and the bytes of its automaton.
    Expression(Regex, usize),
}

impl Pattern {
    /// Reads `text`: a part to search for or, if `is_regex`, a regular expression; case is ignored. The prefix `name:`, `type:`,
    /// `device:` or `label:` restricts the search to that field. With `=` instead of `:`, the rest must be the whole text of the
    /// field.
    ///
    /// The error is a sentence that says what is wrong with the pattern.
    pub fn new(text: &str, is_regex: bool) -> Result<Self, String> {
        let whole = WHOLE_FIELDS.iter().find(|(prefix, _)| starts_with(text, prefix));
        let field = FIELDS.iter().chain(whole).find(|(prefix, _)| starts_with(text, prefix));
        let text = field.map_or(text, |(prefix, _)| text[prefix.len()..].trim_start());
        let field = field.map(|&(_, field)| field);
        if text.len() > MAX_PATTERN_BYTES {
            return Err(say!("search-too-long", length = text.len(), most = MAX_PATTERN_BYTES));
        }
        let rule = if text.is_empty() {
            Rule::Nothing
        } else if whole.is_some() && !is_regex {
            Rule::Whole(text.to_owned())
        } else if is_regex {
            let (expression, bytes) = compile(text)?;
            Rule::Expression(expression, bytes)
        } else {
            Rule::Part(text.to_ascii_lowercase())
        };
        Ok(Self { field, rule })
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        matches!(self.rule, Rule::Nothing)
    }

    /// Whether `field` is searched.
    pub fn covers(&self, field: Field) -> bool {
        self.field.is_none_or(|own| own == field)
    }

    /// Starts a search through many texts.
    pub(crate) fn search(&self) -> TextSearch<'_> {
        TextSearch { rule: &self.rule, lower: String::new(), work: 0 }
    }
}

/// One search through many texts, with its cost so far.
pub(crate) struct TextSearch<'a> {
    rule: &'a Rule,
    /// The text in lower case. The buffer is reused for all texts, so that none allocates.
    lower: String,
    work: u64,
}

impl TextSearch<'_> {
    /// Whether `text` matches; the error says that the search would take too long.
    pub(crate) fn matches(&mut self, text: &str) -> Result<bool, String> {
        match self.rule {
            Rule::Nothing => Ok(false),
            Rule::Whole(whole) => Ok(text == whole),
            Rule::Part(part) => {
                self.lower.clear();
                self.lower.push_str(text);
                self.lower.make_ascii_lowercase();
                Ok(self.lower.contains(part.as_str()))
            }
            Rule::Expression(expression, bytes) => {
                self.work = self.work.saturating_add((text.len() as u64 + 1) * *bytes as u64);
                if self.work > MAX_WORK {
                    return Err(say!("search-too-costly").to_owned());
                }
                Ok(expression.is_match(text.as_bytes()))
            }
        }
    }
}

/// The expression, and the largest size of its automaton in bytes.
fn compile(text: &str) -> Result<(Regex, usize), String> {
    let (mut bytes, most) = EXPRESSION_BYTES;
    loop {
        match expression::compile(text, true, bytes) {
            Ok(expression) => return Ok((expression, bytes)),
            Err(_) if bytes < most => bytes *= 2,
            Err(why) => {
                return Err(say!("search-bad-expression", text, why));
            }
        }
    }
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, is_regex: bool, text: &str) -> bool {
        Pattern::new(pattern, is_regex).unwrap().search().matches(text).unwrap()
    }

    #[test]
    fn letters_match_in_either_case() {
        assert!(matches("conv2d", false, "net/Conv2D") && matches("D", false, "net/conv2d"));
        assert!(matches("öß", false, "größe") && !matches("ÖSS", false, "größe"));
        assert!(!matches("abc", false, "ab") && !matches("a", false, "") && !matches("", false, "a"));
        assert!(matches(r"^NET/conv\dd$", true, "net/Conv2D") && !matches("(?-i)NET", true, "net"));
        assert!(matches(".", false, "a.b") && !matches(".", false, "ab") && matches(".", true, "ab"));
    }

    #[test]
    fn a_field_stands_in_front() {
        let pattern = Pattern::new("Type: Conv", false).unwrap();
        assert!(pattern.covers(Field::OpType) && !pattern.covers(Field::Name));
        assert!(pattern.search().matches("MyConv").unwrap());
        let all = Pattern::new("net:0", false).unwrap();
        assert!(FIELDS.iter().all(|&(_, field)| all.covers(field)));
        assert!(Pattern::new("device:", true).unwrap().is_empty());
        assert!(matches("type=MatMul", false, "MatMul") && !matches("type=MatMul", false, "BatchMatMul"));
        assert!(!matches("type=matmul", false, "MatMul") && Pattern::new("type=", false).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_searched_for_is_an_error() {
        let why = |text: &str| Pattern::new(text, true).err().unwrap();
        assert_eq!(why("conv("), "`conv(` is no regular expression that can be searched for: unclosed group");
        assert!(why("(a{1000}){1000}").contains("size limit"));
        assert!(why(&format!("{}a{}", "(".repeat(400), ")".repeat(400))).contains("nest"));
        assert!(why(&"a".repeat(1_001)).contains("1001 bytes"));
        let costly = Pattern::new(r"(a*a*a*a*b){40}", true).unwrap();
        let text = "a".repeat(1 << 20);
        let mut search = costly.search();
        assert!((0..1 << 20).any(|_| search.matches(&text).is_err()));
    }
}
