//! How things can end: what the pieces do then, and which end is worse than which.
//!
//! Both are kept beside the tables, in `[ends]`, for every procedure of a ruleset together:
//!
//! ```toml
//! [ends.meanings]
//! "*-routs" = "the * runs, and has to rally"     # `*` is a side, or whatever stands there
//! "winner=none" = "nobody is driven off"         # of one variable only
//!
//! [ends.ranks]                                   # the worst for the side that acts first
//! charge = ["attacker-routs", "engaged", "attacker-wins"]
//! ```

use super::fight::matched;
use super::{LoadedRuleset, Procedure, RuleError};
use grapeshot_engine::dist::{Favour, Variable, VariableKind};

/// What is known of the ends of a ruleset's procedures.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    /// Patterns of labels, with or without their variable, and what they mean.
    meanings: Vec<(String, String)>,
    /// For each procedure its labels, the worst first.
    ranks: Vec<(String, Vec<String>)>,
}

impl Ends {
    /// Reads what a ruleset says of its ends; nothing is said where nothing stands there.
    ///
    /// # Errors
    /// If it says anything that is not understood, or ranks what cannot happen.
    pub fn read(loaded: &LoadedRuleset) -> Result<Self, RuleError> {
        let mut ends = Ends::default();
        let problems = loaded.tables.problems();
        let Some(mut section) = loaded.tables.entries("ends", &problems) else {
            return Ok(ends);
        };
        if let Some(mut meanings) = section.table("meanings") {
            ends.meanings = meanings.all();
        }
        if let Some(mut ranks) = section.table("ranks") {
            ends.ranks = ranks.all();
            for (name, labels) in &ends.ranks {
                // What a variant takes out of the rules may still be ranked here.
                let Ok(procedure) = loaded.playable(name) else {
                    continue;
                };
                if let Some(problem) = misranked(procedure, labels) {
                    ranks.problem(name, problem);
                }
            }
        }
        section.finish();
        problems.or(ends)
    }

    /// What the pieces do when a variable comes out so.
    pub fn meaning(&self, variable: &str, label: &str) -> Option<String> {
        let of_variable = format!("{variable}={label}");
        let said = |whole: &str| {
            let own = self.meanings.iter();
            let mut own = own.filter(|(pattern, _)| pattern.contains('=') == whole.contains('='));
            own.find_map(|(pattern, text)| Some(text.replace('*', matched(pattern, whole)?)))
        };
        said(&of_variable).or_else(|| said(label))
    }

    /// The place of every label of a variable, greater is better for the side that acts; none where they are not ranked.
    pub fn ranks(&self, procedure: &str, variable: &Variable) -> Option<Vec<usize>> {
        let VariableKind::Category(labels) = &variable.kind else {
            return None;
        };
        let (_, ranked) = self.ranks.iter().find(|(name, _)| name == procedure)?;
        let place = |label: &String| ranked.iter().position(|known| known == label);
        labels.iter().map(place).collect()
    }
}

/// What is wrong with an order of a procedure's ends, if anything is: it is that of one variable, whole, and an end that
/// favours the other side does not stand above one that favours this side.
fn misranked(procedure: &Procedure, ranked: &[String]) -> Option<String> {
    let mut labelled = procedure.variables.iter().filter_map(|v| match &v.kind {
        VariableKind::Category(labels) => Some((v, labels)),
        _ => None,
    });
    let is_whole = |labels: &[String]| {
        labels.len() == ranked.len() && labels.iter().all(|label| ranked.contains(label))
    };
    let Some((variable, labels)) = labelled.find(|(_, labels)| is_whole(labels)) else {
        let first = procedure.variables.first().map_or("", |v| v.name.as_str());
        return Some(format!(
            "must be all labels of a variable of {}, such as `{first}`, the worst first",
            procedure.name
        ));
    };
    let favour = |label: &String| {
        let at = labels.iter().position(|known| known == label)?;
        variable.favours.get(at).copied()
    };
    let favours: Vec<Favour> = ranked.iter().filter_map(favour).collect();
    // The best stands first among favours, and last here.
    let upside_down = favours.windows(2).position(|pair| pair[0] < pair[1]);
    upside_down.map(|at| {
        format!(
            "`{}` favours the side that acts more than `{}`, and stands before it",
            ranked[at],
            ranked[at + 1]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn every_end_of_every_printed_ruleset_is_explained() {
        let mut missing = Vec::new();
        for ruleset in Registry::built_in().printed() {
            let loaded = ruleset.load(&[]).expect("a ruleset");
            let ends = Ends::read(&loaded).expect("ends");
            let decisions = loaded.decisions().expect("decisions");
            let decided = decisions.iter().map(|decision| &decision.procedure);
            for procedure in loaded.procedures.iter().chain(decided) {
                let judged = procedure.variables.iter().filter(|v| !v.favours.is_empty());
                // What a decision comes to by itself says whom it favours.
                for variable in
                    judged.filter(|v| *v.name != *"result" || procedure.variables[0].name == v.name)
                {
                    let VariableKind::Category(labels) = &variable.kind else {
                        continue;
                    };
                    for label in labels {
                        let meaning = ends.meaning(&variable.name, label);
                        let place = format!("{} {} {}", ruleset.id, procedure.name, variable.name);
                        if meaning.is_none() {
                            missing.push(format!("{place}={label} is not explained"));
                        }
                    }
                    let alike = |favour| variable.favours.iter().filter(|f| **f == favour).count();
                    let more_than_one = Favour::ALL.into_iter().any(|favour| alike(favour) > 1);
                    if more_than_one && ends.ranks(&procedure.name, variable).is_none() {
                        missing.push(format!("{} {} is not ranked", ruleset.id, procedure.name));
                    }
                }
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }

    #[test]
    fn an_order_that_cannot_be_is_refused_with_its_line() {
        let elephant = crate::find("elephant").expect("elephant");
        for (ranks, wanted) in [
            (
                "rally = [\"yes\", \"no\", \"destroyed\"]",
                "stands before it",
            ),
            (
                "rally = [\"no\", \"yes\", \"nonsense\"]",
                "must be all labels",
            ),
        ] {
            let text = format!("rules = \"elephant\"\n[ends.ranks]\n{ranks}\n");
            let variant = crate::Variant::parse("v.toml", &text).expect("a variant");
            let loaded = elephant.load(&[variant]).expect("loads");
            let error = Ends::read(&loaded).expect_err("it cannot be").to_string();
            assert!(error.contains("rally") && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn a_star_is_a_side_and_a_variable_may_have_words_of_its_own() {
        let elephant = crate::find("elephant").expect("elephant");
        let ends = Ends::read(&elephant.load(&[]).expect("loads")).expect("ends");
        let said = |variable, label| ends.meaning(variable, label).expect("said");
        assert!(said("outcome", "attacker-routs").starts_with("the attacker runs"));
        assert!(said("winner", "none").contains("nobody is driven off"));
        assert_eq!(ends.meaning("outcome", "nonsense"), None);
    }
}
