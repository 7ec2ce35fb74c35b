//! Numbers as files write them: digits and the place of the point, so that they are shown exactly as they were read.

use std::fmt;

/// Numbers with more digits may not fit.
const MOST_DIGITS: usize = 18;

/// A decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// All digits, with the sign.
    pub digits: i64,
    /// How many digits are after the point.
    pub scale: u8,
}

impl Decimal {
    /// Reads `text`, if it is written exactly as [`Display`](fmt::Display) writes it.
    #[inline]
    pub fn read(text: &[u8]) -> Option<Self> {
        let (is_negative, unsigned) = match text {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, text),
        };
        let (mut digits, mut point) = (0_i64, None);
        if unsigned.len() > MOST_DIGITS + 1 {
            return None;
        }
        for (place, &byte) in unsigned.iter().enumerate() {
            match byte {
                b'0'..=b'9' => digits = digits.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?,
                b'.' if point.is_none() => point = Some(place),
                _ => return None,
            }
        }
        let whole = point.unwrap_or(unsigned.len());
        let scale = unsigned.len() - whole - usize::from(point.is_some());
        let is_plain = whole > 0
            && whole + scale <= MOST_DIGITS
            && (whole == 1 || unsigned[0] != b'0')
            && (point.is_none() || scale > 0)
            && !(is_negative && digits == 0);
        is_plain.then_some(Self { digits: if is_negative { -digits } else { digits }, scale: scale as u8 })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let scale = usize::from(self.scale.min(MOST_DIGITS as u8));
        let all = format!("{:0width$}", self.digits.unsigned_abs(), width = scale + 1);
        let (whole, rest) = all.split_at(all.len() - scale);
        match scale {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{rest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_they_were_read() {
        for text in ["0", "7", "-7", "120", "0.0", "0.05", "-0.05", "33.30", "999999999999999999", "-1.5"] {
            assert_eq!(Decimal::read(text.as_bytes()).unwrap().to_string(), text);
        }
        for text in ["", "-", "-0", "-0.0", "007", ".5", "5.", "1e3", "1.2.3", "true", "9999999999999999999"]
        {
            assert_eq!(Decimal::read(text.as_bytes()), None, "{text}");
        }
    }
}
