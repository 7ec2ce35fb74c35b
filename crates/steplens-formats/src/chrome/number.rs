//! Converts times in microseconds, as decimals of any form, to nanoseconds: exactly, and without floats.

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTime {
    /// Not a number.
    Unreadable,
    /// More nanoseconds than 64 bits hold.
    OutOfRange,
}

/// This many digits always fit.
const FEW_DIGITS: usize = 18;

/// Reads `1795196106012383`, `-1.5` or `1.7951961060123835e+15` as nanoseconds; fractions of a nanosecond are rounded.
#[inline]
pub(super) fn nanos_of_micros(text: &[u8]) -> Result<i64, NoTime> {
    // Nearly every time is a whole number of microseconds. Compare first, because a checked multiplication uses 128 bits in wasm.
    match digits(text) {
        Some(micros) if micros <= i64::MAX / 1_000 => Ok(micros * 1_000),
        Some(_) => Err(NoTime::OutOfRange),
        None => decimal(text),
    }
}

/// Reads a few digits as a number; `None` if there is anything else.
#[inline]
fn digits(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > FEW_DIGITS {
        return None;
    }
    let (eights, rest) = text.as_chunks::<8>();
    let mut value = 0;
    for eight in eights {
        value = value * 100_000_000 + eight_digits(u64::from_le_bytes(*eight))?;
    }
    for &byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(value)
}

/// Reads eight digits, the first of which is the lowest byte: combines pairs, then fours, then all.
#[inline]
fn eight_digits(word: u64) -> Option<i64> {
    let digits = word ^ 0x3030_3030_3030_3030;
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some(((fours * 10_000 + (fours >> 32)) & 0xffff_ffff) as i64)
}

fn decimal(text: &[u8]) -> Result<i64, NoTime> {
    let (is_negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let exponent_at = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = match exponent_at {
        Some(at) => (&unsigned[..at], integer(&unsigned[at + 1..]).ok_or(NoTime::Unreadable)?),
        None => (unsigned, 0),
    };
    let point = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    // How many of the digits are whole nanoseconds.
    let whole = (point as i64).saturating_add(3).saturating_add(exponent);
    let (mut value, mut digits) = (0_i64, 0_i64);
    for &byte in mantissa.iter().filter(|&&byte| byte != b'.') {
        let digit = i64::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            return Err(NoTime::Unreadable);
        }
        if digits < whole {
            value =
                value.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(NoTime::OutOfRange)?;
        } else if digits == whole && digit >= 5 {
            value += 1;
        }
        digits += 1;
    }
    if digits == 0 {
        return Err(NoTime::Unreadable);
    }
    while value != 0 && digits < whole {
        value = value.checked_mul(10).ok_or(NoTime::OutOfRange)?;
        digits += 1;
    }
    Ok(if is_negative { -value } else { value })
}

/// Reads a whole number.
pub(super) fn integer(text: &[u8]) -> Option<i64> {
    digits(text).or_else(|| std::str::from_utf8(text).ok()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        for (text, ns) in [
            ("1795196106012383", 1_795_196_106_012_383_000),
            ("1795196106012383.007", 1_795_196_106_012_383_007),
            ("0.0005", 1),
            ("0.0004", 0),
            ("-1.5", -1_500),
            ("1.7951961060123835e+15", 1_795_196_106_012_383_500),
            ("12e-3", 12),
            ("5e-9", 0),
            ("0e999999999", 0),
            (".5", 500),
            ("7.", 7_000),
        ] {
            assert_eq!(nanos_of_micros(text.as_bytes()), Ok(ns), "{text}");
        }
        for text in ["", "-", ".", "null", "1.2.x", "1e", "0x10", "é"] {
            assert_eq!(nanos_of_micros(text.as_bytes()), Err(NoTime::Unreadable), "{text}");
        }
        for text in ["999999999999999999", "1e30", "99999999999999999999", "-9999999999999999.99e3"] {
            assert_eq!(nanos_of_micros(text.as_bytes()), Err(NoTime::OutOfRange), "{text}");
        }
    }
}
