// The later part of the page: the panels of the drawer, the dialogs, the report that is printed, and all that saves files. `state/later.ts` says when it is loaded.
//
// Its texts come first: its files make some of them while they are loaded.
import './base/later_messages';
import type { Later } from './state/state';
import { menuAtOp, menuOf } from './views/context_menus';
import { glossary } from './views/dialogs/glossary';
import { helpSheet } from './views/dialogs/help_sheet';
import { askForPart } from './views/dialogs/part_dialog';
import { askForPicture } from './views/dialogs/picture_dialog';
import { palette } from './views/palette';
import { askToSave } from './views/dialogs/save_dialog';
import { askToShare } from './views/dialogs/share_dialog';
import { PANELS } from './views/drawer/panels';
import { selectionCard } from './views/drawer/selection/card';
import { gather } from './views/print/gather';
import { printReport } from './views/print/printing';
import { reportOf } from './views/print/report';
import { openFleet } from './state/fleet/open';
import { fleetPanel } from './views/fleet/panel';
import { watchPanel } from './views/watched/panel';
import { watchPicked } from './views/watched/pick';

export const later: Later = {
  PANELS,
  selectionCard,
  menuOf,
  menuAtOp,
  helpSheet,
  glossary,
  palette,
  askForPart,
  askToShare: (context) => askToShare(context, () => printReport(context)),
  askToSave,
  askForPicture,
  gather,
  reportOf,
  watchPicked,
  fleetPanel,
  openFleet,
  watchPanel,
};
