//! Shared pages, read and made with code that is independent of the program.

use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Writes `html` as the template that `report` fills.
pub(crate) fn write_page(path: &Path, html: &str) {
    fs::write(path, html).unwrap();
}

/// The text of a page.
pub(crate) fn read_page(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The text between `mark` and the end of its element.
pub(crate) fn element<'a>(page: &'a str, mark: &str) -> &'a str {
    page.split_once(mark).unwrap().1.split_once("</script>").unwrap().0
}

/// The session in a page, decoded from base64 and gzip.
pub(crate) fn session(page: &str) -> Vec<u8> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = element(page, r#"class="steplens-file" data-letters="base64">"#);
    let bits: String = letters
        .trim_end_matches('=')
        .chars()
        .map(|letter| format!("{:06b}", LETTERS.find(letter).unwrap()))
        .collect();
    let whole = bits.as_bytes().chunks_exact(8);
    let packed: Vec<u8> =
        whole.map(|byte| u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap()).collect();
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}
