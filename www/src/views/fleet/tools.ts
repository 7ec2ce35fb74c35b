// What is shown of a fleet, and how: the run, the figure, the order of tasks; and what the colours stand for.
import { clauses } from '../../base/joined';
import { el, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { capital, say } from '../../base/messages';
import type { FleetFigure } from '../../engine/protocol';
import { setLook, setSight, FLEET_CHANGED } from '../../state/fleet/open';
import { wholeSight } from '../../state/fleet/sight';
import type { Context } from '../../state/state';
import { FIGURE_ABOUT, FIGURE_WORDS, sizeWords, written } from './words';

export function fleetTools(context: Context): HTMLElement {
  const { state, frame } = context;
  const run = el('select', { id: 'fleet-run', 'aria-label': say('fleet-run') });
  run.addEventListener('change', () => setLook(context, { run: Number(run.value) }));
  const figure = el('select', { id: 'fleet-figure', 'aria-label': say('fleet-figure-label') });
  figure.addEventListener('change', () => setLook(context, { figure: figure.value as FleetFigure }));
  const chip = (id: string, words: string, title: string, toggle: () => void) =>
    el('button', { id, class: 'chip', type: 'button', title, onclick: toggle }, words);
  const share = chip('fleet-share', say('fleet-share'), say('fleet-share-about'), () =>
    setLook(context, { as_share: !state.fleet?.look.as_share }),
  );
  const largest = chip('fleet-largest', say('fleet-largest'), say('fleet-largest-about'), () =>
    setLook(context, { largest: !state.fleet?.look.largest }),
  );
  const sort = chip('fleet-sort', say('fleet-sort'), say('fleet-sort-about'), () =>
    setLook(context, { by_figure: !state.fleet?.look.by_figure }),
  );
  const fit = chip('fleet-fit', say('fleet-fit'), say('fleet-fit-about'), () => {
    if (state.fleet) setSight(context, wholeSight(state.fleet));
  });
  let runs: unknown = null;
  let of_run: unknown = null;
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    if (!fleet?.overview) return;
    if (runs !== fleet.overview) {
      runs = fleet.overview;
      run.replaceChildren(
        ...fleet.overview.runs.map((own, at) =>
          el('option', { value: String(at) }, say('fleet-run-of', { run: own.name, size: sizeWords(own) })),
        ),
      );
    }
    run.hidden = fleet.overview.runs.length < 2;
    run.value = String(fleet.look.run);
    if (!fleet.run) return;
    if (of_run !== fleet.run) {
      of_run = fleet.run;
      figure.replaceChildren(...fleet.run.figures.map((own) => el('option', { value: own }, capital(FIGURE_WORDS[own]))));
    }
    figure.value = fleet.look.figure;
    figure.title = FIGURE_ABOUT[fleet.look.figure] ?? '';
    share.hidden = fleet.look.figure === 'window';
    share.setAttribute('aria-pressed', String(fleet.look.as_share));
    largest.hidden = fleet.run.most_in_cell < 2;
    largest.setAttribute('aria-pressed', String(fleet.look.largest));
    sort.setAttribute('aria-pressed', String(fleet.look.by_figure));
    fit.disabled = fleet.sight === null;
  });
  return el('div', { class: 'fleet-tools' }, run, figure, share, largest, sort, fit, legend(context));
}

/** The colours with figures, and what a cell stands for. */
function legend({ state, frame }: Context): HTMLElement {
  const low = el('span', { class: 'figure' });
  const high = el('span', { class: 'figure' });
  const note = el('span', { class: 'note' });
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    if (!fleet?.heat || !fleet.run) return;
    const { scale } = fleet.heat.is;
    setText(low, written(scale.low, scale.is_share));
    setText(
      high,
      scale.above > 0 ? say('fleet-and-more', { value: written(scale.high, scale.is_share) }) : written(scale.high, scale.is_share),
    );
    high.title = scale.above > 0 ? say('fleet-above', { cells: formatCount(scale.above), most: written(scale.most, scale.is_share) }) : '';
    const { steps_per_column, tasks_per_row, most_in_cell, unplaced } = fleet.run;
    const parts = [
      steps_per_column > 1 ? say('fleet-cell-of-steps', { count: steps_per_column }) : '',
      tasks_per_row > 1 ? say('fleet-cell-of-tasks', { count: tasks_per_row }) : '',
      most_in_cell > 1 ? say(scale.is_largest ? 'fleet-cell-largest' : 'fleet-cell-mean') : '',
      unplaced > 0 ? say('fleet-unplaced', { count: unplaced }) : '',
    ];
    setText(note, clauses(parts.filter((part) => part !== '')));
  });
  return el('span', { class: 'fleet-legend' }, low, el('span', { class: 'fleet-ramp', 'aria-hidden': true }), high, note);
}
