//! Escapes in texts: what JSON writes with a backslash.

/// Appends the meaning of `raw` to `out`. What is no escape stays as it is, with its backslash; halves of surrogate pairs become
/// U+FFFD. Returns whether every backslash began an escape.
pub(crate) fn unescape(raw: &[u8], out: &mut Vec<u8>) -> bool {
    let (mut rest, mut is_json) = (raw, true);
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let Some((&letter, after)) = rest.split_first() else {
            out.push(b'\\');
            return false;
        };
        let plain = match letter {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 0x08,
            b'f' => 0x0c,
            b'"' | b'\\' | b'/' => letter,
            b'u' if hexadecimal(after).is_some() => {
                rest = after;
                let letter = code_point(&mut rest);
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => {
                is_json = false;
                out.push(b'\\');
                other
            }
        };
        out.push(plain);
        rest = after;
    }
    out.extend_from_slice(rest);
    is_json
}

/// Reads the character of four hexadecimal digits, or of two times four if the first are half of a surrogate pair.
fn code_point(rest: &mut &[u8]) -> char {
    let unit = hexadecimal(rest);
    *rest = &rest[rest.len().min(4)..];
    let Some(unit) = unit else { return char::REPLACEMENT_CHARACTER };
    if (0xd800..0xdc00).contains(&unit)
        && let [b'\\', b'u', low @ ..] = *rest
        && let Some(low_unit @ 0xdc00..0xe000) = hexadecimal(low)
    {
        *rest = &low[4..];
        let point = 0x1_0000 + ((unit - 0xd800) << 10) + (low_unit - 0xdc00);
        return char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hexadecimal(text: &[u8]) -> Option<u32> {
    let digits = text.first_chunk::<4>()?;
    digits.iter().try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_every_kind() {
        let read = |raw: &str| {
            let mut out = Vec::new();
            unescape(raw.as_bytes(), &mut out);
            String::from_utf8(out).unwrap_or_default()
        };
        assert_eq!(read(r#"a\"\\\/\n\t\u00e9\ud83d\ude00."#), "a\"\\/\n\té😀.");
        assert_eq!(
            read(r"\ud83d \udc00 \ud83d\u0041 \uZZZZ \u12"),
            "\u{fffd} \u{fffd} \u{fffd}A \\uZZZZ \\u12"
        );
        assert_eq!(read(r"\q C:\Users\x\"), r"\q C:\Users\x\");
        let is_json = |raw: &str| unescape(raw.as_bytes(), &mut Vec::new());
        assert_eq!([is_json(r"a\n\u00e9"), is_json(r"C:\Temp"), is_json(r"\")], [true, false, false]);
    }
}
