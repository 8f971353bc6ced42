//! `grapeshot serve` over the wire: pages, data, links and bad questions.

use crate::asked::{answer, pages, visits};
use crate::files::{example, of_the_project};
use crate::program::Work;
use crate::serving::Served;
use grapeshot_rules::{Options, Question, Registry};
use std::time::{Duration, Instant};

fn printed(words: &str) -> String {
    Work::new().run(words).good().to_owned()
}

#[test]
fn data_is_what_the_command_line_prints_to_the_last_byte() {
    let served = Served::new();
    for (address, words) in [
        ("odds/elephant/charge", "odds elephant charge"),
        (
            "odds/elephant/charge?attacker.grade=veteran&defender.cover=wall&stages&joint",
            "odds elephant charge attacker.grade=veteran defender.cover=wall --stages --joint",
        ),
        (
            "odds/gbacw/firefight?method=simulate&trials=3000&seed=7",
            "odds gbacw firefight --method simulate --trials 3000 --seed 7",
        ),
        (
            "condense/elephant/charge?die=d20&rows=attacker.grade&columns=defender.cover&attacker.stands=8",
            "condense elephant charge attacker.stands=8 --die d20 --rows attacker.grade --columns defender.cover",
        ),
        (
            "odds/common/charge?ruleset=gbacw",
            "odds common charge ruleset=gbacw",
        ),
        ("decide/gbacw/standoff", "decide gbacw standoff"),
        ("rules/impact/charge", "rules impact charge"),
        (
            "luck/elephant/charge?got=outcome%3Dattacker-halts",
            "luck elephant charge --got outcome=attacker-halts",
        ),
    ] {
        let got = served.get(&format!("/api/{address}"));
        assert_eq!(got.status, 200, "{address}: {}", got.body);
        assert_eq!(got.header("content-type"), Some("application/json"));
        assert_eq!(got.header("access-control-allow-origin"), None);
        assert_eq!(
            got.body,
            printed(&format!("{words} --format json")),
            "{address}"
        );
    }
}

#[test]
fn over_the_wire_it_is_what_the_page_answers_as_a_function() {
    let served = Served::new();
    let pages = pages().with_instruments();
    let visits = visits(&pages);
    assert!(visits.len() > 200, "{}", visits.len());
    for visit in visits {
        let (method, address, body) = &visit;
        let (status, headers, bytes) = answer(&pages, &visit);
        let got = match *method {
            "POST" => served.post(address, body),
            _ => served.say(
                format!(
                    "{method} {address} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                )
                .as_bytes(),
            ),
        };
        assert_eq!(got.status, status, "{visit:?}");
        for header in headers {
            let (name, value) = header.split_once(": ").expect("a header");
            assert_eq!(got.header(name), Some(value), "{visit:?}");
        }
        assert!(
            got.bytes == bytes,
            "{visit:?} has other bytes over the wire"
        );
    }
}

#[test]
fn a_program_is_refused_what_the_command_line_refuses() {
    let served = Served::new();
    for (address, words) in [
        (
            "odds/elephant/charge?method=zz",
            "odds elephant charge --method zz",
        ),
        (
            "odds/elephant/charge?stages=no",
            "odds elephant charge --stages=no",
        ),
        (
            "odds/elephant/charge?trials=0",
            "odds elephant charge --trials 0",
        ),
        (
            "odds/elephant/charge?seed=-1",
            "odds elephant charge --seed=-1",
        ),
        (
            "odds/elephant/charge?worse=more",
            "odds elephant charge --worse more",
        ),
        (
            "odds/elephant/charge?plan=x",
            "odds elephant charge --plan x",
        ),
        (
            "odds/elephant/charge?got=outcome%3Dx",
            "odds elephant charge --got outcome=x",
        ),
        (
            "decide/gbacw/standoff?trials=100",
            "decide gbacw standoff --trials 100",
        ),
        (
            "decide/gbacw/standoff?method=simulate",
            "decide gbacw standoff --method simulate",
        ),
        (
            "decide/gbacw/standoff?stages",
            "decide gbacw standoff --stages",
        ),
        (
            "luck/elephant/charge?got=outcome%3Dattacker-halts&worse=bad",
            "luck elephant charge --got outcome=attacker-halts --worse bad",
        ),
        (
            "what-if/elephant/charge?worse=more",
            "what-if elephant charge --worse more",
        ),
    ] {
        let got = served.get(&format!("/api/{address}"));
        assert_eq!(got.status, 400, "{address}: {}", got.body);
        let run = Work::new().run(words);
        assert_eq!(run.code, Some(2), "{words}");
    }
    // What it takes, it heeds.
    for worse in ["more", "fewer"] {
        let got = served.get(&format!(
            "/api/luck/elephant/fire?got=hits%3D1&worse={worse}"
        ));
        let said = printed(&format!(
            "luck elephant fire --got hits=1 --worse {worse} --format json"
        ));
        assert_eq!(got.body, said);
    }
}

#[test]
fn a_name_that_somebody_else_has_point_here_is_not_answered() {
    let served = Served::with(&["--host", "table.local"]);
    let status = |host: &str| {
        let asked = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        served.say(asked.as_bytes()).status
    };
    assert_eq!(status("localhost"), 200);
    assert_eq!(status("table.local:8063"), 200);
    assert_eq!(status("evil.example"), 421);
}

#[test]
fn every_procedure_of_every_ruleset_has_a_page_with_a_field_for_every_key() {
    let served = Served::new();
    for ruleset in Registry::built_in().all() {
        let loaded = ruleset.load(&[]).expect("a ruleset");
        for procedure in &loaded.procedures {
            let address = format!("/{}/{}", ruleset.id, procedure.name);
            let page = served.page(&address);
            for setting in &procedure.settings {
                let field = format!("data-key=\"{}\"", setting.key);
                assert!(
                    page.contains(&field),
                    "{address} has no field {}",
                    setting.key
                );
            }
            assert!(page.len() < 100_000, "{address} has {} bytes", page.len());
            assert!(
                page.contains("class=\"sentence\""),
                "{address} says nothing"
            );
            for outside in ["http://", "https://", "style=\"", "onclick"] {
                let inside = page.replace("http://www.w3.org", "");
                assert!(!inside.contains(outside), "{address} has {outside}");
            }
        }
    }
}

#[test]
fn the_number_on_the_page_is_the_number_of_the_library() {
    let served = Served::new();
    for (rules, procedure, key, value) in [
        ("elephant", "charge", "attacker.grade", "veteran"),
        ("gbacw", "charge", "shift", "1"),
        ("fireline", "charge", "rounds", "2"),
    ] {
        let question = Question::new(rules, procedure)
            .expect("rules")
            .with(key, value);
        let answered = question.ask(&Options::exact()).expect("an answer");
        let page = served.page(&format!("/{rules}/{procedure}?{key}={value}"));
        for value in answered.odds.marginal_at(0).values() {
            let row = format!("<tr data-end=\"{}\">", value.label);
            let at = page
                .find(&row)
                .unwrap_or_else(|| panic!("{} in {page}", value.label));
            let chance = grapeshot::render::number::percent(value.p).replace('<', "&lt;");
            let chance = chance.replace('>', "&gt;");
            let rest = page[at..].split("</tr>").next().expect("a row");
            assert!(
                rest.contains(&format!("<td>{chance}</td>")),
                "{chance} in {rest}"
            );
        }
    }
}

#[test]
fn one_question_has_one_address_and_it_is_short() {
    let served = Served::new();
    let long = "/elephant/charge?attacker.kind=infantry&attacker.grade=veteran&attacker.stands=10&defender.cover=wall&attacker.flank=false&ammo_rule=&v=1";
    let got = served.get(long);
    assert_eq!(got.status, 303);
    let short = "/elephant/charge?attacker.grade=veteran&defender.cover=wall";
    assert_eq!(got.header("location"), Some(short));
    assert_eq!(served.get(short).status, 200);
    // A tap on plus, without scripts.
    let step = served.get("/elephant/charge?attacker.stands=39&tap=attacker.stands:5");
    assert_eq!(
        step.header("location"),
        Some("/elephant/charge?attacker.stands=40")
    );
    let back = served.get("/elephant/charge?tap=attacker.stands:0");
    assert_eq!(back.header("location"), Some("/elephant/charge"));
}

/// What form 1 leaves unsaid: every key with its default, when links were first shared.
const FORM_1: &str = include_str!("../links/form-1.txt");

#[test]
fn links_of_form_1_mean_what_they_meant() {
    let mut now = Vec::new();
    for ruleset in Registry::built_in().all() {
        let loaded = ruleset.load(&[]).expect("a ruleset");
        let decided = loaded.decisions().expect("decisions");
        let decided = decided.iter().map(|decision| &decision.procedure);
        for procedure in loaded.procedures.iter().chain(decided) {
            for setting in &procedure.settings {
                let (rules, usual) = (&ruleset.id, setting.default_text());
                now.push(format!(
                    "{rules} {} {}={usual}",
                    procedure.name, setting.key
                ));
            }
        }
    }
    // Keys may be added; one that is gone or has another default needs another form of link.
    let gone: Vec<&str> = FORM_1
        .lines()
        .filter(|line| !now.iter().any(|known| known == line))
        .collect();
    assert!(
        gone.is_empty(),
        "links that were shared would mean something else: {gone:#?}"
    );
    if std::env::var_os("GRAPESHOT_WRITE_LINKS").is_some() {
        let path = of_the_project("tests/links/form-1.txt");
        std::fs::write(path, now.join("\n") + "\n").expect("written");
    }
}

#[test]
fn links_that_were_shared_still_work() {
    let served = Served::new();
    for (link, said) in [
        (
            "/elephant/charge?attacker.grade=veteran",
            "32 of 100 such charges succeed",
        ),
        (
            "/elephant/charge?v=1&attacker.grade=veteran",
            "32 of 100 such charges succeed",
        ),
        (
            "/elephant/charge?got=outcome%3Dattacker-halts",
            "this or worse",
        ),
        ("/gbacw/standoff?plan=always+fire", "Best play instead"),
        // A house rule as it was packed when links were first shared.
        (
            "/elephant/melee?house=KyrNSS1WsFVQSs1JLchIzCtR4spLzE0FiRhaGSok5-eU5uYpFKUWJGYWpaYocUWXJCYBdejlAtWnxhelFpfmlBTrFeWXF-tZxHKB9CiB9AaF6HsbKnEBAA",
            "Under 1:1 column repaired, not as printed.",
        ),
    ] {
        let mut got = served.get(link);
        if let Some(location) = got.header("location").map(str::to_owned) {
            got = served.get(&location);
        }
        assert_eq!(got.status, 200, "{link}: {}", got.body);
        assert!(got.body.contains(said), "{link} does not say {said}");
    }
}

#[test]
fn a_wrong_question_is_answered_at_the_field() {
    let served = Served::new();
    let got = served.get("/elephant/charge?attacker.grade=veterann");
    assert_eq!(got.status, 400);
    assert!(
        got.body
            .contains("<code>attacker.grade</code> cannot be <code>veterann</code>")
    );
    assert!(got.body.contains("did you mean <code>veteran</code>?"));
    assert!(
        got.body
            .contains("class=\"field wrong\" data-key=\"attacker.grade\"")
    );
    for (address, status, told) in [
        (
            "/elephant/charge?attacker.grad=veteran",
            400,
            "attacker.grade",
        ),
        ("/elephant/charge?attacker.stands=-1", 400, "from 1 to 40"),
        ("/elephant/charge?house=xyz", 400, "cut off"),
        ("/elephant/charge?v=99", 400, "newer version"),
        ("/elephant/charge?got=outcome%3Dflies", 422, "flies"),
        ("/elephant/charge?%ff%fe=%00", 400, "unknown setting"),
        ("/elephantt/charge", 404, "elephant"),
        ("/elephant/charg", 404, "did you mean"),
        ("/elephant/charge/nothing", 404, "nothing at this address"),
        ("/../../etc/passwd", 404, ""),
        ("/assets/../Cargo.toml", 404, ""),
    ] {
        let got = served.get(address);
        assert_eq!(got.status, status, "{address}: {}", got.body);
        assert!(
            got.body.contains(told),
            "{address} does not say {told}: {}",
            got.body
        );
    }
    let got = served.get("/api/odds/elephant/charge?attacker.grade=%3Cscript%3E");
    assert_eq!(got.status, 400);
    assert!(
        got.body.contains("\"key\": \"attacker.grade\""),
        "{}",
        got.body
    );
    let got = served.get("/elephant/charge?attacker.grade=%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(!got.body.contains("<script>alert"), "{}", got.body);
}

#[test]
fn a_refusal_of_the_rules_stands_at_its_field() {
    let served = Served::new();
    // A range at which the weapon of a firefight may not be used is for the rules to refuse.
    let refused = Registry::built_in().printed().find_map(|ruleset| {
        let loaded = ruleset.load(&[]).ok()?;
        loaded.procedures.iter().find_map(|procedure| {
            procedure.settings.iter().find_map(|setting| {
                setting.sample_values().into_iter().find_map(|value| {
                    let given = [(setting.key.clone(), value.clone())];
                    let settings = procedure.resolve(given).ok()?;
                    let error = procedure.situation(settings).err()?;
                    let (rules, name, key) = (&ruleset.id, &procedure.name, &setting.key);
                    let address = format!("/{rules}/{name}?{key}={value}");
                    Some((address, error.to_string()))
                })
            })
        })
    });
    let (address, error) = refused.expect("some rule refuses something");
    let got = served.get(&address);
    assert_eq!(got.status, 422, "{address} {error}");
    assert!(
        got.body.contains("class=\"field wrong\""),
        "{address} {error}"
    );
    let api = served.get(&address.replacen('/', "/api/odds/", 1));
    assert_eq!(api.status, 422);
}

#[test]
fn a_house_rule_travels_in_the_link() {
    let served = Served::new();
    let body = "house=rules+%3D+%22elephant%22%0D%0Aname+%3D+%22repaired%22%0D%0A%5Btables.melee_results.rows.8%5D%0D%0A%221%3A1%22+%3D+%22RT%2FK1%22";
    let got = served.post("/elephant/melee?attacker.grade=veteran", body);
    assert_eq!(got.status, 303, "{}", got.body);
    let link = got.header("location").expect("a link").to_owned();
    assert!(
        link.starts_with("/elephant/melee?attacker.grade=veteran&house="),
        "{link}"
    );
    assert!(link.len() < 250, "{link}");
    let page = served.page(&link);
    assert!(page.contains("Under repaired, not as printed."));
    let printed = served.page("/elephant/melee?attacker.grade=veteran");
    assert!(!printed.contains("not as printed"));
    // Dropped again.
    let got = served.post(&link, &format!("{body}&drop=yes"));
    assert_eq!(
        got.header("location"),
        Some("/elephant/melee?attacker.grade=veteran")
    );
    // One that does not fit says why.
    let got = served.post("/elephant/melee", "house=rules+%3D+%22gbacw%22");
    assert_eq!(got.status, 400);
    assert!(got.body.contains("not of"), "{}", got.body);
    // In force for everybody, from the start.
    let file = std::env::temp_dir().join(format!("grapeshot-house-{}.toml", std::process::id()));
    let text = "rules = \"elephant\"\nname = \"repaired\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";
    std::fs::write(&file, text).expect("written");
    let house = Served::with(&["--variant", &file.display().to_string()]);
    assert!(
        house
            .page("/elephant/melee")
            .contains("Under repaired, not as printed.")
    );
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn parts_tables_and_studies_have_addresses_of_their_own() {
    let served = Served::new();
    for (address, said) in [
        ("/", "Seeing the Elephant"),
        ("/elephant", "The tables as printed"),
        ("/elephant/tables", "<table"),
        ("/elephant/tables.toml", "[tables."),
        ("/elephant/charge/help", "attacker.commander=1"),
        (
            "/elephant/charge/elsewhere?attacker.grade=veteran",
            "href=\"/gbacw/charge?",
        ),
        ("/elephant/charge/numbers", "chart.svg"),
        ("/elephant/charge/chart.svg", "<svg"),
        ("/common/charge/elsewhere", "gbacw"),
        ("/studies", "elephant-charge-grades"),
        ("/studies/elephant-melee-odds", "<svg"),
        ("/api", "/api/odds/elephant/charge"),
        ("/api/rules", "\"fireline\""),
    ] {
        let page = served.page(address);
        assert!(page.contains(said), "{address} does not say {said}");
    }
    let mut audit = served.get("/gbacw/audit");
    assert_eq!(audit.status, 202);
    let begun = Instant::now();
    while audit.status == 202 && begun.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(500));
        audit = served.get("/gbacw/audit");
    }
    assert_eq!(audit.status, 200);
    assert!(audit.body.contains("finding"), "{}", audit.body);
}

#[test]
fn a_ruleset_of_ones_own_has_its_pages_too() {
    let rules = &*example("risk");
    let served = Served::with(&["--rules", rules]);
    assert!(served.page("/").contains("href=\"/risk\""));
    let listed: serde_json::Value = serde_json::from_str(&served.page("/api/rules")).expect("data");
    let own = listed["rulesets"].as_array().into_iter().flatten();
    let own = own
        .into_iter()
        .find(|ruleset| ruleset["id"] == "risk")
        .expect("risk");
    for name in own["procedures"].as_array().into_iter().flatten() {
        let name = name.as_str().expect("a name");
        if name.ends_with("/decide") {
            continue;
        }
        let page = served.page(&format!("/risk/{name}"));
        assert!(page.contains("class=\"sentence\""), "{name}");
        let odds = served.get(&format!("/api/odds/risk/{name}"));
        // What is only decided has no odds of its own.
        let (command, api) = match odds.status {
            404 => ("decide", served.get(&format!("/api/decide/risk/{name}"))),
            _ => ("odds", odds),
        };
        let typed = printed(&format!("{command} {rules} {name} --format json"));
        assert_eq!(api.body, typed, "{command} {name}");
    }
    Work::new()
        .run_words(&["serve", "--rules", rules, "--rules", rules])
        .refused(&["`risk` is taken"]);
}

#[test]
fn what_can_be_played_and_decided_has_two_pages() {
    let served = Served::new();
    let page = served.page("/elephant/charge");
    assert!(page.contains("href=\"/elephant/charge/decide\""));
    let page = served.page("/elephant/charge/decide");
    assert!(page.contains("what to do"), "{page}");
    assert!(page.contains("href=\"/api/decide/elephant/charge\""));
    let data = served.get("/api/decide/elephant/charge");
    assert_eq!(data.body, printed("decide elephant charge --format json"));
    // A decision that is one only needs no second step in its address.
    assert_eq!(served.get("/gbacw/standoff").status, 200);
    assert_eq!(served.get("/gbacw/standoff/numbers").status, 200);
    assert_eq!(served.get("/gbacw/fire/decide").status, 404);
}

#[test]
fn what_it_cannot_start_with_is_said() {
    for (arguments, told) in [
        ("--addr 203.0.113.1:1", "--addr 203.0.113.1:1"),
        ("--addr nowhere", "invalid"),
        ("--variant no-such-file.toml", "no-such-file.toml"),
    ] {
        let ran = Work::new().run(&format!("serve {arguments}"));
        ran.refused(&[told]);
    }
}
