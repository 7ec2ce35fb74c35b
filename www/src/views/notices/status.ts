// What the page says about itself: loading, errors, and the words for screen readers.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, icon, setText } from '../../base/dom';
import { formatBytes, formatShare } from '../../base/format';
import { hintFor } from '../../engine/errors';
import type { Progress } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { announce, type Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { copyText } from '../shared/copy';
import { ICONS } from '../shared/icons';
import { showPartDialog } from '../dialogs/part';
import { dismissError, showError } from '../../state/failures';

/** Errors of files of which another part may open. */
const OPENS_IN_PART = ['out-of-memory', 'nothing-selected'];

/** The element exists from the start: an alert is heard only if its place was there before its text. */
export function errorBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', { id: 'error', role: 'alert', class: 'error-bar', hidden: true });
  frame.onDom([Changed.phase, Changed.trace], () => {
    const { error } = state;
    element.hidden = !error;
    if (!error) {
      delete element.dataset['code'];
      fill(element);
      return;
    }
    element.dataset['code'] = error.code;
    const hint = hintFor(error.code);
    fill(
      element,
      el(
        'span',
        { class: 'error-text' },
        el('strong', {}, `${say('error-outcome', { outcome: error.outcome })} `),
        error.message,
        hint && ` ${hint}`,
      ),
      OPENS_IN_PART.includes(error.code) &&
        state.unopened.length > 0 &&
        el('button', { class: 'button', type: 'button', onclick: () => showPartDialog(context, 'unopened') }, say('open-a-subset-more')),
      state.trace && !error.details && el('span', { class: 'error-note' }, ` ${say('error-trace-unchanged')} `),
      error.details && copyDetails(context, error.details),
      el(
        'button',
        {
          class: 'button square small',
          type: 'button',
          'aria-label': say('dismiss'),
          title: titled(say('dismiss'), 'clear'),
          onclick: () => dismissError(context),
        },
        icon(ICONS.close),
      ),
    );
  });
  return element;
}

/** Further failures may be added to `details` until the button is pressed. */
function copyDetails(context: Context, details: readonly string[]): HTMLElement {
  const copy = async (): Promise<void> => {
    await copyText(Promise.resolve(details.join('\n\n')));
    announce(context, say('error-details-copied'), Changed.notice);
    setText(button, say('copied'));
  };
  const pressed = (): void => {
    copy().catch((thrown: unknown) => showError(context, say('not-copied'), thrown));
  };
  const button = el('button', { class: 'button', type: 'button', title: say('copy-details-title'), onclick: pressed }, say('copy-details'));
  return button;
}

/** Where the first picture will have rows, while nothing else is known of it. */
const SKELETON_ROWS = 5;

export function loadingCard(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  const names = el('div', { class: 'loading-names' });
  const figures = el('div', { class: 'loading-figures' });
  const fill_bar = el('div', { class: 'progress-fill' });
  const bar = el(
    'div',
    { class: 'progress', role: 'progressbar', 'aria-label': say('reading'), 'aria-valuemin': 0, 'aria-valuemax': 100 },
    fill_bar,
  );
  const cancel = el('button', { class: 'button', type: 'button', onclick: () => engine.cancel() }, say('cancel'));
  const element = el(
    'section',
    { class: 'loading', 'aria-label': say('opening'), hidden: true },
    el('div', { class: 'skeleton', 'aria-hidden': 'true' }, ...Array.from({ length: SKELETON_ROWS }, () => el('div', {}))),
    el('div', { class: 'loading-card' }, names, bar, el('div', { class: 'loading-line' }, figures, cancel)),
  );
  frame.onDom([Changed.phase, Changed.trace], () => {
    const { loading } = state;
    element.hidden = !loading;
    if (!loading) return;
    setText(names, listed(loading.names));
    const { progress } = loading;
    const share = progress && progress.total_bytes > 0 ? Math.min(progress.bytes / progress.total_bytes, 1) : 0;
    fill_bar.style.transform = `scaleX(${share})`;
    bar.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    const size = loading.bytes === null ? '' : ` · ${formatBytes(loading.bytes)}`;
    setText(figures, progress ? said(progress, share) : `${say('starting')}${size}`);
  });
  return element;
}

function said({ phase, bytes, total_bytes: total, ops }: Progress, share: number): string {
  if (phase === 'core') return say('loading-core', { share: formatShare(share), total: formatBytes(total) });
  if (phase === 'sample') return say('loading-sample', { bytes: formatBytes(bytes) });
  if (phase === 'arranging') return say('loading-arranging', { ops: say('ops', { count: ops }) });
  return say('loading-progress', {
    share: formatShare(share),
    bytes: formatBytes(bytes),
    total: formatBytes(total),
    ops: say('ops', { count: ops }),
  });
}

/** Heard, not seen: the selection, the summary, search results. */
export function liveRegion({ state, frame }: Context): HTMLElement {
  const element = el('div', { id: 'live', class: 'visually-hidden', 'aria-live': 'polite' });
  frame.onDom([Changed.notice], () => setText(element, state.notice));
  return element;
}
