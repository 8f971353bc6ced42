//! One number for the code that results are made by: a study whose folder was written by other code is not up to
//! date. What only prints (documents, `cli`) does not count; charts do.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    for folder in ["src", "crates"] {
        println!("cargo:rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = DefaultHasher::new();
    for file in files {
        file.to_string_lossy().replace('\\', "/").hash(&mut hash);
        // Line ends are a matter of the checkout.
        let text = fs::read(&file).expect("a source file");
        let text: Vec<u8> = text.into_iter().filter(|&byte| byte != b'\r').collect();
        text.hash(&mut hash);
    }
    println!("cargo:rustc-env=GRAPESHOT_SOURCES={:016x}", hash.finish());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let prints = path == Path::new("src/cli");
        if path.is_dir() && !prints {
            collect(&path, files);
        } else if path.is_file() && folder != Path::new("crates/grapeshot-render/src") {
            files.push(path);
        }
    }
}
