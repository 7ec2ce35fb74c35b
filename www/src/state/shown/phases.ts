// Whether colours by phase say something of the open trace: asked for once, after the first frame.
import { say } from '../../base/messages';
import type { Question } from '../figures';

export const PHASES: Question<'hasPhases'> = {
  verb: 'hasPhases',
  // Its steps are alike: what is asked of one is true of the others.
  of: ({ trace }) => trace && [trace.whole],
  parameters: () => [],
  outcome: say('not-colored'),
};
