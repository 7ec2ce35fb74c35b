// What time divides into: categories of ops, and the figures of a window.
import type { Ns } from '../../base/time';

export const CATEGORIES = ['compute', 'input', 'copy', 'communication', 'launch', 'waiting', 'range'] as const;

export type Category = (typeof CATEGORIES)[number];

/** Those that time divides into: all but ranges, which contain other events and are no work. */
export const WORK = CATEGORIES.slice(0, -1);

/** compute + exposed_input + exposed_copy + exposed_communication + exposed_launch + exposed_waiting + idle = the window, exactly. */
export interface Split {
  window_ns: Ns;
  busy_ns: Ns;
  compute_ns: Ns;
  exposed_input_ns: Ns;
  exposed_copy_ns: Ns;
  exposed_communication_ns: Ns;
  exposed_launch_ns: Ns;
  exposed_waiting_ns: Ns;
  idle_ns: Ns;
  communication_ns: Ns;
  overlapped_communication_ns: Ns;
}

/** The figures of the parts of a window, in the order of WORK, and what is none of them. */
export const PART_FIGURES = [
  'compute_ns',
  'exposed_input_ns',
  'exposed_copy_ns',
  'exposed_communication_ns',
  'exposed_launch_ns',
  'exposed_waiting_ns',
  'idle_ns',
] as const;

export type PartFigure = (typeof PART_FIGURES)[number];
