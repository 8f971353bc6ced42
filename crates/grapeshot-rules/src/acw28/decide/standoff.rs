//! Standoff: two regiments in each other's range, at a distance from which one may charge.

use super::face_to_face::{Exchange, FaceToFace, Melee};
use super::{fight_settings, narrowed, side_settings};
use crate::acw28::keys::setting;
use crate::acw28::kinds::{Arm, Onset};
use crate::acw28::tables::Tables;
use crate::standoff::{self, Choices, Leads, Parts, Standoff};
use crate::{Decision, Outline, RuleError, Setting, Settings, Shown};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// A firefight, and a charge that may come of it. The defender has fired in its own turns, so there is no
/// volley against the charge.
#[derive(Debug)]
struct Facing {
    field: FaceToFace,
    range: u8,
}

impl Parts for Facing {
    type Fight = Exchange;
    type Charge = Melee;

    fn phases(&self) -> Vec<&str> {
        vec!["fire", "charge and melee"]
    }

    fn start(&self) -> Exchange {
        self.field.start(self.range)
    }

    fn fight_phase(&self, _: &Exchange) -> usize {
        0
    }

    fn charge_phase(&self, _: &Melee) -> usize {
        1
    }

    fn about_to_fire(&self, fight: &Exchange) -> Option<usize> {
        self.field.about_to_act(fight)
    }

    fn fight<D: Dice>(&self, fight: Exchange, dice: &mut D) -> Leads<Exchange> {
        self.field.exchange(fight, dice)
    }

    fn charge_from(&self, fight: &Exchange, side: usize) -> Option<Melee> {
        let may = self.field.may_charge(side, fight);
        may.then(|| self.field.comes_in(fight, Onset::Charge))
    }

    fn charge<D: Dice>(&self, charge: Melee, dice: &mut D) -> Leads<Melee> {
        self.field.melee(charge, dice)
    }

    fn charger(&self, charge: &Melee) -> usize {
        self.field.comer(charge)
    }

    fn losses(&self, fight: &Exchange) -> [u16; 2] {
        self.field.losses(fight.sides)
    }

    fn undecided(&self) -> usize {
        FaceToFace::undecided()
    }

    fn show(&self, fight: &Exchange) -> Shown {
        self.field.show(fight.sides)
    }
}

fn build(tables: &Arc<Tables>, s: &Settings) -> Result<Standoff<Facing>, RuleError> {
    if s.flag("a.officer_fail") {
        let reason = "out of its officer's reach a regiment does not go towards the enemy";
        return Err(s.refuse("a.officer_fail", reason));
    }
    let field = FaceToFace::read(tables, s)?;
    let whole = field.whole();
    let range = s.whole("range") as u8;
    Ok(Standoff::new(
        Facing { field, range },
        FaceToFace::ends(),
        s,
        whole,
    ))
}

pub(super) fn decision(tables: &Arc<Tables>) -> Decision {
    let tables = Arc::clone(tables);
    let mut settings = side_settings("a", &[]);
    settings.extend(side_settings(
        "b",
        &[
            narrowed("b", "arm", &["infantry", "sharpshooters"]),
            setting("b", "formation"),
        ],
    ));
    let (least, most) = tables.charge_distances(Arm::Infantry);
    settings.push(
        Setting::whole(
            "range",
            least..=most,
            most,
            "cm between them: as far as a charge may come",
        )
        .from("Firing, Ranges; Movement, Charge"),
    );
    settings.extend(fight_settings());
    settings.extend(standoff::settings(6, Choices::Fire));
    let losses = [
        ("a_casualties", "figures a loses, the charge included"),
        ("b_casualties", "figures b loses, the charge included"),
    ];
    let outline = Outline {
        name: "standoff".into(),
        about: "Two regiments face each other on open ground: fire, charge or withdraw?".into(),
        source: "Firing; Movement, Charge; Melee; Formation fail test; Morale".into(),
        settings,
        variables: FaceToFace::ends().variables(losses),
        notes: Vec::new(),
    };
    Decision::new(outline, move |s| build(&tables, s))
}
