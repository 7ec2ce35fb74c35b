//! What a column of a table is: its name, what its values are and how long they are measured, and what else is said of it.

use serde::{Serialize, Serializer};
use std::borrow::Cow;
use steplens_core::{Bytes, Nanos, OpId, Timestamp};
use steplens_messages::Message;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number with a sign.
    Integer,
    /// A whole number that may not be known.
    OptionalInteger,
    /// Text that may not be known.
    OptionalText,
}

/// What the numbers of a column measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing: a number of something, or how many there are.
    Count,
    /// A moment, in nanoseconds from the trace's origin.
    Moment,
    /// A length of time, in nanoseconds.
    Length,
    /// A size in bytes.
    Size,
    /// Bytes per second.
    Rate,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, which ends in its unit where it has one: `_ns`, `_bytes`. It is the same in every output.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// What they measure.
    pub measure: Measure,
}

impl Column {
    /// The unit of its values.
    pub fn unit(&self) -> Option<&'static str> {
        match self.measure {
            Measure::Count => None,
            Measure::Moment | Measure::Length => Some("ns"),
            Measure::Size => Some("bytes"),
            Measure::Rate => Some("bytes/s"),
        }
    }

    /// Whether its values are texts.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::OptionalText)
    }

    /// Whether a value may not be known.
    pub fn is_optional(&self) -> bool {
        matches!(self.kind, Kind::OptionalInteger | Kind::OptionalText)
    }

    const fn of(name: &'static str, kind: Kind, measure: Measure) -> Self {
        Self { name, kind, measure }
    }

    pub(crate) const fn text(name: &'static str) -> Self {
        Self::of(name, Kind::Text, Measure::Count)
    }

    pub(crate) const fn maybe_text(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalText, Measure::Count)
    }

    pub(crate) const fn count(name: &'static str) -> Self {
        Self::of(name, Kind::Integer, Measure::Count)
    }

    pub(crate) const fn maybe_count(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalInteger, Measure::Count)
    }

    pub(crate) const fn moment(name: &'static str) -> Self {
        Self::of(name, Kind::Integer, Measure::Moment)
    }

    pub(crate) const fn maybe_moment(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalInteger, Measure::Moment)
    }

    pub(crate) const fn length(name: &'static str) -> Self {
        Self::of(name, Kind::Integer, Measure::Length)
    }

    pub(crate) const fn maybe_length(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalInteger, Measure::Length)
    }

    pub(crate) const fn size(name: &'static str) -> Self {
        Self::of(name, Kind::Integer, Measure::Size)
    }

    pub(crate) const fn maybe_size(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalInteger, Measure::Size)
    }

    pub(crate) const fn maybe_rate(name: &'static str) -> Self {
        Self::of(name, Kind::OptionalInteger, Measure::Rate)
    }
}

/// What a column is in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InJson {
    /// The value that it has in every other output.
    Same,
    /// The op that it is about, whole; null if there is none.
    Op,
    /// The ops that it is about.
    Ops,
    /// Nothing: another column says it there.
    Nothing,
}

/// Whose clock the figures of a column rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// That of the task that sent.
    Sender,
    /// That of the task that received.
    Receiver,
    /// Both: such figures are wrong by what these clocks differ by.
    Both,
}

impl Clock {
    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
            Self::Both => "both",
        }
    }
}

/// How the program lists rows by a column.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The largest first, or the smallest.
    pub largest_first: bool,
    /// The title above such a list.
    pub title: &'static Message,
}

/// What is said of a column beyond its values. Apart from [`Column`], so that who only writes values does not carry it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What it is in JSON.
    pub in_json: InJson,
    /// Whose clock it rests on, if it does.
    pub clock: Option<Clock>,
    /// The message of the page that is its heading, if the page's table has it.
    pub heading: Option<&'static str>,
    /// The message of the page that explains it.
    pub help: Option<&'static str>,
    /// How the program sorts by it, if it does.
    pub order: Option<Order>,
}

impl Facts {
    pub(super) const NONE: Self =
        Self { in_json: InJson::Same, clock: None, heading: None, help: None, order: None };

    pub(crate) const fn in_json(mut self, what: InJson) -> Self {
        self.in_json = what;
        self
    }

    pub(crate) const fn by(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// The page's table has it, with this heading.
    pub(crate) const fn headed(mut self, heading: &'static str) -> Self {
        self.heading = Some(heading);
        self
    }

    pub(crate) const fn explained(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }

    pub(crate) const fn largest_first(mut self, title: &'static Message) -> Self {
        self.order = Some(Order { largest_first: true, title });
        self
    }

    pub(crate) const fn smallest_first(mut self, title: &'static Message) -> Self {
        self.order = Some(Order { largest_first: false, title });
        self
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A number.
    Integer(i64),
    /// Not known.
    Nothing,
}

impl<'a> Value<'a> {
    /// A text of the trace, or a word.
    pub fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Nothing => serializer.serialize_none(),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u64> for Value<'_> {
    /// More than any file can hold is the most that a number of the tables can.
    fn from(value: u64) -> Self {
        Self::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value<'_> {
    fn from(value: usize) -> Self {
        Self::from(value as u64)
    }
}

impl From<OpId> for Value<'_> {
    fn from(op: OpId) -> Self {
        Self::from(op.get())
    }
}

impl From<Bytes> for Value<'_> {
    fn from(size: Bytes) -> Self {
        Self::from(size.0)
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(at: Timestamp) -> Self {
        Self::Integer(at.0)
    }
}

impl From<Nanos> for Value<'_> {
    fn from(length: Nanos) -> Self {
        Self::Integer(length.0)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// The columns of a table from one list: of each what it is, `name: kind`, then what else is said of it, and its value of a row. What is written above it
/// says what it means, in JSON Schemas and types.
macro_rules! columns {
    ($row:ident { $(
        $(#[doc = $about:literal])+
        $name:ident: $kind:ident $([$($fact:ident($($said:expr)?)),+])? => $value:expr;
    )+ }) => {
        $crate::tables::values! { $row { $($(#[doc = $about])+ $name: $kind => $value;)+ } }
        /// What else is said of each.
        pub(super) const FACTS: &[$crate::tables::Facts] =
            &[$($crate::tables::Facts::NONE $($(.$fact($($said)?))+)?),+];
    };
}

/// Like `columns`, of a table of which nothing else is said.
macro_rules! values {
    ($row:ident { $(
        $(#[doc = $about:literal])+
        $name:ident: $kind:ident => $value:expr;
    )+ }) => {
        /// Its columns.
        pub(super) const COLUMNS: &[$crate::tables::Column] =
            &[$($crate::tables::Column::$kind(stringify!($name))),+];
        /// What each means, line by line.
        pub(super) const ABOUT: &[&[&str]] = &[$(&[$($about),+]),+];
        /// Its value of a row.
        static VALUES: [for<'s> fn(&$row<'s>) -> $crate::tables::Value<'s>; COLUMNS.len()] =
            [$($value),+];
    };
}

pub(super) use columns;
pub(crate) use values;
