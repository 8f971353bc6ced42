//! Fire: factors, columns, shifts, effect.

use super::tables::{Effect, Tables};
use super::unit::{Cover, Kind, Weapon, setting, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{OneStep, Row, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

/// The odds of each column of the fire table.
#[derive(Debug)]
pub(super) struct FireChart {
    columns: Vec<Odds<Effect>>,
}

impl FireChart {
    pub(super) fn new(tables: &Tables) -> Self {
        let columns = (0..tables.fire_columns.len())
            .map(|column| {
                Odds::new(Throw::d10_from_zero(), |die| {
                    tables.fire_results[die as usize][column]
                })
            })
            .collect();
        FireChart { columns }
    }

    /// Rolls for a volley; no die where nobody fires.
    pub(super) fn roll<D: Dice>(&self, column: Option<usize>, dice: &mut D) -> Effect {
        column.map_or(Effect::None, |column| self.columns[column].roll(dice))
    }
}

/// A unit that fires: everything about it but the stands it has left.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Firer {
    /// Factor of one stand, in halves.
    factor: i64,
    /// Factors of guns that add to the attack, in halves.
    guns: i64,
    /// All column shifts.
    shift: i64,
}

/// What the shifts of a firing unit depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct FireDrill {
    pub kind: Kind,
    pub weapon: Weapon,
    pub stationary: bool,
    pub marksmen: bool,
    pub skirmishing: bool,
    pub prolonging: bool,
    pub csa_artillery: bool,
    pub out_of_ammo: bool,
}

/// What the shifts of a target depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub kind: Kind,
    pub cover: Cover,
    pub exposed: bool,
    pub ranks: i64,
    pub unlimbered: bool,
    pub prone: bool,
}

impl FireDrill {
    /// Reads a side; keys the procedure does not have are off.
    pub(super) fn read(s: &Settings, side: &str) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let drill = FireDrill {
            kind: s.choice(&key("kind")),
            weapon: s.choice(&key("weapon")),
            stationary: s.flag(&key("stationary")),
            marksmen: s.flag(&key("marksmen")),
            skirmishing: s.flag_or_off(&key("skirmishing")),
            prolonging: s.flag_or_off(&key("prolonging")),
            csa_artillery: s.flag_or_off(&key("csa_artillery")),
            out_of_ammo: s.flag_or_off(&key("out_of_ammo")),
        };
        for (on, name) in [
            (drill.prolonging, "prolonging"),
            (drill.csa_artillery, "csa_artillery"),
        ] {
            if on && drill.kind != Kind::Artillery {
                let reason = format!("{} is not artillery", drill.kind.label());
                return Err(s.refuse(&key(name), reason));
            }
        }
        Ok(drill)
    }

    fn shift(&self, tables: &Tables) -> i64 {
        let shifts = &tables.shifts;
        let on = |flag: bool, shift: i64| if flag { shift } else { 0 };
        on(
            self.stationary && self.kind != Kind::Artillery,
            shifts.stationary,
        ) + on(self.marksmen, shifts.marksmen)
            + on(self.skirmishing, shifts.skirmishing)
            + on(self.prolonging, shifts.prolonging)
            + on(self.kind == Kind::Cavalry, shifts.mounted)
            + on(self.csa_artillery, shifts.csa_artillery)
            + on(self.out_of_ammo, shifts.out_of_ammo)
    }
}

impl Mark {
    /// Reads a side; keys the procedure does not have are off.
    pub(super) fn read(s: &Settings, side: &str, cover: Cover) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let mark = Mark {
            kind: s.choice(&key("kind")),
            cover,
            exposed: s.flag_or_off(&key("exposed")),
            ranks: s.whole(&key("ranks")),
            unlimbered: s.flag_or_off(&key("unlimbered")),
            prone: s.flag_or_off(&key("prone")),
        };
        if mark.unlimbered && mark.kind != Kind::Artillery {
            let reason = format!("{} is not artillery", mark.kind.label());
            return Err(s.refuse(&key("unlimbered"), reason));
        }
        Ok(mark)
    }

    fn shift(&self, tables: &Tables) -> i64 {
        let shifts = &tables.shifts;
        let on = |flag: bool, shift: i64| if flag { shift } else { 0 };
        on(self.exposed || self.kind == Kind::Cavalry, shifts.exposed)
            + shifts.ranks[self.ranks as usize - 1]
            + on(self.unlimbered, shifts.unlimbered)
            + shifts.cover[self.cover.position()]
            + on(self.prone, shifts.prone)
    }
}

impl Firer {
    pub(super) fn new(tables: &Tables, drill: &FireDrill, mark: &Mark, range: i64) -> Self {
        Firer {
            factor: factor(tables, drill.weapon, range),
            guns: 0,
            shift: drill.shift(tables) + mark.shift(tables),
        }
    }

    /// Adds artillery to the attack.
    pub(super) fn with_guns(
        mut self,
        tables: &Tables,
        weapon: Weapon,
        stands: i64,
        range: i64,
    ) -> Self {
        self.guns = stands * factor(tables, weapon, range);
        self
    }

    /// Adds a shift.
    pub(super) fn shifted(mut self, columns: i64) -> Self {
        self.shift += columns;
        self
    }

    /// The column on which so many stands with so many panic markers fire; none without factors.
    pub(super) fn column(&self, tables: &Tables, stands: u8, panic: u8) -> Option<usize> {
        let total = i64::from(stands.saturating_sub(panic)) * self.factor + self.guns;
        if total == 0 {
            return None;
        }
        let printed = tables
            .fire_columns
            .iter()
            .rposition(|&from| 2 * from <= total);
        let column = printed.unwrap_or(0) as i64 + self.shift;
        Some(column.clamp(0, tables.fire_columns.len() as i64 - 1) as usize)
    }
}

/// Factor of one stand in halves; nothing beyond the maximum range, whatever the table prints.
fn factor(tables: &Tables, weapon: Weapon, range: i64) -> i64 {
    let (farthest, by_band) = &tables.factors[weapon.position()];
    if range > *farthest {
        return 0;
    }
    let band = tables.bands.iter().position(|&upto| range <= upto);
    by_band[band.unwrap_or(tables.bands.len())]
}

/// One attack by fire.
#[derive(Debug)]
struct Fire {
    odds: Odds<(Effect, bool)>,
    hits_per_stand: u8,
    carried: u8,
    stands: u8,
}

impl Fire {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let drill = FireDrill::read(s, "firer")?;
        let mark = Mark::read(s, "target", s.choice("target.cover"))?;
        let target = super::unit::Regiment::new(tables, s, "target")?;
        let range = s.whole("range");
        let close = s.flag("close_range_rule")
            && drill.weapon.is_small_arm()
            && range <= tables.close_range;
        let firer = Firer::new(tables, &drill, &mark, range)
            .with_guns(
                tables,
                s.choice("guns.weapon"),
                s.whole("guns.stands"),
                range,
            )
            .shifted(if close { tables.shifts.close_range } else { 0 });
        let stands = s.whole("firer.stands") as u8;
        let ammo_rule = s.flag("ammo_rule");
        let odds = match firer.column(tables, stands, s.whole("firer.panic") as u8) {
            None => Odds::weighted([((Effect::None, false), 1)]),
            Some(column) => Odds::new(Throw::d10_from_zero(), |die| {
                (
                    tables.fire_results[die as usize][column],
                    ammo_rule && die == 0,
                )
            }),
        };
        Ok(Fire {
            odds,
            hits_per_stand: target.hits_per_stand,
            carried: target.start.hits,
            stands: target.stands,
        })
    }
}

impl OneStep for Fire {
    const PHASE: &'static str = "fire";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let (effect, out_of_ammo) = self.odds.roll(dice);
        let lost = ((self.carried + effect.hits()) / self.hits_per_stand).min(self.stands);
        row(&[
            effect.position() as u16,
            u16::from(effect.hits()),
            u16::from(lost),
            u16::from(out_of_ammo),
        ])
    }
}

/// The artillery, by name: what may be given for guns.
pub(super) fn artillery() -> &'static [&'static str] {
    &Weapon::LABELS[Weapon::SMALL_ARMS..]
}

pub(super) fn range_setting() -> Setting {
    Setting::whole("range", 1..=6000, 100, "yards from firer to target")
        .from("Small arms and artillery fire factors")
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
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
    let mut keys = settings("firer", &firer);
    keys.push(range_setting());
    keys.push(
        Setting::one_of(
            "guns.weapon",
            artillery(),
            "12lb-napoleon",
            "artillery that joins the attack",
        )
        .from("Firing procedure, 1"),
    );
    keys.push(
        Setting::whole(
            "guns.stands",
            0..=20,
            0,
            "its stands; not cut by the firer's panic",
        )
        .from("Firing procedure, 1"),
    );
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
    keys.extend(target.map(|name| setting("target", name)));
    keys.push(
        Setting::flag(
            "ammo_rule",
            "a die of 0 runs the firer out of ammunition (optional rule)",
        )
        .from("Optional rule: ammunition supply"),
    );
    keys.push(
        Setting::flag(
            "close_range_rule",
            "the optional column for small arms at 50 yards or less",
        )
        .from("Chart column shifts"),
    );
    Procedure {
        name: "fire".into(),
        about: "One attack by fire on one target.".into(),
        source: "Fire phase, Firing procedure and restrictions".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::category(
                "effect",
                "what the fire table says",
                Effect::LABELS.iter().copied(),
            ),
            Variable::count("hits", "hits as printed"),
            Variable::count("stands_lost", "stands whose hits are now complete"),
            Variable::yes_no("out_of_ammo", "whether the firer ran out of ammunition"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Fire::new(&tables, s)?))),
    }
}
