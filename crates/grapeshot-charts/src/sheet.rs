//! A page of tables to lie beside the game: two columns of them on paper, as large as they fit.

#[cfg(feature = "png")]
use super::bitmap;
use super::palette::{self, Colour, Inks, WHITE};
use super::scene::{Rect, Scene, Type};
use super::text::{self, LEADING};
use super::{Alt, ChartError, Medium, PictureFormat, Style, svg};

grapeshot_engine::labels! {
    /// The paper a sheet is printed on.
    pub enum Paper { A4 = "a4", Letter = "letter" }
}

impl Paper {
    /// Width and height in points.
    fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (595.28, 841.89),
            Paper::Letter => (612.0, 792.0),
        }
    }
}

/// What is on the page.
#[derive(Debug, Clone)]
pub struct SheetPage {
    /// At its head.
    pub title: String,
    /// What holds for all of it.
    pub about: String,
    /// The tables, in reading order.
    pub tables: Vec<SheetTable>,
    /// In small type at its foot.
    pub footer: String,
    /// The paper.
    pub paper: Paper,
    /// Colours, type and the size of it.
    pub style: Style,
}

/// A table on the page.
#[derive(Debug, Clone)]
pub struct SheetTable {
    /// Above it.
    pub title: String,
    /// What the numbers are, and what else is to be said.
    pub note: String,
    /// What stands over the labels.
    pub corner: String,
    /// What stands over the columns together; may be empty.
    pub over: String,
    /// The columns.
    pub columns: Vec<String>,
    /// The rows: a label, and the cells.
    pub rows: Vec<(String, Vec<SheetCell>)>,
}

/// A cell: what is printed, and how dark it stands, from 0 to 1.
#[derive(Debug, Clone)]
pub struct SheetCell {
    /// What is printed.
    pub text: String,
    /// The share behind it, if it is one.
    pub share: Option<f64>,
}

/// Millimetres of a point.
const POINT: f64 = 25.4 / 72.0;
/// Around the page: 12 mm, which every printer can do.
const MARGIN: f64 = 12.0 / POINT;
/// Between the two columns, and between tables.
const GAP: f64 = 16.0;
/// Sizes of type that are tried, the largest first.
const SIZES: [f64; 8] = [10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5];
/// Both sides of a sheet.
const MOST_PAGES: usize = 2;
/// No column of numbers is stretched wider, in ems.
const WIDEST: f64 = 6.5;

/// The sheet as the bytes of files, one for each side that is needed.
///
/// # Errors
/// If it does not fit on both sides of the paper, or the type of the style is not installed.
pub fn draw_sheet(page: &SheetPage, format: PictureFormat) -> Result<Vec<Vec<u8>>, ChartError> {
    let scenes = compose(page)?;
    let family = page.style.font.as_deref();
    let alt = Alt {
        title: page.title.clone(),
        text: page.about.clone(),
    };
    let one = |scene: &Scene| match format {
        PictureFormat::Svg => Ok(svg::svg(scene, &alt, family).into_bytes()),
        #[cfg(feature = "png")]
        PictureFormat::Png => bitmap::png(scene, page.style.medium(), page.style.dpi()),
        #[cfg(feature = "pdf")]
        PictureFormat::Pdf => super::pdf::pdf(&svg::svg(scene, &alt, family), family),
    };
    scenes.iter().map(one).collect()
}

/// The sides of the sheet: one, if it can be read there, else two.
fn compose(page: &SheetPage) -> Result<Vec<Scene>, ChartError> {
    ChartError::some("tables", page.tables.len())?;
    let asked = page.style.font_size.map(|size| vec![size.in_points()]);
    let sizes = asked.unwrap_or(SIZES.to_vec());
    for most in 1..=MOST_PAGES {
        for size in &sizes {
            let sides = Setting::new(page, *size).sides();
            if let Some(sides) = sides.filter(|sides| sides.len() <= most) {
                return Ok(sides);
            }
        }
    }
    Err(ChartError::Crowded(
        sizes.last().copied().unwrap_or_default(),
    ))
}

/// A page in a size of type.
struct Setting<'a> {
    page: &'a SheetPage,
    size: f64,
    ink: Colour,
    soft: Colour,
    inks: Inks,
}

impl<'a> Setting<'a> {
    fn new(page: &'a SheetPage, size: f64) -> Self {
        Setting {
            page,
            size,
            ink: palette::BLACK,
            soft: Colour::grey(90),
            inks: Inks::new(&page.style.palette()),
        }
    }

    /// Every side, or nothing if a table is wider or higher than the paper.
    fn sides(&self) -> Option<Vec<Scene>> {
        let (width, height) = self.page.paper.size();
        let inner = width - 2.0 * MARGIN;
        let half = (inner - GAP) / 2.0;
        let foot = text::wrap(&self.page.footer, self.size * 0.75, false, inner);
        let bottom = height - MARGIN - foot.len() as f64 * self.size * 0.75 * LEADING - 6.0;
        let blank = || Scene {
            width,
            height,
            unit: POINT,
            ..Scene::default()
        };
        let mut sides = vec![blank()];
        let mut top = self.head(sides.last_mut()?, inner);
        let mut ends = [top; 2];
        for table in &self.page.tables {
            let wide = self.needs(table) > half;
            if wide && self.needs(table) > inner {
                return None;
            }
            let room = if wide { inner } else { half };
            let high = self.table(&mut blank(), table, (0.0, 0.0), room);
            let at = match wide {
                true => [0, 1].map(|_| ends[0].max(ends[1])),
                false => ends,
            };
            let fits = |end: f64| end + high <= bottom;
            let column = match (fits(at[0]), fits(at[1])) {
                (true, true) => usize::from(at[1] + 1.0 < at[0]),
                (true, false) => 0,
                (false, true) => 1,
                (false, false) => {
                    // The next side has no head: it is the same sheet.
                    sides.push(blank());
                    top = MARGIN;
                    ends = [top; 2];
                    if top + high > bottom {
                        return None;
                    }
                    0
                }
            };
            let (x, y) = match wide {
                true => (MARGIN, ends[0].max(ends[1])),
                false => (MARGIN + column as f64 * (half + GAP), ends[column]),
            };
            let end = self.table(sides.last_mut()?, table, (x, y), room) + GAP;
            match wide {
                true => ends = [end; 2],
                false => ends[column] = end,
            }
        }
        for side in &mut sides {
            let y = bottom + 6.0;
            side.line((MARGIN, y), (MARGIN + inner, y), 0.5, Colour::grey(160));
            let kind = Type::new(self.size * 0.75, self.soft);
            side.paragraph((MARGIN, y + 2.0), &foot, kind);
        }
        Some(sides)
    }

    fn head(&self, scene: &mut Scene, inner: f64) -> f64 {
        let size = self.size * 2.0;
        let title = text::wrap(&self.page.title, size, true, inner);
        let kind = Type::new(size, self.ink).bold();
        let mut y = scene.paragraph((MARGIN, MARGIN - size * 0.2), &title, kind);
        let about = text::wrap(&self.page.about, self.size, false, inner);
        y = scene.paragraph((MARGIN, y), &about, Type::new(self.size, self.soft));
        scene.line((MARGIN, y + 4.0), (MARGIN + inner, y + 4.0), 1.2, self.ink);
        y + 4.0 + GAP * 0.7
    }

    /// The widths of the label column and of each column of cells, at least.
    fn widths(&self, table: &SheetTable) -> (f64, f64) {
        let wide = |text: &str| text::width(text, self.size, false);
        let word = |text: &str| text.split(' ').map(wide).fold(0.0, f64::max);
        let labels = table.rows.iter().map(|(label, _)| wide(label));
        let label = labels.fold(word(&table.corner), f64::max);
        let cells = table
            .rows
            .iter()
            .flat_map(|(_, cells)| cells)
            .map(|cell| wide(&cell.text));
        let column = cells.chain(table.columns.iter().map(|name| word(name)));
        (label + 6.0, column.fold(0.0, f64::max) + 6.0)
    }

    fn needs(&self, table: &SheetTable) -> f64 {
        let (label, column) = self.widths(table);
        label + column * table.columns.len() as f64
    }

    /// Sets a table in a width; returns where it ends.
    fn table(&self, scene: &mut Scene, table: &SheetTable, (x, y): (f64, f64), room: f64) -> f64 {
        let size = self.size;
        let (label, least) = self.widths(table);
        let count = table.columns.len().max(1) as f64;
        let column = ((room - label) / count).clamp(least, (WIDEST * size).max(least));
        let title = text::wrap(&table.title, size * 1.2, true, room);
        let mut y = scene.paragraph((x, y), &title, Type::new(size * 1.2, self.ink).bold());
        if !table.note.is_empty() {
            let note = text::wrap(&table.note, size * 0.85, false, room);
            y = scene.paragraph((x, y), &note, Type::new(size * 0.85, self.soft));
        }
        y += 3.0;
        let quiet = Type::new(size * 0.9, self.soft);
        let wrapped = |name: &String| text::wrap(name, size * 0.9, false, column - 3.0);
        let names: Vec<Vec<String>> = table.columns.iter().map(wrapped).collect();
        let corner = text::wrap(&table.corner, size * 0.9, false, label - 4.0);
        let lines = names
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or(0)
            .max(corner.len());
        if !table.over.is_empty() {
            let middle = x + label + column * count / 2.0;
            scene.text((middle, y + size * 0.9), table.over.clone(), quiet.middle());
            y += size * LEADING;
        }
        let step = size * 0.9 * LEADING;
        let base = y + lines as f64 * step;
        let hung = |at: usize, of: usize| base - (of - at) as f64 * step + size * 0.8;
        for (at, line) in corner.iter().enumerate() {
            scene.text((x, hung(at, corner.len())), line.clone(), quiet);
        }
        for (place, name) in names.iter().enumerate() {
            let middle = x + label + column * (place as f64 + 0.5);
            for (at, line) in name.iter().enumerate() {
                scene.text((middle, hung(at, name.len())), line.clone(), quiet.middle());
            }
        }
        y = base + 3.0;
        let end = x + label + column * count;
        scene.line((x, y), (end, y), 0.6, self.ink);
        let high = size * 1.5;
        for (row, (name, cells)) in table.rows.iter().enumerate() {
            let middle = y + (row as f64 + 0.5) * high;
            scene.block((x, middle), &[name], Type::new(size, self.ink));
            for (place, cell) in cells.iter().enumerate() {
                let left = x + label + column * place as f64;
                let fill = self.tint(cell.share);
                // What has no share stands on the paper itself, so that no rule is painted over.
                if cell.share.is_some() {
                    let top = middle - high / 2.0;
                    let rect = Rect::new(left + 0.5, top + 0.8, column - 1.0, high - 1.0);
                    scene.rect(rect, fill);
                }
                let kind = Type::new(size, fill.ink()).middle();
                scene.block((left + column / 2.0, middle), &[&cell.text], kind);
            }
        }
        y += table.rows.len() as f64 * high;
        scene.line((x, y + 1.0), (end, y + 1.0), 0.6, self.ink);
        y + 1.0
    }

    /// Likely is dark, unlikely light; nothing darker than ink can be read on.
    fn tint(&self, share: Option<f64>) -> Colour {
        let Some(share) = share.filter(|share| share.is_finite()) else {
            return WHITE;
        };
        let share = share.clamp(0.0, 1.0);
        match self.page.style.medium() {
            Medium::Screen => self.inks.sequential(0.75 * share).mix(WHITE, 0.25),
            Medium::Print => WHITE.mix(Colour::grey(120), share),
        }
    }
}
