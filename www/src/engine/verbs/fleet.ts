// The summary of a fleet. Answered by a worker of its own, whatever is open.
import type { FleetBeforeAfter } from '../contract/fleet_before_after';
import type { FleetDays } from '../contract/fleet_days';
import type { FleetOverview, FleetRun } from '../contract/fleet_run';
import type { FleetCell } from '../contract/fleet_cell';
import type { FleetStragglers } from '../contract/fleet_stragglers';
import type { FleetFigure } from '../contract/words';
import type { HeatQuery } from '../requests/fleet';
import { fleet, heatOf, readFleet, seriesOf } from '../worker/fleet';
import { started } from '../worker/opening';
import { bulk, parsed, type VerbEntries } from './verb';

export const FLEET = {
  /** Reads `overview.steplens-fleet`, and says which runs it has. */
  openFleet: {
    load: async (file: Blob): Promise<void> => {
      await started;
      await readFleet(file);
    },
    answer: (_file: Blob) => parsed<FleetOverview>(fleet().overview()),
  },
  fleetRun: { answer: (run: number) => parsed<FleetRun>(fleet().run(run)) },
  fleetHeat: { answer: (query: HeatQuery) => bulk(heatOf(query)) },
  fleetSeries: { answer: (query: HeatQuery) => bulk(seriesOf(query)) },
  /** What is worst, and who keeps the fleet waiting. */
  fleetStragglers: { answer: (run: number) => parsed<FleetStragglers>(fleet().stragglers(run)) },
  /** Which op types take longer on the second day. */
  fleetDays: { answer: (day_a: string, day_b: string) => parsed<FleetDays>(fleet().days(day_a, day_b)) },
  /** What is different from a column on; without one, from the middle of the recorded time on. */
  fleetBeforeAfter: {
    answer: (run: number, column: number | null) => parsed<FleetBeforeAfter>(fleet().beforeAfter(run, column ?? undefined)),
  },
  /** A cell; `of` is the figure whose largest row an aggregated cell leads to. */
  fleetCell: {
    answer: (run: number, row: number, column: number, of: FleetFigure) => parsed<FleetCell>(fleet().cell(run, row, column, of)),
  },
} satisfies VerbEntries;
