// The line that says that only a part of the files is shown, why, and how to open another.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { formatCount } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { Context } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { noticeBar } from './notice_bar';
import { showPartDialog } from '../dialogs/part';

export const partBar = (context: Context): HTMLElement =>
  noticeBar(context, { id: 'part-bar', said: subsetWords, button: say('open-a-subset-more'), go: () => showPartDialog(context, 'trace') });

/** What is left out, and why; null where nothing is. */
export function subsetWords({ summary, options }: OpenTrace): string | null {
  const left_out = (code: string) =>
    summary.files.flatMap((file) => file.problems).reduce((sum, problem) => sum + (problem.code === code ? problem.count : 0), 0);
  const [memory, devices, window] = [left_out('memory-limit'), left_out('left-out-devices'), left_out('left-out-window')];
  if (memory > 0)
    return say('subset-memory', {
      shown: formatCount(summary.ops),
      all: say('ops', { count: summary.ops + memory + devices + window }),
    });
  if (devices + window === 0) return null;
  const parts = [
    options.devices && say('devices', { count: summary.working_devices }),
    options.window_unix_ns && formatDuration(Number(BigInt(options.window_unix_ns[1]) - BigInt(options.window_unix_ns[0]))),
  ];
  return say('subset-shown', { what: clauses(parts), left_out: say('ops', { count: devices + window }) });
}
