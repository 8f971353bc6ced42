//! The objects of a PDF in a fixed order: the converter keeps faces and resources in tables without order, and
//! the same chart has to give the same bytes.

use std::collections::BTreeMap;

/// An object: its dictionary, which names others, and what follows it as it is.
pub(super) struct Object {
    pub(super) head: String,
    pub(super) tail: Vec<u8>,
}

/// The same document with entries sorted and objects numbered as they are first named; nothing if it cannot be
/// read.
pub(super) fn in_order(pdf: &[u8]) -> Option<Vec<u8>> {
    rewritten(pdf, |_| Some(()))
}

/// The same with something done to every object first.
pub(super) fn rewritten(
    pdf: &[u8],
    mut change: impl FnMut(&mut Object) -> Option<()>,
) -> Option<Vec<u8>> {
    let end = rfind(pdf, b"startxref")?;
    let digits = std::str::from_utf8(&pdf[end + 9..]).ok()?;
    let table: usize = digits.split_whitespace().next()?.parse().ok()?;
    let listed = std::str::from_utf8(&pdf[table..end]).ok()?;
    let (entries, trailer) = listed.split_once("trailer")?;
    let mut starts: Vec<usize> = entries
        .lines()
        .filter(|line| line.trim_end().ends_with(" n"))
        .map(|line| line[..10].parse().ok())
        .collect::<Option<_>>()?;
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([table]);
    let mut objects = BTreeMap::new();
    for (start, end) in starts.iter().zip(ends) {
        let (number, mut object) = read(&pdf[*start..end])?;
        change(&mut object)?;
        objects.insert(number, object);
    }
    let root = references(trailer)
        .into_iter()
        .map(|(_, number)| number)
        .next()?;
    let mut order = Vec::new();
    let mut waiting = vec![root];
    while let Some(number) = waiting.pop() {
        if order.contains(&number) {
            continue;
        }
        order.push(number);
        let named = references(&objects.get(&number)?.head);
        waiting.extend(named.into_iter().rev().map(|(_, number)| number));
    }
    let new = |number: u32| {
        order
            .iter()
            .position(|known| *known == number)
            .map(|at| at + 1)
    };
    let mut out = pdf[..*starts.first()?].to_vec();
    let mut places = Vec::new();
    for (at, number) in order.iter().enumerate() {
        let object = &objects[number];
        places.push(out.len());
        out.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        out.extend(renumbered(&object.head, &new)?.into_bytes());
        out.extend(&object.tail);
    }
    let table = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f\r\n", places.len() + 1).into_bytes());
    for place in places.iter() {
        out.extend(format!("{place:010} 00000 n\r\n").into_bytes());
    }
    let size = places.len() + 1;
    let trailer =
        format!("trailer\n<<\n  /Size {size}\n  /Root 1 0 R\n>>\nstartxref\n{table}\n%%EOF");
    out.extend(trailer.into_bytes());
    Some(out)
}

/// An object and its number.
fn read(bytes: &[u8]) -> Option<(u32, Object)> {
    let line = bytes.iter().position(|b| *b == b'\n')?;
    let header = std::str::from_utf8(&bytes[..line]).ok()?;
    let number = header.strip_suffix(" 0 obj")?.parse().ok()?;
    let body = &bytes[line + 1..];
    let mark: &[u8] = b"\nstream\n";
    let cut = body.windows(mark.len()).position(|w| w == mark);
    let (head, tail) = body.split_at(cut.unwrap_or(body.len()));
    let head = sorted(std::str::from_utf8(head).ok()?);
    let tail = tail.to_vec();
    Some((number, Object { head, tail }))
}

/// Neighbouring entries that each name one object, by name.
fn sorted(head: &str) -> String {
    let is_entry = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('/') && line.ends_with(" 0 R") && line.split(' ').count() == 4
    };
    let mut lines: Vec<&str> = head.split('\n').collect();
    lines
        .chunk_by_mut(|a, b| is_entry(a) && is_entry(b))
        .for_each(|run| run.sort_unstable());
    lines.join("\n")
}

/// Where other objects are named: the place of the number, and the number.
fn references(text: &str) -> Vec<(usize, u32)> {
    let ends = text.match_indices(" 0 R").map(|(at, _)| at);
    let number = |end: usize| {
        let start = text[..end]
            .rfind(|c: char| !c.is_ascii_digit())
            .map_or(0, |at| at + 1);
        Some((start, text[start..end].parse().ok()?))
    };
    ends.filter_map(number).collect()
}

/// A dictionary with the new numbers of those it names.
fn renumbered(head: &str, new: &dyn Fn(u32) -> Option<usize>) -> Option<String> {
    let mut out = String::new();
    let mut done = 0;
    for (at, number) in references(head) {
        out += &head[done..at];
        out += &new(number)?.to_string();
        done = at + number.to_string().len();
    }
    Some(out + &head[done..])
}

fn rfind(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).rposition(|w| w == mark)
}
