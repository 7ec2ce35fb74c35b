// What is worth changing in what is shown: asked for after the first frame, and again for each step or view.
import { say } from '../../base/messages';
import { ofShown, type Question } from '../figures';

export const FINDINGS: Question<'findings'> = {
  verb: 'findings',
  of: ofShown,
  parameters: () => [],
  outcome: say('findings-not-found'),
};
