//! One attack by fire on one target.

use super::charts::Charts;
use super::keys::{self, setting, settings};
use super::side::Side;
use super::tables::Effect;
use super::unit::{Condition, Cover, Regiment, Weapon};
use super::volley::{Firer, Mark, Options, Volley};
use crate::{Judged, Labels, Procedure, RuleError, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Note, OneStep, Row, row};
use std::sync::Arc;

/// One attack, or two where small arms and guns fire separately.
#[derive(Debug)]
struct Fire {
    charts: Arc<Charts>,
    volley: Volley,
    firer: Condition,
    target: Regiment,
    range: i64,
    weapon: Weapon,
}

impl Fire {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let (volley, firer, target) = aimed(charts, s)?;
        Ok(Fire {
            charts: Arc::clone(charts),
            volley,
            firer,
            target,
            range: s.whole("range"),
            weapon: s.choice("firer.weapon"),
        })
    }
}

/// The volley that is asked for, who fires it, and at whom.
pub(super) fn aimed(
    charts: &Charts,
    s: &Settings,
) -> Result<(Volley, Condition, Regiment), RuleError> {
    let tables = &charts.tables;
    let (firing, fired_at) = (Side::new(s, "firer"), Side::new(s, "target"));
    let firer = Firer::read_with_guns(tables, &firing, ["guns.weapon", "guns.stands", "combine"])?;
    let mark = Mark::read(tables, &fired_at, fired_at.row("cover", Cover::Open))?;
    let volley = Volley::new(tables, &firer, &mark, s.whole("range"), Options::read(s));
    Ok((
        volley,
        Regiment::read(tables, &firing)?.start,
        Regiment::read(tables, &fired_at)?,
    ))
}

impl OneStep for Fire {
    const PHASE: &'static str = "fire";

    fn notes(&self) -> Vec<Note> {
        if !self.volley.falls_short() {
            return Vec::new();
        }
        let text = format!(
            "a {} does not reach {} yards, so nothing happens",
            self.weapon.label(),
            self.range
        );
        vec![Note::remark("out of reach", text)]
    }

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let shots = self.volley.shots(&self.charts, &self.firer, dice);
        let [own, guns] = shots.map(|shot| shot.effect);
        let mut target = self.target.start;
        let hits = own.hits() + guns.hits();
        self.target.is_hit(&mut target, hits);
        row(&[
            own.max(guns).position() as u16,
            u16::from(hits),
            u16::from(self.target.lost(&target)),
            u16::from(shots[0].last_round),
        ])
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let firer = [
        "kind",
        "stands",
        "panic",
        "weapon",
        "stationary",
        "marksmen",
        "skirmishing",
        "prolonging",
        "csa_artillery",
        "out_of_ammo",
    ];
    let mut settings = settings("firer", &firer);
    settings.push(keys::range(&charts.tables));
    settings.push(keys::guns_weapon("guns.weapon"));
    settings.push(keys::guns_stands("guns.stands"));
    let target = [
        "kind",
        "hits",
        "stands",
        "cover",
        "exposed",
        "ranks",
        "unlimbered",
        "prone",
    ];
    settings.extend(target.map(|name| setting("target", name)));
    settings.push(keys::ammo_rule());
    settings.push(keys::close_range_rule());
    settings.push(keys::combine("combine"));
    Procedure {
        name: "fire".into(),
        about: "One attack by fire on one target.".into(),
        source: "Fire phase, Firing procedure and restrictions".into(),
        composed: false,
        settings,
        variables: vec![
            Effect::variable("effect", "what the fire table says"),
            Variable::count("hits", "hits as printed"),
            Variable::count("stands_lost", "stands whose hits are now complete"),
            Variable::yes_no("out_of_ammo", "whether the firer ran out of ammunition"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Fire::new(&charts, s)?))),
    }
}
