#![no_main]

#[path = "../../tests/common/fuzzed.rs"]
mod fuzzed;

// The first letter says of which kind the file is.
libfuzzer_sys::fuzz_target!(|text: &str| {
    match text.strip_prefix('[') {
        Some(_) => fuzzed::log("log.toml", text),
        None => fuzzed::log("log.txt", text),
    }
});
