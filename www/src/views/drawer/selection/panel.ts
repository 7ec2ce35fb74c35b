// The drawer's tab of the selection: every detail of the selected op.
import { el, fill } from '../../../base/dom';
import { formatBytes, formatCount, formatRate, plural } from '../../../base/format';
import { placeLabel, tensorLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Input, OpDetails, Output } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { hopsControl } from './hops';
import { block, factLine, refLine } from '../../shared/parts';
import { opTimes, recordedTimes, transferTimes } from './time_bars';
import { CATEGORY_WORDS } from '../../shared/words';

const HINT = 'Click an op for its times, inputs, tensors and transfers; with the keyboard, walk through ops with . and ,';

export function selectionPanel(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', { class: 'selection' });
  const hops = hopsControl(context);
  frame.onDom(Changed.selection | Changed.trace, () => {
    const details = state.selection?.details;
    if (details) {
      if (element.dataset['op'] === String(details.op)) return;
      element.dataset['op'] = String(details.op);
      fill(element, ...opView(context, details, hops));
      element.scrollTop = 0;
      return;
    }
    if (state.selection) return;
    delete element.dataset['op'];
    fill(element, el('p', { class: 'hint' }, HINT));
  });
  return element;
}

function opView(context: Context, details: OpDetails, hops: HTMLElement): HTMLElement[] {
  const { transfer } = details;
  const device = context.state.trace?.summary.devices[details.device]?.name ?? '';
  const title = el(
    'div',
    { class: 'op-head' },
    el('span', { class: `chip category chip-${details.category}`, title: reasonOf(details) }, CATEGORY_WORDS[details.category]),
    el('h2', { class: 'op-name', title: transfer?.tensor }, transfer ? tensorLabel(transfer.tensor) : details.name),
    el('span', { class: 'op-type' }, details.op_type),
    el('span', { class: 'op-place', title: device }, placeLabel(device)),
    el('span', { class: 'op-reason', title: reasonOf(details) }, details.reason),
    hops,
  );
  const body = el(
    'div',
    { class: 'blocks' },
    transfer ? transferBlock(context, details) : null,
    timesBlock(details),
    kernelsBlock(context, details),
    inputsBlock(context, details),
    consumersBlock(context, details),
    outputsBlock(details.outputs),
    memoryBlock(details),
    labelBlock(details),
  );
  return [title, body];
}

/** Why the op is in its category. */
const reasonOf = ({ category, reason }: OpDetails): string => `${CATEGORY_WORDS[category]}, because of: ${reason}`;

function timesBlock(details: OpDetails): HTMLElement {
  return block('Times', details.transfer ? recordedTimes(details) : opTimes(details));
}

function transferBlock(context: Context, details: OpDetails): HTMLElement | null {
  const { transfer } = details;
  if (!transfer) return null;
  const facts = el(
    'dl',
    { class: 'facts-list' },
    factLine('size', sizeWords(transfer.bytes)),
    factLine('tensor', [transfer.dtype, transfer.shape].filter(Boolean).join(' ') || 'not recorded'),
    transfer.variable !== null && factLine(transfer.kind === 'gradient' ? 'gradient for' : 'value of', transfer.variable),
    factLine(
      'speed',
      transfer.bytes_per_second === null ? 'unknown' : formatRate(transfer.bytes_per_second),
      'Bytes divided by the time on the wire',
    ),
    factLine(
      'producer',
      transfer.producer
        ? el('ul', { class: 'refs' }, refLine(context, transfer.producer, null))
        : `none: ${(transfer.unjoined_because ?? 'not recorded').replaceAll('-', ' ')}`,
    ),
    transfer.joined &&
      factLine(
        'found by',
        transfer.candidates !== null
          ? `guess: one of ${formatCount(transfer.candidates)}`
          : transfer.joined === 'graph'
            ? 'the graphs that ran, exactly'
            : 'names in labels',
        'How producer and consumers were found',
      ),
  );
  const route = el(
    'div',
    { class: 'route' },
    el('span', { title: transfer.source }, placeLabel(transfer.source)),
    el('span', { class: 'route-arrow' }, '→'),
    el('span', { title: transfer.destination }, placeLabel(transfer.destination)),
  );
  return block('Transfer', route, transferTimes(transfer), facts);
}

/** Lists longer than this are cut: the page stays quick with an op of ten thousand inputs. */
const MOST_LINES = 60;

function inputsBlock(context: Context, details: OpDetails): HTMLElement | null {
  if (details.inputs.length === 0) return null;
  const line = (input: Input) => {
    const name = `${input.control ? '^' : ''}${input.name}${input.slot > 0 ? `:${input.slot}` : ''}`;
    if (!input.producer) {
      const why = input.not_taken ? 'It came from elsewhere this time' : 'No op that made it was recorded';
      return el('li', {}, el('span', { class: 'op-unlinked', title: why }, name));
    }
    const item = refLine(context, input.producer, details.device, name);
    if (input.certainty === 'ambiguous') {
      const about = 'Nothing that was recorded decides between them';
      item.append(el('span', { class: 'note', title: about }, `one of ${formatCount(input.candidates ?? 2)}`));
    }
    return item;
  };
  const [orders, values] = [true, false].map((control) => details.inputs.filter((input) => input.control === control));
  const isInferred = details.inputs.some((input) => input.producer && input.certainty === 'inferred');
  return block(
    `Inputs ${formatCount(details.input_count)}`,
    el(
      'ul',
      { class: 'refs' },
      ...[...(values ?? []), ...(orders ?? [])].slice(0, MOST_LINES).map(line),
      more(details.input_count, MOST_LINES),
    ),
    isInferred && el('p', { class: 'note' }, 'By names in labels: no graph of it was recorded.'),
  );
}

/** What an op ran on a GPU, or of a kernel the op that launched it, and the call by which it did. */
function kernelsBlock(context: Context, details: OpDetails): HTMLElement | null {
  const { kernels, kernel_count, launched_by, called_by, kernels_start_ns, kernels_end_ns } = details;
  if (launched_by) {
    const by = called_by ? [launched_by, called_by] : [launched_by];
    return block('Launched by', el('ul', { class: 'refs' }, ...by.map((ref) => refLine(context, ref, details.device))));
  }
  if (kernels.length === 0) return null;
  const span = kernels_start_ns === null || kernels_end_ns === null ? null : kernels_end_ns - kernels_start_ns;
  const shown = kernels.slice(0, MOST_LINES);
  return block(
    `Kernels ${formatCount(kernel_count)}`,
    span !== null &&
      el('dl', { class: 'facts-list' }, factLine('on the GPU', formatDuration(span), 'From the start of the first to the end of the last')),
    el('ul', { class: 'refs' }, ...shown.map((ref) => refLine(context, ref, details.device)), more(kernel_count, shown.length)),
  );
}

function consumersBlock(context: Context, details: OpDetails): HTMLElement | null {
  const consumers = details.consumers.length > 0 ? details.consumers : (details.transfer?.consumers ?? []);
  if (consumers.length === 0) return null;
  const count = Math.max(details.consumer_count, consumers.length);
  return block(
    `Consumers ${formatCount(count)}`,
    el(
      'ul',
      { class: 'refs' },
      ...consumers.slice(0, MOST_LINES).map((ref) => refLine(context, ref, details.device)),
      more(count, Math.min(consumers.length, MOST_LINES)),
    ),
  );
}

const more = (count: number, shown: number): HTMLElement | null =>
  count > shown ? el('li', { class: 'note' }, `and ${plural(count - shown, 'other')}`) : null;

function outputsBlock(outputs: Output[]): HTMLElement | null {
  if (outputs.length === 0) return null;
  const row = (output: Output) =>
    el(
      'tr',
      {},
      el('td', {}, `:${output.slot}`),
      el('td', {}, output.dtype === 'invalid' ? '' : `${output.dtype} ${output.shape}`),
      el('td', { class: 'numeric' }, formatBytes(output.requested_bytes)),
      el(
        'td',
        { class: 'numeric', title: 'allocated' },
        output.allocated_bytes > 0 && output.allocated_bytes !== output.requested_bytes ? formatBytes(output.allocated_bytes) : '',
      ),
      el('td', {}, output.allocator),
    );
  return block(
    `Tensors ${formatCount(outputs.length)}`,
    el('table', { class: 'mini-table' }, el('tbody', {}, ...outputs.slice(0, MOST_LINES).map(row))),
  );
}

function memoryBlock({ memory }: OpDetails): HTMLElement | null {
  if (memory.length === 0) return null;
  return block(
    'Memory',
    ...memory.map((use) =>
      el(
        'dl',
        { class: 'facts-list' },
        factLine('allocator', use.allocator),
        factLine('total', formatBytes(use.total_bytes)),
        factLine('peak', formatBytes(use.peak_bytes)),
        use.live_bytes !== 0 && factLine('live after', formatBytes(use.live_bytes)),
        use.records.length > 0 && factLine('allocations', formatCount(use.records.length)),
      ),
    ),
  );
}

function labelBlock(details: OpDetails): HTMLElement {
  const thread = details.thread_name ?? (details.thread > 0 ? String(details.thread) : null);
  return block(
    'As recorded',
    el('p', { class: 'raw-label' }, details.label === '' ? 'no label' : details.label),
    el('dl', { class: 'facts-list' }, factLine('node', details.name), thread !== null && factLine('thread', thread)),
  );
}

const sizeWords = (bytes: number | null): string =>
  bytes === null ? 'not recorded' : `${formatBytes(bytes)}${bytes >= 1024 ? ` (${formatCount(bytes)} B)` : ''}`;
