// What each colour stands for, in words.
import { kernelLabel } from '../../base/names';
import { say } from '../../base/messages';
import { formatDuration, formatEnds } from '../../base/time';
import { REST, type Category, type Colors } from '../../engine/protocol';
import { CATEGORY_WORDS } from './words';

export function colorName({ by, names, bounds_ns, others }: Colors, color: number): string {
  if (by === 'category') return CATEGORY_WORDS[names[color] as Category];
  if (color === REST && !names[REST]) return others > 0 ? say('color-others', { count: others }) : say('color-none');
  if (bounds_ns.length > 0) return lengthName(by === 'slack', bounds_ns, color);
  const name = names[color]?.trim() ?? '';
  return by === 'step' ? say('color-steps', { steps: name }) : kernelLabel(name) || say('color-unnamed');
}

function lengthName(is_slack: boolean, bounds: Colors['bounds_ns'], color: number): string {
  const [from, to] = [bounds[color - 1], bounds[color]];
  if (is_slack && color === 0) return say('color-no-slack');
  if (from === undefined || (is_slack && color === 1)) return say('color-below', { to: formatDuration(to ?? 0) });
  return to === undefined ? say('color-from', { from: formatDuration(from) }) : say('color-between', formatEnds(from, to, from));
}
