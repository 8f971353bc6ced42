//! The report as one self-contained page, and as a Markdown list.

use super::Chapter;
use super::section::Section;

/// Text made safe for HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The page: contents, then a section per experiment, then the chapters. Style, script and charts are
/// inside; nothing is fetched from anywhere.
pub fn index_html(sections: &[Section], svgs: &[Vec<String>], chapters: &[Chapter]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>grapeshot: the odds in five rulesets</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>grapeshot</h1><p>The odds in printed American Civil War wargame rules, solved and \
         simulated. Version {}.</p></header>\n",
        env!("CARGO_PKG_VERSION")
    );
    out += &contents(sections, chapters);
    out += "<main>\n";
    for chapter in chapters {
        out += &format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n{}\n</section>\n",
            escape(&chapter.id),
            escape(&chapter.title),
            chapter.html
        );
    }
    for (section, svgs) in sections.iter().zip(svgs) {
        out += &section_html(section, svgs);
    }
    out += &format!("</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

fn contents(sections: &[Section], chapters: &[Chapter]) -> String {
    let mut out = String::from("<nav><h2>Contents</h2>\n<ul>\n");
    for chapter in chapters {
        out += &format!(
            "<li><a href=\"#{}\">{}</a></li>\n",
            escape(&chapter.id),
            escape(&chapter.title)
        );
    }
    out += "</ul>\n";
    for (rules, group) in by_rules(sections) {
        out += &format!("<h3>{}</h3>\n<ul>\n", escape(&rules));
        for section in group {
            out += &format!(
                "<li><a href=\"#{}\">{}</a></li>\n",
                escape(&section.id),
                escape(&section.title)
            );
        }
        out += "</ul>\n";
    }
    out + "</nav>\n"
}

/// Sections grouped by their rulesets, in the order in which they come.
fn by_rules(sections: &[Section]) -> Vec<(String, Vec<&Section>)> {
    let mut groups: Vec<(String, Vec<&Section>)> = Vec::new();
    for section in sections {
        let rules = section.rules.join(", ");
        match groups.iter_mut().find(|(known, _)| *known == rules) {
            Some((_, group)) => group.push(section),
            None => groups.push((rules, vec![section])),
        }
    }
    groups
}

fn section_html(section: &Section, svgs: &[String]) -> String {
    let id = escape(&section.id);
    let mut out = format!(
        "<section id=\"{id}\">\n<h2>{}</h2>\n<p class=\"question\">{}</p>\n",
        escape(&section.title),
        escape(&section.question)
    );
    for finding in &section.findings {
        out += &format!("<p class=\"finding\">{}</p>\n", escape(finding));
    }
    for ((_, title), svg) in section.charts.iter().zip(svgs) {
        // The drawing itself starts at its root element; a declaration has no place inside a page.
        let drawing = svg.find("<svg").map_or(svg.as_str(), |at| &svg[at..]);
        out += &format!(
            "<figure role=\"img\" aria-label=\"{}\">{drawing}</figure>\n",
            escape(title)
        );
    }
    out += &format!(
        "<p class=\"method\">{} · {}</p>\n",
        escape(&section.rules.join(", ")),
        escape(&section.method)
    );
    out += &table_html(section);
    if !section.skipped.is_empty() {
        out += &format!(
            "<details><summary>{} cells the rules refuse</summary><ul>\n",
            section.skipped.len()
        );
        for reason in &section.skipped {
            out += &format!("<li>{}</li>\n", escape(reason));
        }
        out += "</ul></details>\n";
    }
    out += "<p class=\"files\">";
    let data = section.data.iter().cloned();
    let charts = section
        .charts
        .iter()
        .flat_map(|(name, _)| [format!("{name}.svg"), format!("{name}.png")]);
    for file in data.chain(charts) {
        out += &format!("<a href=\"{id}/{file}\">{file}</a> ");
    }
    out + "</p>\n</section>\n"
}

fn table_html(section: &Section) -> String {
    let mut out = format!(
        "<details><summary>Table, {} rows</summary><div class=\"scroll\"><table class=\"sortable\"><thead><tr>",
        section.rows.len()
    );
    for heading in &section.headings {
        out += &format!("<th><button>{}</button></th>", escape(heading));
    }
    out += "</tr></thead><tbody>\n";
    for row in &section.rows {
        out += "<tr>";
        for cell in row {
            out += &format!("<td>{}</td>", escape(cell));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div></details>\n"
}

/// The same as Markdown, for those who browse the repository.
pub fn readme(sections: &[Section], chapters: &[Chapter]) -> String {
    let mut out = String::from(
        "# Reports\n\nWhat `cargo run --release -- report` makes; open `index.html` for the whole page.\n",
    );
    for chapter in chapters {
        out += &format!("\n## {}\n\n{}\n", chapter.title, chapter.markdown);
    }
    for (rules, group) in by_rules(sections) {
        out += &format!("\n## {rules}\n");
        for section in group {
            out += &format!("\n### {}\n\n{}\n\n", section.title, section.question);
            for finding in &section.findings {
                out += &format!("- {finding}\n");
            }
            out += &format!("\n{}", section.method);
            for (name, title) in &section.charts {
                out += &format!("\n\n![{title}]({}/{name}.svg)", section.id);
            }
            out += &format!("\n\n[summary.csv]({}/summary.csv)\n", section.id);
        }
    }
    out
}

pub(crate) const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fbfaf7;--soft:#666;--line:#ddd;--accent:#0b5fa5}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#17181a;--soft:#a5a5a5;--line:#3a3a3a;--accent:#7ab8ec}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{margin:.2em 0;font-size:2.2rem}h2{margin:2.2rem 0 .3rem;font-size:1.4rem}h3{margin:1rem 0 .2rem;font-size:1.05rem}
nav ul{columns:18rem;padding-left:1.2rem;margin:.2rem 0}a{color:var(--accent)}
section{border-top:1px solid var(--line)}
.question{font-style:italic;color:var(--soft);margin:.2rem 0}
.finding{font-size:1.08rem;margin:.4rem 0}
.method,.files{color:var(--soft);font-size:.85rem}
figure{margin:1rem 0;background:#fff;border-radius:6px;padding:.3rem;overflow-x:auto}
figure svg{display:block;max-width:100%;height:auto;margin:auto}
@media (max-width:45rem){figure svg{max-width:none;width:44rem}}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:right;white-space:nowrap}
td.text,th.text{text-align:left;white-space:normal;min-width:20rem}
th:first-child,td:first-child{text-align:left}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid var(--accent)}
article{border-left:.35rem solid #8a8a8a;padding:.2rem 1rem;margin:1rem 0}article.error{border-color:#a3261d}article.warning{border-color:#c07a12}
dl{display:grid;grid-template-columns:6rem 1fr;gap:.2rem 1rem;font-size:.9rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
details{margin:.6rem 0}summary{cursor:pointer;color:var(--accent)}
";

const SCRIPT: &str = "
for (const table of document.querySelectorAll('table.sortable')) {
  table.querySelectorAll('th button').forEach((button, at) => {
    let up = false;
    button.addEventListener('click', () => {
      up = !up;
      const body = table.tBodies[0];
      const key = row => row.cells[at].textContent;
      const rows = [...body.rows].sort((a, b) => {
        const x = parseFloat(key(a)), y = parseFloat(key(b));
        const order = isNaN(x) || isNaN(y) ? key(a).localeCompare(key(b)) : x - y;
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}
";
