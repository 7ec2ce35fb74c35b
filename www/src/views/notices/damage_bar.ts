// The line that says that not all of what was recorded could be read, so that nobody takes the figures for those of the whole step.
import { say } from '../../base/messages';
import { chooseTab } from '../../state/shown/tab';
import type { Context } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { noticeBar } from './notice_bar';

export const damageBar = (context: Context): HTMLElement =>
  noticeBar(context, {
    id: 'damage-bar',
    look: 'damage-bar',
    said: damageWords,
    button: say('damage-open'),
    go: () => chooseTab(context, 'problems'),
  });

/** Which file is not whole, and what the figures are of; null where all are. */
export function damageWords({ summary }: OpenTrace): string | null {
  const damaged = summary.files.filter((file) => file.incomplete);
  const [first] = damaged;
  if (!first) return null;
  const ops = say('ops', { count: summary.ops });
  if (damaged.length > 1) return say('damage-of-many', { count: damaged.length, ops });
  const { name } = first;
  const isChanged = first.problems.some((problem) => problem.code === 'session-changed');
  return isChanged ? say('damage-of-changed', { name }) : say('damage-of-one', { name, ops });
}
