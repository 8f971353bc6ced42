//! For programs: the same data as `--format json`, to the last byte.

use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::{Pages, options as usual};
use super::shell::Shell;
use super::{decide, help, instruments, luck, options};
use grapeshot_engine::engine::Watch;
use grapeshot_render::{LuckReport, OddsReport, ProcedurePage, Report, RulesetPage};
use grapeshot_rules::{OddsError, RuleError};
use grapeshot_study::Envelope;
use http::StatusCode;
use maud::html;
use serde_json::json;

/// Answers a program: `odds/elephant/charge` and its query.
pub(super) fn answer(server: &Pages, path: &[&str], query: &str, watch: &Watch) -> Reply {
    let answered = match path {
        ["rules"] => Ok(list(server)),
        ["rules", rules] => ruleset(server, rules).map_err(OddsError::from),
        ["rules", rules, procedure] => schema(server, (rules, procedure)).map_err(OddsError::from),
        [command, rules, procedure] if *command != "rules" => {
            asked(server, command, (rules, procedure), query, watch)
        }
        _ => Err(unknown(server, &path.join("/")).into()),
    };
    answered.unwrap_or_else(|error| wrong(&error))
}

/// What can be asked.
const COMMANDS: [&str; 7] = [
    "odds", "decide", "luck", "what-if", "weigh", "skill", "rules",
];
/// What needs linear programs besides.
const INSTRUMENTS: [&str; 2] = ["condense", "field"];

fn commands(server: &Pages) -> impl Iterator<Item = &'static str> {
    let more = INSTRUMENTS.iter().filter(|_| server.has_instruments());
    COMMANDS.iter().chain(more).copied()
}

fn unknown(server: &Pages, given: &str) -> RuleError {
    RuleError::unknown("question of a program", given, commands(server))
}

fn list(server: &Pages) -> Reply {
    let books = server.books().iter();
    let rulesets = books.map(|book| {
        json!({
            "id": book.id(),
            "title": *book.ruleset.title,
            "procedures": server.questions(book.id()),
        })
    });
    let rulesets: Vec<_> = rulesets.collect();
    Reply::json(&json!(Envelope::new(json!({ "rulesets": rulesets }))))
}

fn ruleset(server: &Pages, rules: &str) -> Result<Reply, RuleError> {
    Ok(Reply::json(&RulesetPage::new(server.book(rules)?)?.data()))
}

fn schema(server: &Pages, (rules, procedure): (&str, &str)) -> Result<Reply, RuleError> {
    let page = ProcedurePage::new(server.book(rules)?, procedure)?;
    Ok(Reply::json(&page.data()))
}

fn asked(
    server: &Pages,
    command: &str,
    at: (&str, &str),
    query: &str,
    watch: &Watch,
) -> Result<Reply, OddsError> {
    if !commands(server).any(|known| known == command) {
        return Err(unknown(server, command).into());
    }
    let ask = Ask::read(query)?;
    options::check(command, &ask)?;
    // A program that has a wrong house rule, key or value is told the first thing that is wrong.
    server.load(at.0, &ask)?;
    let asking = match command {
        "decide" | "skill" => Asking::decision(at.1),
        _ => Asking::plain(at.1),
    };
    let given = ask.given();
    let asked = Asked::new(server, (at.0, &asking), Ok(ask))?;
    asked.procedure().resolve(given)?;
    let data = match command {
        "odds" => odds(&asked, watch)?,
        "decide" => decide::report(&asked)?.data(),
        "luck" => LuckReport::new(luck::found(&asked)?, Vec::new()).data(),
        "what-if" => help::report(&asked, options::said(&asked.ask, "of"))?.data(),
        "weigh" => instruments::weighed(&asked)?.data(),
        #[cfg(feature = "field")]
        "condense" => instruments::condensed(&asked)?.data(),
        #[cfg(feature = "field")]
        "field" => instruments::fielded(server, &asked)?.data(),
        "skill" => instruments::skilled(&asked)?.data(),
        _ => unreachable!("the commands were looked through"),
    };
    Ok(Reply::json(&data))
}

fn odds(asked: &Asked, watch: &Watch) -> Result<serde_json::Value, OddsError> {
    let procedure = asked.loaded.procedure(&asked.procedure().name)?;
    let settings = asked.settings().expect("it was resolved").clone();
    let situation = procedure.situation(settings)?;
    let options = options::answering(&asked.ask, usual(&situation));
    let answered = situation.answer_watched(&options, watch)?;
    let states = options.budget.states;
    let report = OddsReport::answered(&asked.loaded, procedure, answered, states)
        .with_stages(options::said(&asked.ask, "stages").is_some())
        .with_joint(options::said(&asked.ask, "joint").is_some());
    Ok(report.data())
}

/// What is wrong, and how grave that is.
fn wrong(error: &OddsError) -> Reply {
    let (status, key) = match error {
        OddsError::Rule(RuleError::Unknown { what, .. })
            if what == "ruleset"
                || what.starts_with("procedure")
                || what.starts_with("question") =>
        {
            (StatusCode::NOT_FOUND, None)
        }
        OddsError::Rule(RuleError::Value { key, .. }) => (StatusCode::BAD_REQUEST, Some(key)),
        OddsError::Rule(RuleError::Refused { key, .. } | RuleError::LeftOut { key, .. }) => {
            (StatusCode::UNPROCESSABLE_ENTITY, Some(key))
        }
        OddsError::Rule(_) => (StatusCode::BAD_REQUEST, None),
        OddsError::Engine(_) => (StatusCode::UNPROCESSABLE_ENTITY, None),
    };
    Reply::wrong(status, &error.to_string(), key.map(String::as_str))
}

/// What programs can ask, for who writes them.
pub(super) fn page() -> Reply {
    let examples = [
        (
            "/api/odds/elephant/charge?attacker.grade=veteran",
            "what `grapeshot odds elephant charge attacker.grade=veteran --format json` prints",
        ),
        (
            "/api/odds/elephant/charge?stages&joint",
            "phase by phase, and every distinct outcome",
        ),
        (
            "/api/odds/elephant/firefight?method=simulate&trials=50000&seed=7",
            "simulated, with a seed",
        ),
        (
            "/api/decide/elephant/standoff",
            "best play; `plan=always+fire` for a plan",
        ),
        (
            "/api/luck/elephant/charge?got=outcome%3Dattacker-halts",
            "how lucky that was",
        ),
        (
            "/api/what-if/elephant/charge?of=success",
            "what every setting would change",
        ),
        (
            "/api/weigh/elephant/charge?over=attacker.grade,defender.cover",
            "what carries the result; `of` for another than success",
        ),
        ("/api/skill/elephant/standoff", "what play is worth"),
        ("/api/rules", "the rulesets and their procedures"),
        (
            "/api/rules/elephant/charge",
            "everything that can be set, with kinds, ranges and defaults",
        ),
    ];
    let shell = Shell {
        title: "For programs",
        link: "/api",
        ..Shell::default()
    };
    Reply::page(shell.around(html! {
        h1 { "For programs" }
        p.about { "The same data as " code { "--format json" } ", to the last byte. A wrong key or value is answered with 400, what the rules refuse with 422, and a sentence: " code { "{\"error\": …, \"key\": …}" } "; too many questions at once with 503." }
        ul { @for (address, about) in examples {
            li { a href=(address) { code { (address) } } br; (grapeshot_render::words(about)) }
        } }
    }))
}
