// Share: asks for the dialog that says what would be written, which share_dialog.ts makes.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';

export function shareButton(context: Context): HTMLElement {
  const ask = async () => (await context.later.get()).askToShare(context);
  return el(
    'button',
    { class: 'button primary', type: 'button', title: say('share-title'), onclick: () => attempt(context, say('not-saved'), ask()) },
    icon(ICONS.share),
    say('share'),
  );
}
