//! The address of a view: what stands behind the `#` of the page's address, and in a session as [`Shown`](crate::session::Shown).
//!
//! It is a list of `name=value`. The page writes it, and reads it again; the program reads it, and changes what an option changes.
//! The page's constants are made from this list (`tests/tests/contract`), and `tests/golden/addresses.json` shows that both read the
//! same in it.

/// A field of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Which files the rest is about: their ops, and their span in ns.
    Files,
    /// What forms steps.
    StepRule,
    /// The place of the step, from 1.
    Step,
    /// What counts as the duration of an op.
    OpTime,
    /// What sets the clocks.
    Clocks,
    /// The findings that are repaired.
    Repairs,
    /// What else counts as communication.
    Communication,
    /// The time in sight.
    Window,
    /// How far the lanes are scrolled, in pixels.
    ScrollY,
    /// The height of lanes.
    LaneSize,
    /// The devices in the user's order.
    Order,
    /// Hidden devices.
    Hidden,
    /// Pinned devices.
    Pinned,
    /// Folded devices.
    Folded,
    /// Tall devices.
    Tall,
    /// Devices that show all of their lanes.
    Opened,
    /// What the devices are filtered by.
    Filter,
    /// What the lanes are arranged by.
    ArrangedBy,
    /// What decides colours.
    ColorBy,
    /// The selected op.
    Op,
    /// The selected range.
    Range,
    /// The lanes of that range.
    RangeLanes,
    /// Whether times are those of a clock on the wall.
    WallClock,
    /// The text that is searched for.
    Query,
    /// The regular expression that is searched for.
    Expression,
    /// The user's marks.
    Notes,
    /// The open tab.
    Tab,
    /// The section of the tab Network.
    NetworkSection,
    /// What a replay of the step has different: changes, one a line.
    Changes,
    /// The name of the trace that this one is compared with; without it, and with a step, this trace itself.
    Other,
    /// The place of its step, from 1.
    OtherStep,
    /// Whose times both are drawn at.
    Widths,
    /// The time in sight of both.
    MirrorWindow,
    /// The op at which both are aligned.
    Aligned,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Numbers.
    Numbers,
    /// Words of Steplens.
    Words,
    /// Words of Steplens, and names of tasks.
    Tasks,
    /// Patterns: they name ops.
    Patterns,
    /// A text of the user.
    Text,
    /// Times, each with a text of the user.
    Notes,
    /// The name of a file.
    FileName,
}

/// How long a field means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survives {
    /// Also where only a part of these files is opened.
    APart,
    /// Where these files are opened, whatever is shown of them.
    AnotherView,
    /// As long as the same is shown of these files: its numbers are those of devices, lanes, ops and times there.
    Nothing,
}

/// What is true of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name in the address.
    pub name: &'static str,
    /// What its value is made of: decides what a redacted view may say.
    pub holds: Holds,
    /// How long it means something.
    pub survives: Survives,
    /// Whether it says what is shown: which step, with which corrections. The program writes these fields from its own view, and
    /// keeps the others.
    pub corrects: bool,
}

impl Facts {
    const fn correction(name: &'static str, holds: Holds, survives: Survives) -> Self {
        Self { name, holds, survives, corrects: true }
    }

    const fn look(name: &'static str, holds: Holds) -> Self {
        Self { name, holds, survives: Survives::AnotherView, corrects: false }
    }

    const fn place(name: &'static str) -> Self {
        Self { name, holds: Holds::Numbers, survives: Survives::Nothing, corrects: false }
    }
}

impl Field {
    /// All fields, in the order in which the page writes them.
    pub const ALL: [Self; 34] = [
        Self::Files,
        Self::StepRule,
        Self::Step,
        Self::OpTime,
        Self::Clocks,
        Self::Repairs,
        Self::Communication,
        Self::Window,
        Self::ScrollY,
        Self::LaneSize,
        Self::Order,
        Self::Hidden,
        Self::Pinned,
        Self::Folded,
        Self::Tall,
        Self::Opened,
        Self::Filter,
        Self::ArrangedBy,
        Self::ColorBy,
        Self::Op,
        Self::Range,
        Self::RangeLanes,
        Self::WallClock,
        Self::Query,
        Self::Expression,
        Self::Notes,
        Self::Tab,
        Self::NetworkSection,
        Self::Changes,
        Self::Other,
        Self::OtherStep,
        Self::Widths,
        Self::MirrorWindow,
        Self::Aligned,
    ];

    /// What is true of this field.
    pub const fn facts(self) -> Facts {
        match self {
            Self::Files => Facts::correction("k", Holds::Numbers, Survives::AnotherView),
            Self::StepRule => Facts::correction("steps", Holds::Words, Survives::APart),
            Self::Step => Facts::correction("step", Holds::Numbers, Survives::AnotherView),
            Self::OpTime => Facts::correction("time", Holds::Words, Survives::APart),
            Self::Clocks => Facts::correction("clocks", Holds::Tasks, Survives::APart),
            Self::Repairs => Facts::correction("fix", Holds::Words, Survives::APart),
            Self::Communication => Facts::correction("com", Holds::Patterns, Survives::APart),
            Self::Window => Facts::place("w"),
            Self::ScrollY => Facts::place("y"),
            Self::LaneSize => Facts::look("l", Holds::Numbers),
            Self::Order => Facts::place("order"),
            Self::Hidden => Facts::place("hide"),
            Self::Pinned => Facts::place("pin"),
            Self::Folded => Facts::place("fold"),
            Self::Tall => Facts::place("tall"),
            Self::Opened => Facts::place("open"),
            Self::Filter => Facts::look("f", Holds::Text),
            Self::ArrangedBy => Facts::look("by", Holds::Words),
            Self::ColorBy => Facts::look("color", Holds::Words),
            Self::Op => Facts::place("op"),
            Self::Range => Facts::place("r"),
            Self::RangeLanes => Facts::place("rl"),
            Self::WallClock => Facts::look("t", Holds::Words),
            Self::Query => Facts::look("q", Holds::Text),
            Self::Expression => Facts::look("rx", Holds::Text),
            Self::Notes => Facts::look("n", Holds::Notes),
            Self::Tab => Facts::look("tab", Holds::Words),
            Self::NetworkSection => Facts::look("net", Holds::Words),
            // They name op types and tasks.
            Self::Changes => Facts::look("if", Holds::Patterns),
            Self::Other => Facts::look("b", Holds::FileName),
            Self::OtherStep => Facts::look("bstep", Holds::Numbers),
            Self::Widths => Facts::look("bwidth", Holds::Words),
            Self::MirrorWindow => Facts::place("bw"),
            Self::Aligned => Facts::place("bop"),
        }
    }

    /// The name in the address.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The field with this name; `None` for one of a newer Steplens.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// Stands between fields.
pub const BETWEEN_FIELDS: char = '&';
/// Stands between a name and its value.
pub const BEFORE_VALUE: char = '=';
/// Stands between the parts of a value. It is never escaped.
pub const BETWEEN_PARTS: char = ',';
/// Stands between notes.
pub const BETWEEN_NOTES: char = ';';
/// Stands between patterns. Alone it says that there is none.
pub const BETWEEN_PATTERNS: char = '\n';
/// What JavaScript's `encodeURIComponent` leaves as it is, next to letters and digits of ASCII. In a value all else is escaped but
/// [`BETWEEN_PARTS`].
pub const UNESCAPED: &str = "-_.!~*'()";
/// The word of [`Field::Clocks`] for estimated clocks.
pub const ESTIMATED: &str = "estimated";
/// How the text of a note writes what means something between notes, in the order in which it is replaced.
pub const IN_A_NOTE: [(char, &str); 2] = [('~', "~0"), (BETWEEN_NOTES, "~1")];

/// The fields of `address`, each with its escaped value.
pub fn fields(address: &str) -> impl Iterator<Item = (&str, &str)> {
    address.split(BETWEEN_FIELDS).filter_map(|field| field.split_once(BEFORE_VALUE))
}

/// The text of a note, as its user wrote it.
pub fn text_of_note(written: &str) -> String {
    let replaced = |text: String, (own, other): &(char, &str)| text.replace(other, &own.to_string());
    IN_A_NOTE.iter().rev().fold(written.to_owned(), replaced)
}

/// The words of [`Field::Clocks`]: `estimated`, and `TASK=NS`. A task may have commas and equals signs. What is none of these is
/// left out.
pub fn clock_words(value: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), value);
    while !rest.is_empty() {
        let part = rest.split(BETWEEN_PARTS).next().unwrap_or(rest);
        if part.is_empty() || part == ESTIMATED {
            words.extend(Some(part).filter(|part| !part.is_empty()));
            rest = after(rest, part.len());
            continue;
        }
        let Some(end) = end_of_offset(rest) else {
            // No task follows.
            words.extend(rest.split(BETWEEN_PARTS).filter(|part| *part == ESTIMATED));
            break;
        };
        words.push(&rest[..end]);
        rest = after(rest, end);
    }
    words
}

/// Where the first `TASK=NS` of `text` ends.
fn end_of_offset(text: &str) -> Option<usize> {
    let ends = text.match_indices(BETWEEN_PARTS).map(|(at, _)| at).chain([text.len()]);
    let mut start = 0;
    for end in ends {
        // An offset has no comma.
        let (before, offset) = text[start..end].rsplit_once('=').unwrap_or_default();
        if is_offset(offset) && start + before.len() > 0 {
            return Some(end);
        }
        start = end + BETWEEN_PARTS.len_utf8();
    }
    None
}

fn after(text: &str, end: usize) -> &str {
    text.get(end + BETWEEN_PARTS.len_utf8()..).unwrap_or_default()
}

/// A whole number of up to 18 digits, which 64 bits hold.
fn is_offset(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    (1..=18).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_field_has_a_name_of_its_own() {
        let names: BTreeSet<_> = Field::ALL.map(Field::name).into();
        assert_eq!(names.len(), Field::ALL.len());
        assert!(Field::ALL.into_iter().all(|field| Field::by_name(field.name()) == Some(field)));
        assert_eq!(Field::by_name("newer"), None);
    }

    #[test]
    fn clocks_are_words_with_commas_in_names_of_tasks() {
        let task = "/job:a,=7b/task:2=-12";
        assert_eq!(
            clock_words(&format!("estimated,{task},/job:w/task:1=0")),
            ["estimated", task, "/job:w/task:1=0"]
        );
        assert_eq!(clock_words(""), [""; 0]);
        assert_eq!(clock_words(",x,estimated,=5,y=1.5"), ["x,estimated,=5"]);
        assert_eq!(clock_words("=5,x,estimated"), ["estimated"]);
        assert_eq!(clock_words("a=1,b,c=1234567890123456789"), ["a=1"]);
    }

    #[test]
    fn the_text_of_a_note_is_as_it_was_written() {
        assert_eq!(text_of_note("a~1b~01 ~0~0"), "a;b~1 ~~");
    }
}
