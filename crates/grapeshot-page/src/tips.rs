//! What the side that acts could do instead, in a sentence beside the first.

use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::{Pages, options_each};
use super::share;
use grapeshot_engine::dist::{Favour, Quantity};
use grapeshot_engine::engine::Watch;
use grapeshot_engine::stats;
use grapeshot_render::OddsReport;
use grapeshot_rules::{Given, OddsError, RuleError};
use grapeshot_study::wording::capital;
use maud::{Markup, html};

/// How many are told.
const TOLD: usize = 2;

/// What can be done, and what it makes of a hundred.
struct Tip {
    words: String,
    given: Given,
    count: usize,
}

/// Where the sentence is, if there is anything to do.
pub(super) fn link(asked: &Asked, report: &OddsReport) -> Option<String> {
    let any = !asked.carries().could(&report.procedure).is_empty();
    // What is played out cannot be asked several times while somebody waits.
    (any && report.odds.is_joint()).then(|| asked.link_to("tips"))?
}

/// The page.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn page(
    server: &Pages,
    at: (&str, &Asking),
    query: &str,
    watch: &Watch,
) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    let found = sentence(&asked, watch);
    Ok(share::part("What could be done", &asked, found))
}

/// Of a hundred how many succeed.
fn count(asked: &Asked, given: &Given, watch: &Watch) -> Result<Option<f64>, OddsError> {
    let procedure = asked.procedure();
    let situation = procedure.situation(procedure.resolve(given.clone())?)?;
    let answered = situation.answer_watched(&options_each(), watch)?;
    let success = Quantity::Favoured(Favour::Success).of(&answered.odds);
    Ok(success.map(|success| success.value))
}

fn sentence(asked: &Asked, watch: &Watch) -> Result<Markup, OddsError> {
    let Some(settings) = asked.settings() else {
        return Err(RuleError::Other("the question is not understood".into()).into());
    };
    let own = asked.changed_settings();
    let Some(now) = count(asked, &own, watch)? else {
        return Ok(html! {});
    };
    let mut tips = Vec::new();
    for (words, moves) in asked.carries().could(&asked.procedure().name) {
        let is_so = |(key, value): &(String, grapeshot_rules::Value)| {
            settings
                .find(key)
                .is_some_and(|now| now.to_string() == value.to_string())
        };
        if moves.iter().all(is_so) {
            continue;
        }
        let given: Given = own.iter().chain(moves).cloned().collect();
        // What the rules refuse here cannot be done.
        if let Ok(Some(then)) = count(asked, &given, watch)
            && stats::hundredth(then) > stats::hundredth(now)
        {
            tips.push((
                then,
                Tip {
                    words: words.clone(),
                    given,
                    count: stats::hundredth(then),
                },
            ));
        }
    }
    tips.sort_by(|(x, _), (y, _)| y.total_cmp(x));
    let tips: Vec<Tip> = tips.into_iter().take(TOLD).map(|(_, tip)| tip).collect();
    let was = stats::hundredth(now);
    let mut told = Vec::new();
    for (at, tip) in tips.iter().enumerate() {
        let words = if at == 0 {
            capital(&tip.words)
        } else {
            tip.words.clone()
        };
        let gives = match (was, tip.count) {
            (1.., n) if n == 2 * was => format!("doubles it to {n}"),
            (1.., n) if n == 3 * was => format!("trebles it to {n}"),
            (_, n) => format!("gives {n}"),
        };
        let settings = asked.procedure().resolve(tip.given.clone())?;
        let link = asked
            .ask
            .plainly()
            .link(&asked.path(), asked.procedure(), &settings);
        told.push(html! { a href=(link) { (words) } " " (gives) });
    }
    Ok(html! {
        @for (at, one) in told.iter().enumerate() { @if at > 0 { "; " } (one) }
        @if !told.is_empty() { "." }
    })
}
