//! Splits bytes of JSON into tokens, from slices of any size. A token that a slice cuts is kept until the next slice.

/// One token. Texts and words are as they are in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `{` or `[`.
    Open(u8),
    /// `}` or `]`.
    Close(u8),
    Colon,
    Comma,
    /// The bytes between quotes; `escaped` if there is a backslash in them.
    Text {
        raw: &'a [u8],
        escaped: bool,
    },
    /// A number, `true`, `null` or any other word without quotes.
    Bare(&'a [u8]),
    /// A byte that no token begins with, or a line that ends inside a text: a quote is missing somewhere.
    Bad,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ready,
    Text {
        escaped: bool,
        after_backslash: bool,
    },
    Bare,
}

/// Splits slices into tokens.
#[derive(Default)]
pub(crate) struct Lexer {
    state: State,
    /// The beginning of a token that was cut by a slice.
    held: Vec<u8>,
    /// The offset of the next byte.
    at: u64,
    /// The offset of the first byte of the newest token.
    start: u64,
}

/// Where a scan of a text ended.
enum End {
    Quote,
    LineFeed,
    Slice { after_backslash: bool },
}

impl Lexer {
    /// The number of bytes taken.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// Sets where in its file the next byte is. Only allowed while no token is open.
    pub(crate) fn set_at(&mut self, at: u64) {
        self.at = at;
    }

    /// Whether no token is open.
    pub(crate) fn is_ready(&self) -> bool {
        self.state == State::Ready
    }

    /// The next token and where it starts; `None` when the slice is used up.
    #[inline]
    pub(crate) fn next<'s, 'b: 's>(&'s mut self, bytes: &mut &'b [u8]) -> Option<(u64, Token<'s>)> {
        match self.state {
            State::Ready => self.fresh(bytes),
            State::Text { escaped, after_backslash } => self.resume_text(bytes, escaped, after_backslash),
            State::Bare => self.resume_bare(bytes),
        }
    }

    /// Skips bytes that were read in another way. Only allowed while no token is open.
    pub(crate) fn pass(&mut self, bytes: &mut &[u8], count: usize) {
        self.take(bytes, count);
    }

    /// Drops the current token and skips to the next `{`; returns whether there is one.
    pub(crate) fn skip_to_object(&mut self, bytes: &mut &[u8]) -> bool {
        self.state = State::Ready;
        let place = bytes.iter().position(|&byte| byte == b'{');
        self.take(bytes, place.unwrap_or(bytes.len()));
        place.is_some()
    }

    fn take<'b>(&mut self, bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
        let (taken, rest) = bytes.split_at(count.min(bytes.len()));
        *bytes = rest;
        self.at += taken.len() as u64;
        taken
    }

    fn fresh<'s, 'b: 's>(&'s mut self, bytes: &mut &'b [u8]) -> Option<(u64, Token<'s>)> {
        let space = bytes.len() - after_space(bytes).len();
        self.take(bytes, space);
        let &first = bytes.first()?;
        self.start = self.at;
        let punctuation = match first {
            b'{' | b'[' => Token::Open(first),
            b'}' | b']' => Token::Close(first),
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => {
                self.take(bytes, 1);
                let mut escaped = false;
                let (count, end) = scan_text(bytes, &mut escaped, false);
                let raw = self.take(bytes, count);
                return match end {
                    End::Quote => {
                        self.take(bytes, 1);
                        Some((self.start, Token::Text { raw, escaped }))
                    }
                    End::LineFeed => Some((self.start, Token::Bad)),
                    End::Slice { after_backslash } => {
                        self.held.clear();
                        self.held.extend_from_slice(raw);
                        self.state = State::Text { escaped, after_backslash };
                        None
                    }
                };
            }
            _ => {
                let raw = self.take(bytes, bare_length(bytes));
                if bytes.is_empty() {
                    self.held.clear();
                    self.held.extend_from_slice(raw);
                    self.state = State::Bare;
                    return None;
                }
                if !raw.is_empty() {
                    return Some((self.start, Token::Bare(raw)));
                }
                Token::Bad
            }
        };
        self.take(bytes, 1);
        Some((self.start, punctuation))
    }

    fn resume_text<'s>(
        &'s mut self,
        bytes: &mut &[u8],
        mut escaped: bool,
        after_backslash: bool,
    ) -> Option<(u64, Token<'s>)> {
        let (count, end) = scan_text(bytes, &mut escaped, after_backslash);
        let more = self.take(bytes, count);
        self.held.extend_from_slice(more);
        self.state = match end {
            End::Slice { after_backslash } => State::Text { escaped, after_backslash },
            End::Quote | End::LineFeed => State::Ready,
        };
        match end {
            End::Quote => {
                self.take(bytes, 1);
                Some((self.start, Token::Text { raw: &self.held, escaped }))
            }
            End::LineFeed => Some((self.start, Token::Bad)),
            End::Slice { .. } => None,
        }
    }

    fn resume_bare<'s>(&'s mut self, bytes: &mut &[u8]) -> Option<(u64, Token<'s>)> {
        let more = self.take(bytes, bare_length(bytes));
        self.held.extend_from_slice(more);
        if bytes.is_empty() {
            return None;
        }
        self.state = State::Ready;
        Some((self.start, Token::Bare(&self.held)))
    }
}

/// `bytes` without leading white space and byte order marks, which occur wherever files were joined.
#[inline]
fn after_space(bytes: &[u8]) -> &[u8] {
    const EIGHT_SPACES: u64 = 0x2020_2020_2020_2020;
    let mut rest = bytes;
    while let [b' ' | b'\n' | b'\r' | b'\t' | 0xef | 0xbb | 0xbf, after @ ..] = rest {
        rest = after;
        while let Some((eight, after)) = rest.split_first_chunk()
            && u64::from_le_bytes(*eight) == EIGHT_SPACES
        {
            rest = after;
        }
    }
    rest
}

/// The number of bytes before the end of a text, and what ends it.
#[inline]
fn scan_text(bytes: &[u8], escaped: &mut bool, after_backslash: bool) -> (usize, End) {
    let mut at = usize::from(after_backslash);
    loop {
        at += bytes.get(at..).map_or(0, ordinary_length);
        match bytes.get(at) {
            Some(b'"') => return (at, End::Quote),
            Some(b'\\') => {
                *escaped = true;
                at += 2;
            }
            Some(_) => return (at, End::LineFeed),
            None => return (bytes.len(), End::Slice { after_backslash: at > bytes.len() }),
        }
    }
}

/// The number of bytes before a quote, a backslash or a line feed. Compares eight bytes at a time.
#[inline]
fn ordinary_length(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // The lowest set bit marks the first zero byte; higher bits may be wrong.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (words, rest) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ (ONES * b'"' as u64))
            | zeros(word ^ (ONES * b'\\' as u64))
            | zeros(word ^ (ONES * b'\n' as u64));
        if found != 0 {
            return place * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n');
    words.len() * 8 + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The number of bytes that belong to a number or a word.
#[inline]
fn bare_length(bytes: &[u8]) -> usize {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] =
        b"\xef\xbb\xbf [ {\"a\\\"b\": -1.5e3,\n                  \"long text with no end so far\\\\\":[true]} ]";

    fn tokens(slice: usize) -> Vec<String> {
        let mut lexer = Lexer::default();
        let mut found = Vec::new();
        for mut bytes in FILE.chunks(slice) {
            while let Some((start, token)) = lexer.next(&mut bytes) {
                let text = match token {
                    Token::Text { raw, escaped } => {
                        format!("{} {escaped}", String::from_utf8_lossy(raw))
                    }
                    Token::Bare(raw) => String::from_utf8_lossy(raw).into_owned(),
                    other => format!("{other:?}"),
                };
                found.push(format!("{start} {text}"));
            }
        }
        assert_eq!((lexer.at(), lexer.is_ready()), (FILE.len() as u64, true));
        found
    }

    #[test]
    fn slices_of_any_size_give_the_same_tokens() {
        let whole = tokens(FILE.len());
        assert_eq!(whole[2..5], ["7 a\\\"b true", "13 Colon", "15 -1.5e3"]);
        assert_eq!(whole[6], "41 long text with no end so far\\\\ true");
        assert_eq!(whole.len(), 13);
        (1..FILE.len()).for_each(|slice| assert_eq!(tokens(slice), whole, "{slice}"));
    }

    #[test]
    fn a_line_that_ends_in_a_text_is_damage() {
        let mut bytes = &b"\"abc\n {"[..];
        let mut lexer = Lexer::default();
        assert_eq!(lexer.next(&mut bytes), Some((0, Token::Bad)));
        assert!(lexer.skip_to_object(&mut bytes));
        assert_eq!(lexer.next(&mut bytes), Some((6, Token::Open(b'{'))));
    }
}
