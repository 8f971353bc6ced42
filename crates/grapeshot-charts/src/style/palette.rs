//! Colours by name, or one by one.

/// The colours of a figure, each `0xRRGGBB`: the first is the colour of what favours the side that acts, the
/// second of what is against it, and series without such a meaning choose among them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// What it is called; nothing if the colours were listed.
    pub name: Option<&'static str>,
    /// The colours.
    pub colours: Vec<u32>,
}

/// Colours that the colour-blind can tell apart, by name. The first is used where none is asked for.
const NAMED: [(&str, &[u32]); 4] = [
    (
        "okabe-ito",
        &[
            0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x4D4D4D,
        ],
    ),
    (
        "tol-bright",
        &[
            0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0x777777,
        ],
    ),
    (
        "tol-muted",
        &[
            0x332288, 0xCC6677, 0x117733, 0xDDCC77, 0x88CCEE, 0x882255, 0x44AA99, 0x999933,
            0xAA4499,
        ],
    ),
    // Union and Confederate: a blue, a butternut, and the facings of artillery, cavalry and infantry.
    (
        "blue-and-butternut",
        &[
            0x2B4C7E, 0x8A5A2B, 0x9B2D30, 0xC9A227, 0x6E7F80, 0x5B8DB8, 0x3A3A3A,
        ],
    ),
];

impl Default for Palette {
    fn default() -> Self {
        let (name, colours) = NAMED[0];
        Palette {
            name: Some(name),
            colours: colours.to_vec(),
        }
    }
}

impl Palette {
    /// The names there are.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// The palette of that name.
    pub fn named(name: &str) -> Option<Self> {
        let (name, colours) = NAMED.iter().find(|(known, _)| *known == name)?;
        Some(Palette {
            name: Some(name),
            colours: colours.to_vec(),
        })
    }

    /// A colour written `#RRGGBB`.
    pub fn colour(text: &str) -> Option<u32> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        u32::from_str_radix(digits, 16).ok()
    }
}
