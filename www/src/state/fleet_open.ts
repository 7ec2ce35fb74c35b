// What the page remembers of the fleet that is open.
import type {
  EngineErrorBody,
  FleetBeforeAfter,
  FleetCell,
  FleetDays,
  FleetFigure,
  FleetHeat,
  FleetOverview,
  FleetRun,
  FleetSeries,
  FleetStragglers,
  HeatQuery,
} from '../engine/protocol';
import type { FleetPlace } from '../engine/fleet/place';
import type { Queue } from './latest';
import type { WorkerEngine } from '../engine/worker_engine';

/** The part of the picture that is in sight, in rows and columns from its upper left corner. */
export interface Sight {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/** A cell of the picture: its row counts from the top of the picture. */
export interface At {
  row: number;
  column: number;
}

export const FLEET_LISTS = ['stragglers', 'findings', 'links', 'days', 'before-after', 'files'] as const;
export type FleetList = (typeof FLEET_LISTS)[number];

/** How a run is shown. */
export interface FleetLook {
  run: number;
  figure: FleetFigure;
  as_share: boolean;
  largest: boolean;
  by_figure: boolean;
}

export interface Fleet {
  readonly place: FleetPlace;
  /** A folder with the traces, where they are not in the place of the summary. */
  traces: FleetPlace | null;
  /** A worker of its own: an open trace keeps its own. */
  readonly engine: WorkerEngine;
  /** Whether the page shows the fleet; else a trace. */
  is_shown: boolean;
  /** Why there is no picture; null where there is, or it is on its way. */
  fault: EngineErrorBody | null;
  overview: FleetOverview | null;
  run: FleetRun | null;
  look: FleetLook;
  /** The picture, and what it is of; it stays while the next one is on its way. */
  heat: { of: HeatQuery; is: FleetHeat } | null;
  series: { of: HeatQuery; is: FleetSeries } | null;
  stragglers: FleetStragglers | null;
  /** Of two days of the dataset; null until they were asked for. */
  days: FleetDays | null;
  /** Of the run; null until it was asked for. */
  before_after: FleetBeforeAfter | null;
  /** Null for all of it. */
  sight: Sight | null;
  /** What the pointer is over, and where. */
  hover: (At & { x: number; y: number }) | null;
  /** What the keyboard or a click has chosen. */
  chosen: At | null;
  /** Of what is hovered, else chosen. */
  cell: FleetCell | null;
  list: FleetList;
  /** A trace that was to be opened and is not where it was looked for. */
  missing: { path: string; step: number } | null;
  /** The pause after which the address says how the fleet is shown. */
  note_timer: ReturnType<typeof setTimeout> | undefined;
  /** Questions to the worker of which only the newest matters. */
  readonly queues: { readonly picture: Queue; readonly cell: Queue; readonly list: Queue };
  /** The trace that was opened last. */
  opened: { path: string; step: number } | null;
}
