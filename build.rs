//! One number for the code that results are made by: a study whose folder was written by other code is
//! not up to date. What only prints (`render`, `cli`) does not count.
//!
//! And how the program is linked, where the linker can: see [`LINKING`].

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// On Linux with glibc, each where the linker takes it:
/// - at a fixed address, so that nothing is left for the loader to move: two hundred thousand addresses were a
///   quarter of the time a short question took, and five megabytes;
/// - functions that came out alike kept once, another five megabytes.
const LINKING: [&str; 2] = ["-no-pie", "-Wl,--icf=all"];

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=build.rs");
    link();
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    let mut hash = Fnv::new();
    for file in files {
        hash.add(file.to_string_lossy().replace('\\', "/").as_bytes());
        // Line ends are a matter of the checkout.
        let bytes = fs::read(&file).expect("a source file");
        hash.add(
            &bytes
                .into_iter()
                .filter(|&b| b != b'\r')
                .collect::<Vec<_>>(),
        );
    }
    println!("cargo:rustc-env=GRAPESHOT_SOURCES={:016x}", hash.0);
}

fn link() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let tested = is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64");
    if !tested {
        return;
    }
    for argument in LINKING {
        if linker_takes(argument) {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
}

/// Links a program that does nothing with an argument; what was found out is kept for the next build.
fn linker_takes(argument: &str) -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let rustc = variable("RUSTC");
    let version = Command::new(&rustc).arg("-vV").output();
    let version = version.map_or(Vec::new(), |output| output.stdout);
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let linker = variable("RUSTC_LINKER");
    let asked = format!(
        "{argument}\n{flags}\n{linker}\n{}",
        String::from_utf8_lossy(&version)
    );
    let out = PathBuf::from(variable("OUT_DIR"));
    let name: String = argument.chars().filter(char::is_ascii_alphabetic).collect();
    let [taken, refused] = ["taken", "refused"].map(|answer| out.join(format!("{name}-{answer}")));
    let known = |file: &Path| fs::read_to_string(file).is_ok_and(|text| text == asked);
    if known(&taken) || known(&refused) {
        return known(&taken);
    }
    let source = out.join("nothing.rs");
    let mut command = Command::new(&rustc);
    command.args(["--crate-type", "bin", "--target", &variable("TARGET")]);
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    if !linker.is_empty() {
        command.arg(format!("-Clinker={linker}"));
    }
    command.arg(format!("-Clink-arg={argument}"));
    command.arg("-o").arg(out.join("nothing")).arg(&source);
    let linked = fs::write(&source, "fn main() {}").and_then(|()| command.output());
    let takes = linked.is_ok_and(|output| output.status.success());
    // Where it cannot be kept, it is found out again.
    let _ = fs::write(if takes { taken } else { refused }, asked);
    takes
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let prints = ["src/render", "src/cli"]
            .iter()
            .any(|p| path == Path::new(p));
        if path.is_dir() && !prints {
            collect(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
}

/// FNV-1a: enough to tell two versions of a program apart.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
