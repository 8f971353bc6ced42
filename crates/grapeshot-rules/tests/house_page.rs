//! The page on house rules is true: every TOML block of it can be laid over the ruleset it is of, and asked. (Its blocks of
//! Drill are laid by `crates/grapeshot-drill/tests/people.rs`.)

use grapeshot_rules::{Question, Variant};

#[test]
fn every_toml_variant_of_the_page_on_house_rules_can_be_laid() {
    let page = include_str!("../../../docs/house-rules.md");
    let blocks: Vec<&str> = page
        .split("\n```toml\n")
        .skip(1)
        .filter_map(|part| part.split_once("```").map(|(block, _)| block))
        .collect();
    assert!(blocks.len() >= 2, "{}", blocks.len());
    for block in blocks {
        // Its name stands above one that is asked for in the page.
        let block = block.strip_prefix("# house.toml\n").unwrap_or(block);
        let (rules, text) = match block.strip_prefix("rules = \"") {
            Some(rest) => (rest.split('"').next().unwrap(), block.to_owned()),
            None => ("elephant", format!("rules = \"elephant\"\n{block}")),
        };
        let variant = Variant::parse("house.toml", &text).unwrap_or_else(|e| panic!("{block}{e}"));
        let question = Question::new(rules, "fire").unwrap().under(variant);
        question.load().unwrap_or_else(|e| panic!("{block}{e}"));
    }
}
