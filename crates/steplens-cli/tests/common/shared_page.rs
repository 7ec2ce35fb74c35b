//! Shared pages, which are UTF-16, read and made by other means than those of the program.

use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Writes `html` as the template that `report` fills.
pub(crate) fn write_page(path: &Path, html: &str) {
    let page = format!("\u{feff}{html}");
    fs::write(path, page.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()).unwrap();
}

/// The text of a page, without its byte order mark.
pub(crate) fn read_page(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let units: Vec<u16> = bytes.chunks(2).map(|unit| u16::from_le_bytes(unit.try_into().unwrap())).collect();
    String::from_utf16(&units).unwrap().strip_prefix('\u{feff}').unwrap().to_owned()
}

/// What stands between `mark` and the end of its element.
pub(crate) fn element<'a>(page: &'a str, mark: &str) -> &'a str {
    page.split_once(mark).unwrap().1.split_once("</script>").unwrap().0
}

/// The session in a page: letters by their documented form, and gzip.
pub(crate) fn session(page: &str) -> Vec<u8> {
    let lost = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff_u16];
    let mut packed = Vec::new();
    for letter in element(page, r#"class="steplens-file" data-letters="utf-16">"#).chars() {
        let unit = match u32::from(letter) {
            0x00 | 0x0d | 0x3c => panic!("HTML does not keep {letter:?}"),
            code @ ..0x1_0000 => Some(code as u16),
            code => match (code - 0x1_0000) >> 8 {
                number @ ..0x800 => Some(0xd800 + number as u16),
                0xfff => None,
                number => Some(lost[number as usize - 0x800]),
            },
        };
        packed.extend(unit.into_iter().flat_map(u16::to_le_bytes));
        packed.extend((letter > '\u{ffff}').then_some((u32::from(letter) & 0xff) as u8));
    }
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}
