// The words and explanations of figures, in one place, so that every view says the same.
import { PART_FIGURES, WORK, type Category, type PartFigure, type Split } from '../../engine/protocol';
import type { State } from '../../state/state';

export type Part = Exclude<Category, 'range'> | 'idle';

export interface PartWords {
  part: Part;
  label: string;
  short: string;
  explanation: string;
  figure: PartFigure;
  of: (split: Split) => number;
}

const WORDS: Record<Part, Omit<PartWords, 'part' | 'figure' | 'of'>> = {
  compute: {
    label: 'compute',
    short: 'compute',
    explanation: 'Time in which at least one op computes, whatever else goes on at the same time.',
  },
  input: {
    label: 'exposed input',
    short: 'input',
    explanation: 'Time in which the next batch is got (iterators, data loading) and nothing computes.',
  },
  copy: {
    label: 'exposed copy',
    short: 'copy',
    explanation: 'Time in which data is copied between host and device, or between devices of one task, and nothing before it goes on.',
  },
  communication: {
    label: 'exposed communication',
    short: 'comm.',
    explanation:
      'Time in which a transfer between tasks or a collective is under way and nothing computes or copies: what communication really costs.',
  },
  launch: {
    label: 'exposed launch',
    short: 'launch',
    explanation: 'Time in which a host calls into a driver, to make a device do something, and nothing before it goes on.',
  },
  waiting: {
    label: 'exposed waiting',
    short: 'waiting',
    explanation: 'Time in which there is only waiting: for a device, or for peers.',
  },
  idle: { label: 'idle', short: 'idle', explanation: 'Time in which no op is recorded at all.' },
};

const IN_ORDER = [...WORK, 'idle'] as readonly Part[];

/** What is looked at without a range: one step, or several on one axis. */
export const wholeWords = ({ trace }: State): string =>
  trace?.view.step === null && trace.summary.view.steps > 1 ? 'All steps' : 'Whole step';

/** The exclusive parts of a window, in their order of priority; they add up to the window exactly. */
export const PARTS: readonly PartWords[] = IN_ORDER.map((part, index) => {
  const figure = PART_FIGURES[index] ?? 'idle_ns';
  return { part, figure, ...WORDS[part], of: (split) => split[figure] };
});

/** The parts that any of `splits` has, and always compute and idle: what a trace does not have is left out. */
export const partsOf = (splits: readonly (Split | null)[]): readonly PartWords[] =>
  PARTS.filter(({ part, of }) => part === 'compute' || part === 'idle' || splits.some((split) => split !== null && of(split) > 0));

/** Next to figures that a repair changed. */
export const REPAIRED_MARK = '◇';

export const CATEGORY_WORDS: Record<Category, string> = {
  compute: 'compute',
  input: 'input',
  copy: 'copy',
  communication: 'communication',
  launch: 'launch',
  waiting: 'waiting',
  range: 'range',
};
