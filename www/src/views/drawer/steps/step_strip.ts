// The strip above the table of steps: how long each one is; a click shows it.
import { say } from '../../../base/messages';
import { el } from '../../../base/dom';

import { formatDuration } from '../../../base/time';
import { drawStepStrip, stepAt, stripShape } from '../../../draw/step_strip';
import { Changed } from '../../../state/frame';
import { showView } from '../../../state/opened/show_view';
import { nameOfStep, stepsWithOps, titleOfStep } from '../../../state/opened/steps';
import type { Context } from '../../../state/state';
import { surface } from '../../shared/canvas';
import { paletteOf } from '../../../state/ui/theme';

const HEIGHT = 46;

export function stepStrip(context: Context): HTMLElement {
  const { state, frame } = context;
  const strip = surface({ class: 'step-strip', role: 'img' });
  const { element } = strip;
  const shown = () => {
    const { steps } = state;
    return steps ? steps.steps.slice(0, stepsWithOps(steps)) : [];
  };
  const under = (event: MouseEvent): number | null => {
    const steps = shown();
    return stepAt(stripShape(steps, strip.width, HEIGHT), steps.length, event.clientX - element.getBoundingClientRect().left);
  };
  element.addEventListener('click', (event) => {
    const step = under(event);
    if (step !== null) showView(context, { step });
  });
  element.addEventListener('pointermove', (event) => {
    const step = under(event);
    const of = step === null ? undefined : shown()[step];
    const words = of && [
      state.steps && titleOfStep(state.steps, step ?? 0),
      nameOfStep(state.steps, step ?? 0),
      formatDuration(of.window_ns),
      of.stands_out && say('step-unusual'),
    ];
    element.title = words ? words.filter(Boolean).join(' · ') : '';
    element.style.cursor = of ? 'pointer' : '';
  });
  const box = el('div', { class: 'step-strip-box' }, element);
  frame.onDom([Changed.steps, Changed.trace, Changed.drawer, Changed.layout], () => {
    const { usual } = state.steps ?? {};
    const steps = shown();
    if (!usual?.window_ns) return;
    const { min, max, p50 } = usual.window_ns;
    const unusual = steps.filter(({ stands_out }) => stands_out).length;
    element.setAttribute(
      'aria-label',
      say('step-strip', {
        steps: say('steps', { count: steps.filter(({ is_before }) => !is_before).length }),
        min: formatDuration(min),
        max: formatDuration(max),
        p50: formatDuration(p50),
        count: unusual,
      }),
    );
  });
  new ResizeObserver(() => {
    if (box.clientWidth > 0 && strip.fit(box.clientWidth, HEIGHT)) frame.invalidate(Changed.steps);
  }).observe(box);
  frame.onCanvas([Changed.steps, Changed.trace, Changed.theme, Changed.drawer, Changed.layout], () => {
    const { steps, trace, pending_view } = state;
    if (!steps || !trace || strip.width === 0) return;
    const rows = shown();
    strip.clear();
    const chosen = (pending_view ?? trace.view).step;
    const usual_ns = steps.usual.window_ns?.p50 ?? null;
    drawStepStrip(strip.context, rows, stripShape(rows, strip.width, HEIGHT), { chosen, usual_ns }, paletteOf(state));
  });
  return box;
}
