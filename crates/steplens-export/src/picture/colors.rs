//! The page's colours: `www/style/theme.css`, and the shades of `www/src/draw/theme.ts`. Tests compare both with these.

use std::fmt;
use steplens_core::Category;
use steplens_core::timeline::colors::{COLORS, ColorBy, HUES, REST};

/// A colour, 0xRRGGBB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb(pub u32);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

impl Rgb {
    /// `share` of it, the rest of `under`.
    #[must_use]
    pub fn over(self, under: Self, share: f64) -> Self {
        let mix = |shift: u32| {
            let part = |color: Self| f64::from(color.0 >> shift & 255);
            ((part(self) * share + part(under) * (1.0 - share)).round() as u32) << shift
        };
        Self(mix(16) | mix(8) | mix(0))
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white: for paper.
    Light,
    /// Light on black.
    Dark,
}

impl Theme {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// By its word.
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// Its colours.
    pub fn ink(self) -> &'static Ink {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

/// The custom properties of a theme that pictures need.
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields are the custom properties of the page, which documents them")]
pub struct Ink {
    pub background: Rgb,
    pub band: Rgb,
    pub line: Rgb,
    pub grid: Rgb,
    pub text: Rgb,
    pub muted: Rgb,
    pub accent: Rgb,
    pub idle: Rgb,
    pub ramp: [Rgb; HUES],
}

static LIGHT: Ink = Ink {
    background: Rgb(0xffffff),
    band: Rgb(0xfbfcfd),
    line: Rgb(0xdfe3e8),
    grid: Rgb(0xeceff2),
    text: Rgb(0x14191f),
    muted: Rgb(0x56606c),
    accent: Rgb(0x0a5fc2),
    idle: Rgb(0xdfe4ea),
    ramp: [
        Rgb(0xf5f1aa),
        Rgb(0xfedb88),
        Rgb(0xffc685),
        Rgb(0xfeaf80),
        Rgb(0xfd9881),
        Rgb(0xfe7b88),
        Rgb(0xed699d),
        Rgb(0xcc67ae),
    ],
};

static DARK: Ink = Ink {
    background: Rgb(0x0f1318),
    band: Rgb(0x12171d),
    line: Rgb(0x28303b),
    grid: Rgb(0x1c232c),
    text: Rgb(0xe7ebf0),
    muted: Rgb(0x9ba6b3),
    accent: Rgb(0x6cb2ff),
    idle: Rgb(0x2a323d),
    ramp: [
        Rgb(0xcc67ae),
        Rgb(0xed699d),
        Rgb(0xfe7b88),
        Rgb(0xfd9881),
        Rgb(0xfeaf80),
        Rgb(0xffc685),
        Rgb(0xfedb88),
        Rgb(0xf5f1aa),
    ],
};

/// On marks, in both themes.
pub const ON_MARK: Rgb = Rgb(0x0c1420);

/// Of what colours stand for other than categories and lengths, in both themes; the last is that of the rest.
pub const HUE: [Rgb; COLORS] = [
    Rgb(0x5b95bc),
    Rgb(0xcfe99a),
    Rgb(0x74e6ea),
    Rgb(0xe59872),
    Rgb(0xd36581),
    Rgb(0xa08702),
    Rgb(0xd9c51e),
    Rgb(0xc27eff),
    Rgb(0xaeb6c1),
];

/// For each category eight shades, in both themes: the first is its colour, and op types differ by the others.
#[rustfmt::skip]
pub const SHADES: [[Rgb; 8]; Category::COUNT] = [
    [Rgb(0x5aa9dd), Rgb(0x5595ce), Rgb(0x61beea), Rgb(0x6e9bdd), Rgb(0x4eb8dc), Rgb(0x3b93c2), Rgb(0x80bdfb), Rgb(0x3aa1c8)],
    [Rgb(0xd58ab5), Rgb(0xc7789a), Rgb(0xe29cd0), Rgb(0xd68399), Rgb(0xd496d0), Rgb(0xba74a2), Rgb(0xf3a0c1), Rgb(0xc080b6)],
    [Rgb(0x2fae86), Rgb(0x009d81), Rgb(0x57bf8a), Rgb(0x00a89a), Rgb(0x5fb577), Rgb(0x15966a), Rgb(0x39c7ac), Rgb(0x3fa068)],
    [Rgb(0xe8a13a), Rgb(0xce9516), Rgb(0xffae57), Rgb(0xcea626), Rgb(0xffa15a), Rgb(0xd2871f), Rgb(0xf7bf4f), Rgb(0xe48d3c)],
    [Rgb(0xddd05a), Rgb(0xbfc34e), Rgb(0xfbdd69), Rgb(0xb9d467), Rgb(0xfdd05f), Rgb(0xcbb53c), Rgb(0xe5ef7c), Rgb(0xe1bc46)],
    [Rgb(0xea8460), Rgb(0xd47642), Rgb(0xff937d), Rgb(0xdb863e), Rgb(0xf78983), Rgb(0xd16b50), Rgb(0xffa068), Rgb(0xde7467)],
    [Rgb(0xb39a85), Rgb(0xa08b73), Rgb(0xc7aa98), Rgb(0xa7977c), Rgb(0xc0a193), Rgb(0x9d8370), Rgb(0xc8b39a), Rgb(0xa98c7c)],
    [Rgb(0xb6bec9), Rgb(0xa6acb8), Rgb(0xc6d0da), Rgb(0xb3b6c3), Rgb(0xbdc9d2), Rgb(0x9ea7b1), Rgb(0xd0d5e2), Rgb(0xa8b2bb)],
];

/// How much is left of communication that compute hides: `HIDDEN_SHARE` of the page.
pub(crate) const HIDDEN_SHARE: f64 = 0.45;

/// The colour of a category.
pub fn of(category: Category) -> Rgb {
    SHADES[category as usize][0]
}

/// The colour of a mark, by what colours stand for.
pub fn of_mark(ink: &Ink, by: ColorBy, color: u8, shade: u8) -> Rgb {
    let color = usize::from(color);
    match by {
        ColorBy::Category => SHADES[color.min(Category::COUNT - 1)][usize::from(shade & 7)],
        ColorBy::Duration if color < HUES => ink.ramp[color],
        ColorBy::Slack if color < HUES => ink.ramp[HUES - 1 - color],
        _ => HUE[color.min(usize::from(REST))],
    }
}

/// The colour of a mark: the stronger, the more of its width ops cover. It has 15 steps above 0, and a least strength, so that
/// every mark is visible: `DENSITY_LEVELS` and `LEAST_SHARE` of the page.
pub(crate) fn of_density(color: Rgb, ink: &Ink, density: u8) -> Rgb {
    if density == u8::MAX {
        return color;
    }
    let level = (f64::from(density) / 255.0 * 15.0).round();
    color.over(ink.band, (level / 15.0).max(0.35))
}
