// Adds a change: what is to be different, and of what.
import { el, fill } from '../../../base/dom';
import { say, type PlainId } from '../../../base/messages';
import { addChange } from '../../../state/shown/what_if';
import type { Context, State } from '../../../state/state';

interface Kind {
  title: PlainId;
  /** What stands in the empty field; without it there is no field. */
  field?: PlainId;
  /** The same of a second field. */
  second?: PlainId;
  /** Whether the field may be empty. */
  may_be_empty?: boolean;
  /** What is offered for the fields. */
  offers?: (state: State) => string[];
  is_number?: boolean;
  change: (first: string, second: string) => string;
}

const devicesOf = ({ trace }: State): string[] => (trace?.summary.devices ?? []).map(({ name }) => name);
const tasksOf = ({ trace }: State): string[] => [
  ...new Set((trace?.summary.devices ?? []).flatMap(({ task }) => (task === null || task === '' ? [] : [task]))),
];

/** Twice as fast is what a change begins with. */
const KINDS: readonly Kind[] = [
  { title: 'if-kind-op', field: 'if-field-op', change: (pattern) => `op=${pattern}=0.5` },
  {
    title: 'if-kind-link',
    field: 'if-field-from',
    second: 'if-field-to',
    offers: tasksOf,
    change: (source, destination) => `link=${source}->${destination}=0.5`,
  },
  {
    title: 'if-kind-network',
    field: 'if-field-all-tasks',
    may_be_empty: true,
    offers: tasksOf,
    change: (task) => (task === '' ? 'network=0.5' : `network=${task}=0.5`),
  },
  { title: 'if-kind-device', field: 'if-field-device', offers: devicesOf, change: (device) => `device=${device}=0.5` },
  { title: 'if-threads', field: 'if-field-threads', is_number: true, change: (threads) => `threads=${threads}` },
  { title: 'if-order', change: () => 'order=better' },
  { title: 'if-kind-half', field: 'if-field-tensors', change: (pattern) => `half=${pattern}` },
  { title: 'if-kind-merge', field: 'if-field-tensors', change: (pattern) => `merge=${pattern}` },
  { title: 'if-kind-like-peers', field: 'if-field-task', offers: tasksOf, change: (task) => `like-peers=${task}` },
  { title: 'if-hide-input', change: () => 'hide=input' },
  { title: 'if-hide-launch', change: () => 'hide=launch' },
  { title: 'if-hide-copy', change: () => 'hide=copy' },
  { title: 'if-hide-communication', change: () => 'hide=communication' },
];

export function addForm(context: Context): HTMLElement {
  const { state } = context;
  const kind = el('select', { class: 'if-kind', 'aria-label': say('if-add') });
  KINDS.forEach(({ title }, at) => kind.append(el('option', { value: String(at) }, say(title))));
  const offers = el('datalist', { id: 'if-offers' });
  const field = () => {
    const input = el('input', { type: 'text', class: 'if-field', autocomplete: 'off', spellcheck: 'false' });
    input.setAttribute('list', 'if-offers');
    return input;
  };
  const [first, second] = [field(), field()];
  const chosen = (): Kind | undefined => KINDS[kind.selectedIndex];
  const show = () => {
    const own = chosen();
    for (const [input, words] of [
      [first, own?.field],
      [second, own?.second],
    ] as const) {
      input.hidden = words === undefined;
      input.value = '';
      if (words === undefined) continue;
      input.placeholder = say(words);
      input.setAttribute('aria-label', say(words));
    }
    first.type = own?.is_number === true ? 'number' : 'text';
    fill(offers, ...(own?.offers?.(state) ?? []).map((value) => el('option', { value })));
  };
  kind.addEventListener('change', show);
  const form = el(
    'form',
    {
      class: 'if-add',
      onsubmit: (event) => {
        event.preventDefault();
        const own = chosen();
        const missing = [first, second].find((input) => !input.hidden && input.value.trim() === '');
        if (!own || (missing && own.may_be_empty !== true)) {
          missing?.focus();
          return;
        }
        addChange(context, own.change(first.value.trim(), second.value.trim()));
        first.value = second.value = '';
      },
    },
    kind,
    first,
    second,
    offers,
    el('button', { class: 'button outlined', type: 'submit', title: say('if-add') }, say('if-add-short')),
  );
  // The devices of another step may be others.
  first.addEventListener('focus', () => fill(offers, ...(chosen()?.offers?.(state) ?? []).map((value) => el('option', { value }))));
  show();
  return form;
}
