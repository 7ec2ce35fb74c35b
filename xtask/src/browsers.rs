//! The browsers that the page is tested in: found, or installed through the system's package manager where that is allowed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, command, find, output, run, say};

/// One browser: the programs it may be, its Debian package, and how the test scripts are started with it.
struct Browser {
    name: &'static str,
    programs: &'static [&'static str],
    package: &'static str,
    variable: &'static str,
}

const CHROMIUM: Browser = Browser {
    name: "Chromium",
    programs: &[
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ],
    package: "chromium",
    variable: "STEPLENS_CHROMIUM",
};
/// Chromium without the browser around its pages: that takes as long for each window as our page does.
const CHROMIUM_SHELL: Browser =
    Browser { programs: &["chromium-headless-shell"], package: "chromium-headless-shell", ..CHROMIUM };
const FIREFOX: Browser = Browser {
    name: "Firefox",
    programs: &["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"],
    package: "firefox-esr",
    variable: "STEPLENS_FIREFOX",
};

/// Without any font the browsers draw no text, and measure none.
const FONT_PACKAGE: &str = "fonts-dejavu-core";
/// Without one of its own, Chinese is empty boxes, whose widths say nothing of the page in Chinese.
const CHINESE_FONT_PACKAGE: &str = "fonts-noto-cjk";
const CHINESE_FONTS: [&str; 6] = ["cjk", "wqy", "pingfang", "msyh", "sourcehan", "stheiti"];
const FONT_FOLDERS: [&str; 4] =
    ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "C:\\Windows\\Fonts"];

/// Tells `script` where a Chromium and a Firefox are, after installing what is missing: for tests, which look at pages alone.
pub(crate) fn provide(script: &mut Command) -> Result {
    // Where it is not packaged, the whole browser does.
    let has_shell = CHROMIUM_SHELL.find().is_some() || (CHROMIUM.find().is_none() && can_install());
    let chromium = if has_shell { CHROMIUM_SHELL } else { CHROMIUM };
    provide_these(script, &[chromium, FIREFOX])
}

/// The same with the browser that people have: for figures, pictures, and the longer run of tests.
pub(crate) fn provide_whole(script: &mut Command) -> Result {
    script.env("STEPLENS_BROWSERS_FOR_FIGURES", "1");
    provide_these(script, &[CHROMIUM, FIREFOX])
}

fn provide_these(script: &mut Command, browsers: &[Browser]) -> Result {
    let mut missing: Vec<&str> =
        browsers.iter().filter(|browser| browser.find().is_none()).map(|browser| browser.package).collect();
    if !has_font(&|_| true) {
        missing.push(FONT_PACKAGE);
    }
    if !has_font(&|name| CHINESE_FONTS.iter().any(|font| name.contains(font))) {
        missing.push(CHINESE_FONT_PACKAGE);
    }
    if !missing.is_empty() {
        install(&missing)?;
    }
    for browser in browsers {
        let path = browser.find().ok_or_else(|| {
            format!(
                "the page is tested in {}, and it is not here; install it, or set {} to its program",
                browser.name, browser.variable
            )
        })?;
        script.env(browser.variable, path);
    }
    Ok(())
}

impl Browser {
    fn find(&self) -> Option<PathBuf> {
        if let Some(path) = std::env::var_os(self.variable) {
            return Some(PathBuf::from(path));
        }
        self.programs.iter().find_map(|program| find(program))
    }
}

/// Whether this machine lets us install its packages.
fn can_install() -> bool {
    find("apt-get").is_some() && output(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

pub(crate) fn install(packages: &[&str]) -> Result {
    let list = packages.join(" ");
    if !can_install() {
        return Err(format!("these packages are missing: {list}; on Debian: sudo apt-get install {list}"));
    }
    say(&format!("installing {list} through apt-get"));
    let apt = || {
        let mut apt = command("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").arg("-qq");
        apt
    };
    run(apt().arg("update"))?;
    run(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// Whether a font is installed whose file is called as `is_called` says, in small letters.
fn has_font(is_called: &dyn Fn(&str) -> bool) -> bool {
    FONT_FOLDERS.iter().any(|folder| has_file(Path::new(folder), is_called))
}

fn has_file(folder: &Path, is_called: &dyn Fn(&str) -> bool) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        let is_it = || path.file_name().is_some_and(|name| is_called(&name.to_string_lossy().to_lowercase()));
        if path.is_file() { is_it() } else { has_file(&path, is_called) }
    })
}
