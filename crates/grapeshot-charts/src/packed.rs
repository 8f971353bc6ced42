//! A painted picture packed as PNG: samples averaged into dots, and dots numbered by their colours.
//!
//! A chart has few colours and their blends at the edges of letters and lines. A byte a dot that says which of 256 it
//! has packs in half the time of three that say red, green and blue, into half a file.

use super::{ChartError, Medium};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Side of the square of samples averaged into one dot.
pub(super) const SAMPLES: usize = 2;
/// How many colours a picture in numbers can have.
const NUMBERED: usize = 256;
/// How many of them are the most frequent ones, each as it is.
const FREQUENT: usize = 128;
/// By how much of 255 a blend may be off, in red, green or blue; else the picture is not packed in numbers.
const UNSEEN: u8 = 16;

/// Red, green and blue.
type Rgb = [u8; 3];

/// The picture of so many dots as PNG bytes: in colour for screens, in grey for print.
pub(super) fn pack(
    fine: &[u8],
    (width, height): (usize, usize),
    medium: Medium,
    dpi: u32,
) -> Result<Vec<u8>, ChartError> {
    let dots = Dots::new(fine, width);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_depth(png::BitDepth::Eight);
    // The best compression takes twelve times as long for files a tenth smaller: half of a report's charts.
    encoder.set_compression(png::Compression::Default);
    encoder.set_filter(png::FilterType::NoFilter);
    let per_metre = (f64::from(dpi) / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let bytes: Vec<u8> = if medium == Medium::Print {
        encoder.set_color(png::ColorType::Grayscale);
        let greys: Vec<u8> = dots.colours.iter().copied().map(grey).collect();
        dots.each(|colour| greys[colour])
    } else if let Some(Palette { colours, places }) = Palette::of(&dots) {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(colours.as_flattened().to_vec());
        dots.each(|colour| places[colour])
    } else {
        encoder.set_color(png::ColorType::Rgb);
        dots.each(|colour| dots.colours[colour]).into_flattened()
    };
    let encode = |e: png::EncodingError| ChartError::Draw(e.to_string());
    let mut writer = encoder.write_header().map_err(encode)?;
    writer.write_image_data(&bytes).map_err(encode)?;
    writer.finish().map_err(encode)?;
    Ok(out)
}

fn grey([r, g, b]: Rgb) -> u8 {
    ((299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500) / 1000) as u8
}

/// A picture row by row, as stretches of dots of one colour.
struct Dots {
    /// Every colour there is, and how many dots have it.
    colours: Vec<Rgb>,
    counts: Vec<usize>,
    /// Which colour, and how many dots of it follow each other.
    runs: Vec<(u32, u32)>,
}

impl Dots {
    /// Averages each square of samples into one dot.
    fn new(fine: &[u8], width: usize) -> Self {
        let mut dots = Dots {
            colours: Vec::new(),
            counts: Vec::new(),
            runs: Vec::new(),
        };
        let mut numbers: FxHashMap<Rgb, u32> = FxHashMap::default();
        let (pairs, _) = fine.as_chunks::<{ 3 * SAMPLES }>();
        for rows in pairs.chunks_exact(width * SAMPLES) {
            let (upper, lower) = rows.split_at(width);
            let mut at = 0;
            while at < width {
                let square = (upper[at], lower[at]);
                let length = alike(&upper[at..]);
                let length = alike(&lower[at..][..length]);
                let number = numbers
                    .entry(average(square))
                    .or_insert_with_key(|&colour| {
                        dots.colours.push(colour);
                        dots.counts.push(0);
                        dots.colours.len() as u32 - 1
                    });
                dots.counts[*number as usize] += length;
                dots.runs.push((*number, length as u32));
                at += length;
            }
        }
        dots
    }

    /// Something for each dot, by the number of its colour.
    fn each<T: Copy>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        let mut all = Vec::with_capacity(self.counts.iter().sum());
        for &(colour, length) in &self.runs {
            all.resize(all.len() + length as usize, of(colour as usize));
        }
        all
    }
}

/// How many pairs of samples follow each other that are like the first: many at a time, as most of a picture is paper.
fn alike(row: &[[u8; 3 * SAMPLES]]) -> usize {
    const AT_A_TIME: usize = 16;
    let mut alike = 1;
    while alike + AT_A_TIME <= row.len()
        && row[alike..alike + AT_A_TIME] == row[alike - 1..alike - 1 + AT_A_TIME]
    {
        alike += AT_A_TIME;
    }
    let rest = row[alike..].iter();
    alike + rest.take_while(|pair| **pair == row[0]).count()
}

fn average((upper, lower): ([u8; 3 * SAMPLES], [u8; 3 * SAMPLES])) -> Rgb {
    let samples = || upper.as_chunks::<3>().0.iter().chain(lower.as_chunks().0);
    [0, 1, 2].map(|channel| {
        let sum: usize = samples().map(|sample| usize::from(sample[channel])).sum();
        (sum / (SAMPLES * SAMPLES)) as u8
    })
}

/// Colours that stand for all those of a picture.
struct Palette {
    colours: Vec<Rgb>,
    /// Which of them each colour of the picture has.
    places: Vec<u8>,
}

impl Palette {
    /// The most frequent colours as they are, then whichever would be off most. What is left is a few dots each, of
    /// blends near to others; if one is not, there is no palette.
    fn of(dots: &Dots) -> Option<Palette> {
        let mut palette = Palette {
            colours: Vec::with_capacity(NUMBERED),
            places: vec![0; dots.colours.len()],
        };
        let mut off = vec![u8::MAX; dots.colours.len()];
        let mut frequent: Vec<usize> = (0..dots.colours.len()).collect();
        frequent.sort_by_key(|&colour| Reverse(dots.counts[colour]));
        for &colour in frequent.iter().take(FREQUENT) {
            palette.add(colour, &dots.colours, &mut off);
        }
        while palette.colours.len() < NUMBERED {
            let worst = (0..off.len()).max_by_key(|&colour| (off[colour], Reverse(colour)))?;
            if off[worst] == 0 {
                break;
            }
            palette.add(worst, &dots.colours, &mut off);
        }
        off.iter().all(|&off| off <= UNSEEN).then_some(palette)
    }

    /// Adds a colour of the picture, and gives it to those that it is nearest to so far.
    fn add(&mut self, colour: usize, all: &[Rgb], off: &mut [u8]) {
        let place = self.colours.len() as u8;
        let new = all[colour];
        self.colours.push(new);
        for ((other, off), near) in all.iter().zip(off).zip(&mut self.places) {
            let apart = |channel: usize| other[channel].abs_diff(new[channel]);
            let apart = apart(0).max(apart(1)).max(apart(2));
            if apart < *off {
                (*off, *near) = (apart, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every dot four times, as it is painted.
    fn painted(dots: &[Rgb], width: usize) -> Vec<u8> {
        let rows = dots.chunks(width).flat_map(|row| [row; SAMPLES]);
        let samples = rows.flatten().flat_map(|dot| [*dot; SAMPLES]);
        samples.flatten().collect()
    }

    /// How a picture is packed, and its dots.
    fn read(bytes: &[u8]) -> (png::ColorType, Vec<Rgb>) {
        let packed = png::Decoder::new(bytes).read_info().expect("a picture");
        let kind = packed.info().color_type;
        let mut decoder = png::Decoder::new(bytes);
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a picture");
        let mut dots = vec![0; reader.output_buffer_size()];
        reader.next_frame(&mut dots).expect("its dots");
        let dots = match kind {
            png::ColorType::Grayscale => dots.iter().map(|&grey| [grey; 3]).collect(),
            _ => dots.as_chunks().0.to_vec(),
        };
        (kind, dots)
    }

    fn packed(dots: &[Rgb], width: usize, medium: Medium) -> (png::ColorType, Vec<Rgb>) {
        let size = (width, dots.len() / width);
        read(&pack(&painted(dots, width), size, medium, 300).expect("a picture"))
    }

    fn most_off(a: &[Rgb], b: &[Rgb]) -> u8 {
        assert_eq!(a.len(), b.len());
        let pairs = a.as_flattened().iter().zip(b.as_flattened());
        pairs.map(|(a, b)| a.abs_diff(*b)).max().expect("dots")
    }

    #[test]
    fn samples_are_averaged() {
        // Two dots of two by two samples: one of four greys, one red and black.
        let fine: [[Rgb; 4]; 2] = [
            [[0, 0, 0], [4, 4, 4], [255, 0, 0], [0, 0, 0]],
            [[8, 8, 8], [16, 16, 16], [0, 0, 0], [255, 0, 0]],
        ];
        let fine = fine.as_flattened().as_flattened();
        let bytes = pack(fine, (2, 1), Medium::Screen, 96).expect("a picture");
        assert_eq!(read(&bytes).1, [[7, 7, 7], [127, 0, 0]]);
    }

    #[test]
    fn few_colours_are_numbered_and_exact() {
        let dots: Vec<Rgb> = (0..=255).map(|n| [n, 255 - n, n / 2]).collect();
        assert_eq!(
            packed(&dots, 16, Medium::Screen),
            (png::ColorType::Indexed, dots)
        );
    }

    #[test]
    fn of_many_colours_the_frequent_are_exact_and_none_is_seen_to_be_off() {
        let frequent = [1, 2, 3];
        let mut dots: Vec<Rgb> = (0..4096)
            .map(|n| [n % 64 * 4, n / 64 * 4, 0].map(|c: u16| c as u8))
            .collect();
        dots.extend([frequent; 64]);
        let (kind, shown) = packed(&dots, 64, Medium::Screen);
        assert_eq!(kind, png::ColorType::Indexed);
        assert!(most_off(&dots, &shown) <= UNSEEN && dots != shown);
        assert_eq!(shown[4096..], dots[4096..]);
    }

    #[test]
    fn colours_that_no_palette_has_are_kept() {
        let dots: Vec<Rgb> = (0..32_768)
            .map(|n| [n % 32 * 8, n / 32 % 32 * 8, n / 1024 * 8].map(|c: u16| c as u8))
            .collect();
        assert_eq!(
            packed(&dots, 128, Medium::Screen),
            (png::ColorType::Rgb, dots)
        );
    }

    #[test]
    fn print_is_grey() {
        let dots = [[255, 255, 255], [255, 0, 0], [0, 0, 0], [255, 0, 0]];
        let (kind, shown) = packed(&dots, 2, Medium::Print);
        assert_eq!(kind, png::ColorType::Grayscale);
        assert_eq!(shown, [[255; 3], [76; 3], [0; 3], [76; 3]]);
    }
}
