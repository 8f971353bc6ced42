//! The outcome words of the rules, grouped by what they mean.

/// A group of outcome words that belong together, in order, and the ramp they share.
pub(super) struct Family {
    /// The words, in order along the ramp.
    pub(super) labels: &'static [&'static str],
    /// The colours of the ramp, evenly spaced.
    pub(super) stops: &'static [u32],
}

/// Every known family; a word is looked up in the first that has it.
pub(super) const FAMILIES: [Family; 8] = [
    // Good for the attacker, the most decisive darkest.
    Family {
        labels: &[
            "defender-destroyed",
            "b-destroyed",
            "defender-eliminated",
            "defender-captured",
            "defender-routs",
            "b-routs",
            "defender-breaks",
            "attacker-wins",
            "won",
            "attacker",
            "a",
            "a-wins",
            "charge-home",
            "pass",
            "passed",
            "success",
            "yes",
            "defender-retreats",
            "b-retreats",
            "defender-falls-back",
            "defender-shaken",
            "overenthusiastic",
        ],
        stops: &[0x06294D, 0x0072B2, 0x56B4E9, 0xB5DDF5],
    },
    // Bad for the attacker, the most decisive darkest.
    Family {
        labels: &[
            "attacker-destroyed",
            "a-destroyed",
            "attacker-eliminated",
            "attacker-captured",
            "attacker-routs",
            "a-routs",
            "attacker-breaks",
            "defender-wins",
            "lost",
            "defender",
            "b",
            "b-wins",
            "attacker-repulsed",
            "fail",
            "failed",
            "no",
            "attacker-retreats",
            "a-retreats",
            "attacker-falls-back",
            "attacker-stopped",
            "stopped",
            "attacker-pinned",
            "attacker-halts",
            "short",
        ],
        stops: &[0x5C1F00, 0xD55E00, 0xF0954A, 0xFBD3AE],
    },
    Family {
        labels: &[
            "mutual",
            "both-fall-back",
            "both-retreat",
            "engaged",
            "stalled",
            "stopped-short",
            "draw",
            "undecided",
        ],
        stops: &[0x5E5E5E, 0x9C9C9C, 0xE2E2E2],
    },
    // The state a unit ends in, from fit (light) to gone (dark).
    Family {
        labels: &[
            "steady",
            "good",
            "formed",
            "disorder",
            "disordered",
            "disrupted",
            "pinned",
            "shaken",
            "silenced",
            "broken",
            "routed",
            "destroyed",
            "eliminated",
        ],
        stops: &[
            0xD9F0E8, 0xB9E3D6, 0xA5DACA, 0xE6C54F, 0xDDB53F, 0xE0A030, 0xD98A2B, 0xD0702A,
            0xC05A2C, 0xAE3A2E, 0x86254A, 0x4A1C5E, 0x1C1024,
        ],
    },
    Family {
        labels: &[
            "elite", "crack", "veteran", "seasoned", "regular", "trained", "average", "poor",
            "militia", "green", "raw",
        ],
        stops: GRADE_RAMP,
    },
    Family {
        labels: &["A", "B", "C", "D", "E"],
        stops: GRADE_RAMP,
    },
    Family {
        labels: &["none", "panic", "hit-1", "hit-2", "hit-3", "hit-4"],
        stops: &[0xE3ECF2, 0xF3DC7A, 0xE9A13B, 0xC9542A, 0x8A2439, 0x35102F],
    },
    Family {
        labels: &["miss", "hit"],
        stops: &[0xE3ECF2, 0xC9542A],
    },
];

const GRADE_RAMP: &[u32] = &[0x2B0A4A, 0x7A3B8F, 0xCC79A7, 0xF3D9E8];
