// Share, Save and Picture: ask for the dialogs that say what would be written, which share_dialog.ts, save_dialog.ts and picture_dialog.ts make.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';

/** Asks which file of another tool to save. */
export function showSaveDialog(context: Context): void {
  const ask = async () => (await context.later.get()).askToSave(context);
  attempt(context, say('not-saved'), ask());
}

/** Asks which picture to save. */
export function showPictureDialog(context: Context): void {
  const ask = async () => (await context.later.get()).askForPicture(context);
  attempt(context, say('not-saved'), ask());
}

export function shareButton(context: Context): HTMLElement {
  const ask = async () => (await context.later.get()).askToShare(context);
  return el(
    'button',
    { class: 'button primary', type: 'button', title: say('share-title'), onclick: () => attempt(context, say('not-saved'), ask()) },
    icon(ICONS.share),
    say('share'),
  );
}
