// Goes to a place in time that was typed: a range is selected and framed, a moment is brought to the middle, a step is shown.
import { say } from '../../base/messages';
import { formatDuration, ns } from '../../base/time';
import type { TypedPlace } from '../../base/typed_place';
import { Changed } from '../frame';
import { wholeStep } from '../scope';
import { announce, type Context } from '../state';
import { setRange } from './select';
import { frameWindow, holdAt } from './view';

/** Steps are for `showStep`, as they belong to what was opened. False where the place is not in what is shown. */
export function goToTime(context: Context, place: Exclude<TypedPlace, { kind: 'step' }>): boolean {
  const { state } = context;
  const whole = wholeStep(state);
  const start = place.kind === 'range' ? place.start : place.at;
  if (start > whole.end) {
    announce(context, say('typed-after-end', { length: formatDuration(whole.end) }), Changed.notice);
    return false;
  }
  if (place.kind === 'moment') holdAt(context, place.at, state.viewport.width / 2);
  else {
    setRange(context, { start: place.start, end: ns(Math.min(place.end, whole.end)) });
    const { range } = state;
    if (range) frameWindow(context, range);
  }
  return true;
}
