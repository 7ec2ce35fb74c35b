//! The text of a `TensorDescription`: protobuf's text format without quotation marks, as `timeline.py` keeps it.

use std::fmt::Write;
use steplens_core::Trace;
use steplens_core::model::file_order::Buffer;
use steplens_core::model::output::{Output, dtype_name};

/// Writes the description of `output` into `text`. Protobuf omits sizes that are 0 and flags that are not set.
pub(super) fn describe(trace: &Trace, output: &Output<'_>, buffer: Buffer, text: &mut String) {
    text.clear();
    // Writing to a string cannot fail.
    let _ = write(trace, output, buffer, text);
}

fn write(trace: &Trace, output: &Output<'_>, buffer: Buffer, text: &mut String) -> std::fmt::Result {
    if output.dtype != 0 {
        writeln!(text, "dtype: {}", dtype_word(output.dtype))?;
    }
    if buffer.has_shape {
        text.push_str("shape {\n");
        for &size in output.shape.unwrap_or_default() {
            match size {
                0 => text.push_str("  dim {\n  }\n"),
                _ => writeln!(text, "  dim {{\n    size: {size}\n  }}")?,
            }
        }
        if output.shape.is_none() {
            text.push_str("  unknown_rank: true\n");
        }
        text.push_str("}\n");
    }
    if buffer.has_allocation {
        text.push_str("allocation_description {\n");
        let figure = |text: &mut String, name: &str, value: i128| match value {
            0 => Ok(()),
            _ => writeln!(text, "  {name}: {value}"),
        };
        figure(text, "requested_bytes", output.requested.0.into())?;
        figure(text, "allocated_bytes", output.allocated.0.into())?;
        let allocator = trace.text(output.allocator);
        if !allocator.is_empty() {
            writeln!(text, "  allocator_name: {}", allocator.replace('"', ""))?;
        }
        figure(text, "allocation_id", output.allocation_id.into())?;
        if buffer.has_single_reference {
            text.push_str("  has_single_reference: true\n");
        }
        figure(text, "ptr", buffer.ptr.into())?;
        text.push_str("}\n");
    }
    Ok(())
}

/// The name of a `DataType`: `DT_FLOAT`, `DT_INT32_REF`; or its number if it has no name.
fn dtype_word(dtype: u32) -> String {
    let name = dtype_name(dtype);
    let (base, reference) = name.strip_suffix("_ref").map_or((name.as_str(), ""), |base| (base, "_REF"));
    let word = match base {
        "float32" => "FLOAT".to_owned(),
        "float64" => "DOUBLE".to_owned(),
        "float16" => "HALF".to_owned(),
        other if other.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => other.to_ascii_uppercase(),
        _ => return dtype.to_string(),
    };
    format!("DT_{word}{reference}")
}

#[cfg(test)]
mod tests {
    use super::dtype_word;

    #[test]
    fn types_are_called_as_in_types_proto() {
        let words = [1, 2, 3, 14, 19, 101, 24, 9_999].map(dtype_word);
        let expected = [
            "DT_FLOAT",
            "DT_DOUBLE",
            "DT_INT32",
            "DT_BFLOAT16",
            "DT_HALF",
            "DT_FLOAT_REF",
            "DT_FLOAT8_E5M2",
            "9999",
        ];
        assert_eq!(words, expected);
    }
}
