// Steps: which ones the files hold, which one is shown first, and which one is next.
import { clauses } from '../../base/joined';
import { capital, say } from '../../base/messages';
import { formatDuration, ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { Apart, Core, OpTime, Step, StepList, StepRule, Summary, View } from '../../engine/protocol';
import type { State } from '../state';
import type { OpenTrace } from '../types';

/** Everything that was opened, on one axis, as it was recorded. */
export const ALL_STEPS: View = { rule: 'content', step: null, repairs: [], op_time: 'schedule', clocks: [], communication: [] };

/** How many steps can be shown: those with ops, which come first. */
export const stepsWithOps = ({ steps }: StepList): number => steps.filter(({ ops }) => ops > 0).length;

/** How many steps there are: what ran before the first is listed, and is none. */
export const countOfSteps = ({ steps }: StepList): number => steps.filter(({ is_before }) => !is_before).length;

/** The row of the step that is called `number`; -1 without one. */
export const rowOfStep = ({ steps }: StepList, number: number): number => steps.findIndex(({ called }) => called === number);

/** Whether there is a choice, or something to read about the only step. */
export const hasSteps = ({ steps }: State): boolean =>
  steps !== null && (steps.steps.length > 1 || steps.steps.some(isDescribed) || steps.rule !== ALL_STEPS.rule);

/** Whether its container says which run it is. */
const isDescribed = ({ name, number, recorded_unix_ns, facts }: Step): boolean =>
  name !== '' || number !== null || recorded_unix_ns !== null || facts.length > 0;

/** Why one step is shown first and not all on one axis, by the core's word for it. */
export const WHY_ONE_STEP: Readonly<Record<Apart, string>> = {
  listed: say('apart-listed'),
  far: say('apart-far'),
};

/** The first step that has ops, if one can be a step that the file numbers; null where there is none. */
export function firstStep({ steps }: StepList): number | null {
  const numbered = steps.findIndex(({ ops, number }) => ops > 0 && number !== null);
  const row = numbered < 0 ? steps.findIndex(({ ops }) => ops > 0) : numbered;
  return row < 0 ? null : row;
}

/** The step to show where one is: usual by what repeats, as the core says it. */
export const usualStep = (list: StepList): number | null => list.first ?? firstStep(list);

export interface FirstView {
  view: View;
  /** Null where all steps are shown: their list can wait. */
  steps: StepList | null;
}

/**
 * What to show of what was opened: as `restored`, else all of it, unless that were mostly an empty axis, and for the rest as `usual`.
 */
export function firstView(core: Core, whole: Summary, restored: View | null, usual: View): FirstView {
  const { step: wanted, ...of_all } = restored ?? usual;
  const all: View = { ...of_all, step: null };
  const { rule, repairs, clocks } = all;
  // Steps are listed with the repairs and clocks of the view.
  if (repairs.length > 0 || clocks.length > 0) core.showView(all);
  else if (rule === ALL_STEPS.rule && wanted === null && (restored ?? whole.view.apart === undefined)) return { view: all, steps: null };
  const steps = core.steps(rule);
  const first = steps.apart === undefined ? null : usualStep(steps);
  const chosen = showable(steps, wanted);
  return { view: { ...all, step: restored ? chosen : (chosen ?? first) }, steps };
}

/** `step`, or null where it has no ops to show. */
export const showable = ({ steps }: StepList, step: number | null): number | null =>
  step !== null && (steps[step]?.ops ?? 0) > 0 ? step : null;

/** The step that runs at `at`, from the first start of all; null where none does. */
export function stepAtTime({ steps }: StepList, at: number): number | null {
  const row = steps.findIndex(({ ops, start_ns, window_ns }) => ops > 0 && start_ns <= at && at <= start_ns + window_ns);
  return row < 0 ? null : row;
}

/** From the first start of these steps to their last end, in the times of all steps. */
export function rangeOfSteps({ steps }: StepList, [from, to]: readonly [number, number]): Window | null {
  const some = steps.slice(from, to + 1).filter(({ ops }) => ops > 0);
  if (some.length === 0) return null;
  const start = some.reduce((first, { start_ns }) => Math.min(first, start_ns), Infinity);
  return { start: ns(start), end: ns(some.reduce((last, { start_ns, window_ns }) => Math.max(last, start_ns + window_ns), 0)) };
}

/** The steps that `range` of all steps is made of; null where it is any other. */
export function stepsOfRange(list: StepList, range: Window): [number, number] | null {
  const isIn = ({ ops, start_ns, window_ns }: Step) => ops > 0 && start_ns >= range.start && start_ns + window_ns <= range.end;
  const rows: [number, number] = [list.steps.findIndex(isIn), list.steps.findLastIndex(isIn)];
  const made = rows[0] < 0 ? null : rangeOfSteps(list, rows);
  return made?.start === range.start && made.end === range.end ? rows : null;
}

/** The step after (+1) or before (-1) `step`; from all of them to the first or the last. Null at the end. */
export function nextStep(steps: StepList, step: number | null, by: 1 | -1): number | null {
  if (step === null) return by > 0 ? firstStep(steps) : steps.steps.findLastIndex(({ ops }) => ops > 0);
  return showable(steps, step + by);
}

/** What its container calls it, but for the number that it is called by: `train, 7`, or '' where that says nothing. */
export function nameOfStep(list: StepList | null, row: number): string {
  const step = list?.steps[row];
  if (!list || !step || step.is_before) return '';
  // A number that all of them have distinguishes none of them.
  const numbered = step.number !== null && step.number !== step.called && list.steps.some(({ number }) => number !== step.number);
  return clauses([step.name, numbered && String(step.number)]);
}

/** `Step 3, one of 60`; what ran before the first step has a name instead, and a run of another graph is called that. */
export function placeOfStep(list: StepList, row: number): string {
  const all = list.steps.filter(({ ops, is_before }) => ops > 0 && !is_before).length;
  const step = list.steps[row]?.called ?? null;
  return step === null ? titleOfStep(list, row) : say('step-of', { step: String(step), all: String(Math.max(all, 1)) });
}

/** `Step 3`; what ran before the first step has a name instead. */
export function titleOfStep({ steps }: StepList, row: number): string {
  const step = steps[row];
  const called = step?.called ?? null;
  return called === null ? capital(step?.name || say('step-other-run')) : say('step-number', { step: String(called) });
}

/** `4,175 ops on 3 devices, 339.2 ms`. */
export const spokenSize = ({ ops, working_devices, span_ns }: Summary): string =>
  say('size-of-trace', {
    ops: say('ops', { count: ops }),
    devices: say('devices', { count: working_devices }),
    length: formatDuration(span_ns),
  });

/** What a screen reader says of what is shown now. */
export function spokenView(view: View, summary: Summary, steps: StepList | null): string {
  const figures = clauses([
    spokenSize(summary),
    view.repairs.length > 0 && say('repaired'),
    view.clocks.length > 0 && say('clocks-set'),
    view.op_time !== 'schedule' && OP_TIME_WORDS[view.op_time],
    view.communication.length > 0 && say('patterns', { count: view.communication.length }),
  ]);
  const step = view.step === null ? undefined : steps?.steps[view.step];
  if (!steps || !step || view.step === null)
    return summary.view.steps > 1
      ? say('shown-steps', { steps: say('steps', { count: summary.view.steps }), figures })
      : say('shown-everything', { figures });
  return say('label-of', { what: clauses([placeOfStep(steps, view.step), nameOfStep(steps, view.step)]), label: figures });
}

export const RULE_WORDS: Readonly<Record<StepRule, string>> = {
  content: say('rule-content'),
  file: say('rule-file'),
  part: say('rule-part'),
  together: say('rule-together'),
};

export const OP_TIME_WORDS: Readonly<Record<OpTime, string>> = {
  schedule: say('op-time-schedule'),
  gpu: say('op-time-gpu'),
  all: say('op-time-all'),
};

/** Whether a GPU's kernels are among what was opened. */
export const hasKernels = ({ whole }: OpenTrace): boolean => whole.devices.some(({ kind }) => kind === 'stream' || kind === 'stream-all');
