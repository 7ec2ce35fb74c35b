// Says that a file was saved, in the line at the lower edge and to who hears the page.
import { formatBytes } from '../../base/format';
import { say } from '../../base/messages';
import { Changed } from '../frame';
import { announce, type Context } from '../state';

/** A browser may save without a word, and some of them hide what they saved. */
export function saySaved(context: Context, { blob, name }: { blob: Blob; name: string }): void {
  const saved = say('saved-file', { name, size: formatBytes(blob.size) });
  const text = say('saved-to-downloads', { saved });
  context.state.offer = { text, action: null, run: () => undefined };
  announce(context, text, Changed.notes, Changed.notice);
}
