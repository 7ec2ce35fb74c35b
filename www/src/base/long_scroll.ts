// Scrolling through more than a browser can lay out: an element that is at most so tall stands for any height.
//
// As long as everything fits, positions are the browser's own. Beyond that, a small move counts at face value, so that
// wheel and fingers move by rows as ever, and a long one (the scroll bar) counts as a share of the whole. What the two
// make differ is put right when scrolling has come to rest.
import { clamp } from './geom';

/** Firefox stops at 17.8 million pixels, Chromium at 33.5 million. */
export const TALLEST = 12_000_000;

export class LongScroll {
  /** How far the content is scrolled. */
  top = 0;
  #height = 0;
  #view = 0;
  /** The element's own position as last seen. */
  #seen = 0;

  constructor(readonly tallest = TALLEST) {}

  /** How tall the element has to be. */
  get elementHeight(): number {
    return Math.min(this.#height, this.tallest);
  }

  /** The content's height and how much of it is in view. */
  resize(height: number, view: number): void {
    this.#height = height;
    this.#view = view;
    this.top = clamp(this.top, 0, this.#farthest);
  }

  /** The element was scrolled to `position`. */
  scrolled(position: number): void {
    const move = position - this.#seen;
    this.#seen = position;
    if (this.#height <= this.tallest || Math.abs(move) > this.#view) this.top = position * this.#factor;
    else this.top += move;
    // At an end of the scroll bar nothing may lie beyond it.
    const last = this.elementHeight - this.#view;
    if (position <= 0 && this.top < this.#view) this.top = 0;
    if (position >= last && this.top > this.#farthest - this.#view) this.top = this.#farthest;
    this.top = clamp(this.top, 0, this.#farthest);
  }

  /** Moves the content; the element follows to `position`. */
  goTo(top: number): void {
    this.top = clamp(top, 0, this.#farthest);
    this.#seen = this.position;
  }

  /** Where the element should be scrolled to. */
  get position(): number {
    return this.top / this.#factor;
  }

  get #farthest(): number {
    return Math.max(0, this.#height - this.#view);
  }

  /** Pixels of content for one of the element. */
  get #factor(): number {
    return this.#height <= this.tallest ? 1 : this.#farthest / (this.tallest - this.#view);
  }
}
