// The kernels of the range, or of the step: asked for when their tab is opened, and again for each step, view or range.
import { say } from '../../base/messages';
import type { Question } from '../figures';
import { scopeQuery } from '../scope';

export const KERNELS: Question<'kernels'> = {
  verb: 'kernels',
  of: ({ trace, range, range_lanes }) => trace && [trace, range?.start, range?.end, range_lanes],
  parameters: (state) => [scopeQuery(state, null)],
  outcome: say('kernels-not-found'),
};
