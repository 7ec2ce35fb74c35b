// The fleet as a fragment of the address: `#fleet=NAME&figure=own&sort=figure`. It says how it is shown, never what it holds.
import { say } from '../../base/messages';
import { BEFORE_VALUE, BETWEEN_FIELDS, BETWEEN_PARTS } from '../../engine/contract/view_fields';
import { FLEET_FIGURES } from '../../engine/protocol';
import { RECENT_CHANGED } from '../opened/recent';
import type { Context } from '../state';
import { FLEET_LISTS, type Fleet, type FleetList, type FleetLook, type Sight } from '../fleet_open';

export interface FleetNote {
  name: string;
  /** The name of the run; '' for the first one. */
  run: string;
  look: Omit<FleetLook, 'run'>;
  sight: Sight | null;
  list: FleetList;
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

export function encodeFleet({ place, overview, look, sight, list }: Fleet): string {
  const fields: [string, string][] = [['fleet', place.name]];
  if (look.run > 0) fields.push(['run', overview?.runs[look.run]?.name ?? '']);
  fields.push(['figure', look.figure]);
  if (look.as_share) fields.push(['share', '1']);
  if (look.largest) fields.push(['largest', '1']);
  if (look.by_figure) fields.push(['sort', 'figure']);
  if (list !== 'stragglers') fields.push(['list', list]);
  if (sight) fields.push(['cells', [sight.x0, sight.x1, sight.y0, sight.y1].map(round).join(BETWEEN_PARTS)]);
  return fields.map(([name, value]) => name + BEFORE_VALUE + encodeURIComponent(value)).join(BETWEEN_FIELDS);
}

/** Null where the fragment is of no fleet. */
export function decodeFleet(fragment: string): FleetNote | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const name = fields.get('fleet');
  if (name === null) return null;
  const [x0, x1, y0, y1] = (fields.get('cells') ?? '').split(BETWEEN_PARTS).map(Number);
  const is_sight = [x0, x1, y0, y1].every((part) => Number.isFinite(part)) && Number(x1) > Number(x0) && Number(y1) > Number(y0);
  return {
    name,
    run: fields.get('run') ?? '',
    look: {
      figure: FLEET_FIGURES.find((figure) => figure === fields.get('figure')) ?? 'window',
      as_share: fields.has('share'),
      largest: fields.has('largest'),
      by_figure: fields.get('sort') === 'figure',
    },
    sight: is_sight ? { x0: Number(x0), x1: Number(x1), y0: Number(y0), y1: Number(y1) } : null,
    list: FLEET_LISTS.find((list) => list === fields.get('list')) ?? 'stragglers',
  };
}

/** A browser gives no folder back after a reload: the empty page says which one the address is about. */
export function noteFleetAddress({ state, frame }: Context): void {
  const note = decodeFleet(location.hash);
  if (!note) return;
  state.address_note = say('fleet-address', { name: note.name });
  frame.invalidate(RECENT_CHANGED);
}
