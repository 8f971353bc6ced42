//! Luck: of one roll, and of a whole game.

use super::number::{grouped, percent, signed};
use super::records::record_of;
use super::{Cell, Column, Document, Report, Table, plain};
use grapeshot_engine::dist::Estimate;
use grapeshot_study::VERSION;
use grapeshot_study::luck::{Direction, Game, Luck, Observed, Played, game_in_words, in_words};
use serde::Serialize;
use serde_json::Value;

/// One roll.
#[derive(Debug, Clone, Serialize)]
pub struct LuckReport {
    /// What happened, among all that could.
    #[serde(flatten)]
    luck: Luck,
    /// Remarks.
    notes: Vec<String>,
    /// Programs have always read it here, last.
    version: &'static str,
}

impl LuckReport {
    /// What happened, with remarks.
    pub fn new(luck: Luck, notes: Vec<String>) -> Self {
        let version = VERSION;
        LuckReport {
            luck,
            notes,
            version,
        }
    }
}

/// A whole game.
#[derive(Debug, Clone, Serialize)]
pub struct GameReport {
    /// The log.
    #[serde(rename = "log")]
    pub file: String,
    /// What it comes to.
    #[serde(flatten)]
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

fn got(observed: &[Observed]) -> String {
    let one = |o: &Observed| format!("{}={}", o.variable.name, o.variable.label(o.value));
    observed.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Ends that are named in their order.
const ENDS: usize = 16;

/// What was taken for worse.
fn direction(observed: &Observed) -> String {
    let name = &observed.variable.name;
    match observed.direction {
        // Named only where there are few: who sees the order knows what the numbers above count.
        Direction::Favour => match observed.from_worst() {
            Some(ends) if ends.len() <= ENDS => {
                let ends: Vec<String> = ends.iter().map(|alike| alike.join(" or ")).collect();
                format!("what is named earlier of {}", ends.join(", "))
            }
            _ => format!("{name} that favours less"),
        },
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
        in_words(luck.percentile()),
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
        plain(self)
    }
}

/// What spreadsheets have of an entry.
const ENTRY: &str = "entry question got exactly worse or_worse percentile swing expected result luck error enemy_error";

impl Report for GameReport {
    fn document(&self) -> Document {
        let game = &self.game;
        let mut document = Document::new(format!("The luck of {}", self.file));
        let sum = &game.sum;
        let unit = |x: f64| match game.of_swings {
            true => format!("{} points", signed(100.0 * x, 1)),
            false => format!("{} percentiles", signed(100.0 * x, 0)),
        };
        document.findings.push(game_in_words(sum.percentile()));
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
        let entries = (1i64..).zip(&game.entries);
        let entries = entries.map(|(number, luck)| record_of("entry", number, luck));
        document.data("entries", Table::of_records(ENTRY, entries));
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
