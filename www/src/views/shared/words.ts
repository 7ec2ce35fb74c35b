// The words and explanations of figures, in one place, so that every view says the same.
import { say } from '../../base/messages';
import { PART_FIGURES, WORK, type Category, type PartFigure, type Split } from '../../engine/protocol';
import type { State } from '../../state/state';

export type Part = Exclude<Category, 'range'> | 'idle';

export { CATEGORY_WORDS } from '../../state/category_words';

export interface PartWords {
  part: Part;
  label: string;
  short: string;
  explanation: string;
  figure: PartFigure;
  of: (split: Split) => number;
}

const WORDS: Record<Part, Omit<PartWords, 'part' | 'figure' | 'of'>> = {
  compute: { label: say('category-compute'), short: say('category-compute'), explanation: say('part-compute-about') },
  input: { label: say('part-input'), short: say('category-input'), explanation: say('part-input-about') },
  copy: { label: say('part-copy'), short: say('category-copy'), explanation: say('part-copy-about') },
  communication: { label: say('part-communication'), short: say('part-communication-short'), explanation: say('part-communication-about') },
  launch: { label: say('part-launch'), short: say('category-launch'), explanation: say('part-launch-about') },
  allocation: { label: say('part-allocation'), short: say('category-allocation'), explanation: say('part-allocation-about') },
  waiting: { label: say('part-waiting'), short: say('category-waiting'), explanation: say('part-waiting-about') },
  idle: { label: say('part-idle'), short: say('part-idle'), explanation: say('part-idle-about') },
};

/** Idle of a GPU of which no kernel was recorded. */
export const UNKNOWN = { label: say('part-unknown'), short: say('part-unknown'), explanation: say('part-unknown-about') };

const IN_ORDER = [...WORK, 'idle'] as readonly Part[];

/** What is shown without a range: one step, several on one axis, or a recording of which nothing says that it is a step. */
export const wholeWords = (state: State): string =>
  hasAllSteps(state) ? say('all-steps') : isRecording(state) ? say('whole-recording') : say('whole-step');

/** The same within a line. */
export const wholeChip = (state: State): string =>
  hasAllSteps(state) ? say('all-steps-of-range') : isRecording(state) ? say('whole-recording-chip') : say('whole-step-chip');

/** What is said of a recording besides. */
export const wholeAbout = (state: State): string => (isRecording(state) ? say('whole-recording-about') : '');

const isRecording = ({ trace }: State): boolean => trace?.summary.view.is_recording === true;

const hasAllSteps = ({ trace }: State): boolean =>
  trace?.view.step === null && (trace.summary.view.steps > 1 || trace.summary.view.has_before === true);

/** The exclusive parts of a window, in their order of priority; they add up to the window exactly. */
export const PARTS: readonly PartWords[] = IN_ORDER.map((part, index) => {
  const figure = PART_FIGURES[index] ?? 'idle_ns';
  return { part, figure, ...WORDS[part], of: (split) => split[figure] };
});

/** The parts that any of `splits` has, and always compute and idle: what a trace does not have is left out. */
export const partsOf = (splits: readonly (Split | null)[]): readonly PartWords[] =>
  PARTS.filter(({ part, of }) => part === 'compute' || part === 'idle' || splits.some((split) => split !== null && of(split) > 0));

/** What devices are called that name no task: all of them, or those besides the tasks. */
export const restWords = ({ trace }: State): string =>
  trace?.summary.devices.some(({ task }) => task !== null) ? say('other-devices') : say('no-task');

/** Next to figures that a repair changed. */
export const REPAIRED_MARK = '◇';
