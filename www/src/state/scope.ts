// What figures are about, and how far one can go: the step, the range, and the windows around them.
import { clamp, lowerBound } from '../base/geom';
import { ns, type Ns } from '../base/time';
import type { Window } from '../base/time_scale';
import type { DeviceId, RangeQuery, Split } from '../engine/protocol';
import type { State } from './state';
import type { OpenTrace } from './types';

/** The whole step with a little air, so that its first and last op are seen to be the ends. */
export const wholeStep = (state: State): Window => wholeStepOf(state.trace?.summary.span_ns ?? ns(1));

export function wholeStepOf(span_ns: Ns): Window {
  const air = Math.max(span_ns * 0.004, 1);
  return { start: ns(-air), end: ns(span_ns + air) };
}

/** Where all steps lie on the axis of the one that is shown. */
export function allSteps({ whole, summary }: OpenTrace): Window {
  const start = Number(BigInt(whole.origin_unix_ns) - BigInt(summary.origin_unix_ns));
  return { start: ns(start), end: ns(start + whole.span_ns) };
}

export const lengthOfStep = ({ trace }: State): Ns => trace?.summary.span_ns ?? ns(0);

/** What of the step is in view: the air around it is no part of it. */
export function inView({ window, trace }: State): Window {
  const within = (at: Ns): Ns => ns(clamp(at, 0, trace?.summary.span_ns ?? at));
  return { start: within(window.start), end: within(window.end) };
}

/** As far as one can zoom out or pan: the step with a margin. */
export function bounds(state: State): Window {
  const span: Ns | 1 = state.trace?.summary.span_ns ?? 1;
  const air = Math.max(span * 0.05, 10);
  return { start: ns(-air), end: ns(span + air) };
}

/** The range if one is selected, else the step: what figures are about. */
export function scope(state: State): Window {
  return state.range ?? { start: ns(0), end: state.trace?.summary.span_ns ?? ns(1) };
}

/** Every op. The window is half-open, and the last op may have no length. */
export function wholeQuery(state: State): RangeQuery {
  return { start_ns: ns(0), end_ns: ns((state.trace?.summary.span_ns ?? 0) + 1), device: null, lanes: null };
}

/** The ops that figures are about: those that overlap the range, in its lanes; else all. */
export function scopeQuery(state: State, device: DeviceId | null, accelerator = false): RangeQuery {
  const { range, range_lanes: lanes } = state;
  return { ...(range ? { start_ns: range.start, end_ns: range.end, lanes } : wholeQuery(state)), device, accelerator };
}

/** Whether figures of what is chosen would take times of tasks whose clocks differ together. */
export const mixesClocks = ({ trace, chosen_device }: State): boolean => !!trace?.summary.clocks && chosen_device.device === null;

/** Whether the range is of lanes of other devices alone: then nothing of this one was counted, and it was not idle. */
function isLeftOut({ range, range_lanes: lanes, layout }: State, device: DeviceId): boolean {
  if (!range || !lanes) return false;
  const laneOf = (at: number) => lanes[at] ?? Infinity;
  const next = lowerBound(0, lanes.length, layout.first_lanes[device] ?? 0, laneOf);
  return laneOf(next) >= (layout.first_lanes[device + 1] ?? 0);
}

/** The scope's split of one device, of the step bar (null), or of any device at all; null while the core has not answered. */
export function scopeSplit(state: State, of: DeviceId | null | 'any'): Split | null {
  const summary = state.trace?.summary;
  if (!summary) return null;
  const { splits, step, any_device } = state.range ? { ...state.range_splits } : { ...summary, splits: summary.devices };
  if (of === 'any') return any_device ?? null;
  if (of !== null && isLeftOut(state, of)) return null;
  return (of === null ? step : splits?.[of]) ?? null;
}

/** The scope's split of what has a row of its own: of a GPU with all of its streams, where `device` leads one. */
export function unitSplit(state: State, device: DeviceId): Split | null {
  const { devices, accelerators } = state.trace?.summary ?? {};
  const accelerator = devices?.[device]?.accelerator;
  if (accelerator === undefined) return scopeSplit(state, device);
  if (accelerators?.[accelerator]?.devices.every((one) => isLeftOut(state, one)) === true) return null;
  return (state.range ? state.range_splits?.accelerators : accelerators)?.[accelerator] ?? null;
}
