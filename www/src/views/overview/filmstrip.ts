// All steps as bars next to each other, each as high as it is long and divided as it is; first, all of them together. A click shows one, and so
// do the arrow keys; a drag over several, or an arrow with Shift, makes them the range of all.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { formatDuration } from '../../base/time';
import { drawStepStrip, stepAt, stripShape } from '../../draw/step_strip';
import { Changed } from '../../state/frame';
import { showSteps, showView } from '../../state/opened/show_view';
import { nameOfStep, placeOfStep, rangeOfSteps, stepsOfRange, stepsWithOps, usualStep } from '../../state/opened/steps';
import { setRange } from '../../state/shown/select';
import { fitAll } from '../../state/shown/view';
import type { Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import { PARTS } from '../shared/words';
import { surface } from '../shared/canvas';

const HEIGHT = 23;
/** Of what shows all steps, and between it and the first bar. */
const ALL = 26;
const GAP = 4;

export function filmstrip(context: Context): HTMLElement {
  const { state, frame } = context;
  const strip = surface({ class: 'filmstrip', role: 'slider', tabindex: 0, 'aria-label': say('filmstrip'), 'aria-valuemin': 0 });
  const { element } = strip;
  const box = el('div', { class: 'filmstrip-box', hidden: true }, element);
  const shown = () => {
    const { steps } = state;
    return steps ? steps.steps.slice(0, stepsWithOps(steps)) : [];
  };
  /** The step that is shown, or on its way; null for all. */
  const chosen = () => (state.pending_view ?? state.trace?.view)?.step ?? null;
  /** The steps that a drag is over now; null while there is none. */
  let dragged: [number, number] | null = null;
  /** The steps that are the range of all. */
  const picked = (): [number, number] | null => {
    const { steps, range } = state;
    return dragged ?? (steps && range && chosen() === null ? stepsOfRange(steps, range) : null);
  };
  const shapeOf = () => stripShape(shown(), strip.width - ALL - GAP, HEIGHT);
  const words = (step: number | null): string => {
    const { steps } = state;
    const of = step === null ? undefined : shown()[step];
    const some = step === null && steps ? picked() : null;
    const range = steps && some && rangeOfSteps(steps, some);
    if (range && some)
      return say('steps-picked', { from: String(some[0] + 1), to: String(some[1] + 1), length: formatDuration(range.end - range.start) });
    if (!steps || step === null || !of)
      return clauses([say('all-steps-title'), say('steps', { count: shown().filter(({ is_before }) => !is_before).length })]);
    const parts = PARTS.filter(({ of: length }) => length(of) > 0).map(({ label, of: length }) =>
      say('part-of-step', { part: label, length: formatDuration(length(of)) }),
    );
    const usual_ns = steps.usual.window_ns?.p50 ?? 0;
    const what_stands_out = of.stands_out && (of.window_ns > usual_ns ? say('step-longer') : say('step-shorter'));
    const is_usual = step === usualStep(steps) && say('step-typical');
    return clauses([placeOfStep(steps, step), nameOfStep(steps, step), formatDuration(of.window_ns), what_stands_out, is_usual, ...parts]);
  };
  /** -1 for all of them, null for nothing. */
  const under = (event: MouseEvent): number | null => {
    const x = event.clientX - element.getBoundingClientRect().left;
    return x < ALL + GAP / 2 ? -1 : stepAt(shapeOf(), shown().length, x - ALL - GAP);
  };
  const show = (step: number) => {
    // All of them, and no longer some.
    if (step < 0 && picked()) {
      setRange(context, null);
      fitAll(context);
    } else if (step !== (chosen() ?? -1)) showView(context, { step: step < 0 ? null : step });
  };
  element.addEventListener('pointerdown', (event) => {
    const from = event.button === 0 ? under(event) : null;
    if (from === null) return;
    element.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent) => {
      const to = under(now);
      if (from < 0 || to === null || to < 0 || (to === from && dragged === null)) return;
      dragged = [Math.min(from, to), Math.max(from, to)];
      element.title = words(null);
      frame.invalidate(Changed.steps);
    };
    const end = ({ type }: Event) => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', end);
      element.removeEventListener('pointercancel', end);
      const over = dragged;
      dragged = null;
      frame.invalidate(Changed.steps);
      if (type === 'pointercancel') return;
      if (over && over[0] < over[1]) showSteps(context, over);
      else show(from);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
  });
  element.addEventListener('pointermove', (event) => {
    if (dragged) return;
    const step = under(event);
    element.title = step === null ? '' : words(step < 0 ? null : step);
    element.style.cursor = step === null ? '' : 'pointer';
  });
  element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = shown().length - 1;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.shiftKey && by !== undefined) {
      const at = chosen() ?? 0;
      const [from, to] = picked() ?? [at, at];
      const next = Math.min(last, Math.max(from, to + by));
      event.preventDefault();
      event.stopPropagation();
      if (next > from) showSteps(context, [from, next]);
      else show(from);
      return;
    }
    const now = chosen() ?? -1;
    const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: -1, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(Math.max(-1, Math.min(to, last)));
  });
  frame.onDom([Changed.steps, Changed.trace, Changed.layout, Changed.scope], () => {
    const count = shown().length;
    box.hidden = count < 2;
    if (box.hidden) return;
    element.setAttribute('aria-valuemax', String(count));
    element.setAttribute('aria-valuenow', String((chosen() ?? -1) + 1));
    element.setAttribute('aria-valuetext', words(chosen()));
  });
  new ResizeObserver(() => {
    if (box.clientWidth > 0 && strip.fit(box.clientWidth, HEIGHT)) frame.invalidate(Changed.steps);
  }).observe(box);
  frame.onCanvas([Changed.steps, Changed.trace, Changed.theme, Changed.layout, Changed.scope], () => {
    const { steps } = state;
    if (!steps || box.hidden || strip.width === 0) return;
    const theme = paletteOf(state);
    const rows = shown();
    const { context: canvas } = strip;
    strip.clear();
    const some = picked();
    const is_all = chosen() === null && some === null;
    canvas.fillStyle = is_all ? theme.accent : theme.line;
    canvas.beginPath();
    canvas.roundRect(0.5, 4.5, ALL - 1, HEIGHT - 8, 4);
    if (is_all) canvas.fill();
    canvas.strokeStyle = is_all ? theme.accent : theme.muted;
    canvas.lineWidth = 1;
    canvas.stroke();
    canvas.font = theme.small_font;
    canvas.textAlign = 'center';
    canvas.textBaseline = 'middle';
    canvas.fillStyle = is_all ? theme.background : theme.text;
    canvas.fillText(say('all-steps-short'), ALL / 2, HEIGHT / 2 + 1);
    canvas.textAlign = 'start';
    canvas.translate(ALL + GAP, 0);
    drawStepStrip(
      canvas,
      rows,
      shapeOf(),
      { chosen: dragged ? null : chosen(), picked: some, usual: usualStep(steps), usual_ns: null },
      theme,
    );
  });
  return box;
}
