// What figures, tasks and steps of a fleet are called.
import { taskLabel } from '../../base/names';
import { formatShare } from '../../base/format';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { FleetFigure, FleetRow, FleetRun } from '../../engine/protocol';

export const FIGURE_WORDS: Readonly<Record<FleetFigure, string>> = {
  window: say('fleet-window'),
  own: say('fleet-own'),
  extra: say('fleet-extra'),
  late: say('fleet-late'),
  compute: say('fleet-compute'),
  input: say('fleet-input'),
  copy: say('fleet-copy'),
  communication: say('fleet-communication'),
  launch: say('fleet-launch'),
  allocation: say('fleet-allocation'),
  waiting: say('fleet-waiting'),
  idle: say('fleet-idle'),
  'all-communication': say('fleet-all-communication'),
  'hidden-communication': say('fleet-hidden-communication'),
};

export const FIGURE_ABOUT: Readonly<Partial<Record<FleetFigure, string>>> = {
  window: say('fleet-window-about'),
  own: say('fleet-own-about'),
  extra: say('fleet-extra-about'),
  late: say('fleet-late-about'),
};

/** A value as it is written: a length, or a share. */
export const written = (value: number, is_share: boolean): string => (is_share ? formatShare(value) : formatDuration(value));

export const taskWords = (task: string): string => (task === '' ? say('fleet-no-task') : taskLabel(task));

/** A row: its task, or from the first to the last. */
export const rowWords = ({ first, last, tasks }: Pick<FleetRow, 'first' | 'last' | 'tasks'>): string =>
  tasks > 1 ? say('fleet-from-to', { from: taskWords(first), to: taskWords(last) }) : taskWords(first);

/** A column: its step, or from the first to the last. */
export function columnWords(run: FleetRun, column: number): string {
  const [first, last] = [run.first_steps[column] ?? 0, run.last_steps[column] ?? 0];
  return first === last
    ? say('fleet-step', { step: String(first) })
    : say('fleet-steps-from-to', { from: String(first), to: String(last) });
}

/** When a column began, in UTC: `2026-11-26 14:02:31`; '' where that is not known. */
export function beganWords(run: FleetRun, column: number): string {
  const unix_ns = run.starts_unix_ns[column] ?? '';
  if (unix_ns === '') return '';
  const at = new Date(Number(BigInt(unix_ns) / 1_000_000n));
  // A clock may say anything.
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}

export const sizeWords = ({ tasks, steps }: { tasks: number; steps: number }): string =>
  say('fleet-size', { tasks: say('fleet-tasks', { count: tasks }), steps: say('steps', { count: steps }) });
