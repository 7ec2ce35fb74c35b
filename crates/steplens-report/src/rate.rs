//! Bytes per second, for tables of transfers and of links.

/// Bytes per second, rounded down; `None` when no time passed.
pub(crate) fn rate(bytes: u64, ns: Option<i64>) -> Option<u64> {
    let ns = u128::try_from(ns?).ok().filter(|&ns| ns > 0)?;
    Some(u64::try_from(u128::from(bytes) * 1_000_000_000 / ns).unwrap_or(u64::MAX))
}
