//! Sets texts: `fmt TEXT…` writes them back where they are set otherwise.

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let set = grapeshot_drill::fmt::format(&text);
        if set != text {
            std::fs::write(&path, set).unwrap_or_else(|error| panic!("{path}: {error}"));
            println!("{path}");
        }
    }
}
