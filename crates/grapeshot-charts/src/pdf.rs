//! A chart as PDF: the SVG on a page of its own size, its type embedded, its text text.

use std::sync::{Arc, LazyLock};

use svg2pdf::usvg::{self, fontdb};
use svg2pdf::{ConversionOptions, PageOptions};

use super::ChartError;
use super::pdf_order::in_order;

/// SVG's own resolution: lengths in the drawing are true at it.
const DPI: f32 = 96.0;

/// The bundled type.
static BUNDLED: LazyLock<fontdb::Database> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    fonts
});

/// An SVG as a page of PDF, in a family of type that is installed.
pub(super) fn pdf(svg: &str, family: Option<&str>) -> Result<Vec<u8>, ChartError> {
    convert(svg, family, true)
}

/// The same of a drawing that has greys alone, said as greys: a printer then uses black ink and no other.
pub(super) fn grey(svg: &str, family: Option<&str>) -> Result<Vec<u8>, ChartError> {
    let made = convert(svg, family, true)?;
    super::pdf_grey::in_grey(&made)
        .ok_or_else(|| ChartError::Draw("the page that was made cannot be read".into()))
}

/// The same with its drawing packed, or as it can be read.
pub(super) fn convert(
    svg: &str,
    family: Option<&str>,
    packed: bool,
) -> Result<Vec<u8>, ChartError> {
    let mut fonts = BUNDLED.clone();
    if let Some(family) = family {
        fonts.load_system_fonts();
        let is_it = |name: &(String, fontdb::Language)| name.0.eq_ignore_ascii_case(family);
        if !fonts.faces().any(|face| face.families.iter().any(is_it)) {
            return Err(ChartError::Font(family.to_owned()));
        }
    }
    let options = usvg::Options {
        dpi: DPI,
        font_family: "DejaVu Sans".into(),
        fontdb: Arc::new(fonts),
        ..usvg::Options::default()
    };
    let failed = |error: String| ChartError::Draw(error);
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| failed(error.to_string()))?;
    let page = PageOptions { dpi: DPI };
    let conversion = ConversionOptions {
        compress: packed,
        ..ConversionOptions::default()
    };
    let made = svg2pdf::to_pdf(&tree, conversion, page);
    let made = made.map_err(|error| failed(error.to_string()))?;
    in_order(&made).ok_or_else(|| failed("the page that was made cannot be read".into()))
}
