// The step, or the selected range of it, as one bar with figures.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { formatDuration, formatEnds } from '../../base/time';
import type { Summary } from '../../engine/protocol';
import { repairWords } from '../../state/opened/repairs';
import { Changed } from '../../state/frame';
import { HOST_PROFILER } from '../../state/layout/units';
import { setRange } from '../../state/shown/select';
import type { Context } from '../../state/state';
import { toggleAnyDevice } from '../../state/shown/any_device';
import { scope, scopeSplit } from '../../state/scope';
import { splitBar } from '../shared/split_bar';
import { REPAIRED_MARK, wholeAbout, wholeWords } from '../shared/words';

/** What the step bar is the mean of. */
function meanWords({ accelerators, devices }: Summary): { chip: string; short: string } {
  // Short words where they fit: the chip shares a narrow column with the length of the step.
  const kind = (['GPU', 'TPU'] as const).find((word) => accelerators.every(({ name }) => name.includes(word))) ?? 'accelerator';
  const counted = devices.filter((device) => device.kind !== HOST_PROFILER).length;
  const of: { kind: 'GPU' | 'TPU' | 'accelerator' | 'device'; count: number } =
    accelerators.length > 0 ? { kind, count: accelerators.length } : { kind: 'device', count: counted };
  const short = of.count === 1 ? say('one-of-kind', { kind: of.kind }) : say('mean-of', of);
  return { chip: of.count === 1 ? short : say('mean-chip'), short };
}

export function stepBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const bar = splitBar(true, wholeWords(state));
  const what = el('span', { class: 'scope-name' });
  const length = el('span', { class: 'scope-length' });
  const clear = el(
    'button',
    { class: 'chip', type: 'button', title: say('back-to-everything'), onclick: () => setRange(context, null) },
    say('clear-range'),
  );
  const union = el('button', {
    class: 'chip',
    type: 'button',
    onclick: () => toggleAnyDevice(context),
  });
  const repaired = el('span', { class: 'repaired', role: 'img' }, REPAIRED_MARK);
  frame.onDom([Changed.trace | Changed.scope | Changed.steps, 'doctor'], () => {
    if (!state.trace) return;
    const { start, end } = scope(state);
    const whole = wholeWords(state);
    setText(what, state.range ? say('range-title') : whole);
    setText(length, formatDuration(end - start));
    clear.hidden = !state.range;
    repaired.hidden = !state.trace.summary.devices.some((device) => device.repaired);
    repaired.title = repairWords(state);
    repaired.setAttribute('aria-label', repaired.title);
    what.title = state.range ? say('from-to-short', formatEnds(start, end, 1000)) : wholeAbout(state);
    const mean = meanWords(state.trace.summary);
    const { devices, clocks } = state.trace.summary;
    // What any device does at a moment is not known where their clocks differ.
    union.hidden = devices.length < 2 || !!clocks;
    const is_any = state.any_device && !clocks;
    // Next to the length there is room for a word or two: the title says of what.
    setText(union, is_any ? say('any-chip') : mean.chip);
    union.title = is_any ? say('any-device-title', { mean: mean.short }) : say('mean-title', { mean: mean.short });
    union.setAttribute('aria-pressed', String(is_any));
    const split = scopeSplit(state, is_any ? 'any' : null);
    const of = is_any ? say('any-device') : mean.short;
    const what_is_split = [state.range ? say('selected-range') : whole, of, !repaired.hidden && say('repaired')];
    if (split) bar.update(split, clauses(what_is_split));
  });
  return el('div', { class: 'step-row' }, el('div', { class: 'side' }, what, length, union, repaired, clear), bar.element);
}
