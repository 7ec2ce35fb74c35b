// A section of the tab Scheduling: one question, and the table that answers it.
import type { SchedulingPage } from '../../../engine/protocol';

export interface Section {
  title: string;
  element: HTMLElement;
  /** Whether the trace has anything to show in it. */
  has: (page: SchedulingPage) => boolean;
  show: (page: SchedulingPage) => void;
  /** Another op is selected. */
  mark: () => void;
}
