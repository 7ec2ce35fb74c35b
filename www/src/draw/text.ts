// Widths of texts on the canvas, measured once per character: thousands of labels a frame must not each be measured.

export class TextRuler {
  readonly #widths = new Map<string, number>();
  readonly #context: CanvasRenderingContext2D;
  readonly #font: () => string;
  /** The font of the widths. */
  #of = '';

  /** `font` is another one on a larger screen. */
  constructor(context: CanvasRenderingContext2D, font: () => string) {
    this.#context = context;
    this.#font = font;
  }

  /** Kerning apart, which is below a pixel in labels of this size. */
  width(text: string): number {
    const font = this.#font();
    if (font !== this.#of) this.#widths.clear();
    this.#of = font;
    let sum = 0;
    for (const character of text) {
      let width = this.#widths.get(character);
      if (width === undefined) {
        this.#context.font = font;
        width = this.#context.measureText(character).width;
        this.#widths.set(character, width);
      }
      sum += width;
    }
    return sum;
  }
}
