//! Every sentence that charts, findings and tables are told in, so that a dictionary can have them all.

/// The sentences: `{1}`, `{2}` … are gaps, which a translation may have in another order.
pub const PHRASES: &[&str] = &[
    " and ",
    " and {1} more",
    " or ",
    "“{1}”",
    "{1} other than {2}",
    "{1}, mean",
    "{1}, standard deviation",
    "; the rules refuse {1} of the {2} cases",
    "An even chance is crossed at {1}.",
    "Each square is one of 100 {1}.",
    "Empty: {1}.",
    "From {1} ({2}) to {3} ({4})",
    "Half of the time {1}",
    "Half of the time {1} ({2}), {3} ({4})",
    "Highest: {1} ({2}); lowest: {3} ({4}).",
    "Highest: {1}; lowest: {2}.",
    "In {1}, {2}",
    "It is the same everywhere",
    "It is {1} everywhere",
    "It is {1} everywhere.",
    "It {1} along {2}, from {3} to {4}.",
    "Least by {1}.",
    "Looked up in bands: each value holds from its mark on.",
    "Looked up in bands: each value holds throughout its band.",
    "Looked up in bands: each value holds up to its mark.",
    "Medians. {1}",
    "Most is moved by {1}.",
    "Numbers are rounded one by one; the largest group has the squares that are left.",
    "Short lines are 95 % intervals.",
    "Source: {1}",
    "The paler, the less it matters; a dash does not come up.",
    "The thin line spans the 5 to 95 % quantiles, the box 25 to 75 %, the bar is the median, the dot the mean.",
    "The thin line spans the 5 to 95 % quantiles, the box 25 to 75 %, the bar is the median.",
    "What to do by {1} (rows) and {2} (columns): of {3} places {4}.",
    "With each step of {1} it",
    "With {1} it",
    "With {1} {2} instead of {3} it",
    "Without {1} it",
    "Worked out at the marks; the thin lines only lead the eye.",
    "changes by {1}",
    "each number is rounded by itself; together they may be 1 more or less than 100",
    "from {1} at {2} down to {3} at {4}",
    "from {1} at {2} to {3} at {4}",
    "from {1} at {2} up to {3} at {4}",
    "half at {1} or less, nine of ten at {2} or less",
    "is {1}",
    "is {1} ({2})",
    "is {1} {2}",
    "no {1}",
    "not {1}",
    "runs from {1} to {2}",
    "{1} ({2}, at {3})",
    "{1} at {2}",
    "share of {1}",
    "the {1}",
    "{1} by {2}",
    "{1} by {2} (rows) and {3} (columns).",
    "{1} by {2}.",
    "{1} changes most: {2} ({3}), {4} ({5})",
    "{1} cannot be told: the rules refuse all of it.",
    "{1} does not change.",
    "{1} dots a row, each as likely: one dot is 1 in {1}.",
    "{1} equally likely values of {2} by {3}.",
    "{1} goes {2}, highest {3} at {4}, lowest {5} at {6}.",
    "{1} in {2}",
    "{1} is likeliest, {2}",
    "{1} is {2} throughout.",
    "{1} is {2}, {3}.",
    "{1} moves it most: {2} to {3}",
    "{1} of each value of {2}.",
    "{1} of {2}.",
    "{1} or less",
    "{1} or more",
    "{1} panels.",
    "{1} points",
    "{1} to {2}",
    "{1} {2} on average: from {3} to {4}.",
    "{1}, and in 1 other case",
    "{1}, and in {2} other cases",
    "{1}, by {2}",
    "{1}, from {2} to {3}",
    "{1}, per cent",
    "{1}, {2} with everything as usual.",
    "{1}, {2}: {3}{4}, by {5} (down) and {6} (across)",
    "{1}: likeliest",
    "{1}: median {2}, the middle half from {3} to {4}.",
    "{1}: {2} or less in half of all cases, {3} or less in nine of ten.",
    "{1}: {2} or more in half of all cases, {3} or more in one of ten.",
    "{1}Of 100: {2}.",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The first text of every `tell!` in a source.
    fn told(source: &str) -> Vec<String> {
        let calls = source.split("tell!(").skip(1);
        let texts = calls.filter_map(|call| {
            let mut parts = call.split('"');
            let before = parts.next()?;
            // A call begins with words and a comma; what does not is no call.
            let is_call = before.len() < 120 && before.contains(',');
            is_call.then(|| parts.next().unwrap_or("").to_owned())
        });
        texts.collect()
    }

    #[test]
    fn every_sentence_that_is_told_is_listed() {
        let sources = [
            include_str!("../alt.rs"),
            include_str!("../line.rs"),
            include_str!("../boxes.rs"),
            include_str!("../dotplot.rs"),
            include_str!("../of_hundred.rs"),
            include_str!("../policy.rs"),
            include_str!("../page.rs"),
            include_str!("../dumbbell.rs"),
            include_str!("../headline.rs"),
        ];
        let told: Vec<String> = sources.iter().flat_map(|source| told(source)).collect();
        assert!(told.len() > 30, "{told:?}");
        for phrase in told {
            assert!(PHRASES.contains(&phrase.as_str()), "{phrase}");
        }
    }
}
