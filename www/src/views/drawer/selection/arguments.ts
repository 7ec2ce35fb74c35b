// What the file says of the selected op in addition: its arguments, what it ran inside of, and the stack that it ran under.
import { say } from '../../../base/messages';
import { el } from '../../../base/dom';
import type { OpDetails } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { rowTerms } from '../../../state/terms';
import { block, factLine, refLine } from '../../shared/parts';

/** What known arguments are called. */
const NOUNS: Record<string, string> = {
  shapes: say('argument-shapes'),
  types: say('argument-types'),
  strides: say('argument-strides'),
  inputs: say('argument-inputs'),
  module: say('argument-module'),
  stack: say('argument-stack'),
  grid: say('argument-grid'),
  block: say('argument-block'),
  registers: say('argument-registers'),
  'shared-memory': say('argument-shared-memory'),
  occupancy: say('argument-occupancy'),
  stream: say('argument-stream'),
  correlation: say('argument-correlation'),
  bytes: say('argument-bytes'),
  bandwidth: say('argument-bandwidth'),
  flops: say('argument-flops'),
};

/** Longer values scroll in a box of their own. */
const LONG = 120;

const valueOf = (value: string): string | HTMLElement =>
  value.length > LONG ? el('pre', { class: 'long-value', tabindex: 0 }, value) : value;

/** What is known by its noun, then what else was recorded. */
export function argumentsBlock({ arguments: all, modules }: OpDetails): HTMLElement | null {
  const known = all.filter(({ noun }) => noun !== null);
  const others = all.filter(({ noun }) => noun === null);
  if (all.length === 0 && modules.length === 0) return null;
  return block(
    say('block-arguments'),
    el(
      'dl',
      { class: 'facts-list arguments' },
      modules.length > 0 && factLine(say('argument-module'), valueOf(modules.join(' › '))),
      ...known.map(({ noun, name, value }) => factLine(NOUNS[noun ?? ''] ?? name, valueOf(value), name)),
    ),
    others.length > 0 && el('h4', {}, say('also-recorded')),
    others.length > 0 && el('dl', { class: 'facts-list arguments' }, ...others.map(({ name, value }) => factLine(name, valueOf(value)))),
  );
}

/** What says little without the rest of them. */
const BESIDES: ReadonlySet<string | null> = new Set([null, 'types', 'strides', 'correlation', 'stack', 'module', 'bytes']);

/** The first `most` of those whose meaning is known. */
export const knownArguments = ({ arguments: all }: OpDetails, most: number): HTMLElement[] =>
  all
    .filter(({ noun, value }) => !BESIDES.has(noun) && value.length <= LONG)
    .slice(0, most)
    .map(({ noun, name, value }) => factLine(NOUNS[noun ?? ''] ?? name, value, name));

/** The event that contains it on its thread, and the one before it. */
export function aroundBlock(context: Context, { inside_of, before, device }: OpDetails): HTMLElement | null {
  if (!inside_of && !before) return null;
  const line = (ref: NonNullable<OpDetails['before']>) => el('ul', { class: 'refs' }, refLine(context, ref, device));
  const terms = context.state.trace && rowTerms(context.state.trace.summary, device);
  return block(
    terms?.on_row ?? say('block-around'),
    el(
      'dl',
      { class: 'facts-list' },
      inside_of && factLine(say('fact-inside-of'), line(inside_of), say('fact-inside-of-about')),
      before && factLine(say('fact-before'), line(before), terms?.before_about),
    ),
  );
}

/** Frames of Python, the innermost first; folded, because there may be a hundred. */
export function stackBlock(context: Context, { frames, frame_count, device }: OpDetails): HTMLElement | null {
  if (frames.length === 0) return null;
  return block(
    say('block-stack', { count: frame_count }),
    el(
      'ul',
      { class: 'refs stack' },
      ...frames.map((ref) => refLine(context, ref, ref.device ?? device)),
      frame_count > frames.length && el('li', { class: 'note' }, say('and-others', { count: frame_count - frames.length })),
    ),
  );
}
