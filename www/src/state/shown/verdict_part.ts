// The part of a recording that its verdict is about is what one sees first, so that the split below the verdict is of the same time.
import { ns } from '../../base/time';
import type { VerdictFigures } from '../../engine/protocol';
import { wholeStep } from '../scope';
import type { Context } from '../state';
import { setOuterRange } from './select';
import { frameWindow } from './view';

/** Makes it the range and frames it, unless something else was asked for by then: once, so that whoever goes back to everything stays there. */
export function showVerdictPart(context: Context, figures: VerdictFigures | undefined): void {
  const { state } = context;
  const { trace, window, range, selection } = state;
  if (!trace || !figures || figures.from_ns === null || figures.to_ns === null || state.part_shown_of === trace.whole) return;
  state.part_shown_of = trace.whole;
  const whole = wholeStep(state);
  const is_untouched = range === null && selection === null && window.start === whole.start && window.end === whole.end;
  if (!is_untouched) return;
  const part = { start: ns(figures.from_ns), end: ns(figures.to_ns) };
  setOuterRange(context, part, null, 'stay');
  frameWindow(context, part);
}
