// A canvas that has as many pixels as the screen gives it, at any zoom of the browser.
import { el } from '../../base/dom';

export interface Surface {
  element: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  ratio: number;
  /** Makes the pixels fit the element's size; returns whether that changed anything. */
  fit: (width: number, height: number) => boolean;
  /** Clears, and sets coordinates to CSS pixels. */
  clear: () => void;
}

export function surface(attributes: Parameters<typeof el<'canvas'>>[1]): Surface {
  const element = el('canvas', attributes);
  const context = element.getContext('2d');
  if (!context) throw new Error('this browser has no 2D canvas');
  const made: Surface = {
    element,
    context,
    width: 0,
    height: 0,
    ratio: 1,
    fit(width, height) {
      const ratio = devicePixelRatio;
      if (made.width === width && made.height === height && made.ratio === ratio) return false;
      Object.assign(made, { width, height, ratio });
      element.width = Math.max(1, Math.round(width * ratio));
      element.height = Math.max(1, Math.round(height * ratio));
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
      return true;
    },
    clear() {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, element.width, element.height);
      context.setTransform(made.ratio, 0, 0, made.ratio, 0, 0);
    },
  };
  return made;
}
