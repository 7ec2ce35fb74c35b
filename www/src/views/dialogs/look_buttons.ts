// The buttons for light and dark, and for textures.
import { say } from '../../base/messages';
import { el, fill, icon } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import type { ThemeChoice } from '../../state/types';
import { cycleTheme, hasTextures, toggleTextures } from '../../state/ui/theme';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

const WORDS: Record<ThemeChoice, string> = { auto: say('theme-auto'), light: say('theme-light'), dark: say('theme-dark') };

export function texturesButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el(
    'button',
    {
      class: 'button square textures theme-button',
      type: 'button',
      title: titled(say('textures-title'), 'textures'),
      'aria-label': say('textures-label'),
      onclick: () => toggleTextures(context),
    },
    icon(ICONS.textures),
  );
  frame.onDom([Changed.theme], () => button.setAttribute('aria-pressed', String(hasTextures(state))));
  return button;
}

export function themeButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el('button', { class: 'button square theme-button', type: 'button', onclick: () => cycleTheme(context) });
  frame.onDom([Changed.theme], () => {
    fill(button, icon(ICONS[state.theme]));
    button.title = say('theme-title', { theme: WORDS[state.theme] });
    button.setAttribute('aria-label', button.title);
  });
  return button;
}
