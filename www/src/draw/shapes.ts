// Small drawing helpers that several layers share; all in CSS pixels.
import type { Rect } from '../base/geom';

export function outline(context: CanvasRenderingContext2D, rect: Rect, grow: number, width: number, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.strokeRect(rect.x - grow, rect.y - grow, rect.width + 2 * grow, rect.height + 2 * grow);
}

/** A text on a plate of its own, so that it reads over anything. */
export interface Plate {
  rect: Rect;
  text: string;
}

/** Where a plate is that is centred at `x`, kept within the width. Measures in the context's font. */
export function plateAt(context: CanvasRenderingContext2D, text: string, x: number, y: number, width_limit: number): Plate {
  const width = Math.ceil(context.measureText(text).width) + 10;
  return {
    text,
    rect: { x: Math.min(Math.max(x - width / 2, 2), Math.max(2, width_limit - width - 2)), y, width, height: 16 },
  };
}

export function drawPlate(context: CanvasRenderingContext2D, { rect, text }: Plate, fill: string, ink: string, edge: string): void {
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(rect.x, rect.y, rect.width, rect.height, 4);
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.stroke();
  context.fillStyle = ink;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillText(text, rect.x + 5, rect.y + rect.height / 2 + 0.5);
}
