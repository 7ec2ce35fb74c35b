// What the line at the top says of the trace: how long, how many ops and transfers, what was repaired. Each element stays while its figure
// changes, so that the keyboard stays on it.
import { el, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { say } from '../../base/messages';
import type { Summary } from '../../engine/protocol';
import { ESTIMATED } from '../../state/opened/clock_words';
import { problemCount } from '../../state/opened/findings';
import { repairWords } from '../../state/opened/repairs';
import { Changed } from '../../state/frame';
import { OP_TIME_WORDS } from '../../state/opened/steps';
import { chooseTab } from '../../state/shown/tab';
import type { Context, State } from '../../state/state';
import type { Tab } from '../../state/tabs';
import { REPAIRED_MARK } from '../shared/words';

interface Said {
  text: string;
  title: string;
}

interface Fact {
  look: string;
  /** The tab that a click opens; a fact without one is no button. */
  tab?: Tab;
  /** What it says of the trace, or null to be hidden. */
  said: (state: State, summary: Summary) => Said | null;
}

const FACTS: readonly Fact[] = [
  {
    look: 'repaired',
    tab: 'problems',
    said: (state, { view }) =>
      view.repairs.length > 0 ? { text: `${REPAIRED_MARK} ${say('repaired')}`, title: repairWords(state) } : null,
  },
  {
    look: 'clocks-set',
    tab: 'clocks',
    said: (_, { view }) =>
      view.clocks ? { text: `${REPAIRED_MARK} ${clockWords(view.clocks)}`, title: say('clocks-changed-title') } : null,
  },
  {
    look: 'op-time',
    said: (_, { view }) => (view.op_time ? { text: OP_TIME_WORDS[view.op_time], title: say('op-time-title') } : null),
  },
  {
    look: 'by-pattern',
    tab: 'range',
    said: ({ trace }) => {
      const count = trace?.view.communication.length ?? 0;
      return count > 0 ? { text: say('patterns-short', { count }), title: say('patterns-fact') } : null;
    },
  },
  { look: '', said: (_, { ops }) => ({ text: say('ops', { count: ops }), title: say('ops-title') }) },
  {
    look: '',
    said: (_, { transfers = 0, transferred_bytes = 0 }) => {
      if (transfers === 0) return null;
      const title =
        transferred_bytes > 0 ? say('transfers-title', { bytes: formatBytes(transferred_bytes) }) : say('transfers-title-no-sizes');
      return { text: say('transfers', { count: transfers }), title };
    },
  },
  {
    look: 'warning',
    tab: 'problems',
    said: (state) => {
      const count = problemCount(state);
      return count > 0 ? { text: say('problems', { count }), title: say('problems-title') } : null;
    },
  },
];

const clockWords = (clocks: readonly string[]): string =>
  say(clocks.some((word) => word !== ESTIMATED) ? 'clocks-by-hand' : 'clocks-aligned');

export function factsOf(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = FACTS.map((fact) => ({ fact, element: elementOf(context, fact) }));
  frame.onDom([Changed.trace, Changed.totals, Changed.steps, 'doctor'], () => {
    const summary = state.trace?.summary;
    if (!summary) return;
    for (const { fact, element } of shown) {
      const said = fact.said(state, summary);
      element.hidden = !said;
      if (!said) continue;
      setText(element, said.text);
      element.title = said.title;
    }
  });
  return el('div', { class: 'facts' }, ...shown.map(({ element }) => element));
}

function elementOf(context: Context, { look, tab }: Fact): HTMLElement {
  if (tab === undefined) return el('span', { class: `fact ${look}`, hidden: true });
  return el('button', { class: `fact link ${look}`, type: 'button', hidden: true, onclick: () => chooseTab(context, tab) });
}
