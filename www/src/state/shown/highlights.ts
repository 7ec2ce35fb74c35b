// What matters most in what is shown: asked for after the first frame, and again for each step or view.
import { say } from '../../base/messages';
import { ofShown, type Question } from '../figures';

export const HIGHLIGHTS: Question<'highlights'> = {
  verb: 'highlights',
  of: ofShown,
  parameters: () => [],
  outcome: say('highlights-not-found'),
};
