#![no_main]

#[path = "../../crates/grapeshot-drill/tests/common/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|text: &str| fuzzed::read(text));
