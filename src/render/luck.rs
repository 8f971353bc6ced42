//! Luck: of one roll, and of a whole game.

use super::number::{grouped, percent, signed};
use super::{Cell, Column, Document, Report, Table};
use grapeshot_engine::dist::Estimate;
use grapeshot_study::luck::{Direction, Game, Luck, Observed, Played};
use serde_json::{Value, json};

/// One roll.
#[derive(Debug, Clone)]
pub struct LuckReport {
    /// What happened, among all that could.
    pub luck: Luck,
    /// Remarks.
    pub notes: Vec<String>,
}

/// A whole game.
#[derive(Debug, Clone)]
pub struct GameReport {
    /// The log.
    pub file: String,
    /// What it comes to.
    pub game: Game,
}

/// `1 in 12`, `3 in 4`; never more exact than a player thinks.
fn one_in(p: f64) -> String {
    if p <= 0.0 {
        return "never".into();
    }
    let n = 1.0 / p;
    match n {
        _ if p >= 1.0 - 1e-12 => "always".into(),
        n if n < 1.05 => "nearly always".into(),
        n if n < 1.95 => format!("{:.0} in 10", 10.0 * p),
        n if n < 9.5 => format!("1 in {}", trimmed(n)),
        n => format!("1 in {}", grouped(n.round() as u64)),
    }
}

/// `2.5`, but `4` and not `4.0`.
fn trimmed(n: f64) -> String {
    let text = format!("{n:.1}");
    text.trim_end_matches(".0").to_owned()
}

/// How lucky a percentile is, in a word.
fn word(percentile: f64) -> &'static str {
    match percentile {
        p if p < 0.01 => "wretchedly unlucky",
        p if p < 0.05 => "very unlucky",
        p if p < 0.2 => "unlucky",
        p if p <= 0.8 => "neither lucky nor unlucky",
        p if p <= 0.95 => "lucky",
        p if p <= 0.99 => "very lucky",
        _ => "blessed",
    }
}

fn got(observed: &[Observed]) -> String {
    let one = |o: &Observed| format!("{}={}", o.variable.name, o.variable.label(o.value));
    observed.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What was taken for worse.
fn direction(observed: &Observed) -> String {
    let name = &observed.variable.name;
    match observed.direction {
        Direction::Favour => format!("{name} that favours less"),
        Direction::Fewer => format!("fewer {name}"),
        Direction::More => format!("more {name}"),
        Direction::Rarer => format!("{name} that is rarer"),
    }
}

fn verdict(luck: &Luck) -> String {
    let lucky = luck.percentile() > 0.5;
    let (what, p) = match lucky {
        true => ("better", luck.or_better()),
        false => ("worse", luck.or_worse()),
    };
    let mut out = format!(
        "That was {}: this or {what} happens {} of the time ({})",
        word(luck.percentile()),
        percent(p),
        one_in(p)
    );
    if luck.played.is_none() {
        out += &format!(
            ", just this {} ({})",
            percent(luck.exactly),
            one_in(luck.exactly)
        );
    }
    out + "."
}

fn blame(played: &Played) -> String {
    let goal = &played.goal;
    let [own, enemy] = &played.sides;
    let mut out = format!(
        "Expected {}, came out {} (goal {goal}): the dice did {}, {own}'s decisions {}",
        signed(played.expected, 3),
        signed(played.result, 3),
        signed(played.luck, 3),
        signed(played.own.error, 3)
    );
    out += &match played.enemy.listed {
        Some(_) => format!(", {enemy}'s {}.", signed(played.enemy.error, 3)),
        None => ".".into(),
    };
    out
}

impl Report for LuckReport {
    fn document(&self) -> Document {
        let luck = &self.luck;
        let mut document = Document::new(format!("{}: {}", luck.question, got(&luck.observed)));
        document.findings.push(verdict(luck));
        if let Some(swing) = &luck.swing {
            document.findings.push(format!(
                "The chance of success went from {} to {}: {} points.",
                percent(swing.before),
                percent(swing.after),
                signed(100.0 * swing.by(), 1)
            ));
        }
        document.findings.extend(luck.played.as_ref().map(blame));
        let mut table = Table::new([
            Column::words(""),
            Column::number("chance"),
            Column::words("that is"),
            Column::words(""),
        ]);
        let mut row = |what: &str, p: f64| {
            table.row([
                Cell::text(what),
                Cell::chance(p),
                Cell::text(one_in(p)),
                Cell::bar(p),
            ]);
        };
        row("worse", luck.worse);
        row("just this", luck.exactly);
        row("this or worse", luck.or_worse());
        row("this or better", luck.or_better());
        table.row([
            Cell::text("percentile (ties count half)"),
            Cell::chance(luck.percentile()),
        ]);
        document.block("", table);
        let worse: Vec<String> = luck.observed.iter().map(direction).collect();
        document.notes.push(match luck.played {
            None => format!("worse is {}", worse.join(", then ")),
            Some(_) => "worse is a worse result, among all that best play can come to; just this is the chance that the dice let it go so".into(),
        });
        if luck.simulated {
            document.notes.push("the odds were simulated".into());
        }
        document.notes.extend(self.notes.iter().cloned());
        document
    }

    fn data(&self) -> Value {
        let mut out = luck_data(&self.luck);
        out["notes"] = json!(self.notes);
        out["version"] = json!(env!("CARGO_PKG_VERSION"));
        out
    }
}

fn luck_data(luck: &Luck) -> Value {
    let got: serde_json::Map<String, Value> = (luck.observed.iter())
        .map(|o| (o.variable.name.clone(), json!(o.variable.label(o.value))))
        .collect();
    let worse: serde_json::Map<String, Value> = (luck.observed.iter())
        .map(|o| {
            let word = match o.direction {
                Direction::Favour => "favours less",
                Direction::Fewer => "fewer",
                Direction::More => "more",
                Direction::Rarer => "rarer",
            };
            (o.variable.name.clone(), json!(word))
        })
        .collect();
    let mut out = json!({
        "question": luck.question,
        "got": got,
        "worse_is": worse,
        "exactly": luck.exactly,
        "worse": luck.worse,
        "or_worse": luck.or_worse(),
        "or_better": luck.or_better(),
        "percentile": luck.percentile(),
        "words": word(luck.percentile()),
        "method": if luck.simulated { "simulate" } else { "exact" },
    });
    if let Some(swing) = &luck.swing {
        out["success_before"] = json!(swing.before);
        out["success_after"] = json!(swing.after);
        out["swing"] = json!(swing.by());
    }
    if let Some(played) = &luck.played {
        out["goal"] = json!(&*played.goal);
        out["side"] = json!(*played.sides[0]);
        out["expected"] = json!(played.expected);
        out["result"] = json!(played.result);
        out["luck"] = json!(played.luck);
        out["error"] = json!(played.own.error);
        out["enemy_error"] = json!(played.enemy.error);
    }
    out
}

/// `One game in 40 is unluckier.`
fn game_sentence(percentile: f64) -> String {
    let (share, which) = match percentile > 0.5 {
        true => (1.0 - percentile, "luckier"),
        false => (percentile, "unluckier"),
    };
    match share {
        share if share > 0.4 => "As lucky as games usually are.".into(),
        share if share <= 1e-9 => format!("Hardly any game is {which}."),
        share => format!(
            "One game in {} is {which}.",
            grouped((1.0 / share).round() as u64)
        ),
    }
}

impl Report for GameReport {
    fn document(&self) -> Document {
        let game = &self.game;
        let mut document = Document::new(format!("The luck of {}", self.file));
        let sum = &game.sum;
        let unit = |x: f64| match game.of_swings {
            true => format!("{} points", signed(100.0 * x, 1)),
            false => format!("{} percentiles", signed(100.0 * x, 0)),
        };
        document.findings.push(game_sentence(sum.percentile()));
        document.findings.push(format!(
            "All {} entries together come to {}; an average game comes to nothing, and two in three lie within {} of that.",
            game.entries.len(),
            unit(sum.score),
            unit(sum.sd).trim_start_matches('+')
        ));
        if let Some(blame) = whole_blame(game) {
            document.findings.push(blame);
        }
        document.block("entry by entry", entries(game));
        document.data("entries", entries_data(game));
        document.notes.push(match game.of_swings {
            true => "the sum is one of swings: how much the dice changed the chance of success (or, with choices, the value)".into(),
            false => "the sum is one of percentiles, because some entry knows no success".into(),
        });
        document.notes.push(match sum.simulated {
            None => "the distribution of the sum is exact".into(),
            Some(games) => format!(
                "the distribution of the sum is simulated, {} games",
                grouped(games)
            ),
        });
        document
    }

    fn data(&self) -> Value {
        let game = &self.game;
        let sum = &game.sum;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "log": self.file,
            "entries": game.entries.iter().map(luck_data).collect::<Vec<_>>(),
            "sum": {
                "of": if game.of_swings { "swings" } else { "percentiles" },
                "value": sum.score,
                "sd": sum.sd,
                "worse": sum.smaller,
                "exactly": sum.exactly,
                "percentile": sum.percentile(),
                "method": if sum.simulated.is_some() { "simulate" } else { "exact" },
            },
            "words": game_sentence(sum.percentile()),
        })
    }
}

/// What the dice did in an entry, in points of success or of the value.
fn luck_of(luck: &Luck) -> Option<f64> {
    let played = luck.played.as_ref().map(|played| played.luck);
    luck.swing.map(|swing| swing.by()).or(played)
}

fn entries(game: &Game) -> Table {
    let mut table = Table::new([
        Column::number(""),
        Column::words("question"),
        Column::words("got"),
        Column::number("percentile"),
        Column::number("luck"),
        Column::number("decisions"),
    ]);
    let points = |x: Option<f64>| x.map_or_else(Cell::empty, |x| Cell::points(Estimate::exact(x)));
    for (number, luck) in (1i64..).zip(&game.entries) {
        table.row([
            Cell::count(number),
            Cell::text(&luck.question),
            Cell::text(got(&luck.observed)),
            Cell::chance(luck.percentile()),
            points(luck_of(luck)),
            points(luck.played.as_ref().map(|played| played.own.error)),
        ]);
    }
    table
}

fn entries_data(game: &Game) -> Table {
    let mut table = Table::named([
        "entry",
        "question",
        "got",
        "exactly",
        "worse",
        "or_worse",
        "percentile",
        "swing",
        "expected",
        "result",
        "luck",
        "error",
        "enemy_error",
    ]);
    for (number, luck) in (1i64..).zip(&game.entries) {
        let played = |of: fn(&Played) -> f64| Cell::maybe(luck.played.as_ref().map(of));
        table.row([
            Cell::count(number),
            Cell::text(&luck.question),
            Cell::text(got(&luck.observed)),
            Cell::chance(luck.exactly),
            Cell::chance(luck.worse),
            Cell::chance(luck.or_worse()),
            Cell::chance(luck.percentile()),
            Cell::maybe(luck.swing.map(|swing| swing.by())),
            played(|played| played.expected),
            played(|played| played.result),
            played(|played| played.luck),
            played(|played| played.own.error),
            played(|played| played.enemy.error),
        ]);
    }
    table
}

/// Dice against decisions over all entries in which somebody chose.
fn whole_blame(game: &Game) -> Option<String> {
    let played: Vec<&Played> = game
        .entries
        .iter()
        .filter_map(|e| e.played.as_ref())
        .collect();
    if played.is_empty() {
        return None;
    }
    let sum = |of: &dyn Fn(&Played) -> f64| signed(played.iter().map(|p| of(p)).sum(), 3);
    Some(format!(
        "Where there were choices, result less expectation is {}: the dice did {}, own decisions {}, the enemy's {}.",
        sum(&|p| p.result - p.expected),
        sum(&|p| p.luck),
        sum(&|p| p.own.error),
        sum(&|p| p.enemy.error)
    ))
}
