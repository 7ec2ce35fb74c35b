// The drawer's tab of the selection: every detail of the selected op.
import { say } from '../../../base/messages';
import { el, fill, icon } from '../../../base/dom';
import { formatBytes, formatCount, formatRate } from '../../../base/format';
import { kernelLabel, placeLabel, tensorLabel } from '../../../base/names';
import { formatDuration, formatPoint } from '../../../base/time';
import type { Input, InstantDetails, OpDetails, Output, Transfer as TransferDetails } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { togglePinned } from '../../../state/shown/card';
import type { Context, State } from '../../../state/state';
import { rowTerms } from '../../../state/terms';
import { hopsControl } from './hops';
import { ICONS } from '../../shared/icons';
import { block, factLine, refLine } from '../../shared/parts';
import { argumentsBlock, aroundBlock, stackBlock } from './arguments';
import { inB } from './in_b';
import { whyBlock } from './why';
import { workFacts } from './work';
import { opTimes, recordedTimes, transferTimes } from './time_bars';
import { CATEGORY_WORDS } from '../../shared/words';
import { isShown, type MakePanel } from '../tab_panel';

const HINT = say('selection-hint');

export const panel: MakePanel = (context, tab) => {
  const { state, frame } = context;
  const element = el('div', { class: 'selection' });
  const hops = hopsControl(context);
  const isSeen = (now: State) => isShown(now, tab);
  const why = whyBlock(context, isSeen);
  const in_b = inB(context, isSeen);
  const pin = pinButton(context);
  frame.onDom([Changed.selection, Changed.trace], () => {
    const details = state.selection?.details;
    if (details) {
      if (element.dataset['op'] === String(details.op)) return;
      element.dataset['op'] = String(details.op);
      fill(element, ...opView(context, details, { hops, why, in_b, pin }));
      element.scrollTop = 0;
      return;
    }
    if (state.selection) return;
    delete element.dataset['op'];
    const instant = state.instant?.details;
    if (instant) {
      fill(element, ...instantView(instant));
      return;
    }
    fill(element, el('p', { class: 'hint' }, HINT));
  });
  return element;
};

/** What an instant says. */
function instantView(details: InstantDetails): HTMLElement[] {
  const { name, device, process } = details;
  const place = device ?? process ?? '';
  const title = el(
    'div',
    { class: 'op-head' },
    el('span', { class: 'chip' }, say('instant-word')),
    el('h2', { class: 'op-name', title: name }, name),
    el('span', { class: 'op-place', title: place }, placeLabel(place)),
  );
  return [title, el('div', { class: 'blocks' }, ...instantFacts(details))];
}

export function instantFacts({ at_ns, is_global, thread, arguments: own }: InstantDetails): HTMLElement[] {
  const facts = el(
    'dl',
    { class: 'facts-list' },
    factLine(say('fact-moment'), formatPoint(at_ns, 1000)),
    factLine(say('fact-about'), is_global ? say('about-all') : thread === null ? say('about-process') : say('about-thread')),
    thread !== null && factLine(say('fact-thread'), thread),
  );
  const given = el('dl', { class: 'facts-list' }, ...own.map((one) => factLine(one.name || say('block-arguments'), one.value)));
  return [block(say('block-times'), facts), ...(own.length > 0 ? [block(say('block-arguments'), given)] : [])];
}

/** Takes it out of the drawer again, or keeps it there for what is selected next. */
function pinButton(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = el('button', { class: 'button square small', type: 'button', onclick: () => togglePinned(context) }, icon(ICONS.pin));
  frame.onDom([Changed.drawer, Changed.selection], () => {
    button.setAttribute('aria-pressed', String(state.selection_pinned));
    button.title = state.selection_pinned ? say('card-unpin') : say('card-pin');
    button.setAttribute('aria-label', button.title);
  });
  return button;
}

type Parts = Record<'hops' | 'why' | 'in_b' | 'pin', HTMLElement>;

function opView(context: Context, details: OpDetails, { hops, why, in_b, pin }: Parts): HTMLElement[] {
  const { transfer } = details;
  const device = context.state.trace?.summary.devices[details.device]?.name ?? '';
  const title = el(
    'div',
    { class: 'op-head' },
    el('span', { class: `chip category chip-${details.category}`, title: reasonOf(details) }, CATEGORY_WORDS[details.category]),
    el(
      'h2',
      { class: 'op-name', title: transfer?.tensor ?? details.name },
      transfer ? tensorLabel(transfer.tensor) : kernelLabel(details.name),
    ),
    el('span', { class: 'op-type', title: details.op_type }, kernelLabel(details.op_type)),
    el('span', { class: 'op-place', title: device }, placeLabel(device)),
    el('span', { class: 'op-reason', title: reasonOf(details) }, details.reason),
    hops,
    pin,
  );
  const body = el(
    'div',
    { class: 'blocks' },
    transfer ? transferBlock(context, details) : null,
    timesBlock(details),
    argumentsBlock(details),
    aroundBlock(context, details),
    why,
    onThreadBlock(details),
    hostEventBlock(context, details),
    kernelsBlock(context, details),
    inputsBlock(context, details),
    consumersBlock(context, details),
    outputsBlock(details.outputs),
    memoryBlock(details),
    stackBlock(context, details),
    labelBlock(context, details),
  );
  return [title, in_b, body];
}

/** Why the op is in its category. */
export const reasonOf = ({ category, reason }: OpDetails): string =>
  say('category-because', { category: CATEGORY_WORDS[category], reason });

function timesBlock(details: OpDetails): HTMLElement {
  return block(say('block-times'), details.transfer ? recordedTimes(details) : opTimes(details), workFacts(details));
}

function transferBlock(context: Context, details: OpDetails): HTMLElement | null {
  const { transfer } = details;
  if (!transfer) return null;
  const facts = el(
    'dl',
    { class: 'facts-list' },
    factLine(say('fact-size'), sizeWords(transfer.bytes)),
    factLine(say('fact-tensor'), [transfer.dtype, transfer.shape].filter(Boolean).join(' ') || say('not-recorded')),
    transfer.variable !== null &&
      factLine(transfer.kind === 'gradient' ? say('fact-gradient-for') : say('fact-value-of'), transfer.variable),
    factLine(
      say('fact-speed'),
      transfer.bytes_per_second === null ? say('unknown') : formatRate(transfer.bytes_per_second),
      say('speed-about'),
    ),
    transfer.handed_over_ns !== null &&
      factLine(say('fact-handed-over'), formatPoint(transfer.handed_over_ns, 1000), say('handed-over-about')),
    factLine(
      say('fact-producer'),
      transfer.producer
        ? el('ul', { class: 'refs' }, refLine(context, transfer.producer, null))
        : say('no-producer-because', {
            why: transfer.unjoined_because === null ? say('not-recorded') : NO_PRODUCER[transfer.unjoined_because],
          }),
    ),
    transfer.joined &&
      factLine(
        say('fact-found-by'),
        transfer.candidates !== null
          ? say('found-by-guess', { count: transfer.candidates })
          : transfer.joined === 'graph'
            ? say('found-by-graphs')
            : say('found-by-names'),
        say('found-by-about'),
      ),
  );
  const route = el(
    'div',
    { class: 'route' },
    el('span', { title: transfer.source }, placeLabel(transfer.source)),
    el('span', { class: 'route-arrow' }, '→'),
    el('span', { title: transfer.destination }, placeLabel(transfer.destination)),
  );
  return block(say('block-transfer'), route, transferTimes(transfer), facts);
}

/** Lists longer than this are cut: the page stays quick with an op of ten thousand inputs. */
const MOST_LINES = 60;

export function inputsBlock(context: Context, details: OpDetails, most = MOST_LINES): HTMLElement | null {
  if (details.inputs.length === 0) return null;
  const line = (input: Input) => {
    const name = `${input.control ? '^' : ''}${input.name}${input.slot > 0 ? `:${input.slot}` : ''}`;
    if (!input.producer) {
      const why = input.not_taken ? say('input-not-taken') : say('input-no-producer');
      return el('li', {}, el('span', { class: 'op-unlinked', title: why }, name));
    }
    const item = refLine(context, input.producer, details.device, name);
    if (input.bytes !== null) item.append(el('span', { class: 'figure', title: say('input-bytes-about') }, formatBytes(input.bytes)));
    if (input.certainty === 'ambiguous') {
      const about = say('input-ambiguous-about');
      item.append(el('span', { class: 'note', title: about }, say('one-of', { count: input.candidates ?? 2 })));
    }
    return item;
  };
  const [orders, values] = [true, false].map((control) => details.inputs.filter((input) => input.control === control));
  const isInferred = details.inputs.some((input) => input.producer && input.certainty === 'inferred');
  return block(
    say('block-inputs', { count: details.input_count }),
    el('ul', { class: 'refs' }, ...[...(values ?? []), ...(orders ?? [])].slice(0, most).map(line), more(details.input_count, most)),
    isInferred && el('p', { class: 'note' }, say('inputs-by-names')),
  );
}

/** What TensorFlow's host profiler recorded of an op: its thread, and when its kernel was on it. */
function onThreadBlock({ host, thread_name }: OpDetails): HTMLElement | null {
  if (!host) return null;
  const { start_ns, end_ns, executor_ns, asynchronous } = host;
  return block(
    say('block-on-thread'),
    el(
      'dl',
      { class: 'facts-list' },
      thread_name !== null && factLine(say('fact-thread'), thread_name),
      factLine(say('fact-kernel-on-thread'), formatDuration(end_ns - start_ns)),
      executor_ns !== null && factLine(say('fact-executor'), `≈ ${formatCount(Math.round(executor_ns / 1000))} µs`, say('executor-about')),
      asynchronous !== null && factLine(say('fact-asynchronous'), say(asynchronous ? 'is-asynchronous' : 'is-synchronous')),
    ),
  );
}

const HOST_EVENTS = {
  joined: say('host-event-joined'),
  'transfer-node': say('host-event-transfer-node'),
  unjoined: say('host-event-unjoined'),
  range: say('host-event-range'),
  'other-run': say('host-event-other-run'),
};

/** What an event of the host profiler is, with the op of the executor that it is once more. */
function hostEventBlock(context: Context, { host_event, device }: OpDetails): HTMLElement | null {
  if (!host_event) return null;
  const { kind, op } = host_event;
  return block(
    say('block-host-event'),
    el('p', { class: 'note' }, HOST_EVENTS[kind]),
    op && el('ul', { class: 'refs' }, refLine(context, op, device)),
  );
}

/** What an op ran on a GPU, or of a kernel the op that launched it, and the call by which it did. */
export function kernelsBlock(context: Context, details: OpDetails, most = MOST_LINES): HTMLElement | null {
  const { kernels, kernel_count, launched_by, called_by, kernels_start_ns, kernels_end_ns } = details;
  if (launched_by) {
    const by = called_by ? [launched_by, called_by] : [launched_by];
    return block(say('block-launched-by'), el('ul', { class: 'refs' }, ...by.map((ref) => refLine(context, ref, details.device))));
  }
  if (kernels.length === 0) return null;
  const span = kernels_start_ns === null || kernels_end_ns === null ? null : kernels_end_ns - kernels_start_ns;
  const shown = kernels.slice(0, most);
  return block(
    say('block-kernels', { count: kernel_count }),
    el(
      'dl',
      { class: 'facts-list' },
      factLine(say('fact-gpu-time'), formatDuration(details.kernels_ns), say('gpu-time-about')),
      span !== null && factLine(say('fact-on-gpu'), formatDuration(span), say('on-gpu-about')),
    ),
    el('ul', { class: 'refs' }, ...shown.map((ref) => refLine(context, ref, details.device)), more(kernel_count, shown.length)),
  );
}

function consumersBlock(context: Context, details: OpDetails): HTMLElement | null {
  const consumers = details.consumers.length > 0 ? details.consumers : (details.transfer?.consumers ?? []);
  if (consumers.length === 0) return null;
  const count = Math.max(details.consumer_count, consumers.length);
  return block(
    say('block-consumers', { count }),
    el(
      'ul',
      { class: 'refs' },
      ...consumers.slice(0, MOST_LINES).map((ref) => refLine(context, ref, details.device)),
      more(count, Math.min(consumers.length, MOST_LINES)),
    ),
  );
}

const more = (count: number, shown: number): HTMLElement | null =>
  count > shown ? el('li', { class: 'note' }, say('and-others', { count: count - shown })) : null;

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
        { class: 'numeric', title: say('allocated') },
        output.allocated_bytes > 0 && output.allocated_bytes !== output.requested_bytes ? formatBytes(output.allocated_bytes) : '',
      ),
      el('td', {}, output.allocator),
    );
  return block(
    say('block-tensors', { count: outputs.length }),
    el('table', { class: 'mini-table' }, el('tbody', {}, ...outputs.slice(0, MOST_LINES).map(row))),
  );
}

function memoryBlock({ memory }: OpDetails): HTMLElement | null {
  if (memory.length === 0) return null;
  return block(
    say('block-memory'),
    ...memory.map((use) =>
      el(
        'dl',
        { class: 'facts-list' },
        factLine(say('fact-allocator'), use.allocator),
        factLine(say('fact-total'), formatBytes(use.total_bytes)),
        factLine(say('fact-peak'), formatBytes(use.peak_bytes)),
        use.live_bytes !== 0 && factLine(say('fact-live-after'), formatBytes(use.live_bytes)),
        use.records.length > 0 && factLine(say('fact-allocations'), formatCount(use.records.length)),
      ),
    ),
  );
}

function labelBlock({ state }: Context, details: OpDetails): HTMLElement {
  const thread = details.thread_name ?? (details.thread > 0 ? String(details.thread) : null);
  return block(
    say('as-recorded'),
    el('p', { class: 'raw-label' }, details.label_recorded ? details.label : say('no-label')),
    el(
      'dl',
      { class: 'facts-list' },
      factLine(say('fact-node'), details.name),
      thread !== null && factLine(state.trace ? rowTerms(state.trace.summary, details.device).row : say('fact-thread'), thread),
    ),
  );
}

export const sizeWords = (bytes: number | null): string =>
  bytes === null ? say('not-recorded') : `${formatBytes(bytes)}${bytes >= 1024 ? ` (${formatCount(bytes)} B)` : ''}`;

const NO_PRODUCER: Record<NonNullable<TransferDetails['unjoined_because']>, string> = {
  'source-not-traced': say('source-not-traced'),
  'producer-not-recorded': say('producer-not-recorded'),
  'unknown-rendezvous-key': say('unknown-rendezvous-key'),
};
