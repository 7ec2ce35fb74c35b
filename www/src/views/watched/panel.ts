// The watched folder: a line with what it is about, and under it processes, runs, and what was asked.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import type { WatchedProcess } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { isSpread, toggleSpread } from '../../state/watched/spread';
import { endWatching, lookWhenSeen, setOpens } from '../../state/watched/watch';
import type { Watching } from '../../state/watching';
import { ICONS } from '../shared/icons';
import { askForm } from './ask_form';
import { belowTable, isAboutBelow } from './below_table';
import { askedList } from './asked_list';
import { callsTable } from './calls_table';
import { runsTable } from './runs_table';
import { WATCHED_CHANGED } from '../../state/watched/below';

/** `pick` lets the user choose the folder again, where the browser cannot follow one. */
export function watchPanel(context: Context, pick: () => void): HTMLElement {
  const { state, frame } = context;
  lookWhenSeen(context);
  const toggle = el('button', {
    class: 'button square small',
    type: 'button',
    'aria-controls': 'watch-body',
    onclick: () => toggleSpread(context),
  });
  toggle.append(icon(ICONS.down));
  const name = el('strong', { class: 'watch-name' });
  const facts = el('span', { class: 'note watch-facts' });
  const fault = el('span', { class: 'watch-fault', role: 'status' });
  const opens = el('input', { type: 'checkbox', id: 'watch-opens', onchange: () => setOpens(context, opens.checked) });
  const again = el(
    'button',
    { id: 'watch-again', class: 'button outlined', type: 'button', title: say('watch-again-title'), onclick: pick },
    say('watch-again'),
  );
  const end = el(
    'button',
    {
      id: 'watch-end',
      class: 'button square',
      type: 'button',
      title: say('watch-end'),
      'aria-label': say('watch-end'),
      onclick: () => endWatching(context),
    },
    icon(ICONS.close),
  );
  const problems = el('ul', { class: 'watch-problems', 'aria-label': say('watch-problems') });
  const recorded = el(
    'div',
    { class: 'watch-columns' },
    el('div', { class: 'watch-column' }, callsTable(context), askForm(context), askedList(context)),
    runsTable(context),
  );
  const body = el('div', { id: 'watch-body', class: 'watch-body' }, problems, belowTable(context), recorded);
  frame.onDom([WATCHED_CHANGED, Changed.trace], () => {
    const { watching } = state;
    if (!watching) return;
    const spread = isSpread(watching, state.trace !== null);
    toggle.setAttribute('aria-expanded', String(spread));
    toggle.title = say(spread ? 'watch-less' : 'watch-more');
    toggle.setAttribute('aria-label', toggle.title);
    body.hidden = !spread;
    // Of a folder with other tools' traces nobody can be asked for more.
    recorded.hidden = isAboutBelow(watching) && (watching.below?.length ?? 0) > 0;
    opens.parentElement?.toggleAttribute('hidden', recorded.hidden);
    setText(name, watching.place.name);
    setText(facts, factsOf(watching));
    setText(fault, watching.fault === null ? '' : say('watch-fault', { why: watching.fault }));
    opens.checked = watching.opens;
    again.hidden = watching.place.grows;
    const said = watching.said?.problems ?? [];
    problems.hidden = said.length === 0;
    problems.replaceChildren(...said.map(({ detail }) => el('li', {}, detail)));
  });
  return el(
    'div',
    { class: 'watch-all' },
    el(
      'div',
      { class: 'watch-line' },
      toggle,
      icon(ICONS.watch),
      name,
      facts,
      fault,
      el('label', { class: 'choice watch-opens', title: say('watch-opens-title') }, opens, el('span', {}, say('watch-opens'))),
      again,
      end,
    ),
    body,
  );
}

function factsOf({ said, below, place }: Watching): string {
  if (!said) return say('watch-looking');
  if (below && below.length > 0 && said.processes.length === 0) return '';
  if (said.processes.length === 0) return say('watch-nothing-yet');
  const { processes } = said;
  const sum = (of: (process: WatchedProcess) => number) => processes.reduce((all, process) => all + of(process), 0);
  return clauses([
    say('watch-processes', { count: said.processes.length }),
    say('watch-runs', { count: sum(({ runs }) => runs) }),
    say('watch-traced', { count: sum(({ traced }) => traced) }),
    !place.grows && say('watch-as-it-was'),
  ]);
}
