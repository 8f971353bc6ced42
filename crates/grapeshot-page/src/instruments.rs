//! What carries the result, and what play is worth: two of the designers' instruments, where they are quick enough to wait for.

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
use maud::{Markup, PreEscaped, html};

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
    let found = match (asked.is_understood(), part) {
        (true, "skill") => skilled(&asked).map(|found| found.document()),
        (true, _) => weighed(&asked).map(|found| found.document()),
        (false, _) => Err(RuleError::Other("the question is not understood".into()).into()),
    };
    let title = match part {
        "skill" => "What play is worth",
        _ => "What carries the result",
    };
    Ok(share::part(title, &asked, found.map(|found| shown(&found))))
}

fn shown(document: &Document) -> Markup {
    let pictures = document
        .pictures
        .iter()
        .filter_map(|picture| picture.narrow_svg());
    html! {
        @for sentence in &document.findings { p { (words(sentence)) } }
        @for picture in pictures { figure { (PreEscaped(picture)) } }
        (answer::tables(document, None))
        @for note in &document.notes { p.note { "note: " (words(note)) } }
    }
}
