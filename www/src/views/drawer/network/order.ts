// Whether parameters came in the order in which ops need them: a figure for each device, and for one of them what came the wrong way round.
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount, plural } from '../../../base/format';
import { placeLabel, tensorLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { OpRef, OrderOfDevice, Parameter, StepOfOrder } from '../../../engine/protocol';
import { attempt } from '../../../state/failures';
import type { Context } from '../../../state/state';
import { copyText } from '../../shared/copy';
import { goToOp } from '../../shared/parts';
import type { Section } from './section';

/** Rows of the better order; the button copies more. */
const MOST_ROWS = 200;

const WHY = {
  'fewer-than-two-parameters': 'fewer than two parameters came',
  'producers-not-recorded': 'how its tensors were made was not recorded',
  'consumers-not-recorded': 'no op is known to use its tensors',
  'too-many-tasks': 'there are too many tasks to find its parameters',
};
const PARAMETERS = 'Tensors from other tasks that were made without any work of this task';
const INVERTED =
  'Pairs that came the other way round than ops need them, though they could have come in order. Rests on the device’s own clock';
const LOST =
  'How much sooner the ops that wait for parameters would have been done in the better order, by a replay. Rests on the device’s own clock';

export function orderSection(context: Context): Section {
  /** The name of the device that is looked into: it stays from step to step. */
  let chosen = '';
  let shown: OrderOfDevice[] = [];
  const devices = el('tbody', {});
  const plot = el('div', {});
  const details = el('div', {});
  const overview = table(
    [
      head('Device'),
      head('Parameters', PARAMETERS, true),
      head('Inverted', INVERTED, true),
      head('Of pairs', 'Pairs that could have come either way, and are needed one after the other', true),
      head('Overlap lost', LOST, true),
    ],
    devices,
  );
  const element = el('div', {}, el('div', { class: 'order-sides' }, overview, plot), details);

  const update = () => {
    const own = shown.find(({ name }) => name === chosen) ?? worstOf(shown);
    fill(devices, ...shown.map((row) => deviceRow(row, row === own)));
    fill(plot, own?.worst_step && picture(context, own.worst_step.better, own.worst_step.tensors));
    fill(details, ...(own?.worst_step ? stepDetails(context, own, own.worst_step) : []));
  };
  const deviceRow = (row: OrderOfDevice, is_chosen: boolean) => {
    const { name, tensors, inversions, pairs, lost_ns, unknown_because } = row;
    const choose = () => {
      chosen = name;
      update();
      devices.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    };
    const label = placeLabel(name);
    return el(
      'tr',
      { class: is_chosen && row.worst_step ? 'is-chosen' : undefined },
      el(
        'th',
        { scope: 'row', title: name },
        row.worst_step ? el('button', { class: 'op-link', type: 'button', 'aria-pressed': is_chosen, onclick: choose }, label) : label,
      ),
      figure(formatCount(tensors)),
      ...(unknown_because
        ? [el('td', { colspan: 3, class: 'note' }, WHY[unknown_because])]
        : [figure(formatCount(inversions ?? 0)), figure(formatCount(pairs ?? 0)), figure(formatDuration(lost_ns ?? 0))]),
    );
  };
  return {
    id: 'order',
    title: 'Transfer order',
    said: ({ order }) => {
      const worst = worstOf(order);
      if (!worst) return order.length > 0 ? 'cannot be told here' : '';
      const { inversions, lost_ns, name } = worst;
      if (!inversions) return 'parameters come in the order in which they are needed';
      return `most lost on ${placeLabel(name)}: ${formatDuration(lost_ns ?? 0)}, ${plural(inversions, 'inversion')}`;
    },
    element,
    show: ({ order }) => {
      shown = order;
      update();
    },
  };
}

const WAITED = 'How long the op, with all else at hand, waited for what could have been there';
const INEXACT = 'With the recorded receipts the replay should end when the ops did: the overlap lost is no more exact than this';

/** The device that lost most; of those that lost as much the one with the most inversions. */
function worstOf(order: OrderOfDevice[]): OrderOfDevice | null {
  const cost = ({ lost_ns, inversions }: OrderOfDevice) => [lost_ns ?? 0, inversions ?? 0] as const;
  const is_worse = (a: OrderOfDevice, b: OrderOfDevice) => {
    const [[lost, inverted], [other_lost, other_inverted]] = [cost(a), cost(b)];
    return lost > other_lost || (lost === other_lost && inverted > other_inverted);
  };
  return order.reduce<OrderOfDevice | null>((worst, own) => (own.worst_step && (!worst || is_worse(own, worst)) ? own : worst), null);
}

function stepDetails(context: Context, { name, steps }: OrderOfDevice, step: StepOfOrder): HTMLElement[] {
  const { better, worst, tensors, replay_error_ns } = step;
  const link = ({ op, name }: OpRef, title = name) =>
    el('button', { class: 'op-link', type: 'button', title, onclick: () => goToOp(context, op) }, name);
  const said = el('span', { class: 'note', role: 'status' });
  const copy = async () => {
    await copyText(Promise.resolve(better.map(({ tensor }) => `${tensorLabel(tensor)}\n`).join('')));
    setText(said, `Copied ${plural(better.length, 'name')}`);
  };
  const row = (own: Parameter, place: number) =>
    el(
      'tr',
      {},
      figure(formatCount(place + 1)),
      el(
        'td',
        {},
        el(
          'button',
          { class: 'op-link', type: 'button', title: `${own.tensor} from ${own.source}`, onclick: () => goToOp(context, own.op) },
          tensorLabel(own.tensor),
        ),
      ),
      figure(formatBytes(own.bytes)),
      figure(formatDuration(own.needed_ns)),
      figure(formatCount(own.received_rank + 1)),
      figure(formatDuration(own.received_ns)),
      figure(formatDuration(own.better_ns)),
    );
  const where = `${placeLabel(name)}${steps > 1 ? `, step ${formatCount(step.step)}: the one of ${formatCount(steps)} that lost most` : ''}`;
  const waited = worst.map(({ late, early, overtaken_by, user, waited_ns }) =>
    el(
      'tr',
      {},
      figure(formatDuration(waited_ns)),
      el('td', {}, link(late)),
      el('td', {}, link(early), overtaken_by > 1 && el('span', { class: 'note' }, ` and ${plural(overtaken_by - 1, 'other')}`)),
      el('td', {}, link(user)),
    ),
  );
  return [
    el('h2', {}, where),
    waited.length > 0
      ? table(
          [
            head('Waited', WAITED, true),
            head('for'),
            head('which came after, though that is needed later'),
            head('First op that needs it'),
          ],
          el('tbody', {}, ...waited),
        )
      : el('p', { class: 'note' }, 'No op waited for a parameter that came after one that is needed later.'),
    ...(replay_error_ns === 0
      ? []
      : [el('p', { class: 'note', title: INEXACT }, `The replay misses the recorded end by ${formatDuration(replay_error_ns)}.`)]),
    el(
      'h2',
      {},
      'The better order ',
      el(
        'button',
        {
          class: 'button outlined',
          type: 'button',
          title: 'The names in this order, one a line, for a script',
          onclick: () => attempt(context, 'Not copied', copy()),
        },
        'Copy',
      ),
      said,
    ),
    table(
      [
        head('#', 'As which it should come', true),
        head('Parameter'),
        head('Size', undefined, true),
        head('Needed at', 'When its first op would start if every tensor were there at 0', true),
        head('Came as', 'As which of them it came', true),
        head('Came at', 'The receipt, on the device’s own clock', true),
        head('Would come at', 'In this order, with no more bytes by any moment than had come', true),
      ],
      el('tbody', {}, ...better.slice(0, MOST_ROWS).map(row)),
    ),
    ...(tensors > MOST_ROWS ? [el('p', { class: 'note' }, `and ${formatCount(tensors - Math.min(MOST_ROWS, better.length))} more`)] : []),
  ];
}

/** Each parameter as a dot: to the right as which it came, downwards as which it is needed. In order all lie on the diagonal. */
function picture(context: Context, better: Parameter[], tensors: number): HTMLElement {
  const dots = better.map(({ op, tensor, received_rank }, place) => {
    const title = `${tensorLabel(tensor)}: came as ${formatCount(received_rank + 1)}, needed as ${formatCount(place + 1)}`;
    const dot = el('span', { class: 'order-dot', title, onclick: () => goToOp(context, op) });
    dot.style.left = `${(100 * (received_rank + 0.5)) / tensors}%`;
    dot.style.top = `${(100 * (place + 0.5)) / tensors}%`;
    return dot;
  });
  return el(
    'div',
    {
      class: 'order-picture',
      role: 'img',
      'aria-label':
        'Each parameter as a dot: to the right as which it came, downwards as which it is needed. The table of the better order has the same in numbers.',
    },
    el('div', { class: 'order-plot' }, ...dots),
    el('div', { 'aria-hidden': 'true' }, 'came first → last'),
    el('span', { class: 'order-needed', 'aria-hidden': 'true' }, 'needed last ← first'),
  );
}

const figure = (text: string) => el('td', { class: 'numeric' }, text);

const head = (text: string, title?: string, is_figure = false) =>
  el('th', { scope: 'col', title, class: is_figure ? 'numeric' : undefined }, text);

const table = (heads: HTMLElement[], body: HTMLElement) =>
  el('table', { class: 'plain-table' }, el('thead', {}, el('tr', {}, ...heads)), body);
