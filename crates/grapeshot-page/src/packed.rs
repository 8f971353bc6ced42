//! A text in a link: deflated, in base64url without padding.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

/// What is wrong with a packed text.
pub(super) enum Unpacked {
    /// It was cut off, or never was one.
    Cut,
    /// It comes to more than is allowed.
    TooLong,
}

/// A text as it stands in a link.
pub(super) fn pack(text: &str) -> String {
    let mut packed = Vec::new();
    let mut packing = DeflateEncoder::new(text.as_bytes(), Compression::best());
    packing
        .read_to_end(&mut packed)
        .expect("what is in memory can be read");
    URL_SAFE_NO_PAD.encode(packed)
}

/// A text from a link, of at most so many bytes.
pub(super) fn unpack(packed: &str, most: usize) -> Result<String, Unpacked> {
    let bytes = URL_SAFE_NO_PAD.decode(packed).map_err(|_| Unpacked::Cut)?;
    let mut text = String::new();
    // A small packet may hold a great deal: it is read only as far as it may go.
    let mut unpacking = DeflateDecoder::new(bytes.as_slice()).take(most as u64 + 1);
    unpacking
        .read_to_string(&mut text)
        .map_err(|_| Unpacked::Cut)?;
    match text.len() <= most {
        true => Ok(text),
        false => Err(Unpacked::TooLong),
    }
}

/// A text from a field of a form, which ends its lines as networks do.
pub(super) fn typed(text: &str) -> String {
    text.replace("\r\n", "\n").trim_end().to_owned() + "\n"
}
