// The panel of each tab.
import type { Later } from '../../state/state';
import { clocksPanel } from './clocks/panel';
import { matchesPanel } from './matches/panel';
import { memoryPanel } from './memory/panel';
import { networkPanel } from './network/panel';
import { notesPanel } from './marks/panel';
import { pathPanel } from './path/panel';
import { problemsPanel } from './problems/panel';
import { rangePanel } from './range/panel';
import { schedulingPanel } from './scheduling/panel';
import { selectionPanel } from './selection/panel';
import { stepsPanel } from './steps/panel';
import { tablePanel } from './table/panel';
import { transfersPanel } from './transfers/panel';

export const PANELS: Later['PANELS'] = {
  steps: stepsPanel,
  range: rangePanel,
  selection: selectionPanel,
  transfers: transfersPanel,
  path: pathPanel,
  scheduling: schedulingPanel,
  network: networkPanel,
  memory: memoryPanel,
  clocks: clocksPanel,
  matches: matchesPanel,
  table: tablePanel,
  marks: notesPanel,
  problems: problemsPanel,
};
