//! Keyed hashes: equal texts have equal hashes under one key, and different texts have different hashes.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use siphasher::sip::SipHasher24;

/// The key of all hashes of one redaction. Whoever has it can test guesses of texts, so it is drawn at random and not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub [u64; 2]);

impl Key {
    /// The key from 32 hexadecimal digits.
    pub fn of_hex(text: &str) -> Option<Self> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = |text| u64::from_str_radix(text, 16).ok();
        is_hex.then(|| Some(Self([number(&text[..16])?, number(&text[16..])?])))?
    }

    /// `SipHash`-2-4 of `bytes`.
    pub(super) fn hash(self, bytes: &[u8]) -> u64 {
        let [k0, k1] = self.0;
        SipHasher24::new_with_keys(k0, k1).hash(bytes)
    }
}

/// Letters of hashes: no digits, which figures would read as a number, and no vowels, so that hashes are not words.
const LETTERS: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
/// The number of letters in a hash.
const LENGTH: usize = 6;

/// Hashes as letters; different texts have different hashes.
pub(super) struct Tokens {
    key: Key,
    used: HashSet<String, FixedState>,
    known: HashMap<String, String, FixedState>,
}

impl Tokens {
    pub(super) fn of(key: Key) -> Self {
        Self { key, used: HashSet::default(), known: HashMap::default() }
    }

    /// Makes sure that no hash is equal to a part of `text`.
    pub(super) fn avoid(&mut self, text: &str) {
        let words = text.as_bytes().split(|byte| !LETTERS.contains(byte));
        let words = words.filter(|word| word.len() == LENGTH);
        self.used.extend(words.filter_map(|word| Some(std::str::from_utf8(word).ok()?.to_owned())));
    }

    /// The hash of `text`. It differs from `domain` to `domain`.
    pub(super) fn token(&mut self, domain: &str, text: &str) -> String {
        let name = [domain, "\0", text].concat();
        if let Some(known) = self.known.get(&name) {
            return known.clone();
        }
        let mut attempt = name.clone();
        let token = loop {
            let token = letters(self.key.hash(attempt.as_bytes()));
            if self.used.insert(token.clone()) {
                break token;
            }
            attempt.push('\0');
        };
        self.known.insert(name, token.clone());
        token
    }

    /// As many digits as `number` has, but at least one more than the largest number that stays visible has.
    pub(super) fn digits(&self, number: &str) -> String {
        let mut hash = self.key.hash(number.as_bytes());
        let digit = |_| {
            let digit = char::from(b'0' + (hash % 10) as u8);
            hash /= 10;
            digit
        };
        ["1".to_owned(), (1..number.len().min(18)).map(digit).collect()].concat()
    }
}

fn letters(mut hash: u64) -> String {
    let letter = |_| {
        let letter = char::from(LETTERS[(hash % 20) as usize]);
        hash /= 20;
        letter
    };
    (0..LENGTH).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_siphash() {
        // Appendix A of "SipHash: a fast short-input PRF", and the first of its reference vectors.
        let key = Key([0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908]);
        let bytes: Vec<u8> = (0..15).collect();
        assert_eq!(key.hash(&bytes), 0xa129_ca61_49be_45e5);
        assert_eq!(key.hash(b""), 0x726f_db47_dd0e_0e31);
        assert_eq!(Key::of_hex("07060504030201000f0e0d0c0b0a0908"), Some(key));
        for text in ["", "0706", "+7060504030201000f0e0d0c0b0a0908", "zz060504030201000f0e0d0c0b0a0908"] {
            assert_eq!(Key::of_hex(text), None);
        }
    }

    #[test]
    fn texts_have_hashes_of_their_own() {
        let mut tokens = Tokens::of(Key([1, 2]));
        let first = tokens.token("name", "dense");
        assert_eq!(tokens.token("name", "dense"), first);
        assert_ne!(tokens.token("host", "dense"), first);
        let mut others = Tokens::of(Key([1, 3]));
        assert_ne!(others.token("name", "dense"), first);
        // A name that looks like a hash is never used as a hash.
        let mut again = Tokens::of(Key([1, 2]));
        again.avoid(&["a/", &first, "_1"].concat());
        assert_ne!(again.token("name", "dense"), first);
        let all: HashSet<String, FixedState> =
            (0..20_000).map(|i: u32| tokens.token("name", &i.to_string())).collect();
        assert_eq!(all.len(), 20_000);
    }
}
