// Text for other programs: into the clipboard, or into a file where it is too long for that.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { EngineError, errorBody } from '../../engine/errors';

/** Offers `blob` as a file. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = el('a', { hidden: true });
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address some time after the click; a minute is plenty.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Puts a text that is still being made into the clipboard. Browsers allow this for a few seconds after a click only, so
 * the promise itself is handed over where they take one.
 */
export async function copyText(coming: Promise<string>): Promise<void> {
  if ('clipboard' in navigator && 'ClipboardItem' in window) {
    const blob = coming.then((text) => new Blob([text], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]).catch(refused);
    return;
  }
  const text = await coming;
  if ('clipboard' in navigator) await navigator.clipboard.writeText(text).catch(refused);
  else copyBySelection(text);
}

/** Whatever the browser's reason is, it is no fault of the page. */
function refused(thrown: unknown): never {
  const { message } = errorBody(thrown);
  throw new EngineError({ code: 'no-clipboard', message: say('error-no-clipboard', { why: message }) });
}

/** The old way, for pages that are not served securely and have no clipboard. */
function copyBySelection(text: string): void {
  const field = el('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  field.value = text;
  const focused = document.activeElement;
  // A dialog or page may take the focus back, so the field goes where it surely can have it.
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) refused(say('no-clipboard'));
}
