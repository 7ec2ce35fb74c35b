// The ways to save what is open, at the head of each of their dialogs: as one HTML file, for other tools, or as a picture.
import { say, type PlainId } from '../../base/messages';
import { el } from '../../base/dom';
import { attempt } from '../../state/failures';
import type { Context, Later } from '../../state/state';

type Way = 'page' | 'tools' | 'picture';

const WAYS: readonly { way: Way; text: PlainId; ask: (later: Later, context: Context) => void }[] = [
  { way: 'page', text: 'save-as-page', ask: (later, context) => later.askToShare(context) },
  { way: 'tools', text: 'save-for-tools', ask: (later, context) => later.askToSave(context) },
  { way: 'picture', text: 'save-as-picture', ask: (later, context) => later.askForPicture(context) },
];

/** A button for each way; that of `own`, whose dialog this is, does nothing. */
export function saveWays(context: Context, own: Way, dialog: HTMLDialogElement): HTMLElement {
  const button = ({ way, text, ask }: (typeof WAYS)[number]) =>
    el(
      'button',
      {
        class: 'chip',
        type: 'button',
        'aria-current': way === own ? 'true' : undefined,
        onclick: () => {
          if (way === own) return;
          dialog.close();
          attempt(
            context,
            say('not-saved'),
            context.later.get().then((later) => ask(later, context)),
          );
        },
      },
      say(text),
    );
  return el('nav', { class: 'save-ways', 'aria-label': say('save-ways') }, ...WAYS.map(button));
}
