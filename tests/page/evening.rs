//! An evening at the table: what happened is tapped, units go on as they are left, luck runs along; pinned answers, and
//! units that travel as a file.

use crate::asked::{answer, pages};
use crate::browser::{Browser, Window};
use crate::program::program;
use crate::serving::Served;
use grapeshot_rules::{Value, find};
use grapeshot_study::roster::read_roster;
use std::sync::Arc;

fn at(served: &Served, page: &str) -> String {
    format!("http://{}{page}", served.addr)
}

/// What stands somewhere at this moment; it may be replaced at any other.
fn shown(browser: &Browser, css: &str) -> String {
    let script = format!("return document.querySelector('{css}')?.textContent ?? ''");
    let text = browser.script(&script);
    text.as_str().unwrap_or_default().to_owned()
}

fn choose(browser: &Browser, name: &str, value: &str) {
    browser.script(&format!(
        "const list = document.getElementById('got-{name}');
         list.value = '{name}={value}';
         if (list.value !== '{name}={value}') throw new Error('not offered');"
    ));
}

/// What is left of the units, as a page says it.
fn left(asked: &str) -> String {
    let visit = ("GET", format!("/fireline/{asked}"), "");
    let (_, _, bytes) = answer(&pages(), &visit);
    let page = String::from_utf8(bytes).expect("text");
    let told = page.split("<h3>It happened</h3>").nth(1).expect("it did");
    let told = told.split("</div>").next().expect("a part");
    told.split("<p class=\"pills\">")
        .next()
        .expect("what is said")
        .to_owned()
}

#[test]
fn the_third_hit_on_a_unit_of_fireline_turns_it_and_three_more_are_its_end() {
    let fire = |key: &str| {
        left(&format!(
            "fire?firer.sp=10{key}&got=state%3Dgood&got=o_hits%3D2"
        ))
    };
    let told = fire("");
    assert!(told.contains("target o hits 0 → 2."), "{told}");
    let told = fire("&target.o_hits=2");
    for part in ["target o hits 2 → 1", "target reduced false → true"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let end =
        "fire?firer.sp=10&target.o_hits=2&target.reduced=true&got=state%3Ddestroyed&got=o_hits%3D1";
    let told = left(end);
    assert!(told.contains("Nothing is left of the target"), "{told}");
    assert!(!told.contains("by hand"), "{told}");
    // Of several units nobody but the player knows whose hits they are.
    let told = fire("&target.units=2");
    assert!(
        told.contains("To be set by hand: target.o_hits + 2"),
        "{told}"
    );
}

#[test]
fn what_happened_is_carried_into_the_next_question_and_can_be_taken_back() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge?attacker.grade=veteran"));
    // A tap on the word says what the pieces do; another that it happened.
    browser.tap("tr[data-end='attacker-halts'] summary");
    let told = browser.read("tr[data-end='attacker-halts'] .word");
    assert!(
        told.len() > "attacker-halts That happened".len() + 20,
        "{told}"
    );
    assert_eq!(browser.overflow(), 0);
    browser.tap("tr[data-end='attacker-halts'] .word a");
    browser.wait("what is left", || {
        browser.all(".happened a.next").first().map(|_| ())
    });
    // What cannot be otherwise need not be said: it took the attacker's markers to halt it.
    choose(&browser, "attacker_stands_lost", "1");
    browser.tap("#luck form button");
    browser.wait("the losses", || {
        let left = shown(&browser, ".happened");
        (left.contains("attacker stands 10 → 9") && left.contains("attacker panic 0 → 2"))
            .then_some(())
    });
    let noted = browser.address();
    browser.tap(".happened a.next[href*='/elephant/charge']");
    browser.wait("the units as they are left", || {
        let address = browser.address();
        let left = [
            "attacker.grade=veteran",
            "attacker.stands=9",
            "attacker.panic=2",
        ];
        (left.iter().all(|said| address.contains(said)) && !address.contains("got=")).then_some(())
    });
    // The luck that runs along is that of the command line, of the log that can be taken away.
    let running = browser.wait("the luck so far", || {
        let line = shown(&browser, ".evening");
        (line.starts_with("Turn 1, 1 noted.") && line.contains("game")).then_some(line)
    });
    browser.tap(".evening button");
    browser.wait("the second turn", || {
        let line = shown(&browser, ".evening");
        line.starts_with("Turn 2").then_some(())
    });
    browser.tap(".evening a");
    let log = browser.wait("the log", || {
        let log = browser.script("return document.querySelector('#log')?.value ?? ''");
        let log = log.as_str().unwrap_or_default().to_owned();
        log.contains("# turn 2").then_some(log)
    });
    assert!(log.contains("elephant charge attacker.grade=veteran --got outcome=attacker-halts"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("evening.log");
    std::fs::write(&file, &log).expect("written");
    let output = program().args(["luck", "--log"]).arg(&file).output();
    let said = String::from_utf8(output.expect("the program").stdout).expect("text");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let sum = browser.read("#part .finding");
    assert!(said.contains(sum.trim()), "{sum}: {said}");
    assert!(running.contains(sum.trim()), "{running}: {sum}");
    // Back: first the turn, then what happened, with the units as they were.
    browser.go(&at(&served, "/elephant/charge"));
    for _ in 0..2 {
        browser.tap(".evening button:nth-of-type(2)");
    }
    browser.wait("the question from before", || {
        (browser.address() == noted).then_some(())
    });
    assert!(browser.all(".evening").is_empty());
}

#[test]
fn a_unit_of_which_nothing_is_left_asks_no_more() {
    let served = Served::new();
    let page = served.page(
        "/elephant/charge?attacker.stands=1&got=outcome%3Dattacker-destroyed&got=attacker_stands_lost%3D1",
    );
    assert!(page.contains("Nothing is left of the attacker."), "{page}");
    assert!(!page.contains("class=\"next\""));
}

#[test]
fn what_could_be_done_stands_beside_the_answer_and_does_itself() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    browser.find("#verdict .tips a");
    let told = browser.read("#verdict .tips");
    assert!(told.contains("gives") || told.contains("doubles"), "{told}");
    let height =
        "return document.querySelector('#verdict').getBoundingClientRect().height / innerHeight";
    let height = browser.script(height).as_f64().expect("a height");
    assert!(height <= 0.26, "{height}");
    browser.tap("#verdict .tips a");
    browser.wait("what could be done", || {
        browser.address().contains('?').then_some(())
    });
}

#[test]
fn a_pinned_answer_stays_beside_those_that_follow() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    let sentence = browser.read(".sentence");
    browser.tap(".taking button:first-child");
    for value in ["veteran", "elite"] {
        let css = format!("input[name='attacker.grade'][value='{value}']");
        browser.tap(&css);
        browser.wait("both answers", || {
            let line = shown(&browser, ".before");
            (line.starts_with("pinned 17 → now") && browser.address().contains(value)).then_some(())
        });
        let columns = browser.all(".two > div");
        assert_eq!(columns.len(), 2);
        let [old, new] = [&columns[0], &columns[1]].map(|column| browser.text(column));
        assert!(old.contains(&sentence), "{old}");
        assert!(new.contains(&browser.read(".sentence")), "{new}");
        let side = "const [a, b] = [...document.querySelectorAll('.two > div')].map(c => c.getBoundingClientRect());
            return Math.abs(a.top - b.top) < 2 && a.right <= b.left";
        assert_eq!(browser.script(side), true);
        assert_eq!(browser.overflow(), 0);
    }
    browser.tap(".taking button:first-child");
    assert!(browser.all(".two").is_empty());
}

#[test]
fn units_travel_as_a_file() {
    let served = Served::new();
    let window = Window::PHONE;
    let (Some(one), Some(other)) = (Browser::open(window), Browser::open(window)) else {
        return;
    };
    one.go(&at(
        &served,
        "/elephant/charge?attacker.grade=veteran&attacker.stands=8",
    ));
    one.script("window.prompt = () => '20th Maine'");
    one.tap(".sides .side:first-child .shelf button:last-child");
    one.script("URL.createObjectURL = blob => { blob.text().then(text => { window.taken = text; }); return '#'; }; HTMLAnchorElement.prototype.click = () => {};");
    one.tap_named(".sides + .shelf button", "My units to a file");
    let file = one.wait("the file", || {
        let taken = one.script("return window.taken ?? null");
        taken.as_str().map(str::to_owned)
    });
    // It is the file that the commands take.
    let load = |rules: &str| Ok(Arc::new(find(rules)?.load(&[])?));
    let roster = read_roster("roster.toml", &file, load).expect("a roster");
    let maine = &roster.units[0];
    assert_eq!((&*maine.name, &*maine.rules), ("20th Maine", "elephant"));
    let stands = ("stands".to_owned(), Value::from(8));
    assert!(maine.settings.contains(&stands), "{:?}", maine.settings);
    other.go(&at(&served, "/elephant/charge"));
    let give = |text: &str| {
        other.script(&format!(
            "const given = new DataTransfer();
             given.items.add(new File([{text:?}], 'roster.toml'));
             const input = document.querySelector('.shelf input[type=file]');
             input.files = given.files;
             window.alert = told => {{ window.told = told; }};
             input.dispatchEvent(new Event('change'));"
        ));
    };
    // What holds no units says so, and changes nothing.
    give("units = 3");
    other.wait("why not", || {
        let told = other.script("return window.told ?? null");
        told.as_str()
            .filter(|told| told.contains("No units were taken") && told.contains("roster.toml"))
            .map(|_| ())
    });
    give(&file);
    other.tap_named(".sides .side:nth-child(2) .shelf button", "20th Maine");
    other.wait("the unit on the other side", || {
        let address = other.address();
        (address.contains("defender.grade=veteran") && address.contains("defender.stands=8"))
            .then_some(())
    });
}

#[test]
fn units_of_the_house_are_a_tap_away_and_bad_rosters_are_told() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/experiments/rosters/union.toml"
    );
    let served = Served::with(&["--roster", path]);
    let bad = "file=mine.toml&text=rules+%3D+%22elephant%22%0A%5B%5Bunit%5D%5D%0Aname+%3D+%22A%22%0Asettings+%3D+%7B+grad+%3D+1+%7D";
    let data = served.page("/api/field/elephant/charge?defender.cover=wall");
    let command = ["field", path, "defender.cover=wall", "--format", "json"];
    let printed = program().args(command).output().expect("the program");
    let read = |text: &[u8]| -> serde_json::Value { serde_json::from_slice(text).expect("JSON") };
    assert_eq!(
        read(data.as_bytes())["cells"],
        read(&printed.stdout)["cells"]
    );
    let page = served.page("/elephant/charge/field");
    assert!(
        page.contains("20th Maine") && page.contains("<svg"),
        "{page}"
    );
    let chart = served.page("/elephant/charge/condense?die=d20");
    assert!(
        chart.contains("d20") && chart.contains("<option selected>d20"),
        "{chart}"
    );
    // Without a roster nobody meets anybody, and a page in a browser has neither.
    let none = ("GET", "/elephant/charge/field".to_owned(), "");
    assert_eq!(answer(&pages(), &none).0, 404);
    let told = served.post("/api/units", bad);
    assert_eq!(told.status, 422, "{}", told.body);
    for part in ["mine.toml:4", "grad", "did you mean `grade`"] {
        assert!(told.body.contains(part), "{part}: {}", told.body);
    }
    let refused = program()
        .args(["serve", "--roster", "nowhere.toml"])
        .output();
    let refused = refused.expect("the program");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nowhere.toml"));
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    browser.tap_named(".sides .side:first-child .shelf button", "20th Maine");
    browser.wait("its question", || {
        let address = browser.address();
        (address.contains("attacker.grade=veteran") && address.contains("attacker.stands=8"))
            .then_some(())
    });
    assert_eq!(browser.overflow(), 0);
    browser.go(&at(&served, "/gbacw/charge"));
    let others = browser.all(".sides .side:first-child .shelf button");
    assert_eq!(others.len(), 1, "no unit of another ruleset");
}

#[test]
fn cover_comes_back_from_a_question_that_has_other_words_for_it() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    let fight = "/elephant/charge?defender.cover=wall";
    browser.go(&at(&served, fight));
    browser.tap("nav.questions a[href^='/elephant/fire']");
    browser.wait("the volley", || {
        let address = browser.address();
        (address.contains("/elephant/fire") && address.contains("target.cover")).then_some(())
    });
    browser.tap("nav.questions a[href^='/elephant/charge']");
    browser.wait("the charge with its wall", || {
        (browser.address() == at(&served, fight)).then_some(())
    });
}

#[test]
fn a_charger_is_offered_only_what_charges_and_what_it_can_carry() {
    let served = Served::new();
    let options = |page: &str, key: &str, value: &str| {
        page.contains(&format!("name=\"{key}\" value=\"{value}\""))
    };
    let page = served.page("/elephant/charge");
    assert!(!options(&page, "attacker.kind", "artillery"));
    assert!(
        options(&page, "attacker.kind", "cavalry") && options(&page, "defender.kind", "artillery")
    );
    let list = |page: &str| {
        let from = page
            .find("<select id=\"firer-weapon\"")
            .expect("a list of weapons");
        page[from..]
            .split("</select>")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let foot = list(&served.page("/elephant/fire"));
    assert!(
        foot.contains("repeater") && !foot.contains("12lb-napoleon"),
        "{foot}"
    );
    let guns = list(&served.page("/elephant/fire?firer.kind=artillery&firer.weapon=12lb-napoleon"));
    assert!(
        guns.contains("3in-rifle") && !guns.contains("repeater"),
        "{guns}"
    );
    // Typed, it is the rules that say so.
    let got = served.get("/elephant/charge?attacker.kind=artillery");
    assert!(got.status == 422 && got.body.contains("artillery may not charge"));
}

#[test]
fn the_link_is_a_code_on_the_page() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge?attacker.grade=veteran"));
    browser.tap_named(".taking button", "Code");
    browser.wait("the code", || {
        let width = browser.script("return document.querySelector('.scan img')?.naturalWidth ?? 0");
        (width.as_i64() > Some(0)).then_some(())
    });
    let source = browser.script("return document.querySelector('.scan img').getAttribute('src')");
    let source = source.as_str().unwrap_or_default().to_owned();
    assert!(source.contains("code.svg?of=http"), "{source}");
    // Black squares on white, read as a camera would.
    let drawn = served.page(
        source
            .split_once(&served.addr.to_string())
            .expect("our own")
            .1,
    );
    let side: usize = drawn
        .split("viewBox=\"0 0 ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .expect("a size");
    let mut dark = vec![false; side * side];
    for square in drawn.split('M').skip(2) {
        let (x, rest) = square.split_once(' ').expect("two numbers");
        let y = rest.split('h').next().expect("a number");
        let (x, y): (usize, usize) = (x.parse().expect("x"), y.parse().expect("y"));
        dark[y * side + x] = true;
    }
    let mut seen = rqrr::PreparedImage::prepare_from_greyscale(4 * side, 4 * side, |x, y| {
        if dark[y / 4 * side + x / 4] { 0 } else { 255 }
    });
    let read = seen.detect_grids();
    let read = read
        .first()
        .expect("a code")
        .decode()
        .expect("it can be read");
    assert_eq!(read.1, browser.address());
}

#[test]
fn what_a_player_changes_at_the_table_is_not_folded_away() {
    let served = Served::new();
    for (page, keys) in [
        (
            "/elephant/charge",
            &["attacker.commander", "attacker.flank", "defender.cover"][..],
        ),
        ("/fireline/charge", &["attacker.leader", "defender.flanked"]),
        ("/impact/charge", &["attacker.leader", "defender.flank"]),
        ("/acw28/charge", &["attacker.officer_attached"]),
    ] {
        let page = served.page(page);
        for key in keys {
            let (before, _) = page.split_once(&format!("data-key=\"{key}\"")).expect(key);
            let folds = before.matches("<details class=\"rare\"").count();
            let unfolded = before.matches("</details></section>").count();
            assert_eq!(folds, unfolded, "{key}");
        }
    }
}
