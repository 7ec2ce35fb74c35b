// What a screen reader says of the timeline once the view stands still: what is visible, and the figures of a range.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { formatCount, formatShare } from '../../base/format';
import { formatDuration, formatEnds, ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { Split } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { countersOf } from '../../state/shown/counter_rows';
import { isSettled, onSettled } from '../../state/shown/history';
import { bandsInSight } from '../../state/layout/sight';
import { unitPlace } from '../../state/layout/units';
import { announce, type Context } from '../../state/state';
import { scopeSplit } from '../../state/scope';
import { partsOf } from '../shared/words';

/** More names than this say less. */
const MOST_NAMES = 4;

export function speakOfTimeline(context: Context, lanes: HTMLElement): void {
  const { state, frame } = context;
  let said: Window | null = null;
  const sayRange = () => {
    const { range } = state;
    const split = scopeSplit(state, null);
    if (range === said || !split) return;
    said = range;
    announce(context, range ? rangeWords(range, split) : say('no-range'), Changed.notice);
  };
  const label = () => lanes.setAttribute('aria-label', sightWords(context));
  label();
  frame.onDom([Changed.trace, Changed.scope], (changed) => {
    if (changed.has(Changed.trace)) said = null;
    // The figures may come long after the hand has come to rest.
    if (isSettled(state)) sayRange();
  });
  onSettled(context, () => {
    label();
    sayRange();
  });
  frame.onDom([Changed.trace, Changed.layout, 'counters'], label);
}

const between = ({ start, end }: Window): string => say('from-to', formatEnds(start, end));

function rangeWords(range: Window, split: Split): string {
  const share = (part_ns: number) => formatShare(split.window_ns > 0 ? part_ns / split.window_ns : 0);
  const parts = partsOf([split]).map(({ label, of }) => `${label} ${share(of(split))}`);
  return say('range-spoken', { length: formatDuration(range.end - range.start), window: between(range), parts: listed(parts) });
}

/** Heard when the keyboard reaches the timeline. */
function sightWords({ state }: Context): string {
  const summary = state.trace?.summary;
  if (!summary) return say('timeline-title');
  const window = { start: ns(Math.max(state.window.start, 0)), end: ns(Math.min(state.window.end, summary.span_ns)) };
  const names = bandsInSight(state).map((band) => unitPlace(summary, band.device));
  const more = names.length - MOST_NAMES;
  const shown = more > 0 ? [...names.slice(0, MOST_NAMES), say('more-devices', { count: more })] : names;
  const devices = shown.length > 0 ? listed(shown) : say('no-device');
  const known = countersOf(state);
  const has_samples = known !== null && known.count + known.instants > 0;
  const samples = has_samples
    ? [say('counters-spoken', { counters: formatCount(known.count), instants: formatCount(known.instants) })]
    : [];
  return [say('timeline-spoken', { window: between(window), devices }), ...samples].join(' ');
}
