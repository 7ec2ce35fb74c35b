// Opens the help sheet; help_sheet.ts makes it.

const HELP = 'help';

const sheet = (): HTMLDialogElement | null => document.getElementById(HELP) as HTMLDialogElement | null;

export const helpIsOpen = (): boolean => sheet()?.open ?? false;

export function showHelp(): void {
  sheet()?.showModal();
}
