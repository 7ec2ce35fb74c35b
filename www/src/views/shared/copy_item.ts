// The line of a menu that copies a text.
import { say } from '../../base/messages';
import { showError } from '../../state/failures';
import { Changed } from '../../state/frame';
import { announce, type Context } from '../../state/state';
import type { MenuItem } from './context_menu';
import { copyText } from './copy';

export const copyItem = (context: Context, words: string, text: string): MenuItem => ({
  words,
  run: () => {
    copyText(Promise.resolve(text)).then(
      () => announce(context, say('copied-text'), Changed.notice),
      (thrown: unknown) => showError(context, say('not-copied'), thrown),
    );
  },
});
