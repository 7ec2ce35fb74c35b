// Widths of texts on the canvas, measured once per character: thousands of labels a frame must not each be measured.

export class TextRuler {
  readonly #widths = new Map<string, number>();
  readonly #measure: (character: string) => number;

  constructor(context: CanvasRenderingContext2D, font: string) {
    this.#measure = (character) => {
      context.font = font;
      return context.measureText(character).width;
    };
  }

  /** Kerning apart, which is below a pixel in labels of this size. */
  width(text: string): number {
    let sum = 0;
    for (const character of text) {
      let width = this.#widths.get(character);
      if (width === undefined) {
        width = this.#measure(character);
        this.#widths.set(character, width);
      }
      sum += width;
    }
    return sum;
  }
}
