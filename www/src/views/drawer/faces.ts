// What a tab's button says besides its title, for tabs that may have nothing to show or have something to count.
import type { Verb } from '../../engine/engine';
import { hasClocks } from '../../state/opened/clocks';
import { problemCount } from '../../state/opened/findings';
import { hasSteps } from '../../state/opened/steps';
import { Changed } from '../../state/frame';
import type { State } from '../../state/state';
import type { Tab } from '../../state/tabs';

interface Face {
  /** What it may change with, besides another trace. */
  changed?: number;
  /** The verbs whose answers it may change with. */
  verbs?: readonly Verb[];
  /** Whether the trace has anything to say in it; null while that is not known. */
  hasContent?: (state: State) => boolean | null;
  /** A count next to the title, where it is not 0. */
  badge?: (state: State) => number;
}

export const FACES: { readonly [T in Tab]?: Face } = {
  steps: {
    changed: Changed.steps,
    hasContent: (state) => state.steps && hasSteps(state),
    badge: ({ steps }) => steps?.steps.length ?? 0,
  },
  transfers: { changed: Changed.totals, badge: ({ trace }) => trace?.summary.transfers ?? 0 },
  kernels: { hasContent: ({ trace }) => (trace?.summary.accelerators.length ?? 0) > 0 },
  clocks: { hasContent: hasClocks },
  matches: { changed: Changed.search, badge: ({ search }) => search.result?.count ?? 0 },
  marks: { changed: Changed.notes, badge: ({ notes }) => notes.length },
  problems: { verbs: ['doctor'], badge: problemCount },
};

export const hasContent = (state: State, tab: Tab): boolean | null => {
  const asked = FACES[tab]?.hasContent;
  return asked ? asked(state) : true;
};
