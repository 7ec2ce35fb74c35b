// The critical paths: asked for after the first frame, and again for each step, view or arrangement; and whether the timeline is lit along them.
import { say, type PlainId } from '../../base/messages';
import { lowerBound } from '../../base/geom';
import { ns } from '../../base/time';
import type { PathPage, PathThrough } from '../../engine/protocol';
import { answerTo, request, type Question } from '../figures';
import { Changed } from '../frame';
import { announce, type Context, type State } from '../state';
import type { LitPath, PathSegment } from '../types';
import { keep } from '../ui/preferences';

/** Of more ops the paths take the worker more than a second: then somebody has to ask for them. */
const MOST_OPS_UNASKED = 500_000;

export const arePathsQuick = ({ trace }: State): boolean => trace !== null && trace.summary.ops <= MOST_OPS_UNASKED;

export const PATH: Question<'criticalPath'> = {
  verb: 'criticalPath',
  // In other lanes the paths have other places.
  of: ({ trace, lanes }) => trace && [lanes],
  parameters: () => [],
  outcome: say('path-not-found'),
};

/** The paths of what is shown; null while they are not there. */
export const pathOf = (state: State): PathPage | null => answerTo(state, PATH);

/** The paths that the timeline can be lit along. */
export const LIT_PATHS = ['observed', 'static', 'next'] as const;

const IS_LIT: Readonly<Record<LitPath, PlainId>> = { observed: 'path-is-lit', static: 'path-is-lit-static', next: 'path-is-lit-next' };

/** What the timeline is lit along; null while it is not, or while that is not known. */
export function litOf(state: State): PathThrough | null {
  const path = state.path_lit ? pathOf(state) : null;
  if (!path) return null;
  return { observed: path.observed_path, static: path.static_path, next: path.next_path }[state.path_to_light];
}

/** Lights the timeline along the chosen path, or no longer. */
export function togglePath(context: Context): void {
  const { state } = context;
  state.path_lit = !state.path_lit;
  sayLit(context);
}

/** Lights the timeline along this path. */
export function lightPath(context: Context, path: LitPath): void {
  const { state } = context;
  state.path_to_light = path;
  state.path_lit = true;
  sayLit(context);
}

/** Lights the next of the paths; the first where none is lit. */
export function lightNextPath(context: Context): void {
  const { path_lit, path_to_light } = context.state;
  const place = path_lit ? LIT_PATHS.indexOf(path_to_light) + 1 : 0;
  lightPath(context, LIT_PATHS[place % LIT_PATHS.length] ?? 'observed');
}

function sayLit(context: Context): void {
  const { path_lit, path_to_light } = context.state;
  request(context, PATH);
  announce(context, say(path_lit ? IS_LIT[path_to_light] : 'path-is-not-lit'), Changed.path, Changed.notice);
}

export const segmentsOf = (path: PathPage): PathSegment[] => path.ops.map((_, place) => segmentOf(path, place));

export const segmentOf = (path: PathPage, place: number): PathSegment => ({
  op: path.ops[place] ?? 0,
  name: path.names[place] ?? '',
  kind: path.kinds[path.kind[place] ?? 0] ?? '',
  start_ns: path.start_ns[place] ?? ns(0),
  end_ns: path.end_ns[place] ?? ns(0),
  behind: path.behind[place] ?? null,
  behind_count: path.behind_count[place] ?? 0,
  earlier_ns: path.earlier_ns[place] ?? ns(0),
});

/** The place of the segment at a moment; null outside of the step. */
export function segmentAt(path: PathPage, at: number): number | null {
  const { start_ns, end_ns } = path;
  const place = lowerBound(0, start_ns.length, at + 1, (place) => start_ns[place] ?? Infinity) - 1;
  return at < (end_ns[place] ?? -Infinity) ? place : null;
}

/** Of the strip above the lanes, in CSS pixels. */
export const STRIP_HEIGHT = 24;

/** Whether the path is shown above the lanes. It has its place before it is known, so that nothing moves when it comes; where clocks differ there is none. */
export const showsStrip = (state: State): boolean =>
  state.strip_shown &&
  state.trace !== null &&
  !state.trace.summary.clocks &&
  state.answers.criticalPath?.has_failed !== true &&
  (arePathsQuick(state) || state.answers.criticalPath !== undefined);

export function toggleStrip(context: Context): void {
  const { state } = context;
  state.strip_shown = !state.strip_shown;
  keep('strip', state.strip_shown ? 'yes' : 'no');
  // Of a large trace, this asks for what nobody wanted before.
  if (state.strip_shown) request(context, PATH);
  announce(context, say(state.strip_shown ? 'strip-shown' : 'strip-hidden'), Changed.layout, Changed.path, Changed.notice);
}
