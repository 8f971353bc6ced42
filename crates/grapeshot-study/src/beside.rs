//! Data of one's own, drawn beside what was worked out: a CSV file with a heading, of which a chart names the columns.

use grapeshot_rules::{Entries, RuleError};

/// A point of such data, where it is as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct BesidePoint {
    /// Where it is along the chart.
    pub x: String,
    /// Its value, and the ends of its interval.
    pub value: [f64; 3],
}

/// Data of one's own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beside {
    /// The file, beside the study.
    pub file: String,
    /// What they are called.
    pub name: String,
    /// The columns of place, value and the ends of an interval.
    columns: [Option<String>; 4],
    /// The points, once the file is read.
    pub points: Vec<BesidePoint>,
}

impl Beside {
    pub(super) fn read(mut entries: Entries<'_>) -> Self {
        let read = Beside {
            file: entries.needed("file"),
            name: entries.needed("name"),
            columns: [
                Some(entries.needed("x")),
                Some(entries.needed("y")),
                entries.maybe("low"),
                entries.maybe("high"),
            ],
            points: Vec::new(),
        };
        entries.finish();
        read
    }

    /// Takes the points out of the text of its file.
    ///
    /// # Errors
    /// Names the file, the line and the column, for everything that is wrong.
    pub(super) fn fill(&mut self, text: &str) -> Result<(), RuleError> {
        let mut wrong = Vec::new();
        let file = self.file.clone();
        let problem = |key: String, problem: String| RuleError::Table {
            file: file.clone(),
            key,
            problem,
        };
        let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let headings: Vec<String> = lines.next().map_or(Vec::new(), |(_, line)| fields(line));
        let mut at = [None; 4];
        for (place, column) in at.iter_mut().zip(&self.columns) {
            let Some(column) = column else { continue };
            *place = headings.iter().position(|heading| heading == column);
            if place.is_none() {
                let unknown = RuleError::unknown("column", column, &headings);
                wrong.push(problem("line 1".into(), unknown.to_string()));
            }
        }
        let mut points = Vec::new();
        let rows = lines.filter(|(_, line)| !line.trim().is_empty() && wrong.is_empty());
        let mut bad = Vec::new();
        for (number, line) in rows {
            let row = fields(line);
            let text = |place: usize| row.get(place).map_or("", String::as_str);
            let mut value = |place: Option<usize>| {
                let place = place?;
                let parsed = text(place).parse::<f64>().ok().filter(|x| x.is_finite());
                if parsed.is_none() {
                    let said = format!(
                        "`{}` in column `{}` is no number",
                        text(place),
                        headings[place]
                    );
                    bad.push(problem(format!("line {}", number + 1), said));
                }
                parsed
            };
            let (y, low, high) = (value(at[1]), value(at[2]), value(at[3]));
            if let (Some(x), Some(y)) = (at[0], y) {
                points.push(BesidePoint {
                    x: text(x).to_owned(),
                    value: [y, low.unwrap_or(y), high.unwrap_or(y)],
                });
            }
        }
        wrong.extend(bad);
        if wrong.is_empty() && points.is_empty() {
            wrong.push(problem(
                "line 2".into(),
                "there are no rows below the headings".into(),
            ));
        }
        match wrong.len() {
            0 => {
                self.points = points;
                Ok(())
            }
            1 => Err(wrong.remove(0)),
            _ => Err(RuleError::Several(wrong)),
        }
    }
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                out.last_mut().expect("a field").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            letter => out.last_mut().expect("a field").push(letter),
        }
    }
    out.iter().map(|field| field.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(text: &str) -> Result<Beside, RuleError> {
        let mut beside = Beside {
            file: "mine.csv".into(),
            name: "mine".into(),
            columns: ["range", "hits", "low", "high"].map(|c| Some(c.to_owned())),
            points: Vec::new(),
        };
        beside.fill(text).map(|()| beside)
    }

    #[test]
    fn columns_are_found_by_their_headings() {
        let read = beside("low,\"range\",hits,high,note\n0.1,50,0.2,0.3,\"a, b\"\n\n1,100,2,3,\n");
        let points = read.expect("points").points;
        assert_eq!(points.len(), 2);
        assert_eq!(
            (points[1].x.as_str(), points[1].value),
            ("100", [2.0, 1.0, 3.0])
        );
    }

    #[test]
    fn everything_that_is_wrong_is_told_with_its_line() {
        let told = |text: &str| beside(text).expect_err(text).to_string();
        let missing = told("rnge,hits,low,high\n1,2,3,4");
        assert!(
            missing.contains("line 1") && missing.contains("did you mean `rnge`"),
            "{missing}"
        );
        let both = told("range,hits,low,high\n1,x,3,4\n1,2,3,y");
        for part in [
            "mine.csv",
            "line 2",
            "`x` in column `hits`",
            "line 3",
            "`y`",
        ] {
            assert!(both.contains(part), "{part} in {both}");
        }
        assert!(told("range,hits,low,high\n").contains("no rows"));
    }
}
