// What a tab's button says besides its title, for tabs that may have nothing to show or have something to count.
import type { Verb } from '../../engine/engine';
import { hasClocks } from '../../state/opened/clocks';
import { problemCount } from '../../state/opened/findings';
import { countOfSteps, hasSteps } from '../../state/opened/steps';
import { memoryOf } from '../../state/shown/memory_accounts';
import { Changed, type On } from '../../state/frame';
import type { State } from '../../state/state';
import type { Tab } from '../../state/tabs';

interface Face {
  /** What it may change with, besides another trace. */
  changed?: On;
  /** The verbs whose answers it may change with. */
  verbs?: readonly Verb[];
  /** Whether the trace has anything to say in it; null while that is not known. */
  hasContent?: (state: State) => boolean | null;
  /** A count next to the title, where it is not 0. */
  badge?: (state: State) => number;
}

/** Whether anything is sent or copied between devices. */
function hasLinks({ trace }: State): boolean {
  if (!trace) return true;
  const { transfers = 0, devices, accelerators } = trace.summary;
  return transfers > 0 || [...devices, ...accelerators].some((own) => own.communication_ns > 0 || own.exposed_copy_ns > 0);
}

export const FACES: { readonly [T in Tab]?: Face } = {
  steps: {
    changed: [Changed.steps],
    hasContent: (state) => state.steps && hasSteps(state),
    badge: ({ steps }) => (steps ? countOfSteps(steps) : 0),
  },
  network: { changed: [Changed.totals], hasContent: hasLinks },
  memory: {
    verbs: ['memory'],
    // Who looks while it is not known yet reads what records it.
    hasContent: (state) => memoryOf(state)?.readings.length !== 0 || state.tab === 'memory',
  },
  transfers: {
    changed: [Changed.totals],
    hasContent: ({ trace }) => trace?.summary.transfers !== 0,
    badge: ({ trace }) => trace?.summary.transfers ?? 0,
  },
  kernels: { hasContent: ({ trace }) => (trace?.summary.accelerators.length ?? 0) > 0 },
  clocks: { hasContent: hasClocks },
  matches: { changed: [Changed.search], hasContent: ({ search }) => search.query !== '', badge: ({ search }) => search.result?.count ?? 0 },
  // What is not pinned is on a card.
  selection: { hasContent: ({ selection_pinned, tab }) => selection_pinned || tab === 'selection' },
  marks: {
    changed: [Changed.notes],
    hasContent: ({ notes, tab }) => notes.length > 0 || tab === 'marks',
    badge: ({ notes }) => notes.length,
  },
  problems: { verbs: ['doctor'], badge: problemCount },
};

export const hasContent = (state: State, tab: Tab): boolean | null => {
  const asked = FACES[tab]?.hasContent;
  return asked ? asked(state) : true;
};
