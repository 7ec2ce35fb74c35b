// Opens the help sheet, which help_sheet.ts makes; and whether any sheet is open.

const HELP = 'help';

const sheet = (): HTMLDialogElement | null => document.getElementById(HELP) as HTMLDialogElement | null;

/** While a sheet is open, the keys are its own. */
export const sheetIsOpen = (): boolean => document.querySelector('dialog[open]') !== null;

export function showHelp(): void {
  sheet()?.showModal();
}
