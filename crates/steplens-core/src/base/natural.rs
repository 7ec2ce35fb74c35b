//! Natural order: runs of digits compare as numbers, so that `task:10` follows `task:9`.

use std::cmp::Ordering;

/// Compares two names as a person would sort them; total, and equal only for equal strings.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(&x), Some(&y)) = (left.first(), right.first()) {
        let (taken_left, taken_right, order) = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (m, n) = (digits(left), digits(right));
            (m, n, compare_numbers(&left[..m], &right[..n]))
        } else {
            (1, 1, x.cmp(&y))
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (&left[taken_left..], &right[taken_right..]);
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn compare_numbers(a: &[u8], b: &[u8]) -> Ordering {
    let a = &a[a.iter().take_while(|&&digit| digit == b'0').count()..];
    let b = &b[b.iter().take_while(|&&digit| digit == b'0').count()..];
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_by_value() {
        let mut names = ["task:10", "task:9", "task:09", "task", "stream:all", "stream:2", "stream:13"];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(names, ["stream:2", "stream:13", "stream:all", "task", "task:09", "task:9", "task:10"]);
    }
}
