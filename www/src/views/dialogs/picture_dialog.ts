// The dialog that saves a picture: its kind and looks on one side, a preview on the other.
import { say, type PlainId } from '../../base/messages';
import { el, fill, setText, type Child } from '../../base/dom';
import { formatBytes, formatCount } from '../../base/format';
import { clamp } from '../../base/geom';
import { formatEnds } from '../../base/time';
import { PICTURES, type PictureKind, type PictureTheme } from '../../engine/protocol';
import { showError } from '../../state/failures';
import { devicesListed, fileOfPicture, imageOf, pngOf } from '../../state/opened/picture_file';
import { inView, wholeStep } from '../../state/scope';
import { saySaved } from '../../state/shown/saved';
import type { Context } from '../../state/state';
import { download } from '../shared/copy';
import { saveWays } from './save_ways';
import { sheet } from './sheet';

const KINDS: Record<PictureKind, PlainId> = {
  view: 'picture-of-view',
  split: 'picture-of-split',
  waterfall: 'picture-of-waterfall',
  matrix: 'picture-of-matrix',
  memory: 'picture-of-memory',
  'critical-path': 'picture-of-path',
};

/** As the program has them. */
const LEAST_WIDTH = 320;
const MOST_WIDTH = 10_000;
const USUAL_WIDTH = 1000;
const SCALES = [1, 2, 3, 4];
/** Who types a width waits once. */
const REST_MS = 250;

/** Opens with the kind `first` chosen. */
export function askForPicture(context: Context, first?: PictureKind): void {
  const { engine, state } = context;
  const { trace } = state;
  if (!trace) return;
  const dialog = sheet('picture', 'part-sheet');
  const last = (name: string): string | undefined => dialog.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value;

  const kind = choice(
    'picture-kind',
    PICTURES.map((own) => [own, say(KINDS[own])]),
    first ?? last('picture-kind') ?? 'view',
  );
  const ending = choice(
    'picture-ending',
    [
      ['svg', say('picture-svg')],
      ['png', say('picture-png')],
    ],
    last('picture-ending') ?? 'svg',
  );
  const theme = choice(
    'picture-theme',
    [
      ['light', say('picture-light')],
      ['dark', say('picture-dark')],
    ],
    last('picture-theme') ?? 'light',
  );
  const scale = choice(
    'picture-scale',
    SCALES.map((own) => [String(own), say('picture-times', { number: String(own) })]),
    last('picture-scale') ?? '2',
  );
  const width = el('input', {
    type: 'number',
    name: 'picture-width',
    class: 'part-ms',
    value: last('picture-width') ?? String(USUAL_WIDTH),
  });
  Object.assign(width, { min: LEAST_WIDTH, max: MOST_WIDTH, required: true });

  const { window } = state;
  const whole = wholeStep(state);
  const is_zoomed = window.start > whole.start || window.end < whole.end;
  const seen = inView(state);
  const view = formatEnds(seen.start, seen.end);
  const in_view = el('input', { type: 'checkbox', name: 'picture-in-view', checked: is_zoomed });
  const listed = devicesListed(state);
  const as_listed = el('input', { type: 'checkbox', name: 'picture-as-listed', checked: listed.length > 0 });
  const heading = el('input', { type: 'checkbox', name: 'picture-heading', checked: true });

  const image = el('img', { class: 'picture-preview' });
  const size = el('p', { class: 'note figure', role: 'status' });
  const save = el('button', { class: 'button primary', type: 'submit' }, say('save'));
  const scale_row = row(say('picture-scale'), scale);
  let svg: string | null = null;
  let newest = 0;
  let timer = 0;

  const isPng = (): boolean => ending.value === 'png';
  const kindNow = (): PictureKind => PICTURES.find((own) => own === kind.value) ?? 'view';
  const themeNow = (): PictureTheme => (theme.value === 'dark' ? 'dark' : 'light');
  const sayHow = () => {
    if (svg === null) return;
    const { naturalWidth, naturalHeight } = image;
    const times = isPng() ? Number(scale.value) : 1;
    const pixels = say('picture-pixels', { width: formatCount(naturalWidth * times), height: formatCount(naturalHeight * times) });
    setText(size, isPng() ? pixels : say('picture-size', { pixels, size: formatBytes(new Blob([svg]).size) }));
  };
  const failed = (thrown: unknown) => {
    dialog.close();
    showError(context, say('picture-failed'), thrown);
  };
  const draw = async () => {
    const own = ++newest;
    const drawn = await engine.ask('picture', {
      kind: kindNow(),
      width: clamp(Math.round(width.valueAsNumber), LEAST_WIDTH, MOST_WIDTH),
      theme: themeNow(),
      window: is_zoomed && in_view.checked ? window : null,
      devices: as_listed.checked ? listed : [],
      has_heading: heading.checked,
    });
    if (own !== newest || !dialog.open) return;
    await imageOf(drawn, image);
    if (own !== newest) return;
    svg = drawn;
    image.alt = say('picture-alt', { what: say(KINDS[kindNow()]) });
    image.hidden = false;
    save.disabled = false;
    sayHow();
  };
  const look = () => {
    scale_row.hidden = !isPng();
    sayHow();
  };
  const again = () => {
    look();
    clearTimeout(timer);
    save.disabled = true;
    if (!width.validity.valid) {
      newest++;
      setText(size, say('picture-bad-width', { least: formatCount(LEAST_WIDTH), most: formatCount(MOST_WIDTH) }));
      return;
    }
    setText(size, say('picture-coming'));
    timer = globalThis.setTimeout(() => void draw().catch(failed), svg === null ? 0 : REST_MS);
  };
  const write = async () => {
    if (svg === null) return;
    const blob = isPng() ? await pngOf(image, Number(scale.value)) : new Blob([svg], { type: 'image/svg+xml' });
    const name = fileOfPicture(trace, kindNow(), isPng() ? 'png' : 'svg');
    dialog.close();
    download(blob, name);
    saySaved(context, { blob, name });
  };
  const changed = (event: Event) => {
    if (event.target === ending || event.target === scale) look();
    else again();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    write().catch(failed);
  };
  image.hidden = true;
  fill(
    dialog,
    el(
      'form',
      { class: 'part-form', onsubmit: submit, oninput: changed },
      el('h2', { id: 'picture-title' }, say('picture-heading')),
      saveWays(context, 'picture', dialog),
      el(
        'div',
        { class: 'picture-sides' },
        el(
          'div',
          { class: 'picture-choices' },
          row(say('picture-what'), kind),
          row(say('picture-file'), ending),
          row(say('picture-width'), width, ' px'),
          scale_row,
          row(say('picture-colors'), theme),
          is_zoomed && box(in_view, say('picture-in-view', view)),
          listed.length > 0 && box(as_listed, say('picture-as-listed')),
          box(heading, say('picture-with-heading')),
          el('p', { class: 'note' }, say('picture-names')),
        ),
        el('div', { class: 'picture-shown' }, image),
      ),
      el(
        'div',
        { class: 'part-actions' },
        size,
        el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, say('cancel')),
        save,
      ),
    ),
  );
  again();
  dialog.showModal();
  kind.focus();
}

function choice(name: string, options: readonly (readonly [value: string, text: string])[], chosen: string): HTMLSelectElement {
  const select = el('select', { name }, ...options.map(([value, text]) => el('option', { value }, text)));
  select.value = chosen;
  return select;
}

const row = (name: string, ...fields: Child[]): HTMLElement =>
  el('label', { class: 'picture-row' }, el('span', {}, name), el('span', {}, ...fields));
const box = (field: HTMLInputElement, name: string): HTMLElement => el('label', { class: 'picture-box' }, field, el('span', {}, name));
