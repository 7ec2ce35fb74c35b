// Opens the dialog that opens a part of files, which part_dialog.ts makes.
import { say } from '../../base/messages';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';

/** Asks which part of the open trace, or of the files that did not open, to open. */
export function showPartDialog(context: Context, of: 'trace' | 'unopened'): void {
  attempt(
    context,
    say('not-opened'),
    context.later.get().then(({ askForPart }) => askForPart(context, of)),
  );
}
