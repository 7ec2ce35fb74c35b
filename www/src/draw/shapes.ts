// Small drawing helpers that several layers share; all in CSS pixels.
import type { Rect } from '../base/geom';

export function outline(context: CanvasRenderingContext2D, rect: Rect, grow: number, width: number, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.strokeRect(rect.x - grow, rect.y - grow, rect.width + 2 * grow, rect.height + 2 * grow);
}

/** A text on a plate of its own, so that it reads over anything. Returns where the plate is. */
export function plate(context: CanvasRenderingContext2D, text: string, x: number, y: number, fill: string, ink: string, width_limit: number): Rect {
  const width = Math.ceil(context.measureText(text).width) + 10;
  const rect = { x: Math.min(Math.max(x, 2), Math.max(2, width_limit - width - 2)), y, width, height: 16 };
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(rect.x, rect.y, rect.width, rect.height, 4);
  context.fill();
  context.fillStyle = ink;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillText(text, rect.x + 5, rect.y + rect.height / 2 + 0.5);
  return rect;
}
