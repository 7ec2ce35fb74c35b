// What is under the pointer; its details come when they come.
import { say } from '../../base/messages';
import type { OpId } from '../../engine/protocol';
import { reportFailure } from '../failures';
import { Changed } from '../frame';
import type { Context } from '../state';
import type { Hover, InFlight, OnCounter, OnFlag, OnPath, OnWire } from '../types';
import { OP_NOT_SHOWN } from './select';
import { routeOf } from './traffic';

/** In CSS pixels of the timeline. */
interface At {
  x: number;
  y: number;
}

function hover({ state, frame }: Context, { x, y }: At, what: Partial<Hover>): void {
  state.hover = {
    op: null,
    count: 0,
    x,
    y,
    details: null,
    in_flight: null,
    on_wire: null,
    on_path: null,
    on_flag: null,
    on_counter: null,
    ...what,
  };
  frame.invalidate(Changed.hover);
}

/** `count` is how many ops the mark under the pointer stands for. */
export function hoverOp(context: Context, at: At, op: OpId, count: number): void {
  const { state } = context;
  const is_same = state.hover?.op === op;
  const details = is_same ? (state.hover?.details ?? null) : null;
  if (!is_same) requestDetails(context, op);
  hover(context, at, { op, count, details });
}

function requestDetails(context: Context, op: OpId): void {
  const { state, frame, engine } = context;
  const asked = async () => {
    const details = await engine.ask('op', op);
    if (state.hover?.op !== details.op) return;
    state.hover.details = details;
    frame.invalidate(Changed.hover);
  };
  state.queues.hovered_op.add(asked, (thrown) => reportFailure(context, OP_NOT_SHOWN, thrown));
}

export function hoverStrip(context: Context, at: At, in_flight: InFlight): void {
  hover(context, at, { in_flight });
}

/** A column of transfers that are drawn as one; `longest` asks for the longest of those under the pointer. */
export function hoverClosed(context: Context, at: At, in_flight: InFlight, longest: () => Promise<OpId | null> | null): void {
  const { state, frame, engine } = context;
  const before = state.hover?.in_flight;
  const is_same = before?.device === in_flight.device && before.column.start === in_flight.column.start && before.of === in_flight.of;
  hover(context, at, { in_flight: is_same ? before : in_flight });
  if (is_same) return;
  const asked = async () => {
    const op = await longest();
    if (op === null || state.hover?.in_flight !== in_flight) return;
    const details = await engine.ask('op', op);
    if (state.hover?.in_flight !== in_flight) return;
    // Another object, so that the tooltip sees that it is news.
    state.hover.in_flight = { ...in_flight, longest: details };
    frame.invalidate(Changed.hover);
  };
  state.queues.hovered_op.add(asked, (thrown) => reportFailure(context, OP_NOT_SHOWN, thrown));
}

export function hoverTraffic(context: Context, at: At, column: OnWire): void {
  const before = context.state.hover?.on_wire;
  const is_same = before?.column.start === column.column.start && before.bytes_per_second === column.bytes_per_second;
  const on_wire = is_same ? before : column;
  hover(context, at, { on_wire });
  if (!is_same) requestLinks(context, on_wire);
}

function requestLinks(context: Context, on_wire: OnWire): void {
  const { state, frame, engine } = context;
  const { start, end } = on_wire.column;
  const asked = async () => {
    const links = await engine.ask('trafficLinks', start, end, routeOf(state));
    if (state.hover?.on_wire !== on_wire) return;
    // Another object, so that the tooltip sees that it is news.
    state.hover.on_wire = { ...on_wire, links };
    frame.invalidate(Changed.hover);
  };
  state.queues.hovered_links.add(asked, (thrown) => reportFailure(context, say('links-not-shown'), thrown));
}

export function hoverPath(context: Context, at: At, on_path: OnPath): void {
  const before = context.state.hover?.on_path;
  hover(context, at, { on_path: before?.place === on_path.place ? before : on_path });
}

/** A flag of instants; what the first of them says comes when it comes. */
export function hoverFlag(context: Context, at: At, flag: OnFlag['flag']): void {
  const { state, frame, engine } = context;
  const before = state.hover?.on_flag;
  const on_flag = before?.flag === flag ? before : { flag, details: null };
  hover(context, at, { on_flag });
  if (on_flag === before) return;
  const asked = async () => {
    const details = await engine.ask('instant', flag.instant);
    if (state.hover?.on_flag !== on_flag) return;
    // Another object, so that the tooltip sees that it is news.
    state.hover.on_flag = { flag, details };
    frame.invalidate(Changed.hover);
  };
  state.queues.hovered_op.add(asked, (thrown) => reportFailure(context, say('instant-not-shown'), thrown));
}

export function hoverCounter(context: Context, at: At, column: OnCounter): void {
  const before = context.state.hover?.on_counter;
  const is_same = before?.column.start === column.column.start && before.row === column.row;
  hover(context, at, { on_counter: is_same ? before : column });
}

export function leaveHover({ state, frame }: Context): void {
  if (!state.hover) return;
  state.hover = null;
  frame.invalidate(Changed.hover);
}

/** Where the pointer is in time; null where it is not over the timeline. */
export function setHoverX({ state, frame }: Context, x: number | null): void {
  if (state.hover_x === x) return;
  state.hover_x = x;
  frame.invalidate(Changed.hover);
}
