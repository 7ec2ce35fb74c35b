// Made by www/panels.mjs from the folders next to it: the panel of each tab.
import type { Tab } from '../../state/tabs';
import { panel as clocks } from './clocks/panel';
import { panel as compare } from './compare/panel';
import { panel as findings } from './findings/panel';
import { panel as flame } from './flame/panel';
import { panel as kernels } from './kernels/panel';
import { panel as marks } from './marks/panel';
import { panel as matches } from './matches/panel';
import { panel as memory } from './memory/panel';
import { panel as network } from './network/panel';
import { panel as path } from './path/panel';
import { panel as problems } from './problems/panel';
import { panel as range } from './range/panel';
import { panel as scheduling } from './scheduling/panel';
import { panel as selection } from './selection/panel';
import { panel as steps } from './steps/panel';
import { panel as table } from './table/panel';
import { panel as transfers } from './transfers/panel';
import { panel as what_if } from './what_if/panel';
import type { MakePanel } from './tab_panel';

export const PANELS: Readonly<Record<Tab, MakePanel>> = {
  clocks,
  compare,
  findings,
  flame,
  kernels,
  marks,
  matches,
  memory,
  network,
  path,
  problems,
  range,
  scheduling,
  selection,
  steps,
  table,
  transfers,
  what_if,
};
