//! What can be set about a common fight, and what is reported.

use super::super::Setting;
use grapeshot_engine::dist::{Favour, Name, Variable};

grapeshot_engine::labels! {
    /// The fights every ruleset is asked for.
    pub enum FightKind { Fire = "fire", Charge = "charge", Melee = "melee", Firefight = "firefight" }
}

/// Grades, best first.
pub const GRADES: &[&str] = &["crack", "veteran", "regular", "poor", "raw"];
/// Small arms.
pub const WEAPONS: &[&str] = &["rifle-musket", "smoothbore", "breechloader", "repeater"];
/// Leaders.
pub const LEADERS: &[&str] = &["none", "brigade"];
/// Cover.
pub const COVERS: &[&str] = &["open", "soft", "hard"];

impl FightKind {
    /// What it is, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            FightKind::Fire => "One volley at a unit, and the test it causes.",
            FightKind::Charge => "One unit charges another: defensive fire, tests, hand to hand.",
            FightKind::Melee => "Two units fight hand to hand.",
            FightKind::Firefight => {
                "Two units fire at each other, a first, until one breaks or time is up."
            }
        }
    }

    /// The sides, the one that acts first.
    pub fn sides(self) -> [&'static str; 2] {
        match self {
            FightKind::Fire => ["firer", "target"],
            FightKind::Charge | FightKind::Melee => ["attacker", "defender"],
            FightKind::Firefight => ["a", "b"],
        }
    }

    /// The names of the losses, and whose they are.
    pub fn losses(self) -> &'static [(&'static str, &'static str)] {
        match self {
            FightKind::Fire => &[("loss", "the target")],
            FightKind::Charge | FightKind::Melee => &[
                ("attacker_loss", "the attacker"),
                ("defender_loss", "the defender"),
            ],
            FightKind::Firefight => &[("a_loss", "a"), ("b_loss", "b")],
        }
    }

    /// The labels of the headline, in natural order.
    pub fn results(self) -> &'static [&'static str] {
        match self {
            FightKind::Fire => &["steady", "shaken", "broken"],
            FightKind::Charge => &["won", "undecided", "lost", "stopped"],
            FightKind::Melee => &["won", "undecided", "lost"],
            FightKind::Firefight => &["a", "undecided", "b"],
        }
    }

    /// Whom each of these labels favours.
    fn favours(self) -> &'static [Favour] {
        use Favour::{Failure, Success, Undecided};
        match self {
            FightKind::Fire => &[Failure, Success, Success],
            FightKind::Charge => &[Success, Undecided, Failure, Failure],
            FightKind::Melee | FightKind::Firefight => &[Success, Undecided, Failure],
        }
    }

    /// The result that an outcome comes to which favours so: without contact, and with it. Only fire
    /// has more to say than whom it favours.
    pub(crate) fn result_of(self, favour: Favour) -> Option<[&'static str; 2]> {
        Some(match (self, favour) {
            (FightKind::Fire, _) => return None,
            (FightKind::Charge | FightKind::Melee, Favour::Success) => ["won"; 2],
            (FightKind::Charge, Favour::Failure) => ["stopped", "lost"],
            (FightKind::Melee, Favour::Failure) => ["lost"; 2],
            (FightKind::Firefight, Favour::Success) => ["a"; 2],
            (FightKind::Firefight, Favour::Failure) => ["b"; 2],
            (_, Favour::Undecided) => ["undecided"; 2],
        })
    }

    /// What can be set, when these rulesets play.
    pub fn settings(self, players: &[Name]) -> Vec<Setting> {
        let [first, second] = self.sides();
        let mut keys = vec![Setting::one_of(
            super::RULESET_KEY,
            players,
            &players[0],
            "the ruleset that plays it",
        )];
        keys.extend(side(first, self == FightKind::Firefight, false));
        keys.extend(side(second, true, self != FightKind::Firefight));
        if matches!(self, FightKind::Fire | FightKind::Firefight) {
            keys.push(Setting::whole("range", 1..=1000, 100, "yards between them"));
        }
        if self == FightKind::Firefight {
            keys.push(Setting::turns());
        }
        keys
    }

    /// What is reported. A loss counts in units that make the whole: one number for each loss.
    pub fn variables(self, whole: &[u16]) -> Vec<Variable> {
        let (name, meaning) = match self {
            FightKind::Fire => ("condition", "what the target has come to"),
            FightKind::Charge | FightKind::Melee => ("result", "what it comes to for the attacker"),
            FightKind::Firefight => ("result", "who holds: a if b broke"),
        };
        let headline = Variable::category(name, meaning, self.results().iter().copied());
        let mut variables = vec![headline.favouring(self.favours().iter().copied())];
        if self == FightKind::Firefight {
            variables.push(Variable::count(
                "turns",
                "the turn in which it ended, or the last",
            ));
        }
        for (at, (name, whose)) in self.losses().iter().enumerate() {
            let shares = whole.get(at).map_or(Vec::new(), |&whole| {
                (0..=whole)
                    .map(|n| f64::from(n) / f64::from(whole))
                    .collect()
            });
            let meaning = format!("share of its men {whose} loses");
            variables.push(Variable::number(name, &meaning, shares));
        }
        variables
    }
}

/// The keys of a side.
fn side(side: &str, receives: bool, may_be_flanked: bool) -> Vec<Setting> {
    let key = |name: &str| format!("{side}.{name}");
    let mut keys = vec![
        Setting::one_of(key("grade"), GRADES, "regular", "quality of the troops"),
        Setting::whole(key("men"), 100..=1000, 400, "men in the ranks"),
        Setting::one_of(
            key("weapon"),
            WEAPONS,
            "rifle-musket",
            "what it shoots with",
        ),
        Setting::one_of(key("leader"), LEADERS, "none", "a leader with it"),
    ];
    if receives {
        keys.push(Setting::one_of(
            key("cover"),
            COVERS,
            "open",
            "what it stands behind",
        ));
    }
    if may_be_flanked {
        keys.push(Setting::flag(key("flanked"), "is taken in the flank"));
    }
    keys
}
