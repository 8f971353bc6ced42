//! A text played as it stands gives what its written-out code gives: enumerated die by die, or sampled.

mod common;

use common::oracle::{Draw, Marginals, difference, marginals, question};
use grapeshot_drill::run::Rules;
use grapeshot_engine::dice::branches;
use grapeshot_engine::engine::{Budget, DynPlayout, End, Graph, Playout, Silent, Stream, solve};

/// Every way the dice can fall, one die after the other; nothing if they are too many.
fn enumerated(rules: &Rules, procedure: &str, given: &[(&str, &str)]) -> Vec<(End, f64)> {
    let direct = rules.play_out(procedure, given).expect("it is asked");
    let mut table = direct.field();
    let (ways, total) = branches(|dice| direct.play(&mut table, dice, &mut Silent));
    assert_eq!(direct.trouble(), None);
    let each = ways.into_iter();
    each.map(|way| (way.result, way.weight as f64 / total as f64))
        .collect()
}

fn answers(
    rules: &Rules,
    procedure: &str,
    given: &[(&str, &str)],
) -> Option<(Marginals, Marginals)> {
    let play = rules.ask(procedure, given).ok()?;
    let graph = Graph::compile(&play.machine, Budget::default()).expect("it fits");
    let solved = marginals(&play.variables, &solve(&graph));
    let direct = marginals(&play.variables, &enumerated(rules, procedure, given));
    Some((solved, direct))
}

#[test]
fn what_is_enumerated_die_by_die_is_what_is_solved() {
    for (id, procedures) in [
        ("gbacw", &["fire", "morale", "melee", "charge"][..]),
        ("impact", &["fire", "morale", "move"]),
    ] {
        let rules = Rules::new(common::ruleset(id));
        let mut draw = Draw(1863);
        let mut compared = 0;
        for procedure in procedures {
            for _ in 0..10 {
                let given = question(&rules, procedure, &mut draw);
                let given: Vec<(&str, &str)> = given
                    .iter()
                    .map(|(k, v)| (k.as_str(), v.as_str()))
                    .collect();
                if let Some((solved, direct)) = answers(&rules, procedure, &given) {
                    let differs = difference(&direct, &solved);
                    assert_eq!(differs, None, "{id} {procedure} {given:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 15, "{id}: {compared}");
    }
}

#[test]
fn what_is_sampled_is_what_is_solved() {
    const TRIALS: u64 = 40_000;
    for (id, procedure, given) in [
        ("gbacw", "firefight", &[("turns", "4")][..]),
        ("impact", "rally", &[]),
        ("impact", "charge", &[("defender.support_good", "2")]),
    ] {
        let rules = Rules::new(common::ruleset(id));
        let play = rules.ask(procedure, given).expect("it is asked");
        let graph = Graph::compile(&play.machine, Budget::default()).expect("it fits");
        let solved = marginals(&play.variables, &solve(&graph));
        let direct = rules.play_out(procedure, given).expect("it is asked");
        let ends = direct.ends(Stream::common(1863), 0, TRIALS);
        assert_eq!(direct.trouble(), None);
        let each: Vec<(End, f64)> = ends
            .into_iter()
            .map(|end| (end, 1.0 / TRIALS as f64))
            .collect();
        for ((name, solved), (_, sampled)) in solved.iter().zip(marginals(&play.variables, &each)) {
            for (label, p) in solved {
                let share = sampled.get(label).copied().unwrap_or(0.0);
                let tolerance = 4.5 * (p * (1.0 - p) / TRIALS as f64).sqrt() + 1e-4;
                assert!(
                    (share - p).abs() < tolerance,
                    "{id} {procedure} {name} {label}: {share}, {p}"
                );
            }
        }
    }
}

#[test]
fn a_trial_is_told_by_its_stages_and_dice() {
    let rules = Rules::new(common::ruleset("gbacw"));
    let direct = rules
        .play_out("firefight", &[("turns", "2")])
        .expect("it is asked");
    let (chapters, end) = direct.story(1863);
    assert_eq!(
        direct.story(1863),
        (chapters.clone(), end),
        "the same seed, the same story"
    );
    assert_eq!(chapters[0].heading, "turn 1, a's fire");
    assert!(chapters[0].sentences[0].starts_with("d6: "), "{chapters:?}");
}

/// Three units in line; who breaks frightens his neighbours, who may break too.
const CHAIN: &str = r#"
ruleset chain: "Chain"
unit Unit, called friend:
  nerve: 1..6 = 4  ## breaks on a die above it
  in play:
    stands: Flag = true
line Brigade of Unit times units, called side:
  units: 1..4 = 3  ## units
  nerve sets unit.nerve  ## of every unit

queue fright:
  flight: unit, how: Number
  panic: side

in play:
  panics: 0..99 = 0

rule breaks(unit, how: Number):
  unit.stands = false
  put flight(unit, how) into fright
  if unit.number is 1: put panic(unit.side) into fright

## A chain of flights.
procedure run:
  sides a, b as Brigade: units, nerve
  report gone = number of a where not it.stands  ## units gone
  report panics                                  ## panics
  stage "chain":
    breaks(a[2], 1)
    work off fright:
      flight:
        for friend in unit.friends where it.stands and abs(it.number - unit.number) <= how:
          if d6 > friend.nerve: breaks(friend, how + 1)
      panic:
        if d6 > 4: panics += 1
"#;

#[test]
fn a_queue_is_part_of_the_state_and_plays_as_it_stands() {
    let files = grapeshot_drill::load::Files {
        texts: vec![("chain.drill", CHAIN)],
        ..Default::default()
    };
    let loaded = grapeshot_drill::load::load(&files, &|_| None);
    let shown = loaded.shown();
    let rules = Rules::new(loaded.program.unwrap_or_else(|| panic!("{shown}")));
    for units in ["2", "3", "4"] {
        let given = [("a.units", units), ("a.nerve", "3")];
        let (solved, direct) = match rules.ask("run", &given) {
            Ok(_) => answers(&rules, "run", &given).expect("it is asked"),
            Err(refused) => panic!("{refused}"),
        };
        assert_eq!(difference(&direct, &solved), None, "{units}");
        let gone = &solved[0].1;
        assert_eq!(
            gone.len(),
            units.parse::<usize>().expect("a number"),
            "{gone:?}"
        );
    }
}
