// How often each op is on the critical path of several steps: asked for when somebody wants to see it.
import { say } from '../../base/messages';
import type { PathOverSteps } from '../../engine/protocol';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import { stepsWithOps } from './steps';
import type { Context, State } from '../state';
import type { Figures } from '../types';

/** Of more steps the answer takes long; the panel says how many it is of. */
export const MOST_STEPS = 200;

/** Whether there is more than one step to compare. */
export const hasSeveralSteps = ({ steps }: State): boolean => steps !== null && stepsWithOps(steps) > 1;

export function requestPathOverSteps(context: Context): Figures<PathOverSteps> | null {
  const { state, engine } = context;
  const { trace, steps } = state;
  if (!trace || !steps) return null;
  state.path_steps = figuresOf(context, state.path_steps, trace, {
    question: () => engine.ask('pathOverSteps', 0, Math.min(steps.steps.length, MOST_STEPS)),
    outcome: say('path-not-found'),
    changed: Changed.path,
  });
  return state.path_steps;
}

/** Asks again after that has failed. */
export function retryPathOverSteps({ state, frame }: Context): void {
  state.path_steps = null;
  frame.invalidate(Changed.path);
}

export const pathOverStepsOf = ({ path_steps, trace }: State): PathOverSteps | null =>
  path_steps && path_steps.of === trace ? path_steps.answer : null;
