//! Who may be what: classes, formations, sizes and helpers as printed; anything else is refused.

use super::keys::FLAGS;
use super::kinds::{Arm, Class, Formation};
use super::tables::{Chart, Order, Tables};
use crate::{Key, Labels, Of, RuleError, Settings};

/// Checks a side that can be attacked.
pub(super) fn unit(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<(), RuleError> {
    if arm == Arm::Officer {
        return officer_alone(s, side);
    }
    troops(tables, s, side, arm)?;
    size(chart_of(tables, arm), s, side, arm)?;
    let [figures, original] = ["figures", "original"].map(|name| s.whole(Of(side, name)));
    let helpers = format!("{side}.helpers");
    if s.whole_or(&helpers, 0) > original - figures {
        let reason = format!(
            "helpers stand in the places of fallen gunners, and {} of {original} have fallen",
            original - figures
        );
        return Err(s.refuse(&helpers, reason));
    }
    Ok(())
}

/// Checks a side that only fires: a battery or company is no larger than the largest of its chart.
pub(super) fn firer(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<(), RuleError> {
    troops(tables, s, side, arm)?;
    let [figures, helpers] = ["figures", "helpers"].map(|name| Of(side, name));
    let (_, most) = tables.companies.sizes();
    if arm.is_company() && s.whole(figures) + s.whole_or(helpers, 0) > most {
        let key = if s.whole(figures) > most {
            figures
        } else {
            helpers
        };
        let reason = format!(
            "a battery or company has at most {most} figures, helpers included: the largest of the rout chart"
        );
        return Err(s.refuse(key, reason));
    }
    Ok(())
}

/// The order a unit is in, whatever it is asked to be in. Cavalry dismounts to fire, and on foot it only
/// skirmishes; artillery is always hit and killed as skirmishers.
pub(super) fn formation(
    tables: &Tables,
    s: &Settings,
    side: &str,
    arm: Arm,
    fires: bool,
) -> Formation {
    let class = s.choice(Of(side, "class"));
    match (arm, tables.permitted(arm, class)) {
        (Arm::Artillery, _) | (_, Order::OnlySkirmish) => Formation::Skirmish,
        (Arm::Cavalry, _) if fires => Formation::Skirmish,
        _ => s.choice_or(Of(side, "formation"), Formation::Line),
    }
}

/// Class against arm and formation, and who has helpers.
fn troops(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<(), RuleError> {
    let [class_key, formation_key, helpers_key] =
        ["class", "formation", "helpers"].map(|name| Of(side, name));
    let class: Class = s.choice(class_key);
    let allowed = |class: Class| tables.permitted(arm, class) != Order::None;
    if !allowed(class) {
        let known = Class::ALL.iter().filter(|&&class| allowed(class));
        let known: Vec<&str> = known.map(|class| class.label()).collect();
        let reason = format!("{} is of the classes {}", arm.label(), known.join(", "));
        return Err(s.refuse(class_key, reason));
    }
    let skirmish = s.choice_or(formation_key, Formation::Line) == Formation::Skirmish;
    if skirmish && tables.permitted(arm, class) == Order::Close {
        let reason = format!("class {} does not skirmish", class.label());
        return Err(s.refuse(formation_key, reason));
    }
    if s.whole_or(helpers_key, 0) > 0 && arm != Arm::Artillery {
        let reason = format!("infantry helps to serve guns, and this is {}", arm.label());
        return Err(s.refuse(helpers_key, reason));
    }
    Ok(())
}

/// An officer who stands alone is one figure, in no order and no regiment.
fn officer_alone(s: &Settings, side: &str) -> Result<(), RuleError> {
    let key = |name| Of(side, name);
    let one = "an officer alone is one figure";
    for name in ["figures", "original"] {
        if s.whole(key(name)) != 1 {
            return Err(s.refuse(key(name), one));
        }
    }
    if s.choice::<Formation>(key("formation")) != Formation::Line {
        return Err(s.refuse(key("formation"), "an officer alone is in no formation"));
    }
    if s.whole(key("helpers")) > 0 {
        let reason = "infantry helps to serve guns, and this is an officer";
        return Err(s.refuse(key("helpers"), reason));
    }
    let set = FLAGS.iter().find(|flag| s.flag(key(flag)));
    set.map_or(Ok(()), |flag| {
        Err(s.refuse(key(flag), "an officer alone takes no test"))
    })
}

/// The original figures against the rout chart, or what is wrong with them.
fn size(chart: &Chart, s: &Settings, side: &str, arm: Arm) -> Result<(), RuleError> {
    let [figures_key, original_key] = ["figures", "original"].map(|name| Of(side, name));
    let (figures, original) = (s.whole(figures_key), s.whole(original_key));
    if original < figures {
        let reason = format!("the unit cannot have begun with fewer than its {figures} figures");
        return Err(s.refuse(original_key, reason));
    }
    if chart.column(original).is_some() {
        return Ok(());
    }
    let (least, most) = chart.sizes();
    let chart = format!(
        "the rout chart for {} covers {least} to {most} original figures",
        arm.label()
    );
    Err(if s.given().any(|(key, _)| original_key.is(key)) {
        s.refuse(original_key, chart)
    } else {
        let reason =
            format!("{chart}, and these are the original ones unless `{original_key}` is given");
        s.refuse(figures_key, reason)
    })
}

/// The rout chart an arm looks itself up in.
pub(super) fn chart_of(tables: &Tables, arm: Arm) -> &Chart {
    if arm.is_company() {
        &tables.companies
    } else {
        &tables.regiments
    }
}
