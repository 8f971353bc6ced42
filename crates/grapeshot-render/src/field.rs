//! Orders of battle held against each other.

use super::number::{counted, percent};
use super::quantity::{amount, amount_cell, change_cell, distance, signed};
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::field_charts;
use grapeshot_engine::dist::Estimate;
use grapeshot_engine::stats::fixed;
use grapeshot_study::field::{Alike, Attack, Equilibrium, Field, Fielded, Fight};
use grapeshot_study::wording::{joined, pairs_as_command};

/// Pairs, and units with a price, that a sentence names at most.
const NAMED: usize = 3;
/// Rows of a table that readers are shown.
const SHOWN: usize = 24;
/// A share of the differences below which rings are no matter.
const RINGS: f64 = 0.01;

impl Report for Field {
    fn document(&self) -> Document {
        let mut document = Document::new(format!(
            "{} {}: who beats whom, by {}",
            self.rules, self.procedure, self.quantity
        ));
        document.fact("", self.methods.text());
        document.fact("variants", self.variants.join(", "));
        document.fact("given", pairs_as_command(&self.given));
        document.findings.push(rungs(self));
        document.findings.extend(rings(self));
        document
            .findings
            .extend(self.attacks.iter().filter_map(|attack| sent(self, attack)));
        document.findings.extend(brought(self));
        document.findings.extend(prices(self));
        document.findings.extend(redundant(self));
        document
            .findings
            .extend(self.attacks.iter().map(|attack| unseen(self, attack)));
        let charts = field_charts(self).into_iter().enumerate();
        document.pictures.extend(charts.map(|(at, chart)| {
            let number = match at {
                0 => String::new(),
                at => format!("-{}", at + 1),
            };
            let name = format!("field-{}-{}{number}", self.rules, self.procedure);
            Picture::chart(name, chart)
        }));
        document.block(
            "the ladder: how far each stands above the field, and what that would cost",
            ladder(self).at_most(SHOWN, "--format csv"),
        );
        for attack in &self.attacks {
            if let Some(pairings) = attack.pairings.as_ref().filter(|all| !all.is_empty()) {
                let mut table = Table::new([
                    Column::words("attacker"),
                    Column::words("target"),
                    Column::number("how many"),
                    Column::number(self.quantity.to_string()),
                ]);
                for one in pairings {
                    table.row([
                        Cell::text(&one.attacker),
                        Cell::text(&one.target),
                        Cell::count(i64::from(one.number)),
                        amount_cell(&self.quantity, &Estimate::exact(one.each)),
                    ]);
                }
                document.block(
                    format!(
                        "{} against {}: who should attack whom",
                        attack.from, attack.at
                    ),
                    table.at_most(SHOWN, "--format json"),
                );
            }
        }
        if !self.alike.is_empty() {
            document.aside("units of one side that are the most alike", alike(self));
        }
        document.data("fights", fights(self));
        document.notes.extend(notes(self));
        document
    }
}

/// How an amount of the quantity that is no quantity itself is written: strengths and leads.
fn lead(field: &Field, by: f64) -> String {
    let unit = match field.quantity.is_probability() {
        true => " points",
        false => "",
    };
    format!("{}{unit}", signed(&field.quantity, by))
}

fn apart(field: &Field, by: f64) -> String {
    let unit = match field.quantity.is_probability() {
        true => " points",
        false => "",
    };
    format!("{}{unit}", distance(&field.quantity, by))
}

fn by_strength(field: &Field) -> Vec<(&Fielded, f64)> {
    let known = field.units.iter();
    let mut known: Vec<(&Fielded, f64)> = known
        .filter_map(|unit| Some((unit, unit.strength?)))
        .collect();
    known.sort_by(|a, b| b.1.total_cmp(&a.1));
    known
}

/// Who stands highest and lowest.
fn rungs(field: &Field) -> String {
    let ranked = by_strength(field);
    let (Some((first, high)), Some((last, low))) = (ranked.first(), ranked.last()) else {
        return "No two of these can attack each other in turn, so there is no ladder.".into();
    };
    if ranked.len() < 2 || high - low < 1e-9 {
        return format!(
            "{} stand on one rung: none has the better of another.",
            counted(ranked.len(), "unit")
        );
    }
    let second = &ranked[1];
    let next = match ranked.len() > 2 {
        true => format!(", then {} ({})", second.0.name, lead(field, second.1)),
        false => String::new(),
    };
    format!(
        "{} stands highest, {} against the field{next}; {} lowest, {}.",
        first.name,
        lead(field, *high),
        last.name,
        lead(field, *low)
    )
}

/// How much of the differences no ladder can say, and who shows it.
fn rings(field: &Field) -> Option<String> {
    let ladder = &field.ladder;
    if ladder.pairs < 3 {
        return None;
    }
    let share = match ladder.rings {
        x if x > 0.0 && x < 0.005 => "Less than 1 %".to_owned(),
        x => format!("{} %", fixed(100.0 * x, 0)),
    };
    let Some(ring) = &field.ring else {
        return Some(match ladder.rings < RINGS {
            true => format!(
                "The ladder says nearly all: {} of the differences are left over, and nobody is beaten in a ring.",
                share.to_lowercase()
            ),
            false => format!(
                "{share} of the differences are no matter of strength: who beats whom by how much hangs on who meets whom, \
                 though nobody is beaten in a ring."
            ),
        });
    };
    let (first, rest) = ring.units.split_first()?;
    let chain = rest.iter().chain([first]).zip(&ring.leads);
    let chain: Vec<String> = chain
        .map(|(next, by)| format!("{next} ({})", lead(field, *by)))
        .collect();
    Some(format!(
        "{share} of the differences are rock, paper, scissors: {first} has the better of {}.",
        chain.join(", that of ")
    ))
}

/// Who should attack whom.
fn sent(field: &Field, attack: &Attack) -> Option<String> {
    let pairings = attack.pairings.as_ref()?;
    if pairings.is_empty() {
        return Some(format!("{} can attack none of {}.", attack.from, attack.at));
    }
    let number: u32 = pairings.iter().map(|one| one.number).sum();
    let named = pairings.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|one| format!("{} at {}", one.attacker, one.target))
        .collect();
    if pairings.len() > NAMED {
        named.push("the rest as listed".into());
    }
    let together = attack.together.unwrap_or(0.0);
    let comes = match field.quantity.is_probability() {
        true => format!(
            "of {number} such attacks {} come to {}",
            fixed(together, 1),
            field.quantity
        ),
        false => format!("{} together {}", field.quantity, fixed(together, 2)),
    };
    Some(format!(
        "{} does best to send {}: {comes}.",
        attack.from,
        joined(named)
    ))
}

/// A mix in words.
fn mixed(mix: &[(String, f64)]) -> String {
    let mut chosen: Vec<&(String, f64)> = mix.iter().filter(|(_, share)| *share > 0.0).collect();
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1));
    match chosen[..] {
        [(only, _)] => format!("always {only}"),
        _ => {
            let parts = chosen.iter().take(NAMED + 1);
            let mut parts: Vec<String> = parts
                .map(|(name, share)| format!("{name} {} %", fixed(100.0 * share, 0)))
                .collect();
            if chosen.len() > parts.len() {
                parts.push("others".into());
            }
            joined(parts)
        }
    }
}

/// That neither side gains by going away.
fn certified(found: &Equilibrium) -> String {
    match found.gap().abs() {
        gap if gap < 1e-9 => "certified: neither gains 0.000000001 by another choice".into(),
        gap => format!("certified: neither gains more than {gap:.1e} by another choice"),
    }
}

/// What to send where nobody sees what the other does.
fn unseen(field: &Field, attack: &Attack) -> String {
    let found = &attack.unseen;
    let who = match attack.rosters {
        [from, at] if from == at => "Chosen unseen".to_owned(),
        _ => format!("{} against {}, chosen unseen", attack.from, attack.at),
    };
    format!(
        "{who}: send {}, meet it with {}; {} is then {} ({}).",
        mixed(&found.attacker),
        mixed(&found.target),
        field.quantity,
        amount(&field.quantity, &Estimate::exact(found.found.value)),
        certified(&found.found)
    )
}

fn brought(field: &Field) -> Option<String> {
    let choice = field.choice.as_ref()?;
    Some(format!(
        "Of these rosters, if the enemy picks one of them unseen, bring {} ({}).",
        mixed(&choice.bring),
        certified(&choice.found)
    ))
}

/// Who costs more and who less than it is worth.
fn prices(field: &Field) -> Option<String> {
    let fit = field.price_fit?;
    if fit <= 0.0 {
        return Some("Prices do not rise with strength at all.".into());
    }
    let mut over: Vec<(&Fielded, f64, f64)> = (field.units.iter())
        .filter_map(|unit| Some((unit, unit.unit.price?, unit.fair_price?)))
        .collect();
    over.sort_by(|a, b| (b.1 - b.2).total_cmp(&(a.1 - a.2)));
    let told = |(unit, price, fair): &(&Fielded, f64, f64)| {
        format!(
            "{} (at {} for {})",
            unit.name,
            fixed(*price, usize::from(price.fract() != 0.0)),
            fixed(*fair, 1)
        )
    };
    let (dear, cheap) = (over.first()?, over.last()?);
    Some(format!(
        "{} of what prices differ by goes with strength; the most overpriced is {}, the most underpriced {}.",
        percent(fit),
        told(dear),
        told(cheap)
    ))
}

/// Who could be left out of the list.
fn redundant(field: &Field) -> Option<String> {
    let near: Vec<&Alike> = field.nearly_alike().collect();
    let told = |pair: &&Alike| {
        format!(
            "{} and {} ({} apart)",
            pair.units[0],
            pair.units[1],
            apart(field, pair.distance)
        )
    };
    match near.len() {
        0 => field.alike.first().map(|pair| {
            format!(
                "No two units of a side are nearly alike; the nearest are {}.",
                told(&pair)
            )
        }),
        count => {
            let mut named: Vec<String> = near.iter().take(NAMED).map(told).collect();
            if count > NAMED {
                named.push(format!("{} pairs more", count - NAMED));
            }
            Some(format!("Nearly alike: {}.", joined(named)))
        }
    }
}

fn ladder(field: &Field) -> Table {
    let several = field.rosters.len() > 1;
    let priced = field.units.iter().any(|unit| unit.unit.price.is_some());
    let fitted = field.price_fit.is_some();
    let mut columns = vec![Column::words("unit")];
    if several {
        columns.push(Column::words("of"));
    }
    columns.push(Column::number("strength"));
    if priced {
        columns.push(Column::number("price"));
    }
    if fitted {
        columns.extend(["fair price", "overpriced by"].map(Column::number));
    }
    let mut table = Table::new(columns);
    let mut ranked: Vec<&Fielded> = field.units.iter().collect();
    let height = |unit: &Fielded| unit.strength.unwrap_or(f64::NEG_INFINITY);
    ranked.sort_by(|a, b| height(b).total_cmp(&height(a)));
    for unit in ranked {
        let mut row = vec![Cell::text(&unit.name)];
        if several {
            row.push(Cell::text(&field.rosters[unit.roster]));
        }
        row.push(match unit.strength {
            Some(strength) => change_cell(&field.quantity, &Estimate::exact(strength)),
            None => Cell::missing("it meets nobody who can attack it in turn"),
        });
        let money = |x: Option<f64>| x.map_or(Cell::empty(), |x| Cell::number(x, 1));
        if priced {
            row.push(money(unit.unit.price));
        }
        if fitted {
            let over = unit.unit.price.zip(unit.fair_price);
            row.push(money(unit.fair_price));
            row.push(over.map_or(Cell::empty(), |(price, fair)| {
                Cell::printed(super::number::signed(price - fair, 1), price - fair)
            }));
        }
        table.row(row);
    }
    table
}

fn alike(field: &Field) -> Table {
    let mut table = Table::new([
        Column::words("one"),
        Column::words("and"),
        Column::number("apart"),
    ]);
    for pair in &field.alike {
        table.row([
            Cell::text(&pair.units[0]),
            Cell::text(&pair.units[1]),
            change_cell(&field.quantity, &Estimate::exact(pair.distance)),
        ]);
    }
    table
}

/// A line for each fight.
fn fights(field: &Field) -> Table {
    let name = format!("{}", field.quantity);
    let mut table = Table::named([
        field.sides[0].as_str(),
        field.sides[1].as_str(),
        "of",
        "value",
        "low",
        "high",
        "refused",
    ]);
    for (row, cells) in field.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let names = [&field.units[row].name, &field.units[column].name, &name];
            let names = names.map(Cell::text).into_iter();
            match cell {
                Fight::None => {}
                Fight::Refused(reason) => {
                    let empty = [Cell::empty(), Cell::empty(), Cell::empty()];
                    table.row(names.chain(empty).chain([Cell::text(reason)]));
                }
                Fight::Found(x) => {
                    let ends = [x.value, x.low, x.high].map(|x| Cell::maybe(Some(x)));
                    table.row(names.chain(ends).chain([Cell::empty()]));
                }
            }
        }
    }
    table
}

fn notes(field: &Field) -> Vec<String> {
    let mut notes = Vec::new();
    let refused = field.refused();
    if !refused.is_empty() {
        let all: usize = refused.iter().map(|(_, count)| count).sum();
        let told = refused.iter().take(NAMED);
        let told: Vec<String> = told
            .map(|(reason, count)| format!("{reason} ({})", counted(*count, "fight")))
            .collect();
        let counts: usize = field
            .attacks
            .iter()
            .map(|attack| attack.unseen.refused)
            .sum();
        let game = match counts {
            0 => "",
            _ => "; chosen unseen it counts as nought",
        };
        notes.push(format!(
            "the rules refuse {}, which no ladder and no attack has{game}: {}",
            counted(all, "fight"),
            told.join("; ")
        ));
    }
    if field.ladder.parts > 1 {
        notes.push(format!(
            "there are {} groups of which none meets another: strengths compare within a group only",
            field.ladder.parts
        ));
    }
    notes
}
