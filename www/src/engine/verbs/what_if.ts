// How long the step would take if something were different.
import type { SavingRows, WhatIfPage } from '../protocol';
import { current } from '../worker/shown';
import { FLOW, plain, parsed, type Answer, type VerbEntries } from './verb';

/** An answer, and what it is an answer to. */
export interface WhatIfAnswer extends WhatIfPage {
  asked: readonly string[];
}

export const WHAT_IF = {
  /** Replays the step with these changes, each as `steplens what-if` reads it: n log n in ops. The first question makes the model. */
  whatIf: {
    needs: FLOW,
    answer: (changes: readonly string[]): Answer<WhatIfAnswer> =>
      plain({ ...(JSON.parse(current().whatIf([...changes])) as WhatIfPage), asked: changes }),
  },
  /** What would help: rows from `first` up to, and without, `end`, each of which replays the step four times. */
  whatIfRows: { needs: FLOW, answer: (first: number, end: number) => parsed<SavingRows>(current().whatIfRows(first, end)) },
} satisfies VerbEntries;
