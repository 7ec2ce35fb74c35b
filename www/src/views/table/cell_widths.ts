// How wide the cells of a table's columns must be so that no figure is cut. Texts are measured, never laid out.
import { TextRuler } from '../../draw/text';
import type { Column } from './columns';

/** Padding left and right of a cell, and a pixel for rounding. */
const PADDING = 13;
/** More padding, of the first and the last column; the others may have it, too. */
const OUTER = 6;
/** Texts that are longer are cut: a name in a trace may be of any length. */
const WIDEST_TEXT = 256;
/** Longer names are cut whatever room there is. */
const WIDEST_NAME = 560;
/** The colour in front of a name. */
const DOT = 16;
/** The arrow of the sorted column. */
const ARROW = 16;
/** A bar in front of a figure. */
const BAR = 34;

export class CellWidths {
  /** Made when the first cell is measured. */
  #ruler: TextRuler | null = null;
  readonly #font: () => string;

  constructor(font: () => string) {
    this.#font = font;
  }
  /** The width that the title and its arrow need. */
  ofTitle(title: string): number {
    return this.#width(title) + ARROW + PADDING + OUTER;
  }

  /** The width that a cell of this column with this text needs; null where it may be cut. */
  ofCell(column: Column<never, string>, text: string): number | null {
    if (!column.numeric && !column.fits) return null;
    const width = this.#width(text) + PADDING + OUTER + (column.has_bar ? BAR : 0);
    return column.numeric ? width : Math.min(width, WIDEST_TEXT);
  }

  /** The width that a cell of this column would like to have: what may be cut is not, where there is room to spare. */
  wantedBy(column: Column<never, string>, text: string): number {
    if (column.numeric || column.fits) return 0;
    return Math.min(this.#width(text), WIDEST_NAME) + PADDING + OUTER + DOT;
  }

  #width(text: string): number {
    if (!this.#ruler) {
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return 0;
      this.#ruler = new TextRuler(context, this.#font);
    }
    return Math.ceil(this.#ruler.width(text));
  }
}
