// The summary of a fleet that is open in this worker.
import { say } from '../../base/messages';
import { FleetSession } from 'steplens-wasm';
import type { HeatScale } from '../contract/fleet_heat';
import type { FleetHeat, FleetSeries, HeatQuery } from '../requests/fleet';
import { guarded } from './thread';

let session: FleetSession | null = null;

export function fleet(): FleetSession {
  if (!session) throw { code: 'no-fleet', message: say('fleet-none') };
  return session;
}

/** Reads a summary in place of the one before; if that fails, the one before stays. */
export async function readFleet(file: Blob): Promise<void> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const opened = guarded(() => new FleetSession(bytes), say('fleet-reading'));
  session?.free();
  session = opened;
}

export function heatOf({ run, figure, as_share, largest, by_figure }: HeatQuery): FleetHeat {
  const buffers = guarded(() => fleet().heat(run, figure, as_share, largest, by_figure), say('fleet-reading'));
  const { values, levels, order, rowMeans, scale } = buffers;
  buffers.free();
  return { values, levels, order, row_means: rowMeans, scale: JSON.parse(scale) as HeatScale };
}

export function seriesOf({ run, figure, as_share, largest }: HeatQuery): FleetSeries {
  const buffers = guarded(() => fleet().series(run, figure, as_share, largest), say('fleet-reading'));
  const { p10, median, p90, most, mostRow } = buffers;
  buffers.free();
  return { p10, median, p90, most, most_row: mostRow };
}
