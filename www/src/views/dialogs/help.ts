// Opens the help sheet, which help_sheet.ts makes; and whether any sheet is open.
import { say } from '../../base/messages';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';

/** While a sheet is open, the keys are its own. */
export const sheetIsOpen = (): boolean => document.querySelector('dialog[open]') !== null;

export function showGlossary(context: Context): void {
  const shown = context.later.get().then(({ glossary }) => glossary().showModal());
  attempt(context, say('glossary-not-shown'), shown);
}

export function showHelp(context: Context): void {
  const shown = context.later.get().then(({ helpSheet }) => helpSheet(context).showModal());
  attempt(context, say('keys-not-shown'), shown);
}
