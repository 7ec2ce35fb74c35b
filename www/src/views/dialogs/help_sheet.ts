// The help sheet: made from the very tables that the keys are made from.
import { chooseLanguage, LANGUAGES } from '../../base/language';
import { LANGUAGE, say } from '../../base/messages';
import { el, fill, icon, setText } from '../../base/dom';
import { ICONS } from '../shared/icons';
import { licencesOfOthers } from './licences';
import { sheet } from './sheet';
import { chooseGestures } from '../../state/ui/gestures';
import { Changed } from '../../state/frame';
import { GESTURES, type Gestures } from '../../state/types';
import type { Context } from '../../state/state';
import { gestureLines, keyLines, localKeys, strokeName } from '../keys/bindings';

interface Line {
  shown: readonly string[];
  does: string;
}

/** The lines of these gestures; a line without a key is left out. */
const linesOf = (gestures: Gestures): (Line & { group: string })[] =>
  [
    ...keyLines(gestures).map(({ group, does, strokes }) => ({ group: say(group), does: say(does), shown: strokes.map(strokeName) })),
    ...gestureLines(gestures).map(({ group, does, shown }) => ({
      group: say(group),
      does: say(does),
      shown: localKeys(say(shown)).split(', '),
    })),
  ].filter(({ shown }) => shown.length > 0);

const GESTURES_TITLES = {
  steplens: say('gestures-steplens'),
  'wheel-zoom': say('gestures-wheel-zoom'),
  perfetto: say('gestures-perfetto'),
  chrome: say('gestures-chrome'),
  speedscope: say('gestures-speedscope'),
} as const satisfies Record<Gestures, string>;

/** Whose gestures: of another viewer, whose users need not learn ours. */
function gesturesChoice({ state }: Context, chosen: () => void): HTMLElement {
  const options = GESTURES.map((word) => el('option', { value: word }, GESTURES_TITLES[word]));
  const select = el(
    'select',
    {
      class: 'help-gestures',
      'aria-label': say('gestures'),
      title: say('gestures-about'),
      onchange: () => {
        chooseGestures(state, GESTURES.find((own) => own === select.value) ?? 'steplens');
        chosen();
      },
    },
    ...options,
  );
  select.value = state.gestures;
  return el('div', { class: 'help-choice' }, select);
}

/** A language by its own name, which nobody has to translate. */
const nameOf = (language: string): string => new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

/** The page's language: texts are made as the page is loaded, so that another one needs it loaded again. */
function languageChoice(): HTMLElement {
  const note = el('span', { class: 'note', role: 'status' });
  const again = el('button', { class: 'chip', type: 'button', hidden: true, onclick: () => location.reload() }, say('load-page-again'));
  const options = LANGUAGES.map((language) => el('option', { value: language }, nameOf(language)));
  const select = el(
    'select',
    {
      'aria-label': say('language'),
      title: say('language-about'),
      onchange: () => {
        const is_kept = chooseLanguage(select.value);
        again.hidden = !is_kept || select.value === LANGUAGE;
        setText(note, is_kept ? '' : say('language-not-kept'));
      },
    },
    ...options,
  );
  select.value = LANGUAGE;
  return el('div', { class: 'help-language' }, select, again, note);
}

export function helpSheet(context: Context): HTMLDialogElement {
  const dialog = sheet('help', 'help');
  if (dialog.hasChildNodes()) return dialog;
  const line = ({ shown, does }: Line) =>
    el('div', { class: 'help-line' }, el('dt', {}, ...shown.map((key) => el('kbd', {}, key))), el('dd', {}, does));
  const groups = el('div', { class: 'help-groups' });
  const showLines = () => {
    const lines = linesOf(context.state.gestures);
    const group = (title: string) =>
      el('section', {}, el('h3', {}, title), el('dl', {}, ...lines.filter((of) => of.group === title).map(line)));
    fill(groups, ...[...new Set(lines.map((of) => of.group))].map(group));
  };
  showLines();
  fill(
    dialog,
    el(
      'div',
      { class: 'help-head' },
      el('h2', { id: 'help-title' }, say('keys-and-gestures')),
      gesturesChoice(context, showLines),
      languageChoice(),
      el(
        'button',
        { class: 'button square', type: 'button', 'aria-label': say('close'), onclick: () => dialog.close() },
        icon(ICONS.close),
      ),
    ),
    groups,
    licencesOfOthers(),
  );
  context.frame.invalidate(Changed.theme);
  // A click on the backdrop is a click on the dialog itself, outside of everything in it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
