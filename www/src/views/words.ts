// The words and explanations of figures, in one place, so that every view says the same.
import type { Category, Split } from '../engine/protocol';

export type Part = 'compute' | 'copy' | 'communication' | 'idle';

export interface PartWords {
  part: Part;
  label: string;
  short: string;
  explanation: string;
  of: (split: Split) => number;
}

/** The exclusive parts of a window, in their order of priority; they add up to the window exactly. */
export const PARTS: readonly PartWords[] = [
  {
    part: 'compute',
    label: 'compute',
    short: 'compute',
    explanation: 'Time in which at least one op computes, whatever else goes on at the same time.',
    of: (split) => split.compute_ns,
  },
  {
    part: 'copy',
    label: 'exposed copy',
    short: 'copy',
    explanation:
      'Time in which data is copied between host and device, or between devices of one task, and nothing computes.',
    of: (split) => split.exposed_copy_ns,
  },
  {
    part: 'communication',
    label: 'exposed communication',
    short: 'comm.',
    explanation:
      'Time in which a transfer between tasks is under way and nothing computes or copies: what communication really costs.',
    of: (split) => split.exposed_communication_ns,
  },
  {
    part: 'idle',
    label: 'idle',
    short: 'idle',
    explanation: 'Time in which no op is recorded at all.',
    of: (split) => split.idle_ns,
  },
];

/** Beside figures that a repair touched, which are other than what was recorded. */
export const REPAIRED_MARK = '◇';

export const CATEGORY_WORDS: Record<Category, string> = {
  compute: 'compute',
  copy: 'copy',
  communication: 'communication',
};
