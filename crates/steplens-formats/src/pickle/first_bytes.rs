//! Recognises pickles by their first bytes. From protocol 2 on they have a mark; earlier ones may begin like any text.

/// Whether a file begins like a pickle.
pub(super) fn is_pickle(head: &[u8]) -> bool {
    match head {
        [0x80, protocol, ..] => *protocol <= 5,
        // A list or dict in protocol 1, stored in the memo under number 0 or 1.
        [b']' | b'}', b'q', 0 | 1, ..] => true,
        // The bytes of a RunMetadata in Python 2's protocol 1: their length, and its first tag.
        [b'T', _, _, _, 0..=8, 0x0a, ..] => true,
        _ => begins_with_values(head),
    }
}

/// Whether a file begins as Python writes protocols 0 and 1: marks, simple values (in protocol 0 on separate lines), and after a
/// few of these a class, or a value that is stored in the memo.
fn begins_with_values(head: &[u8]) -> bool {
    let (mut rest, mut marks, mut values) = (head, 0, 0);
    loop {
        let Some((&opcode, after)) = rest.split_first() else { return false };
        let line = Line::of(after);
        match opcode {
            b'(' => marks += 1,
            b'c' | b'i' => return (opcode == b'c' || marks > 0) && is_class(after),
            b'l' | b'd' | b't' if marks > 0 => values += 1,
            b'N' => values += 1,
            b'p' => return values > 0 && line.is_number(),
            b'q' => return values > 0 && matches!(after, [0 | 1, ..]),
            b'K' | b'M' | b'J' | b'G' | b'U' | b'X' if marks > 0 => values += 1,
            b'I' | b'L' | b'F' if line.is_number() => values += 1,
            b'S' if matches!(line.text, [b'\'' | b'"', ..]) => {
                let closes = line.text.len() > 1 && line.text.first() == line.text.last();
                // Bytes of a RunMetadata are one long line.
                if line.after.is_none() || !closes {
                    return line.after.is_none();
                }
                values += 1;
            }
            b'V' if line.after.is_some_and(|after| after.starts_with(b"p")) => values += 1,
            _ => return false,
        }
        let length = match (opcode, after) {
            (b'K', _) => 1,
            (b'M', _) => 2,
            (b'J', _) => 4,
            (b'G', _) => 8,
            (b'U', [length, ..]) => 1 + usize::from(*length),
            // Keys are short.
            (b'X', [length, 0, 0, 0, ..]) => 4 + usize::from(*length),
            _ => 0,
        };
        rest = match opcode {
            b'I' | b'L' | b'F' | b'S' | b'V' => line.after.unwrap_or_default(),
            _ => after.get(length..).unwrap_or_default(),
        };
    }
}

/// A line, and the bytes after its line feed.
struct Line<'a> {
    text: &'a [u8],
    after: Option<&'a [u8]>,
}

impl<'a> Line<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) => Self { text: &bytes[..end], after: Some(&bytes[end + 1..]) },
            None => Self { text: bytes, after: None },
        }
    }

    fn is_number(&self) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eL".contains(byte);
        self.after.is_some() && self.text.iter().any(u8::is_ascii_digit) && self.text.iter().all(is_part)
    }
}

/// Whether `bytes` are the module and the name of a class, each on a line. The name may be cut.
fn is_class(bytes: &[u8]) -> bool {
    let module = Line::of(bytes);
    let Some(after) = module.after else { return module.text.starts_with(b"tensorflow") };
    let name = Line::of(after);
    // After a class comes its number in the memo, its arguments, or the end.
    let follows = name.after.is_none_or(|after| after.first().is_none_or(|next| b"pqr()cN.".contains(next)));
    let is_name = is_dotted_name(name.text) || (name.text.is_empty() && name.after.is_none());
    is_dotted_name(module.text) && is_name && follows
}

fn is_dotted_name(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.' || *byte >= 0x80;
    text.first().is_some_and(|&first| !first.is_ascii_digit() && first != b'.') && text.iter().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pickles_of_every_protocol() {
        for pickle in [
            &b"\x80\x02cfoo"[..],
            b"\x80\x05\x95",
            // A RunMetadata in protocols 0 and 1, and optimized.
            b"ctensorflow.core.protobuf.config_pb2\nRunMetadata\np0\n(tRp1\n",
            b"ctensorflow.core.protobuf.config_pb2\nRunMetadata\nq\x00)Rq\x01}q\x02",
            b"ctensorflow.core.protobuf.config_pb2\nRunMetadata\n(tR(d",
            b"ctensorflow.core",
            // Python 2, new-style and old-style classes.
            b"ccopy_reg\n_reconstructor\np1\n(c",
            b"(ifoo.bar\nBaz\np0\n",
            // Bytes in Python 3, lists, dicts and tuples in both.
            b"c_codecs\nencode\np0\n(V",
            b"(lp0\nctensorflow",
            b"(dp1\nS'a'\n",
            b"]q\x00(",
            b"}q\x01(",
            b"(I1\nctensorflow.core\nRunMetadata\np0\n",
            b"(Vworker 0\np0\nc",
            b"(K\x07ctensorflow.core\nRunMetadata\nq\x00",
            b"T\xe3\x87\0\0\n\xea\x82\x01\n",
            b"(U\x08worker 0q\x00c",
            b"(S'worker 0'\np0\nc",
            b"S'\\n\\xea\\x82\\x01\\n\\xe6 and so on, for a long time",
        ] {
            assert!(is_pickle(pickle), "{:?}", String::from_utf8_lossy(pickle));
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            &b""[..],
            b"{\"traceEvents\": []}",
            b"[{\"ph\": \"X\"}]",
            b"step_stats {\n  dev_stats {\n",
            b"dev_stats {\n  device: \"/cpu:0\"\n",
            b"partition_graphs {\n  node {\n",
            b"cost_graph {\n  node {\n",
            b"cat\nand dog\n",
            b"cat\ndog\nand mouse\n",
            b"category,count\nConv2D,7\n",
            b"(a remark in brackets)\n",
            b"(not a pickle)\n",
            b"It is a text\n",
            b"I have\nnumbers p1\n",
            b"Some text",
            b"Total\n",
            b"S'quoted' it is\n",
            b"Values\nare here\n",
            b"name,op,device\n",
            b"percent\n12\n",
            b"12\n13\n",
            b"N",
            b"]",
            b"\n\xea\x82\x01\n\xe6\x82\x01\n,/job:localhost",
        ] {
            assert!(!is_pickle(text), "{:?}", String::from_utf8_lossy(text));
        }
    }
}
