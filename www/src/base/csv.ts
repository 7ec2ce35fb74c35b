// Tables as CSV (RFC 4180), as the program writes them: LF line ends, empty cells where nothing is known.

export type CsvCell = string | number | null;

/** Signs with which a cell's text would be a formula to a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

/** One row with its line end. Text that a spreadsheet would run gets an apostrophe in front: names in a trace are hostile. */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\n`;

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
