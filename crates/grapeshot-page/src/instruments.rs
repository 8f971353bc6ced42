//! The designers' instruments, where they are quick enough to wait for: what carries the result, what play is worth, a whole
//! procedure on one roll, and rosters against each other.

use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::{Pages, options_each};
use super::{answer, limits, options, share};
use grapeshot_engine::engine::Budget;
use grapeshot_render::{Document, Report, words};
use grapeshot_rules::{OddsError, RuleError};
use grapeshot_study::Workbench;
use grapeshot_study::decide::{Skill, skill};
use grapeshot_study::weigh::{WeighAsked, Weighing};
use maud::{Markup, html};
#[cfg(feature = "field")]
use {
    grapeshot_charts::Style,
    grapeshot_render::CondenseReport,
    grapeshot_study::condense::{CondenseAsked, condense, faces},
    grapeshot_study::field::{Field, field},
};

/// Combinations that are answered while somebody waits; more are sampled.
const CELLS: usize = 2_000;

/// What carries the result: of what is named, or of what moves it most.
///
/// # Errors
/// As the command line.
pub(super) fn weighed(asked: &Asked) -> Result<Weighing, OddsError> {
    let name = &asked.procedure().name;
    let bench = Workbench::new(&asked.loaded, name, asked.ask.given(), options_each())?;
    let over = options::said(&asked.ask, "over");
    let weigh = WeighAsked {
        over: over.map(str::to_owned).into_iter().collect(),
        of: options::said(&asked.ask, "of").map(str::to_owned),
        most_cells: Some(CELLS),
        ..WeighAsked::default()
    };
    weigh.answer(&bench)
}

/// The whole on one roll.
///
/// # Errors
/// As the command line.
#[cfg(feature = "field")]
pub(super) fn condensed(asked: &Asked) -> Result<CondenseReport, OddsError> {
    let name = &asked.procedure().name;
    let bench = Workbench::new(&asked.loaded, name, asked.ask.given(), options_each())?;
    let said = |name: &str| options::said(&asked.ask, name).map(str::to_owned);
    let found = condense(
        &bench,
        &CondenseAsked {
            die: said("die").and_then(|die| faces(&die)),
            rows: said("rows"),
            columns: said("columns"),
            of: said("of"),
            modifiers: said("modifiers").is_some(),
            ..CondenseAsked::default()
        },
    )?;
    let style = Style::default();
    Ok(CondenseReport { found, style })
}

/// What can be said of a chart for one roll.
#[cfg(feature = "field")]
fn condense_form(asked: &Asked) -> Markup {
    let said = |name: &str| options::said(&asked.ask, name).unwrap_or_default();
    let keys: Vec<&str> = asked
        .procedure()
        .settings
        .iter()
        .map(|s| s.key.as_str())
        .collect();
    html! {
        form method="get" action=(format!("{}/condense", asked.path())) aria-label="The chart" {
            @for (key, value) in asked.changed_settings() { input type="hidden" name=(key) value=(value.to_string()); }
            @for (word, said) in asked.ask.rules() { input type="hidden" name=(word) value=(said); }
            p {
                label { "die " select name="die" { @for die in [6, 10, 12, 20, 100] {
                    option selected[faces(said("die")).unwrap_or(100) == die] { "d" (die) }
                } } } " "
                @for (name, usual) in [("rows", "grades"), ("columns", "cover")] {
                    label { (name) " " select name=(name) {
                        option value="" { (usual) }
                        @for key in &keys { option value=(key) selected[said(name) == *key] { (key) } }
                    } } " "
                }
                label { input type="checkbox" name="modifiers" value="" checked[options::said(&asked.ask, "modifiers").is_some()]; " modifiers" } " "
                button type="submit" { "Make the chart" }
            }
        }
    }
}

/// The rosters at hand against each other.
///
/// # Errors
/// As the command line, or if there is none.
#[cfg(feature = "field")]
pub(super) fn fielded(server: &Pages, asked: &Asked) -> Result<Field, OddsError> {
    let rosters = server.rosters(asked.loaded.id());
    if rosters.is_empty() {
        let problem = "no roster stands at hand: grapeshot serve --roster ROSTER.toml";
        return Err(RuleError::Other(problem.into()).into());
    }
    let name = &asked.procedure().name;
    let bench = Workbench::new(&asked.loaded, name, asked.ask.given(), options_each())?;
    let quantity = bench.quantity(options::said(&asked.ask, "of"))?;
    field(&bench, &quantity, &rosters)
}

/// What play is worth.
///
/// # Errors
/// As the command line.
pub(super) fn skilled(asked: &Asked) -> Result<Skill, OddsError> {
    let decision = asked.loaded.decision(&asked.procedure().name)?;
    let settings = decision.procedure.resolve(asked.ask.given())?;
    let budget = Budget {
        states: limits::STATES,
    };
    skill(&asked.loaded, &decision, &settings, budget)
}

/// The page of one of them.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn page(
    server: &Pages,
    at: (&str, &Asking),
    query: &str,
    part: &str,
) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    let understood = || match asked.is_understood() {
        true => Ok(()),
        false => Err(RuleError::Other("the question is not understood".into()).into()),
    };
    let (title, found) = match part {
        "skill" => {
            let found = understood().and_then(|()| skilled(&asked));
            (
                "What play is worth",
                found.map(|found| shown(&found.document())),
            )
        }
        #[cfg(feature = "field")]
        "condense" => {
            let chart = understood().map(|()| match condensed(&asked) {
                Ok(found) => html! { (condense_form(&asked)) (shown(&found.document())) },
                // Whoever named what cannot be a row finds the form again.
                Err(error) => {
                    html! { (condense_form(&asked)) p.finding { (words(&error.to_string())) } }
                }
            });
            ("All of it on one roll", chart)
        }
        #[cfg(feature = "field")]
        "field" => {
            let found = understood().and_then(|()| fielded(server, &asked));
            (
                "Everyone against everyone",
                found.map(|found| shown(&found.document())),
            )
        }
        _ => {
            let found = understood().and_then(|()| weighed(&asked));
            (
                "What carries the result",
                found.map(|found| shown(&found.document())),
            )
        }
    };
    Ok(share::part(title, &asked, found))
}

fn shown(document: &Document) -> Markup {
    html! {
        @for sentence in &document.findings { p { (words(sentence)) } }
        (answer::tables(document, None))
        @for note in &document.notes { p.note { "note: " (words(note)) } }
    }
}
