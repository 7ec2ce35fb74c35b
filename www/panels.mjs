// Writes the list of the drawer's panels: of each folder in www/src/views/drawer that has a panel.ts, what that exports as `panel`. The compiler
// refuses a list that is not the one of www/src/state/tabs.ts.
//
//   node www/panels.mjs

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const DRAWER = path.join(import.meta.dirname, 'src', 'views', 'drawer');

const tabs = readdirSync(DRAWER)
  .filter((name) => existsSync(path.join(DRAWER, name, 'panel.ts')))
  .sort();
const lines = [
  '// Made by www/panels.mjs from the folders next to it: the panel of each tab.',
  "import type { Tab } from '../../state/tabs';",
  ...tabs.map((tab) => `import { panel as ${tab} } from './${tab}/panel';`),
  "import type { MakePanel } from './tab_panel';",
  '',
  'export const PANELS: Readonly<Record<Tab, MakePanel>> = {',
  ...tabs.map((tab) => `  ${tab},`),
  '};',
];
writeFileSync(path.join(DRAWER, 'panels.ts'), `${lines.join('\n')}\n`);
