#![no_main]

#[path = "../../tests/common/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|text: &str| fuzzed::roster(text));
