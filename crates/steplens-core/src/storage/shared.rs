//! How much memory is behind an `Arc`.

/// The bytes of a shared `T` and of its two counts.
pub(crate) fn shared_bytes<T>() -> usize {
    2 * size_of::<usize>() + size_of::<T>()
}
