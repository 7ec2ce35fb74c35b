// The buttons for light and dark, and for textures.
import { el, fill, icon } from '../../base/dom';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import type { ThemeChoice } from '../../state/types';
import { cycleTheme, hasTextures, keepTheme, toggleTextures } from '../../state/ui/theme';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

const WORDS: Record<ThemeChoice, string> = { auto: 'as the system has it', light: 'light', dark: 'dark' };

export function texturesButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el(
    'button',
    {
      class: 'button square textures',
      type: 'button',
      title: titled('Textures: one for each category', 'textures'),
      'aria-label': 'Textures for categories',
      onclick: () => toggleTextures(context),
    },
    icon(ICONS.textures),
  );
  frame.onDom(Changed.theme, () => button.setAttribute('aria-pressed', String(hasTextures(state))));
  return button;
}

export function themeButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el('button', { class: 'button square', type: 'button', onclick: () => cycleTheme(context) });
  frame.onDom(Changed.theme, () => {
    fill(button, icon(ICONS[state.theme]));
    button.title = `Colours: ${WORDS[state.theme]}`;
    button.setAttribute('aria-label', button.title);
  });
  keepTheme(context);
  return button;
}
