// Asks the programs that train for traces; where the page cannot write, it shows the command that does.
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { REQUEST_KINDS, type RequestKind, type WatchRequest } from '../../engine/protocol';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { announce, type Context } from '../../state/state';
import { askForTraces } from '../../state/watched/watch';
import { copyText } from '../shared/copy';
import { WATCHED_CHANGED } from '../../state/watched/below';

const KIND_WORDS = { now: say('ask-now'), every: say('ask-every'), multiple: say('ask-multiple'), stop: say('ask-stop') } as const;
const EVERYBODY = '';

export function askForm(context: Context): HTMLElement {
  const { state, frame } = context;
  const kind = el('select', { id: 'ask-kind', 'aria-label': say('ask-kind') });
  for (const known of REQUEST_KINDS) kind.append(el('option', { value: known }, KIND_WORDS[known]));
  const n = numberField('ask-n', say('ask-n'), 100, 1);
  const count = numberField('ask-count', say('ask-count'), 1, 0);
  const process = el('select', { id: 'ask-process', 'aria-label': say('ask-process') });
  const go = el('button', { id: 'ask-go', class: 'button primary', type: 'submit' });
  const command = el('code', {});
  const copy = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      onclick: () =>
        attempt(
          context,
          say('not-copied'),
          copyText(Promise.resolve(command.textContent)).then(() => announce(context, say('copied-text'), Changed.notice)),
        ),
    },
    say('copy'),
  );
  const by_command = el('p', { class: 'watch-command' }, say('ask-by-command'), ' ', command, ' ', copy);
  const asked = (): WatchRequest => ({
    kind: kind.value as RequestKind,
    n: Math.max(1, Math.trunc(n.input.valueAsNumber) || 1),
    count: Math.max(0, Math.trunc(count.input.valueAsNumber) || 0),
    processes: process.value === EVERYBODY ? [] : [process.value],
  });
  const changed = () => {
    n.label.hidden = kind.value === 'now' || kind.value === 'stop';
    count.label.hidden = kind.value === 'stop';
    count.input.min = kind.value === 'every' ? '0' : '1';
    count.label.title = kind.value === 'every' ? say('ask-count-every') : '';
    setText(go, kind.value === 'stop' ? say('ask-go-stop') : say('ask-go'));
    setText(command, commandOf(state.watching?.place.name ?? '', asked()));
  };
  for (const field of [kind, process]) field.addEventListener('change', changed);
  for (const field of [n.input, count.input]) field.addEventListener('input', changed);
  const form = el('form', { class: 'watch-ask', 'aria-label': say('ask-form') }, kind, n.label, count.label, process, go);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    askForTraces(context, asked());
  });
  let shown: string | null = null;
  frame.onDom([WATCHED_CHANGED], () => {
    const { watching } = state;
    if (!watching) return;
    const names = watching.said?.processes.map(({ name }) => name) ?? [];
    if (shown !== names.join(' ')) {
      shown = names.join(' ');
      const before = process.value;
      process.replaceChildren(
        el('option', { value: EVERYBODY }, say('ask-everybody')),
        ...names.map((name) => el('option', { value: name }, name)),
      );
      process.value = names.includes(before) ? before : EVERYBODY;
    }
    process.hidden = names.length < 2;
    go.hidden = watching.place.ask === null;
    by_command.hidden = watching.place.ask !== null;
    changed();
  });
  return el('div', { class: 'watch-asking' }, form, by_command);
}

function numberField(id: string, words: string, value: number, least: number): { label: HTMLElement; input: HTMLInputElement } {
  const input = el('input', { id, type: 'number', value: String(value) });
  input.min = String(least);
  input.max = '1000000000';
  return { label: el('label', { class: 'watch-number' }, el('span', {}, words), input), input };
}

/** What does the same in a terminal. */
function commandOf(folder: string, { kind, n, count, processes }: WatchRequest): string {
  const which = kind === 'every' || kind === 'multiple' ? `--${kind} ${n}` : `--${kind}`;
  const often = kind === 'stop' || (kind === 'every' ? count === 0 : count <= 1) ? '' : ` --count ${count}`;
  const whom = processes.map((name) => ` --process ${name}`).join('');
  // A folder may be called anything; the user puts its path there.
  const shown = /^[\w.-]+$/.test(folder) ? folder : 'FOLDER';
  // eslint-disable-next-line words/from-catalogue -- a command
  return `steplens request ${shown} ${which}${often}${whom}`;
}
