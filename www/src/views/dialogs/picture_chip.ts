// The way to save a picture from where it can be seen.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import type { PictureKind } from '../../engine/protocol';
import type { Context } from '../../state/state';
import { askForPicture } from './picture_dialog';

export const pictureChip = (context: Context, kind: PictureKind): HTMLElement =>
  el(
    'button',
    { class: 'chip', type: 'button', title: say('picture-heading'), onclick: () => askForPicture(context, kind) },
    say('save-as-picture'),
  );
