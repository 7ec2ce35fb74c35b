//! Pictures of what is shown, for saving.

use super::{Session, error, window};
use steplens_core::DeviceId;
use steplens_export::picture::{Kind, Options, Theme, svg};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Session {
    /// A picture as SVG. `kind` and `theme` are words of `steplens picture`. `times` are start and end of the window in ns; without
    /// them the picture shows the whole step. Without `devices` it shows all devices.
    pub fn picture(
        &self,
        kind: &str,
        width: u32,
        theme: &str,
        times: Vec<f64>,
        devices: Vec<u32>,
        has_heading: bool,
    ) -> Result<String, JsValue> {
        let bad = |word: &str| error("bad-option", word);
        let options = Options {
            kind: Kind::by_word(kind).ok_or_else(|| bad(kind))?,
            width,
            theme: Theme::by_word(theme).ok_or_else(|| bad(theme))?,
            window: times.first().zip(times.get(1)).map(|(&start, &end)| window(start, end)),
            devices: &devices.into_iter().map(DeviceId::new).collect::<Vec<_>>(),
            has_heading,
        };
        Ok(svg(self.study()?, self.files()?, &options))
    }
}
