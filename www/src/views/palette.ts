// The palette (Ctrl+K): every command, tab, device and setting, found by words of any language that the page has.
import words_of from 'steplens-messages/palette';
import { chooseLanguage, LANGUAGES } from '../base/language';
import { el, fill } from '../base/dom';
import { LANGUAGE, say, type PlainId } from '../base/messages';
import { ARRANGEMENTS, COLOR_BIES } from '../engine/protocol';
import { unitWords, leaderOf } from '../state/layout/units';
import { ARRANGEMENT_WORDS } from '../state/shown/arrange';
import { chooseRow } from '../state/shown/chosen_device';
import { COLOR_BY_WORDS, setColorBy } from '../state/shown/colors';
import { toggleAnyDevice } from '../state/shown/any_device';
import { arrangeBy } from '../state/shown/devices';
import { chooseTab } from '../state/shown/tab';
import type { Context } from '../state/state';
import { TAB_TITLES, TABS, titleOfPlace } from '../state/tabs';
import { cycleTheme } from '../state/ui/theme';
import { hasContent } from './drawer/faces';
import { KEY_LINES, keyLines, strokeName, type Command } from './keys/bindings';
import { sheet } from './dialogs/sheet';

interface Entry {
  kind: string;
  words: string;
  keys: string[];
  /** What is searched: the words in all languages. */
  sought: string;
  run: () => void;
}

/** More are found by typing more. */
const MOST_SHOWN = 60;
/** What only a hand on the timeline does. */
const OF_THE_HAND: ReadonlySet<Command> = new Set<Command>([
  'zoom-in',
  'zoom-out',
  'pan-left',
  'pan-right',
  'step-left',
  'step-right',
  'scroll-up',
  'scroll-down',
  'page-up',
  'page-down',
  'clear',
  'palette',
]);

const entry = (kind: PlainId, ids: readonly PlainId[], words: string, run: () => void, keys: string[] = []): Entry => ({
  kind: say(kind),
  words,
  keys,
  sought: [say(kind), words, ...ids.flatMap((id) => words_of[id] ?? []), ...(words_of[kind] ?? [])].join(' ').toLowerCase(),
  run,
});

function commands(context: Context, run: (command: Command) => void): Entry[] {
  const { trace, gestures } = context.state;
  const keys = new Map<string, string[]>();
  for (const stroke of keyLines(gestures).flatMap(({ strokes }) => strokes))
    keys.set(stroke.command, [...(keys.get(stroke.command) ?? []), strokeName(stroke)]);
  const found = new Map<Command, Entry>();
  for (const line of KEY_LINES) {
    if (trace === null && !('always' in line)) continue;
    for (const { command } of line.strokes)
      if (!found.has(command) && !OF_THE_HAND.has(command))
        found.set(
          command,
          entry('palette-command', [line.does], say(line.does), () => run(command), keys.get(command)),
        );
  }
  return [...found.values()];
}

function entriesOf(context: Context, run: (command: Command) => void): Entry[] {
  const { state } = context;
  const languages = LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    return entry('language', [], name, () => {
      if (chooseLanguage(language)) location.reload();
    });
  });
  const settings = [entry('palette-setting', ['palette-theme'], say('palette-theme'), () => cycleTheme(context)), ...languages];
  const { trace } = state;
  if (!trace) return [...commands(context, run), ...settings];
  const { summary } = trace;
  const tabs = TABS.filter((tab) => hasContent(state, tab) !== false).map((tab) =>
    entry('palette-tab', [TAB_TITLES[tab], titleOfPlace(tab)], say(TAB_TITLES[tab]), () => chooseTab(context, tab)),
  );
  const devices = summary.devices.flatMap((_, device) => {
    if (leaderOf(summary.devices, device) !== device) return [];
    const { place, name } = unitWords(summary, device);
    const found = entry('palette-device', [], place, () => {
      if (state.chosen_device.device !== device) chooseRow(context, device);
      chooseTab(context, 'range');
    });
    return [{ ...found, sought: `${found.sought} ${name.toLowerCase()}` }];
  });
  const colors = COLOR_BIES.map((by) =>
    entry('palette-color', [`color-by-${by.replace('_', '-')}` as PlainId], COLOR_BY_WORDS[by], () => setColorBy(context, by)),
  );
  const lanes = ARRANGEMENTS.map((by) => entry('palette-lanes', [], ARRANGEMENT_WORDS[by], () => arrangeBy(context, by)));
  const any_device = entry('palette-setting', ['any-device-choice'], say('any-device-choice'), () => toggleAnyDevice(context));
  return [...tabs, ...devices, ...commands(context, run), ...colors, ...lanes, any_device, ...settings];
}

/** Those in which every word that is typed is found; what begins with it comes first. */
function matching(all: readonly Entry[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = all.filter(({ sought }) => words.every((word) => sought.includes(word)));
  const begins = ({ words: own }: Entry) => (typed !== '' && own.toLowerCase().startsWith(typed.trim().toLowerCase()) ? 0 : 1);
  return fits.sort((a, b) => begins(a) - begins(b));
}

export function palette(context: Context, run: (command: Command) => void): void {
  const dialog = sheet('palette', 'palette');
  const all = entriesOf(context, run);
  let found: Entry[] = [];
  let at = 0;
  const list = el('ul', { id: 'palette-list', class: 'palette-list', role: 'listbox', 'aria-label': say('palette-title') });
  const more = el('p', { class: 'note palette-more', role: 'status' });
  const choose = (index: number) => {
    const own = found[index];
    if (!own) return;
    dialog.close();
    own.run();
  };
  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute('aria-selected', String(index === at)));
    const item = list.children[at];
    input.setAttribute('aria-activedescendant', item?.id ?? '');
    item?.scrollIntoView({ block: 'nearest' });
  };
  const show = () => {
    found = matching(all, input.value);
    at = 0;
    fill(
      list,
      ...found
        .slice(0, MOST_SHOWN)
        .map(({ kind, words, keys }, index) =>
          el(
            'li',
            { id: `palette-${index}`, role: 'option', onclick: () => choose(index) },
            el('span', { class: 'palette-words' }, words),
            el('span', { class: 'note' }, kind),
            ...keys.map((key) => el('kbd', {}, key)),
          ),
        ),
    );
    const hidden = found.length - MOST_SHOWN;
    more.textContent = found.length === 0 ? say('palette-nothing') : hidden > 0 ? say('palette-more', { count: hidden }) : '';
    more.hidden = more.textContent === '';
    mark();
  };
  const input = el('input', {
    id: 'palette-input',
    type: 'search',
    role: 'combobox',
    placeholder: say('palette-placeholder'),
    'aria-label': say('palette-placeholder'),
    'aria-controls': 'palette-list',
    'aria-expanded': 'true',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: show,
    onkeydown: (event) => {
      const shown = Math.min(found.length, MOST_SHOWN);
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (event.key === 'Enter') choose(at);
      // A field for searching would be cleared first.
      else if (event.key === 'Escape') dialog.close();
      else if (step !== 0 && shown > 0) at = (at + step + shown) % shown;
      else return;
      event.preventDefault();
      if (step !== 0) mark();
    },
  });
  fill(dialog, el('h2', { id: 'palette-title', class: 'visually-hidden' }, say('palette-title')), input, list, more);
  // A click on the backdrop is a click on the dialog itself, outside of everything in it.
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  dialog.showModal();
  show();
  input.focus();
}
