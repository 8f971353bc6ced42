//! Balance cards.

use super::number::{percent, signed};
use super::{Cell, Column, Document, Picture, Report, Table, data};
use crate::pictures::card_chart;
use grapeshot_study::{Amount, Card, Figure, Measure};
use serde::Serialize;

/// The cards of some rulesets.
#[derive(Debug)]
pub struct CardReport {
    /// The cards.
    pub cards: Vec<Card>,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
}

/// What holds unless a definition says otherwise.
const USUAL: &str =
    "400 regulars a side, rifle-muskets, in the open, 100 yards, unless said otherwise";

impl Report for CardReport {
    fn document(&self) -> Document {
        let mut document = Document::new("Balance cards");
        document.anchor = "comparison".into();
        document.fact("", USUAL);
        document.fact("", self.method());
        document.fact("variants", self.variants.join(", "));
        let chart = Picture::chart("card-charge", card_chart(&self.cards));
        document.pictures.push(chart);
        document.block("", side_by_side(&self.cards));
        for card in &self.cards {
            let left_out = left_out(card);
            if !left_out.is_empty() {
                document.block(format!("left out of {}", card.rules), left_out);
            }
        }
        for card in self
            .cards
            .iter()
            .filter(|card| !card.assumptions.is_empty())
        {
            let assumed = card.assumptions.iter();
            let assumed: Vec<String> = assumed.map(|(n, text)| format!("{n}: {text}")).collect();
            document.aside(format!("assumed for {}", card.rules), assumed);
        }
        document.aside("definitions", definitions(&self.cards));
        document.data("figures", figures_data(&self.cards));
        document
    }

    fn data(&self) -> serde_json::Value {
        data(&Data {
            version: env!("CARGO_PKG_VERSION"),
            variants: &self.variants,
            cards: self.cards.iter().map(CardData::of).collect(),
        })
    }
}

impl CardReport {
    fn method(&self) -> String {
        let simulated = |card: &&Card| card.figures.iter().any(|figure| !figure.exact);
        let partly: Vec<&str> = self
            .cards
            .iter()
            .filter(simulated)
            .map(|c| c.rules.as_str())
            .collect();
        match partly.as_slice() {
            [] => "exact".into(),
            partly => format!("exact, but partly simulated in {}", partly.join(", ")),
        }
    }
}

/// A figure as it is read.
fn written(figure: &Figure) -> String {
    let number = |x: f64| match figure.measure {
        Measure::Share => percent(x),
        Measure::Points => format!("{} points", tenths(x)),
        Measure::Change => format!("{} %", tenths(x)),
        Measure::Ratio => format!("{x:.2} : 1"),
        Measure::Turns if x == 1.0 => "1 turn".into(),
        Measure::Turns => format!("{x} turns"),
    };
    match figure.value {
        Ok(Amount::Is(x)) => number(x),
        Ok(Amount::AtMost(x)) => format!("at most {}", number(x)),
        Ok(Amount::MoreThan(x)) => format!("more than {}", number(x)),
        Err(_) => "–".into(),
    }
}

/// A change in hundredths, to a tenth of one.
fn tenths(x: f64) -> String {
    match x.abs() < 5e-4 {
        true => "0.0".into(),
        false => signed(100.0 * x, 1),
    }
}

fn side_by_side(cards: &[Card]) -> Table {
    let rulesets = cards.iter().map(|card| Column::number(&card.rules));
    let mut table = Table::new([Column::words("figure")].into_iter().chain(rulesets));
    let figures = cards.first().map_or(&[][..], |card| &card.figures);
    for (at, figure) in figures.iter().enumerate() {
        let name = Cell::text(format!("{}, {}", figure.topic, figure.name));
        let known = cards
            .iter()
            .filter_map(|card| card.figures[at].value.as_ref().ok());
        let most = known
            .map(|amount| amount.number().abs())
            .fold(0.0, f64::max);
        let cells = cards.iter().map(|card| {
            let figure = &card.figures[at];
            match &figure.value {
                Err(reason) => Cell::missing(format!("left out: {reason}")),
                Ok(amount) => {
                    let cell = Cell::text(written(figure)).remark(figure.detail.clone());
                    tinted(
                        cell,
                        figure.measure,
                        amount.number() / most.max(f64::MIN_POSITIVE),
                    )
                }
            }
        });
        table.row([name.remark(figure.definition)].into_iter().chain(cells));
    }
    table
}

/// How much it is beside the most of its row: a change in the colour of its direction, an amount in one colour.
fn tinted(cell: Cell, measure: Measure, part: f64) -> Cell {
    match measure {
        Measure::Points | Measure::Change => cell.tinted(part),
        Measure::Share | Measure::Ratio | Measure::Turns => cell.heated(part),
    }
}

fn definitions(cards: &[Card]) -> Vec<String> {
    let figures = cards.first().map_or(&[][..], |card| &card.figures);
    let line =
        |figure: &Figure| format!("{}, {}: {}", figure.topic, figure.name, figure.definition);
    figures.iter().map(line).collect()
}

fn left_out(card: &Card) -> Vec<String> {
    let line = |figure: &Figure| {
        let reason = figure.value.as_ref().err()?;
        Some(format!("{}, {}: {reason}", figure.topic, figure.name))
    };
    card.figures.iter().filter_map(line).collect()
}

/// A line for each figure of each ruleset.
fn figures_data(cards: &[Card]) -> Table {
    let mut table = Table::named([
        "ruleset",
        "topic",
        "name",
        "measure",
        "value",
        "bound",
        "detail",
        "method",
        "left_out",
        "definition",
    ]);
    for card in cards {
        for figure in &card.figures {
            let found = FigureData::of(figure);
            table.row([
                Cell::text(&card.rules),
                Cell::text(figure.topic),
                Cell::text(figure.name),
                Cell::text(found.measure),
                Cell::maybe(found.value),
                Cell::text(found.bound.unwrap_or_default()),
                Cell::text(&figure.detail),
                Cell::text(found.method),
                Cell::text(found.left_out.unwrap_or_default()),
                Cell::text(figure.definition),
            ]);
        }
    }
    table
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'a str,
    variants: &'a [String],
    cards: Vec<CardData<'a>>,
}

#[derive(Serialize)]
struct CardData<'a> {
    ruleset: &'a str,
    figures: Vec<FigureData<'a>>,
    assumptions: Vec<AssumptionData<'a>>,
}

#[derive(Serialize)]
struct FigureData<'a> {
    topic: &'a str,
    name: &'a str,
    definition: &'a str,
    measure: &'a str,
    value: Option<f64>,
    bound: Option<&'a str>,
    text: String,
    detail: &'a str,
    method: &'a str,
    left_out: Option<&'a str>,
}

#[derive(Serialize)]
struct AssumptionData<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> CardData<'a> {
    fn of(card: &'a Card) -> Self {
        let assumptions = card.assumptions.iter();
        CardData {
            ruleset: &card.rules,
            figures: card.figures.iter().map(FigureData::of).collect(),
            assumptions: assumptions
                .map(|(name, text)| AssumptionData { name, text })
                .collect(),
        }
    }
}

impl<'a> FigureData<'a> {
    fn of(figure: &'a Figure) -> Self {
        FigureData {
            topic: figure.topic,
            name: figure.name,
            definition: figure.definition,
            measure: match figure.measure {
                Measure::Share => "share",
                Measure::Points => "change of a probability",
                Measure::Change => "relative change",
                Measure::Ratio => "ratio of men",
                Measure::Turns => "turns",
            },
            value: figure.value.as_ref().ok().map(|amount| amount.number()),
            bound: match figure.value {
                Ok(Amount::AtMost(_)) => Some("at most"),
                Ok(Amount::MoreThan(_)) => Some("more than"),
                _ => None,
            },
            text: written(figure),
            detail: &figure.detail,
            method: if figure.exact { "exact" } else { "simulate" },
            left_out: figure.value.as_ref().err().map(String::as_str),
        }
    }
}
