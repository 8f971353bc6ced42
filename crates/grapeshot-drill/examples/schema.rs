//! Prints what the procedures of a ruleset ask and report: `schema TABLES TEXT…` (`-` for no tables).

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::program::{KeyAlternative, KeyDefault, Program, Value};

fn said(program: &Program, value: &Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Fraction(number) => number.to_string(),
        Value::Word(word) => program[word.of].words[word.at as usize].to_string(),
        other => format!("{other:?}"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let read = |path: &str| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let tables = arguments
        .next()
        .filter(|path| path != "-")
        .map(|path| read(&path));
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
    let texts: Vec<(String, String)> = arguments.map(|path| (name(&path), read(&path))).collect();
    let files = Files {
        texts: texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect(),
        tables: tables.as_deref().map(|text| ("tables.toml", text)),
        variants: Vec::new(),
    };
    let begun = std::time::Instant::now();
    let standard = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../grapeshot-rules/rules/standard"
    );
    let loaded = load(&files, &|name| {
        std::fs::read_to_string(format!("{standard}/{name}.drill")).ok()
    });
    eprintln!("loaded in {:?}", begun.elapsed());
    let Some(program) = &loaded.program else {
        eprintln!("{}", loaded.shown());
        std::process::exit(1);
    };
    eprintln!(
        "{} expressions, {} cells",
        program.exprs.len(),
        program.cells.len()
    );
    for procedure in &program.procedures {
        let decided = if procedure.decided_for.is_some() {
            "decide "
        } else {
            ""
        };
        println!("procedure {decided}{}", procedure.name);
        for key in &procedure.keys {
            let kinds: Vec<String> = key
                .kind
                .iter()
                .map(|kind| match kind {
                    KeyAlternative::Flag => "true or false".into(),
                    KeyAlternative::Number {
                        low,
                        high,
                        whole: true,
                    } => format!("{low}..{high}"),
                    KeyAlternative::Number { low, high, .. } => format!("{low}..{high} fraction"),
                    KeyAlternative::Word(word, _) => word.to_string(),
                })
                .collect();
            let default = match &key.default {
                KeyDefault::Value(value) => said(program, value),
                KeyDefault::Formula(_) => "(formula)".into(),
            };
            println!(
                "  key {}: {} = {default} ## {} @ {}",
                key.name,
                kinds.join(" | "),
                key.meaning,
                key.source
            );
        }
        for report in &procedure.reports {
            let labels: Vec<String> = report
                .labels
                .iter()
                .map(|label| {
                    format!(
                        "{}{}",
                        label.text,
                        label.favour.map_or(String::new(), |f| format!(":{f:?}"))
                    )
                })
                .collect();
            println!(
                "  report {}: {} ## {}",
                report.name,
                labels.join(" "),
                report.meaning
            );
        }
    }
}
