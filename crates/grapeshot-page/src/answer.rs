//! The page of a question: the answer in a sentence, a hundred of them, and everything beside it.

use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::{Pages, options};
use super::shell::Shell;
use super::{carry, chart, decide, elsewhere, form, hundred, luck, play, share, tips};
use grapeshot_engine::dist::{Favour, Quantity};
use grapeshot_engine::engine::Watch;
use grapeshot_render::{self as render, Glance, OddsReport, Report, Role, glance, words};
use grapeshot_rules::{Ends, OddsError, RuleError};
use grapeshot_study::wording::capital;
use http::StatusCode;
use maud::{Markup, html};

/// Answers a question, or says at each field what is wrong with it.
pub(super) fn page(
    server: &Pages,
    at: (&str, &Asking),
    query: &str,
    watch: &Watch,
) -> Result<Reply, RuleError> {
    let mut asked = Asked::new(server, at, Ask::read(query))?;
    if !asked.is_understood() {
        return Ok(refusal(server, &asked, StatusCode::BAD_REQUEST));
    }
    // One question, one address: what need not be said is left out.
    let here = if query.is_empty() {
        asked.path()
    } else {
        format!("{}?{query}", asked.path())
    };
    let link = asked.link().unwrap_or_else(|| here.clone());
    let stays = asked.ask.text.as_ref().is_some_and(play::Source::stays);
    if link != here && !stays {
        return Ok(Reply::see(link));
    }
    let answered = match asked.decision().is_some() {
        true => decide::answer(server, &asked),
        false => answer(server, &asked, watch),
    };
    Ok(match answered {
        Ok(answer) => Reply::page(whole(server, &asked, Some(&answer))),
        Err(error) => {
            asked.refused(&error);
            refusal(server, &asked, StatusCode::UNPROCESSABLE_ENTITY)
        }
    })
}

/// A page that says what is wrong.
fn refusal(server: &Pages, asked: &Asked, status: StatusCode) -> Reply {
    Reply::page(whole(server, asked, None)).with(status)
}

/// An answer as it stands on the page.
pub(super) struct Answer {
    /// One sentence.
    pub(super) sentence: String,
    /// The number it turns on, of a hundred, and what that is: to be compared with the next.
    pub(super) turns_on: Option<(f64, String)>,
    /// Where to ask what would make it better.
    pub(super) tips: Option<String>,
    /// The same as a strip of colours.
    pub(super) strip: Markup,
    /// Everything else, the most wanted first.
    pub(super) body: Markup,
}

/// The odds of a question.
///
/// # Errors
/// If the rules refuse it, or the engine cannot answer.
pub(super) fn report(asked: &Asked, watch: &Watch) -> Result<OddsReport, OddsError> {
    let procedure = asked.procedure();
    let settings = asked.settings().expect("it was understood").clone();
    let situation = procedure.situation(settings)?;
    let options = options(&situation);
    let answered = situation.answer_watched(&options, watch)?;
    let states = options.budget.states;
    let report = OddsReport::answered(&asked.loaded, procedure, answered, states);
    Ok(report.with_stages(true))
}

fn answer(server: &Pages, asked: &Asked, watch: &Watch) -> Result<Answer, OddsError> {
    let report = report(asked, watch)?;
    let luck = luck::section(server, asked, &report)?;
    let glance = glance(&report.procedure, &report.odds);
    Ok(Answer {
        body: html! {
            (seen(asked, &glance))
            (stages(&report))
            (at_least(&glance))
            (luck)
            (beside(server, asked, &report))
            (share::section(asked, &report))
        },
        strip: hundred::strip(&glance),
        tips: tips::link(asked, &report),
        turns_on: turns_on(&report),
        sentence: glance.sentence,
    })
}

/// The chance of success, where somebody can succeed.
fn turns_on(report: &OddsReport) -> Option<(f64, String)> {
    let success = Quantity::Favoured(Favour::Success);
    let share = success.of(&report.odds)?;
    Some((100.0 * share.value, success.to_string()))
}

/// A hundred of them, and how they end: behind each end what the pieces do then, and that it happened.
pub(super) fn seen(asked: &Asked, glance: &Glance) -> Markup {
    let ends = Ends::read(&asked.loaded).unwrap_or_default();
    let headline = asked.procedure().variables.first();
    let explained = |label: &str| {
        let name = &headline?.name;
        let meaning = ends.meaning(name, label);
        let happened = asked.link_got(&format!("{name}={label}"));
        Some(html! { div {
            @if let Some(meaning) = meaning { p { (words(&capital(&meaning))) "." } }
            @if let Some(happened) = happened { p { a.button href=(happened) { "That happened" } } }
        } })
    };
    html! {
        section.seen {
            h2 { "Of 100 such" }
            (hundred::picture(glance))
            @if let Some(fails) = &glance.fails { p { (fails) } }
            (hundred::ends(glance, explained))
            p.note { (capital(&glance.method)) ". Asked again, it is the same to the last digit." }
        }
    }
}

/// Where it ends, stage by stage: where there is more than one.
fn stages(report: &OddsReport) -> Markup {
    let document = report.document();
    let block = document.find(Role::Stages);
    html! {
        @if let (true, Some(block)) = (report.odds.stages().len() > 1, block) {
            section.stages { h2 { "Stage by stage" } p.note { (block.heading) } (render::block(&unheaded(block), 2)) }
        }
    }
}

fn unheaded(block: &render::Block) -> render::Block {
    render::Block {
        heading: String::new(),
        ..block.clone()
    }
}

/// What is lost, at least.
pub(super) fn at_least(glance: &Glance) -> Markup {
    html! {
        @if !glance.at_least.is_empty() {
            section.atleast {
                h2 { "At least" }
                ul { @for line in &glance.at_least { li { (words(line)) } } }
            }
        }
    }
}

/// What is worked out when somebody looks: what would help, other rulesets, all the numbers.
fn beside(server: &Pages, asked: &Asked, report: &OddsReport) -> Markup {
    html! {
        @if let Some(decided) = decision_about(server, asked).filter(|_| report.odds.is_joint()) {
            p { a.button href=(carry::link(asked, &decided)) { "What should be done? Decide it" } }
        }
        // What is played out cannot be asked hundreds of times while somebody waits.
        @if report.odds.is_joint() {
            (part(asked, "help", "What would help most"))
            (part(asked, "weigh", "What carries the result"))
        }
        @if elsewhere::is_known(server, asked) {
            (part(asked, "elsewhere", "The same fight in other rulesets"))
        }
        (part(asked, "numbers", "All the numbers"))
        @if report.odds.is_joint() && server.has_instruments() {
            p.pills {
                @if let Some(link) = asked.link_to("condense") { a href=(link) { "All of it on one roll" } }
                @if !server.rosters(asked.loaded.id()).is_empty() && asked.has_two_sides() {
                    @if let Some(link) = asked.link_to("field") { a href=(link) { "Everyone against everyone" } }
                }
            }
        }
        @for note in &report.notes { p.note { "note: " (words(note)) } }
    }
}

/// Where one decides what to do in this fight: in a question that is nothing but a decision, such as a standoff, and so is about
/// the side that would act; else in this one, where its enemy may be the one who chooses.
fn decision_about(server: &Pages, asked: &Asked) -> Option<Asking> {
    let own = Asking::decision(&*asked.procedure().name);
    let others = asked.others(server);
    let only_decided = |asking: &&Asking| asked.loaded.procedure(&asking.name).is_err();
    let about = asked
        .has_two_sides()
        .then(|| others.iter().find(only_decided));
    let about = about.flatten().cloned();
    about.or_else(|| others.contains(&own).then_some(own))
}

/// Everything that is reported, as charts and tables.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn numbers(
    server: &Pages,
    at: (&str, &Asking),
    query: &str,
    watch: &Watch,
) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    let found = match asked.is_understood() {
        true if asked.decision().is_some() => decide::numbers(&asked),
        true => report(&asked, watch).map(|report| {
            // A picture cannot be posted for.
            let stays = asked.ask.text.as_ref().is_some_and(play::Source::stays);
            let draws = chart::draws(&report.odds) && !stays;
            let chart = draws.then(|| asked.link_to("chart.svg"));
            tables(&report.document(), chart.flatten())
        }),
        false => Err(RuleError::Other("the question is not understood".into()).into()),
    };
    Ok(share::part("All the numbers", &asked, found))
}

/// The blocks of a document, with a chart before them.
pub(super) fn tables(document: &render::Document, chart: Option<String>) -> Markup {
    let blocks = document.blocks.iter();
    html! {
        @if let Some(chart) = chart {
            figure { img src=(chart) loading="lazy" width="675" height="420"
                alt="Step curves: the chance of at least so many, for each number that is reported. The tables below hold the same."; }
        }
        @for picture in &document.pictures {
            @if let Ok(figure) = render::figure(picture) { (figure) }
        }
        @for block in blocks.filter(|block| block.place != render::Audience::Data) {
            (render::block(block, 2))
        }
    }
}

/// A part that has an address of its own, and is fetched when it is seen.
pub(super) fn part(asked: &Asked, name: &str, title: &str) -> Markup {
    html! {
        @if let Some(link) = asked.link_to(name) {
            section.part data-part=(link) { h2 { a href=(link) { (title) } } }
        }
    }
}

/// The page around an answer, or around what is wrong.
fn whole(server: &Pages, asked: &Asked, answer: Option<&Answer>) -> Markup {
    let procedure = asked.procedure();
    let title = format!("{} {}", asked.rules, procedure.name);
    let link = asked.link().unwrap_or_default();
    let shell = Shell {
        title: &title,
        link: &link,
        trail: vec![(asked.rules.clone(), asked.rules_link())],
        ..Shell::default()
    };
    shell.around(html! {
        div.heading {
            h1 { (procedure.name) @if asked.decision().is_some() { ": what to do" } }
            (menu(server, asked))
        }
        p.about { (words(&procedure.about)) }
        div #verdict role="status" { (verdict(asked, answer)) }
        div.table.tried[asked.is_tried()] {
            @if asked.is_tried() { (play::editor(server, asked)) }
            (form::form(server, asked))
            div #answer { @if let Some(answer) = answer { (answer.body) } }
        }
    })
}

/// One sentence, or what is wrong.
fn verdict(asked: &Asked, answer: Option<&Answer>) -> Markup {
    html! {
        @match answer {
            Some(answer) => {
                p.sentence data-percent=[answer.turns_on.as_ref().map(|(n, _)| format!("{n:.4}"))]
                    data-of=[answer.turns_on.as_ref().map(|(_, of)| of)] { (words(&answer.sentence)) }
                @if let Some(tips) = &answer.tips { p.tips data-part=(tips) {} }
                (answer.strip)
            }
            None => div.wrong {
                p.sentence { "There is no answer to this." }
                ul {
                    @for trouble in &asked.troubles { li { (words(trouble)) } }
                    @for (key, told) in asked.wrong() {
                        li { a href={ "#" (super::field::id(key)) } { (words(told)) } }
                    }
                }
            },
        }
        @if let Some(names) = Some(asked.loaded.variant_names()).filter(|names| !names.is_empty()) {
            p.note { "Under " (names.join(", ")) ", not as printed." }
        }
    }
}

/// What is asked most often, in this order.
pub(super) const FIRST: [&str; 4] = ["charge", "fire", "melee", "morale"];

/// Other questions about the same fight and other rules for it, one tap away.
fn menu(server: &Pages, asked: &Asked) -> Markup {
    let id = asked.rules.as_str();
    let here = asked.path();
    let known = asked.others(server);
    let is_first =
        |asking: &&Asking| !asking.is_decision() && FIRST.contains(&asking.name.as_str());
    let first = FIRST.iter().filter_map(|name| {
        let asking = Asking::plain(*name);
        known.contains(&asking).then_some(asking)
    });
    let pill = |asking: &Asking| {
        let at = format!("/{id}/{asking}");
        html! {
            a href=(carry::link(asked, asking)) aria-current=[(at == here).then_some("page")] { (asking.title()) }
        }
    };
    html! {
        nav.questions aria-label="Questions about this fight" {
            p.pills { @for asking in first { (pill(&asking)) } }
        }
        details.menu {
            summary { "more questions, other rules" }
            nav aria-label="Other questions" {
                p.pills { @for asking in known.iter().filter(|asking| !is_first(asking)) { (pill(asking)) } }
                p.pills { @for (book, link) in carry::links_in(server, asked) {
                    a href=(link) aria-current=[(book.id() == id).then_some("true")] { (book.ruleset.title) }
                } }
            }
        }
        @if !asked.ask.also.is_empty() {
            p.note { "Kept for other questions about this fight: " code { (asked.ask.also.join(" ")) } "." }
        }
    }
}
