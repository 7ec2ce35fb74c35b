// Why the selected op started when it did: what it waited for last, what that time was, and which ops ran instead.
import { say } from '../../../base/messages';
import { el, fill, type Child } from '../../../base/dom';
import { formatShare } from '../../../base/format';
import { formatDuration, formatPoint } from '../../../base/time';
import { RAN_PLACES, type RanPlace, type WhyPage } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { answerTo, figuresOf, request } from '../../../state/figures';
import { PATH } from '../../../state/shown/path';
import { isWhyAsked, WHY } from '../../../state/shown/why';
import type { Context, State } from '../../../state/state';
import { clockNote } from '../../shared/clock_note';
import { asking } from '../../shared/asking';
import { factLine, refLine } from '../../shared/parts';
import { EDGE_WORDS, kindWords } from '../../shared/path_words';

/** More links than these hide the rest of the op's details; all are counted. */
const MOST_LINES = 12;

/** `isSeen` says whether somebody can read it. */
export function whyBlock(context: Context, isSeen: (state: State) => boolean): HTMLElement {
  const { state, frame } = context;
  const { failed, ask } = asking(context, WHY, say('why-failed'));
  const body = el('div', { class: 'why-body' });
  const element = el('section', { class: 'block why', tabindex: -1 }, el('h3', {}, say('block-why')), clockNote(context), failed, body);
  let shown: unknown = null;
  frame.onDom([Changed.selection, Changed.trace, Changed.drawer, Changed.totals, 'why', 'criticalPath'], () => {
    if (!isSeen(state) || !state.selection?.details) return;
    body.hidden = state.trace?.summary.clocks !== undefined;
    if (body.hidden) return;
    const is_asked = isWhyAsked(state);
    if (is_asked) ask();
    else failed.hidden = true;
    const is_following = is_asked || figuresOf(state, PATH)?.has_failed === false;
    const answer = answerTo(state, WHY);
    const now = answer ?? (failed.hidden ? is_following : 'failed');
    if (shown === now) return;
    shown = now;
    fill(body, ...(answer ? answerOf(context, answer) : !failed.hidden ? [] : [is_following ? following() : askButton(context)]));
    // What was asked for by key is brought into sight whole.
    if (document.activeElement === element) element.scrollIntoView({ block: 'start' });
  });
  return element;
}

const following = (): HTMLElement => el('p', { class: 'note' }, say('path-following'));

/** For traces whose paths take the worker long. */
const askButton = (context: Context): HTMLElement =>
  el('button', { class: 'chip', type: 'button', title: say('why-ask-about'), onclick: () => request(context, PATH) }, say('why-ask'));

function answerOf(context: Context, why: WhyPage): Child[] {
  const { cause, began_ns, waits } = why;
  if (began_ns === null) return [el('p', { class: 'note' }, say('why-no-node'))];
  const waited = cause === null ? null : began_ns - (waits[0]?.start_ns ?? began_ns);
  const here = context.state.selection?.details?.device ?? null;
  return [
    el(
      'div',
      {},
      waited !== null && el('div', { class: 'big-figure' }, formatDuration(waited)),
      el('p', { class: 'note' }, waited === null ? say('why-no-input') : say('why-since-ready')),
      bar(why),
      facts(why),
    ),
    (cause !== null || why.queued_ns > 0) &&
      el(
        'div',
        {},
        cause &&
          el(
            'div',
            { class: 'why-part' },
            el('h4', {}, say('why-waited-for'), el('span', { class: 'note' }, ` ${EDGE_WORDS[why.cause_kind ?? ''] ?? ''}`)),
            el('ul', { class: 'refs' }, refLine(context, cause, here)),
          ),
        instead(context, why),
      ),
  ];
}

/** The wait by what it was, as the observed path says it. */
function bar({ waits }: WhyPage): HTMLElement | null {
  const sums = new Map<string, number>();
  for (const { kind, start_ns, end_ns } of waits) sums.set(kind, (sums.get(kind) ?? 0) + end_ns - start_ns);
  const total = [...sums.values()].reduce((sum, length) => sum + length, 0);
  if (total === 0) return null;
  const part = ([kind, length]: [string, number]) => {
    const element = el('span', { class: `stage stage-${kindWords(kind).look}` });
    element.style.flexGrow = String(length / total);
    return element;
  };
  const legend = ([kind, length]: [string, number]) => {
    const { label, look, about } = kindWords(kind);
    return el(
      'li',
      { title: about },
      el('span', { class: `stage-key stage-${look}` }),
      el('span', { class: 'note' }, label),
      el('span', { class: 'figure' }, formatDuration(length)),
    );
  };
  const all = [...sums];
  return el(
    'div',
    { class: 'stages' },
    el('div', { class: 'stage-bar', 'aria-hidden': 'true' }, ...all.map(part)),
    el('ul', { class: 'stage-legend' }, ...all.map(legend)),
  );
}

function facts({ cause, waits, ready_ns, scheduled_ns, began_ns, slack_ns, on_path }: WhyPage): HTMLElement {
  // Of what nothing scheduled, its cause alone says when it was ready.
  const ready = ready_ns ?? (cause === null ? null : (waits[0]?.start_ns ?? began_ns));
  const point = (at: number | null) => (at === null ? say('not-recorded') : formatPoint(at, 1000));
  return el(
    'dl',
    { class: 'facts-list' },
    factLine(say('why-ready'), point(ready), say('why-ready-about')),
    factLine(say('time-scheduled'), point(scheduled_ns), say('why-scheduled-about')),
    factLine(say('why-began'), point(began_ns), say('why-began-about')),
    slack_ns !== null && factLine(say('fact-slack'), slack_ns > 0 ? formatDuration(slack_ns) : say('slack-none'), say('slack-about')),
    factLine(say('fact-on-path'), on_path ? say('yes') : say('no'), say('on-path-about')),
  );
}

const PLACES: Record<RanPlace, string> = {
  thread: say('ran-on-thread'),
  stream: say('ran-on-stream'),
  link: say('ran-on-link'),
  device: say('ran-on-device'),
  shared: say('ran-on-shared'),
};

const PLACES_ABOUT: Record<RanPlace, string> = {
  thread: say('ran-on-thread-about'),
  stream: say('ran-on-stream-about'),
  link: say('ran-on-link-about'),
  device: say('ran-on-device-about'),
  shared: say('ran-on-shared-about'),
};

/** The widest place of those that ran instead: each of them is the last of `RAN_PLACES` that it needs. */
const placeOf = ({ instead }: WhyPage): RanPlace | null =>
  instead.reduce<RanPlace | null>(
    (widest, { place }) => (widest === null || RAN_PLACES.indexOf(place) > RAN_PLACES.indexOf(widest) ? place : widest),
    null,
  );

/** What is known of a place: a thread may be recorded or inferred. */
const aboutOf = (place: RanPlace, { is_inferred }: WhyPage): string =>
  place === 'thread' && is_inferred ? say('ran-same-thread-about') : PLACES_ABOUT[place];

/** What ran in its place: those of its own thread first. */
function instead(context: Context, why: WhyPage): HTMLElement | null {
  const { queued_ns, busy_ns, instead_count: count } = why;
  if (queued_ns === 0) return null;
  const here = context.state.selection?.details?.device ?? null;
  const place = placeOf(why);
  const line = ({ op, length_ns, place: own }: WhyPage['instead'][number]) => {
    const item = refLine(context, op, here);
    const figure = item.querySelector('.figure');
    if (figure) figure.textContent = formatDuration(length_ns);
    if (own === 'thread' && place !== 'thread')
      figure?.before(el('span', { class: 'note', title: aboutOf('thread', why) }, say('ran-same-thread')));
    return item;
  };
  const length = formatDuration(queued_ns);
  return el(
    'div',
    { class: 'why-part' },
    el('h4', { title: place === null ? '' : aboutOf(place, why) }, place === null ? say('ran-instead') : PLACES[place]),
    el(
      'p',
      { class: 'note' },
      count === 0
        ? say('ran-nothing', { length })
        : say('ran-busy', { ops: say('ops', { count }), share: formatShare(busy_ns / queued_ns), length }),
    ),
    el(
      'ul',
      { class: 'refs' },
      ...why.instead.slice(0, MOST_LINES).map(line),
      count > MOST_LINES && el('li', { class: 'note' }, say('and-others', { count: count - MOST_LINES })),
    ),
  );
}
