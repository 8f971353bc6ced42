//! A PDF whose greys are said as greys: the converter says every colour in three parts and a profile, which a printer
//! may set in four inks.

use super::pdf_order::{Object, rewritten};

const BEGIN: &[u8] = b"\nstream\n";
const END: &[u8] = b"\nendstream";

/// The same document in greys; what is no grey stays as it is, and so does the whole then. Nothing if it cannot be read.
pub(super) fn in_grey(pdf: &[u8]) -> Option<Vec<u8>> {
    let mut coloured = false;
    let made = rewritten(pdf, |object| {
        coloured |= !to_grey(object)?;
        Some(())
    })?;
    match coloured {
        true => Some(pdf.to_vec()),
        false => Some(made),
    }
}

/// Puts an object in greys; no if it has a colour.
fn to_grey(object: &mut Object) -> Option<bool> {
    object.head = without_profile(&object.head);
    let is_drawing = object.tail.starts_with(BEGIN)
        && object.head.contains("/FlateDecode")
        && !object.head.contains("/N 3");
    if !is_drawing {
        return Some(true);
    }
    let end = object.tail.windows(END.len()).rposition(|w| w == END)?;
    let packed = &object.tail[BEGIN.len()..end];
    let drawing = miniz_oxide::inflate::decompress_to_vec_zlib(packed).ok()?;
    // Type is packed too, and is no text.
    let Some(drawing) = String::from_utf8(drawing)
        .ok()
        .filter(|d| d.contains("scn\n") || d.contains("SCN\n"))
    else {
        return Some(true);
    };
    let mut out = String::with_capacity(drawing.len());
    for line in drawing.lines() {
        let (numbers, operator) = line.rsplit_once(' ').unwrap_or(("", line));
        let said = match operator {
            "cs" | "CS" if numbers.starts_with('/') => continue,
            "scn" => "g",
            "SCN" => "G",
            _ => {
                out += line;
                out.push('\n');
                continue;
            }
        };
        let parts: Vec<&str> = numbers.split(' ').collect();
        let [red, green, blue] = parts[..] else {
            return Some(false);
        };
        if red != green || green != blue {
            return Some(false);
        }
        out += red;
        out.push(' ');
        out += said;
        out.push('\n');
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(out.as_bytes(), 8);
    let length = object
        .head
        .lines()
        .find(|line| line.trim_start().starts_with("/Length "))?;
    object.head = object
        .head
        .replace(length, &format!("  /Length {}", packed.len()));
    object.tail = [BEGIN, &packed, &object.tail[end..]].concat();
    Some(true)
}

/// A dictionary that names no profile of colours; those that are blended are greys too.
fn without_profile(head: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut inside = false;
    for line in head.split('\n') {
        let bare = line.trim();
        if bare == "/ColorSpace <<" {
            inside = true;
        } else if inside {
            inside = bare != ">>";
        } else if bare.starts_with("/CS ") {
            out.push(line.replace(bare, "/CS /DeviceGray"));
        } else {
            out.push(line.to_owned());
        }
    }
    out.join("\n")
}
