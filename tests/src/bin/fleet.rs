//! `fleet WORKERS STEPS LAYERS OUT`: writes a fleet with planted faults to the folder OUT, for tests and benchmarks.

use std::error::Error;
use std::fs;
use std::path::Path;
use steplens_tests::fleet::Fleet;

#[expect(clippy::print_stdout, reason = "a program tells what it did")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [workers, steps, layers, out] = arguments.as_slice() else {
        return Err("got other arguments, want: fleet WORKERS STEPS LAYERS OUT".into());
    };
    let fleet = Fleet { workers: workers.parse()?, steps: steps.parse()?, layers: layers.parse()? };
    let out = Path::new(out);
    let (mut files, mut bytes, mut last) = (0, 0, Vec::new());
    for (path, file) in fleet.files() {
        write(&out.join(path), &file)?;
        (files, bytes) = (files + 1, bytes + file.len());
        last = file;
    }
    for (path, file, _) in Fleet::damaged(&last) {
        write(&out.join(path), &file)?;
    }
    println!("{files} files, {bytes} bytes");
    Ok(())
}

fn write(path: &Path, file: &[u8]) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, file)?)
}
