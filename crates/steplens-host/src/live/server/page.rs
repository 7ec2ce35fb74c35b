//! The single-file page with the mark that it is served: it may ask its own origin. A page from a disk may ask nobody.

use std::fmt;

/// The page has no place for what is to be added to it.
#[derive(Clone, Copy, Debug)]
pub struct NoPlace;

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(steplens_messages::say!("live-no-place"))
    }
}

impl std::error::Error for NoPlace {}

const HEAD: &str = "<head>";
const POLICY: &str = "http-equiv=\"Content-Security-Policy\" content=\"";

/// The mark of a watched folder: `www/src/engine/watched/served.ts` looks for it.
pub(super) const FOLDER: &str = "steplens-served";
/// The mark of a fleet: `www/src/engine/fleet/served.ts` looks for it.
pub(super) const FLEET: &str = "steplens-fleet";

/// `page` with `mark`, for what is called `name`.
pub(super) fn served(page: &[u8], mark: &str, name: &str) -> Result<Vec<u8>, NoPlace> {
    let page = std::str::from_utf8(page).map_err(|_| NoPlace)?;
    let head = page.find(HEAD).ok_or(NoPlace)? + HEAD.len();
    let policy = page.find(POLICY).filter(|at| *at >= head).ok_or(NoPlace)? + POLICY.len();
    let mut served = String::with_capacity(page.len() + 256);
    served.push_str(&page[..head]);
    served.push_str("<meta name=\"");
    served.push_str(mark);
    served.push_str("\" content=\"");
    for letter in name.chars() {
        match letter {
            '&' => served.push_str("&amp;"),
            '"' => served.push_str("&quot;"),
            '<' => served.push_str("&lt;"),
            other => served.push(other),
        }
    }
    served.push_str("\">");
    served.push_str(&page[head..policy]);
    served.push_str("connect-src 'self'; ");
    served.push_str(&page[policy..]);
    Ok(served.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_the_same_but_for_the_own_origin() {
        let page =
            "<html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"></head>";
        let served = served(page.as_bytes(), FOLDER, "a\"><script>&").map(String::from_utf8);
        let wanted = "<html><head><meta name=\"steplens-served\" content=\"a&quot;>&lt;script>&amp;\"><meta http-equiv=\"Content-Security-Policy\" content=\"connect-src 'self'; default-src 'none'\"></head>";
        assert_eq!(served.ok().and_then(Result::ok).as_deref(), Some(wanted));
        assert!(super::served(b"<html>", FLEET, "a").is_err());
    }
}
