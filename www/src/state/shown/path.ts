// The critical paths: asked for after the first frame, and again for each step, view or arrangement; and whether the timeline is lit along them.
import { say } from '../../base/messages';
import type { OpId, PathPage } from '../../engine/protocol';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import { announce, type Context, type State } from '../state';
import type { Figures } from '../types';

export function requestPath(context: Context): Figures<PathPage> | null {
  const { state, engine } = context;
  if (!state.trace) return null;
  state.path = figuresOf(context, state.path, state.lanes, {
    question: () => engine.criticalPath(),
    outcome: say('path-not-found'),
    changed: Changed.path,
  });
  return state.path;
}

/** Asks again after that has failed. */
export function retryPath({ state, frame }: Context): void {
  state.path = null;
  frame.invalidate(Changed.path);
}

/** The paths of what is shown; null while they are not there. Of other lanes they have other places. */
export const pathOf = ({ path, lanes }: State): PathPage | null => (path && path.of === lanes ? path.answer : null);

/** Lights the timeline along the path, or no longer. */
export function togglePath(context: Context): void {
  const { state } = context;
  state.path_lit = !state.path_lit;
  requestPath(context);
  announce(context, say(state.path_lit ? 'path-is-lit' : 'path-is-not-lit'), Changed.path | Changed.notice);
}

/** A row of the observed path. */
export interface PathSegment {
  readonly op: OpId;
  readonly name: string;
  readonly kind: string;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly behind: OpId | null;
  readonly behind_count: number;
}

export const segmentsOf = (path: PathPage): PathSegment[] =>
  path.ops.map((op, at) => ({
    op,
    name: path.names[at] ?? '',
    kind: path.kinds[path.kind[at] ?? 0] ?? '',
    start_ns: path.start_ns[at] ?? 0,
    end_ns: path.end_ns[at] ?? 0,
    behind: path.behind[at] ?? null,
    behind_count: path.behind_count[at] ?? 0,
  }));
