//! The content of an event file other than RunMetadata, for the error about a file without any.

use steplens_messages::say;

/// How many tags are listed.
const MAX_TAGS: usize = 5;
/// How much of a tag is shown.
const MAX_TAG_CHARS: usize = 40;

/// What was found.
#[derive(Default)]
pub(super) struct Seen {
    /// The number of events.
    pub(super) events: u64,
    /// How many of them have a graph.
    pub(super) graphs: u64,
    /// The first few tags of summaries.
    tags: Vec<String>,
    more_tags: bool,
}

impl Seen {
    /// Adds the tag of a summary.
    pub(super) fn add_tag(&mut self, tag: &[u8]) {
        let is_known = |known: &String| known.as_bytes() == tag;
        if self.more_tags || self.tags.iter().any(is_known) {
            return;
        }
        if self.tags.len() == MAX_TAGS {
            self.more_tags = true;
        } else {
            let tag = String::from_utf8_lossy(tag.get(..MAX_TAG_CHARS * 4).unwrap_or(tag));
            self.tags.push(tag.chars().take(MAX_TAG_CHARS).collect());
        }
    }
}

impl Seen {
    /// The content as text: `100 events (1 with a graph; tags loss, accuracy and more)`.
    pub(super) fn text(&self) -> String {
        let names = self.tags.join(", ");
        let tags = match self.tags.as_slice() {
            [] => say!("seen-no-tag").to_owned(),
            _ if self.more_tags => say!("seen-more-tags", tags = names),
            _ => say!("seen-tags", tags = names),
        };
        match self.graphs {
            0 => say!("seen-events", events = self.events, tags),
            graphs => say!("seen-events-and-graphs", events = self.events, graphs, tags),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tags_are_named() {
        let mut seen = Seen { events: 3, ..Seen::default() };
        assert_eq!(seen.text(), "3 events (no tag)");
        for tag in ["loss", "a", "loss", "b"] {
            seen.add_tag(tag.as_bytes());
        }
        assert_eq!(seen.text(), "3 events (tags loss, a, b)");
        seen.graphs = 1;
        for tag in ["c", "\u{e9}".repeat(900).as_str(), "e", "f"] {
            seen.add_tag(tag.as_bytes());
        }
        let text = seen.text();
        assert!(text.starts_with("3 events (1 with a graph; tags loss, a, b, c, éé"), "{text}");
        assert!(text.ends_with("é and more)") && text.chars().count() < 120, "{text}");
    }
}
