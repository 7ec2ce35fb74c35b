//! Shared by all tables while a session is read: texts by their rows, within the limit of text look-ups.

use super::Damage;
use super::codec::Column;
use super::strings::StringRows;
use super::tables::Tables;
use steplens_core::StringId;
use steplens_core::build::builder::TraceBuilder;
use steplens_messages::say;

pub(super) struct Reader<'a, 'b> {
    pub(super) tables: &'a Tables,
    pub(super) strings: &'a StringRows,
    /// How many bytes of text may still be looked up.
    pub(super) left: u64,
    pub(super) builder: &'b mut TraceBuilder,
    /// Whether the categories of the nodes are lost, so that names decide.
    pub(super) by_names: bool,
    /// The builder's ids of the strings that were looked up, by row.
    pub(super) ids: Vec<Option<StringId>>,
}

impl<'a> Reader<'a, '_> {
    /// The text of the next row of `column`.
    #[inline(never)]
    pub(super) fn text(&mut self, column: &mut Column<'_>) -> Result<&'a [u8], Damage> {
        let row = column.row(self.strings.len())?;
        self.text_of(row, column)
    }

    pub(super) fn text_of(&mut self, row: usize, column: &Column<'_>) -> Result<&'a [u8], Damage> {
        let text = self.strings.get(row);
        self.look_up(text.len(), column)?;
        Ok(text)
    }

    /// The builder's id of the text of `row`.
    #[inline(never)]
    pub(super) fn id_of(&mut self, row: usize, column: &Column<'_>) -> Result<StringId, Damage> {
        if let Some(id) = self.ids.get(row).copied().flatten() {
            return Ok(id);
        }
        let text = self.text_of(row, column)?;
        let id = self.builder.text(text);
        self.ids.get_mut(row).into_iter().for_each(|own| *own = Some(id));
        Ok(id)
    }

    /// The builder's id of the text of the next row of `column`.
    pub(super) fn next_id(&mut self, column: &mut Column<'_>) -> Result<StringId, Damage> {
        let row = column.row(self.strings.len())?;
        self.id_of(row, column)
    }

    /// The builder's id of the text in `row` as a control input; `known` has the ids that exist already.
    pub(super) fn control_of(
        &mut self,
        row: usize,
        column: &Column<'_>,
        known: &mut [Option<StringId>],
    ) -> Result<StringId, Damage> {
        if let Some(id) = known[row] {
            return Ok(id);
        }
        let text = self.text_of(row, column)?;
        Ok(*known[row].insert(self.builder.text(&[b"^", text].concat())))
    }

    /// Subtracts `bytes` from what may be looked up.
    pub(super) fn look_up(&mut self, bytes: usize, column: &Column<'_>) -> Result<(), Damage> {
        let left = self.left.checked_sub(bytes as u64);
        self.left = left.ok_or_else(|| column.damage(say!("got-more-text")))?;
        Ok(())
    }

    #[inline(never)]
    pub(super) fn owned(&mut self, column: &mut Column<'_>) -> Result<String, Damage> {
        Ok(String::from_utf8_lossy(self.text(column)?).into_owned())
    }

    /// A code or format: only letters, digits, dots and dashes, because programs print it unchanged.
    pub(super) fn word(&mut self, column: &mut Column<'_>) -> Result<String, Damage> {
        let word = self.owned(column)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        if word.bytes().all(is_plain) { Ok(word) } else { Err(column.damage(say!("got-no-code"))) }
    }
}

/// Checks that all of `columns` was read.
pub(super) fn all_read<const N: usize>(columns: [Column<'_>; N]) -> Result<(), Damage> {
    columns.iter().try_for_each(Column::end)
}
