//! Renders SVG to pixels, and turns texts into outlines. The program contains a font; the fonts of the system are used only for
//! characters that it lacks.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, ID, Source};
use resvg::usvg::{FontResolver, Options, Tree, WriteOptions};
use std::sync::{Arc, Mutex, PoisonError};

/// Arimo, which has the widths of Arial and Helvetica: the Latin part, unpacked from the npm package @fontsource/arimo. Its licence
/// is next to it.
const FONT: &[u8] = include_bytes!("../../fonts/Arimo-latin.ttf");

/// The most pixels of a picture. More need over 400 MB, and nobody can print them.
const MOST_PIXELS: u64 = 100_000_000;

/// Why a picture could not be made.
pub(super) enum Drawn {
    TooLarge,
    Failed(String),
}

/// The built-in font, and the first character that no font has.
#[derive(Default)]
pub(super) struct Fonts {
    missing: Option<char>,
}

impl Fonts {
    /// The first character that no font has. It is drawn as a box.
    pub(super) fn missing(&self) -> Option<char> {
        self.missing
    }

    pub(super) fn png(&mut self, svg: &str, scale: u32) -> Result<Vec<u8>, Drawn> {
        let tree = self.tree(svg)?;
        let size = tree.size();
        let [width, height] = [size.width(), size.height()].map(|side| side.ceil() as u32 * scale);
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(Drawn::TooLarge);
        }
        let mut pixels = Pixmap::new(width, height).ok_or(Drawn::TooLarge)?;
        resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
        pixels.encode_png().map_err(|why| Drawn::Failed(why.to_string()))
    }

    /// The same picture with texts as outlines: it looks the same everywhere, but its text cannot be searched.
    pub(super) fn outlines(&mut self, svg: &str) -> Result<Vec<u8>, Drawn> {
        let options = WriteOptions { coordinates_precision: 3, ..WriteOptions::default() };
        Ok(self.tree(svg)?.to_string(&options).into_bytes())
    }

    fn tree(&mut self, svg: &str) -> Result<Tree, Drawn> {
        let mut database = Database::new();
        let own = database.load_font_source(Source::Binary(Arc::new(FONT))).first().copied();
        let missing = Mutex::new(None);
        let has_system_fonts = Mutex::new(false);
        let by_default = FontResolver::default_fallback_selector();
        let fallback = |char: char, used: &[ID], database: &mut Arc<Database>| {
            let mut is_loaded = has_system_fonts.lock().unwrap_or_else(PoisonError::into_inner);
            if !*is_loaded {
                // System fonts are loaded only when they are needed, because a system has hundreds of them.
                Arc::make_mut(database).load_system_fonts();
                *is_loaded = true;
            }
            let found = by_default(char, used, database);
            if found.is_none() {
                missing.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(char);
            }
            found
        };
        let options = Options {
            font_resolver: FontResolver {
                select_font: Box::new(move |_, _| own),
                select_fallback: Box::new(fallback),
            },
            fontdb: Arc::new(database),
            ..Options::default()
        };
        let tree = Tree::from_str(svg, &options).map_err(|why| Drawn::Failed(why.to_string()));
        drop(options);
        self.missing = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
        tree
    }
}
