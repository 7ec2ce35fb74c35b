// How often each op is on the critical path of several steps: asked for when somebody wants to see it.
import { say } from '../../base/messages';
import type { Question } from '../figures';
import type { State } from '../state';
import { stepsWithOps } from './steps';

/** Of more steps the answer takes long; the panel says how many it is of. */
export const MOST_STEPS = 200;

/** Whether there is more than one step to compare. */
export const hasSeveralSteps = ({ steps }: State): boolean => steps !== null && stepsWithOps(steps) > 1;

export const PATH_OVER_STEPS: Question<'pathOverSteps'> = {
  verb: 'pathOverSteps',
  of: ({ trace, steps }) => trace && steps && [trace],
  parameters: ({ steps }) => [0, Math.min(steps?.steps.length ?? 0, MOST_STEPS)],
  outcome: say('path-not-found'),
};
