//! The same questions, asked of the page in every way it can be reached: as a function, over the wire, in WebAssembly.

use crate::files::of_the_project;
use grapeshot_engine::engine::Watch;
use grapeshot_page::{Job, Pages, Work};
use grapeshot_rules::Registry;
use serde_json::Value;

/// A method, an address and a body.
pub type Visit = (&'static str, String, &'static str);

/// The page as a function.
pub fn pages() -> Pages {
    Pages::new(Vec::new(), Vec::new(), |job: Job| job()).expect("the printed rules load")
}

/// What it answers: the status, the headers and the bytes.
pub fn answer(pages: &Pages, (method, address, body): &Visit) -> (u16, Vec<String>, Vec<u8>) {
    let reply = pages.answer(method, address, body.as_bytes(), &Watch::default());
    let mut headers: Vec<String> = (reply.headers().iter())
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    headers.sort();
    (reply.status.as_u16(), headers, reply.body.to_vec())
}

/// Pages of every kind: each procedure of each ruleset at some of its settings, its parts, its chart, its data solved
/// and simulated; decisions, luck, house rules; and what is wrong in every way.
pub fn visits(pages: &Pages) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    let mut get = |address: String| visits.push(("GET", address, ""));
    let registry = Registry::built_in();
    for ruleset in registry.all() {
        let loaded = ruleset.load(&[]).expect("a ruleset");
        let id = &*ruleset.id;
        get(format!("/{id}"));
        get(format!("/{id}/tables"));
        get(format!("/{id}/tables.toml"));
        get(format!("/api/rules/{id}"));
        for procedure in &loaded.procedures {
            let name = &*procedure.name;
            get(format!("/{id}/{name}"));
            get(format!("/{id}/{name}/numbers"));
            get(format!("/{id}/{name}/chart.svg"));
            get(format!("/api/rules/{id}/{name}"));
            get(format!("/api/odds/{id}/{name}?stages&joint"));
            get(format!(
                "/api/odds/{id}/{name}?method=simulate&trials=3000&seed=7"
            ));
            // The last value of every fifth key: what is refused is a page as well.
            for setting in procedure.settings.iter().step_by(5) {
                let value = setting.sample_values().pop().expect("a value");
                get(format!("/{id}/{name}?{}={value}", setting.key));
            }
        }
    }
    for address in [
        "/",
        "/studies",
        "/api",
        "/api/rules",
        "/manifest.webmanifest",
        "/icon-192.png",
        "/elephant/charge?attacker.grade=veteran&got=outcome%3Dattacker-halts",
        "/elephant/charge?attacker.grade=nonsense",
        "/elephant/charge/help",
        "/elephant/charge/elsewhere",
        "/gbacw/standoff",
        "/gbacw/standoff?plan=always+fire",
        "/api/decide/gbacw/standoff",
        "/api/luck/elephant/charge?got=outcome%3Dattacker-halts",
        "/api/what-if/elephant/fire",
        "/elephant/melee?house=KyrNSS1WsFVQSs1JLchIzCtR4spLzE0FiRhaGSok5-eU5uYpFKUWJGYWpaYocUWXJCYBdejlAtWnxhelFpfmlBTrFeWXF-tZxHKB9CiB9AaF6HsbKnEBAA",
        "/elephant/melee?house=cut",
        "/play",
        "/play/charge",
        "/play/charge?attacker.grade=raw",
        "/play/charge/help",
        "/play/charge/numbers",
        "/play/nothing",
        "/play/fire?from=gbacw",
        "/play/fire?from=nobody",
        "/play/fire?text=kept",
        "/play/fire?text=cut",
        "/api/odds/play/charge?attacker.grade=raw",
        "/elephant/charge?text=kept",
        "/nothing/here/at/all",
        "/%65lephant/charge",
        "/api/%6fdds/elephant/charge",
        "/api/odds/elephant/charge?method=zz",
    ] {
        get(address.to_owned());
    }
    let house = "house=rules%20%3D%20%22elephant%22%0Aname%20%3D%20%221%3A1%20column%20repaired%22%0A%5Btables.melee_results.rows.8%5D%0A%221%3A1%22%20%3D%20%22RT%2FK1%22%0A";
    visits.push(("POST", "/elephant/melee".into(), house));
    visits.push(("POST", "/elephant".into(), house));
    for text in [
        "text=ruleset+mine%3A+%22Mine%22%0Aprocedur+fire%3A%0A",
        "packed=cut",
        "nothing=here",
    ] {
        visits.push(("POST", "/play/charge?attacker.grade=raw".into(), text));
    }
    let unit = "file=mine.toml&text=%5B%5Bunit%5D%5D%0Arules+%3D+%22gbacw%22%0Aname+%3D+%22A%22%0A";
    for roster in [unit, "text=%5B%5Bunit%5D%5D", ""] {
        visits.push(("POST", "/api/units".into(), roster));
    }
    visits.push(("PUT", "/".into(), ""));
    // What takes minutes is asked elsewhere.
    visits.retain(|(_, address, _)| {
        pages.work(address) == Work::Quick || !address.contains("battle")
    });
    visits
}

/// The worked cases, as a program asks for them.
pub fn cases() -> Vec<Visit> {
    let mut visits = Vec::new();
    let folder = of_the_project("tests/data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("worked cases")
        .flatten()
        .collect();
    files.sort_by_key(|file| file.file_name());
    for file in files {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        let Ok(Value::Array(cases)) = serde_json::from_str(&text) else {
            continue;
        };
        for case in cases {
            let (Some(rules), Some(procedure), Some(settings)) = (
                case["rules"].as_str(),
                case["procedure"].as_str(),
                case["settings"].as_object(),
            ) else {
                continue;
            };
            let mut address = format!("/api/odds/{rules}/{procedure}?method=exact");
            for (key, value) in settings {
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                address += &format!("&{key}={}", value.replace(' ', "+"));
            }
            visits.push(("GET", address, ""));
        }
    }
    visits
}
