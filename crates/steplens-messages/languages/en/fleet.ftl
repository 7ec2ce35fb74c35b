### What is said of the summary of a fleet. Syntax: Fluent (projectfluent.org).
###
### Rust says these. The page's own texts of a fleet are in page.ftl.

fleet-other = This is not the summary of a fleet. Open overview.steplens-fleet of a dataset that steplens index wrote.
fleet-newer = Another version of Steplens wrote this summary of a fleet. Open it with that one, or run steplens index again. Its format has version { $version }.
fleet-cut = This summary of a fleet is not whole. Copy it again, or run steplens index again. It says that it has { $wanted } bytes, and has { $got }.
fleet-damaged = This summary of a fleet is damaged. Copy it again, or run steplens index again. In { $part }: { $why }.
fleet-no-run = This summary of a fleet has no run { $run }. Open it again.
fleet-no-figure = There is no figure { $word } of a fleet. Choose another one.
