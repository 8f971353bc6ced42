//! The experiments that are built into the program; the files in `experiments/` are the same.

use super::experiment::Experiment;
use grapeshot_rules::RuleError;

/// A study that is built into the program.
#[derive(Debug, Clone, Copy)]
pub struct BundledStudy {
    /// Its name: the file's without its ending.
    pub id: &'static str,
    /// Its file, as a person finds it in the project.
    pub file: &'static str,
    /// What is in the file.
    pub text: &'static str,
}

/// Names an experiment once, in the folder it is in: its file is found by the same name.
macro_rules! experiments {
    ($($folder:literal { $($id:literal,)+ })+) => {
        &[$($(BundledStudy {
            id: $id,
            file: concat!("experiments/", $folder, "/", $id, ".toml"),
            text: include_str!(concat!("../../../experiments/", $folder, "/", $id, ".toml")),
        }),+),+]
    };
}

/// Every bundled experiment, in the order of the report; those of house rules come last.
pub const BUNDLED: &[BundledStudy] = experiments! {
    "compare" {
        "compare-charge-by-cover",
        "compare-charge-by-grade",
        "compare-charge-by-men",
        "compare-firefight-length",
        "compare-melee-by-grade",
        "compare-volley-by-cover",
        "compare-volley-by-range",
    }
    "elephant" {
        "elephant-small-arms",
        "elephant-artillery",
        "elephant-morale",
        "elephant-charge-grades",
        "elephant-charge-numbers",
        "elephant-charge-flank",
        "elephant-charge-stages",
        "elephant-melee-odds",
        "elephant-melee-modifiers",
        "elephant-firefight",
        "elephant-when-to-charge",
        "elephant-battle-numbers",
        "elephant-battle-grades",
        "elephant-battle-plans",
        "elephant-battle-panic",
        "elephant-battle-invented",
        "elephant-both",
        "elephant-weigh",
        "elephant-field",
        "elephant-condense",
        "elephant-skill",
    }
    "gbacw" {
        "gbacw-fire",
        "gbacw-density",
        "gbacw-green",
        "gbacw-melee",
        "gbacw-when-to-charge",
        "gbacw-both",
    }
    "acw28" {
        "acw28-casualties",
        "acw28-charge",
        "acw28-demolition",
        "acw28-rout",
        "acw28-when-to-charge",
        "acw28-battle-numbers",
        "acw28-battle-classes",
        "acw28-battle-plans",
        "acw28-battle-nerve",
        "acw28-both",
    }
    "impact" {
        "impact-flank",
        "impact-formation",
        "impact-supports",
        "impact-rally",
        "impact-move",
        "impact-both",
    }
    "fireline" {
        "fireline-assault",
        "fireline-stragglers",
        "fireline-march",
        "fireline-stacks",
        "fireline-volley",
        "fireline-when-to-charge",
        "fireline-both",
    }
    "acw28" {
        "variant-acw28-no-open-saves",
    }
    "elephant" {
        "variant-elephant-even-melee",
    }
    "gbacw" {
        "variant-gbacw-melee-row-2",
    }
};

/// The example variants, as experiments name them from their folder, and their text.
pub const VARIANTS: &[(&str, &str)] = &[
    (
        "../variants/acw28-no-open-saves.toml",
        include_str!("../../../experiments/variants/acw28-no-open-saves.toml"),
    ),
    (
        "../variants/elephant-even-melee.toml",
        include_str!("../../../experiments/variants/elephant-even-melee.toml"),
    ),
    (
        "../variants/gbacw-melee-row-2.toml",
        include_str!("../../../experiments/variants/gbacw-melee-row-2.toml"),
    ),
];

/// The example rosters, in the same way.
pub const ROSTERS: &[(&str, &str)] = &[
    (
        "../rosters/csa.toml",
        include_str!("../../../experiments/rosters/csa.toml"),
    ),
    (
        "../rosters/union.toml",
        include_str!("../../../experiments/rosters/union.toml"),
    ),
];

/// The text of a bundled file that studies name: a variant or a roster.
///
/// # Errors
/// If there is none of that name.
pub fn bundled_variant(name: &str) -> Result<String, RuleError> {
    let mut files = VARIANTS.iter().chain(ROSTERS);
    let found = files.find(|(known, _)| *known == name);
    found
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| RuleError::unknown("bundled variant", name, VARIANTS.iter().map(|v| v.0)))
}

/// Studies that want a solver of linear programs: the page goes without, so that it is small in a browser.
pub const NOT_ON_PAGES: [&str; 2] = ["elephant-field", "elephant-condense"];

/// All of them, read.
///
/// # Errors
/// If one cannot be read, which a test rules out.
pub fn bundled() -> Result<Vec<Experiment>, RuleError> {
    let known = BUNDLED.iter();
    // What this program was built without is no study of its.
    #[cfg(not(feature = "field"))]
    let known = known.filter(|study| !NOT_ON_PAGES.contains(&study.id));
    known
        .map(|study| Experiment::parse(study.id, study.file, study.text))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overrides;
    use crate::run::Prepared;

    #[test]
    fn the_example_of_the_guide_is_a_study_that_runs() {
        let guide = include_str!("../../../experiments/README.md");
        let (_, rest) = guide.split_once("```toml\n").expect("an example");
        let (example, _) = rest.split_once("```").expect("its end");
        let experiment = Experiment::parse("example", "README.md", example).expect("readable");
        Prepared::new(experiment, Overrides::default(), bundled_variant).expect("sound");
    }
}
