//! Balance cards.

use super::records::record_of;
use super::{Body, Cell, Column, Document, Picture, Report, Role, Table};
use crate::pictures::card_chart;
use grapeshot_study::{Card, Figure, Measure};
use serde::Serialize;

/// The cards of some rulesets.
#[derive(Debug, Serialize)]
pub struct CardReport {
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// The cards.
    pub cards: Vec<Card>,
}

/// What holds unless a definition says otherwise.
const USUAL: &str =
    "400 regulars a side, rifle-muskets, in the open, 100 yards, unless said otherwise";

/// What spreadsheets have of a figure.
const FIGURE: &str = "ruleset topic name measure value bound detail method left_out definition";

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
                document.means(Role::LeftOut);
            }
        }
        for card in self
            .cards
            .iter()
            .filter(|card| !card.assumptions.is_empty())
        {
            let assumed = card.assumptions.iter();
            let assumed = assumed.map(|a| (a.name.clone(), vec![a.text.clone()]));
            let assumed = Body::Terms(assumed.collect());
            document.aside(format!("assumed for {}", card.rules), assumed);
        }
        document.aside("definitions", definitions(&self.cards));
        document.means(Role::Definitions);
        let figures = self.cards.iter().flat_map(|card| {
            let figures = card.figures.iter();
            figures.map(|figure| record_of("ruleset", card.rules.as_str(), figure))
        });
        document.data("figures", Table::of_records(FIGURE, figures));
        document
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
                    let cell = Cell::text(figure.text()).remark(figure.detail.clone());
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
