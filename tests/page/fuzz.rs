//! The page, fed with addresses that nobody would type; see `tests/library/fuzz.rs` for everything else that is read.

use crate::mangled::feed;
use crate::serving::Served;

/// Links of the page, over the wire: a page or a sentence, and never a fault of the program.
#[test]
fn links() {
    let served = Served::new();
    let typed = "house=rules+%3D+%22gbacw%22%0D%0Aname+%3D+%22x%22";
    let packed = served.post("/gbacw/morale?got=result%3Dpass", typed);
    let packed = packed.header("location").expect("a link").to_owned();
    let seeds = [
        "/elephant/charge?attacker.grade=veteran&defender.cover=wall".to_owned(),
        "/gbacw/fire?v=1&tap=range:1&got=effect%3Dnone".to_owned(),
        packed,
        "/impact/move?stages&joint&of=success&worse=less".to_owned(),
        "/api/odds/gbacw/melee?method=simulate&trials=100&seed=7".to_owned(),
        "/api/luck/gbacw/morale?got=result%3Dpass".to_owned(),
        "/gbacw/standoff?plan=always+fire&did=fire,fire".to_owned(),
        "/api/rules/impact/charge".to_owned(),
        "/../../etc/passwd".to_owned(),
        "/gbacw/tables.toml".to_owned(),
    ];
    feed("links", &seeds, |text| {
        // What cannot stand in the first line of a request never reaches the page.
        let line: String = text.chars().filter(|c| c.is_ascii_graphic()).collect();
        let got = served.get(&format!("/{}", line.trim_start_matches('/')));
        assert_ne!(got.status, 500, "{line}: {}", got.body);
        assert!(!got.body.contains("root:x:0"), "{line}");
    });
    assert_eq!(served.get("/gbacw/fire").status, 200);
}
