// What the user did with a trace, for the trace that it becomes when files are added to it.
import { ns, type Ns } from '../../base/time';
import type { Summary } from '../../engine/protocol';
import { namedRows, rowsOf } from '../layout/rows_by_name';
import type { State } from '../state';
import { viewNote, type ViewNote } from './url';

/** What the user did with the trace before, as far as it means something in `summary`, which holds that trace and more. */
export function carriedOver(state: State, summary: Summary): ViewNote | null {
  const note = viewNote(state);
  const before = state.trace?.summary;
  if (!note || !before) return null;
  const moved = Number(BigInt(before.origin_unix_ns) - BigInt(summary.origin_unix_ns));
  const at = (time: Ns): Ns => ns(time + moved);
  const within = (window: ViewNote['window']) => {
    const there = window && { start: at(window.start), end: at(window.end) };
    return there && there.start < summary.span_ns && there.end > 0 ? there : null;
  };
  return {
    ...note,
    window: within(note.window),
    range: within(note.range),
    // Lanes and ops have other numbers.
    range_lanes: null,
    op: null,
    rows: rowsOf(namedRows(state.rows, before.devices, state.named_rows), summary.devices, state.rows),
    notes: note.notes.map(({ start_ns, end_ns, text }) => ({ start_ns: at(start_ns), end_ns: at(end_ns), text })),
  };
}
