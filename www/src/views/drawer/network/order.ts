// Whether parameters came in the order in which ops need them: a figure for each device, and for one of them what came the wrong way round.
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount } from '../../../base/format';
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
  'fewer-than-two-parameters': say('order-few'),
  'producers-not-recorded': say('order-no-producers'),
  'consumers-not-recorded': say('order-no-consumers'),
  'too-many-tasks': say('order-many-tasks'),
};
const PARAMETERS = say('parameters-about');
const INVERTED = say('inverted-about');
const LOST = say('lost-about');

export function orderSection(context: Context): Section {
  /** The name of the device that is looked into: it stays from step to step. */
  let chosen = '';
  let shown: OrderOfDevice[] = [];
  const devices = el('tbody', {});
  const plot = el('div', {});
  const details = el('div', {});
  const overview = table(
    [
      head(say('column-device')),
      head(say('column-parameters'), PARAMETERS, true),
      head(say('column-inverted'), INVERTED, true),
      head(say('column-pairs'), say('pairs-about'), true),
      head(say('column-overlap-lost'), LOST, true),
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
    title: say('order-title'),
    said: ({ order }) => {
      const worst = worstOf(order);
      if (!worst) return order.length > 0 ? say('order-unknown') : '';
      const { inversions, lost_ns, name } = worst;
      if (!inversions) return say('order-good');
      return say('order-answer', {
        device: placeLabel(name),
        length: formatDuration(lost_ns ?? 0),
        inversions: say('inversions', { count: inversions }),
      });
    },
    element,
    show: ({ order }) => {
      shown = order;
      update();
    },
  };
}

const WAITED = say('order-waited-about');
const INEXACT = say('order-inexact');

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
    setText(said, say('copied-names', { names: say('names', { count: better.length }) }));
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
          {
            class: 'op-link',
            type: 'button',
            title: say('tensor-from', { tensor: own.tensor, source: own.source }),
            onclick: () => goToOp(context, own.op),
          },
          tensorLabel(own.tensor),
        ),
      ),
      figure(formatBytes(own.bytes)),
      figure(formatDuration(own.needed_ns)),
      figure(formatCount(own.received_rank + 1)),
      figure(formatDuration(own.received_ns)),
      figure(formatDuration(own.better_ns)),
    );
  const where =
    steps > 1
      ? say('order-where', { device: placeLabel(name), step: formatCount(step.step), steps: formatCount(steps) })
      : placeLabel(name);
  const waited = worst.map(({ late, early, overtaken_by, user, waited_ns }) =>
    el(
      'tr',
      {},
      figure(formatDuration(waited_ns)),
      el('td', {}, link(late)),
      el('td', {}, link(early), overtaken_by > 1 && el('span', { class: 'note' }, ` ${say('and-others', { count: overtaken_by - 1 })}`)),
      el('td', {}, link(user)),
    ),
  );
  return [
    el('h2', {}, where),
    waited.length > 0
      ? table(
          [
            head(say('column-waited'), WAITED, true),
            head(say('column-for')),
            head(say('order-overtaken-by')),
            head(say('order-first-user')),
          ],
          el('tbody', {}, ...waited),
        )
      : el('p', { class: 'note' }, say('order-none-waited')),
    ...(replay_error_ns === 0
      ? []
      : [el('p', { class: 'note', title: INEXACT }, say('order-replay-error', { length: formatDuration(replay_error_ns) }))]),
    el(
      'h2',
      {},
      `${say('better-order')} `,
      el(
        'button',
        {
          class: 'button outlined',
          type: 'button',
          title: say('copy-order-title'),
          onclick: () => attempt(context, say('not-copied'), copy()),
        },
        say('copy'),
      ),
      said,
    ),
    table(
      [
        head(say('column-needed-rank'), say('needed-rank-about'), true),
        head(say('column-parameter')),
        head(say('column-size'), undefined, true),
        head(say('column-needed-at'), say('needed-at-about'), true),
        head(say('column-arrival-rank'), say('arrival-rank-about'), true),
        head(say('column-arrived'), say('arrived-about'), true),
        head(say('column-would-arrive'), say('would-arrive-about'), true),
      ],
      el('tbody', {}, ...better.slice(0, MOST_ROWS).map(row)),
    ),
    ...(tensors > MOST_ROWS ? [el('p', { class: 'note' }, say('and-more', { count: tensors - Math.min(MOST_ROWS, better.length) }))] : []),
  ];
}

/** Each parameter as a dot: to the right as which it came, downwards as which it is needed. In order all lie on the diagonal. */
function picture(context: Context, better: Parameter[], tensors: number): HTMLElement {
  const dots = better.map(({ op, tensor, received_rank }, place) => {
    const title = say('order-dot', {
      tensor: tensorLabel(tensor),
      arrival: formatCount(received_rank + 1),
      needed: formatCount(place + 1),
    });
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
      'aria-label': say('order-plot'),
    },
    el('div', { class: 'order-plot' }, ...dots),
    el('div', { 'aria-hidden': 'true' }, say('order-axis-arrival')),
    el('span', { class: 'order-needed', 'aria-hidden': 'true' }, say('order-axis-needed')),
  );
}

const figure = (text: string) => el('td', { class: 'numeric' }, text);

const head = (text: string, title?: string, is_figure = false) =>
  el('th', { scope: 'col', title, class: is_figure ? 'numeric' : undefined }, text);

const table = (heads: HTMLElement[], body: HTMLElement) =>
  el('table', { class: 'plain-table' }, el('thead', {}, el('tr', {}, ...heads)), body);
