// The figures of a split that add up to its window, and those that steps are compared by.
import type { UsualFigures } from '../contract/steps';
import { CATEGORIES } from '../contract/words';

/** Those that time divides into: all but ranges, which contain other events and are no work. */
export const WORK = CATEGORIES.slice(0, -1);

/** The figures of the parts of a window, in the order of WORK, and what is none of them. */
export const PART_FIGURES = [
  'compute_ns',
  'exposed_input_ns',
  'exposed_copy_ns',
  'exposed_communication_ns',
  'exposed_launch_ns',
  'exposed_allocation_ns',
  'exposed_waiting_ns',
  'idle_ns',
] as const;

export type PartFigure = (typeof PART_FIGURES)[number];

export type UsualFigure = keyof UsualFigures;
