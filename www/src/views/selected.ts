// What is selected, as an embedding page hears it.
import type { State } from '../state/state';

export interface Selected {
  /** The selected op: its times count from the first start of what is shown. */
  readonly op: {
    readonly name: string;
    readonly op_type: string;
    readonly device: string;
    readonly start_ns: number;
    readonly end_ns: number;
  } | null;
  readonly range: { readonly start_ns: number; readonly end_ns: number } | null;
  /** The place of the step that is shown, from 1; null where all are. */
  readonly step: number | null;
}

export function selected({ trace, selection, range }: State): Selected {
  const details = selection?.details;
  const step = trace?.view.step ?? null;
  return {
    op: details
      ? {
          name: details.name,
          op_type: details.op_type,
          device: trace?.summary.devices[details.device]?.name ?? '',
          start_ns: details.start_ns,
          end_ns: details.end_ns,
        }
      : null,
    range: range && { start_ns: range.start, end_ns: range.end },
    step: step === null ? null : step + 1,
  };
}
