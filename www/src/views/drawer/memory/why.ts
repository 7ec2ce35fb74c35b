// Why a tensor is alive: its life, its last reader and what that waited for, and the ops that it is alive for. Without one, what keeps the most.
import { el, fill } from '../../../base/dom';
import { formatBytes, plural } from '../../../base/format';
import { formatDuration, formatPoint, ns } from '../../../base/time';
import type { MemoryAlive, MemoryHolder, MemoryWhy } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { block, factLine, opLink, refLine } from '../../shared/parts';

/** Of the lists of ops. */
const MOST = 12;

const point = (at: number | null, without: string): string => (at === null ? without : formatPoint(ns(at), 1000));

export function whyPart(context: Context): { element: HTMLElement; show: (why: MemoryWhy | null, alive: MemoryAlive | null) => void } {
  const element = el('div', { class: 'memory-why', tabindex: 0, role: 'region', 'aria-label': 'Why it is alive' });
  let shown: unknown = null;
  return {
    element,
    show: (why, alive) => {
      const of = context.state.memory_life === null ? alive : why;
      if (of === null || shown === of) return;
      shown = of;
      const title = why && of === why ? why.name : 'At this moment';
      const content = why && of === why ? blocks(context, why) : [holders(context, 'What keeps the most alive', alive?.holders ?? [])];
      fill(element, el('h2', { class: 'memory-title', title }, title), ...content);
    },
  };
}

function holders(context: Context, title: string, list: readonly MemoryHolder[]): HTMLElement {
  const rows = list
    .slice(0, MOST)
    .map(({ op, bytes, tensors }) =>
      el('li', {}, opLink(context, op.op, op.name), el('span', { class: 'figure' }, `${formatBytes(bytes)}, ${plural(tensors, 'tensor')}`)),
    );
  const none = 'No op that is still to end keeps anything alive.';
  const about = el('p', { class: 'note' }, 'Bytes that stay alive at least until the op has ended: all who will read them come after it.');
  return block(title, ...(rows.length > 0 ? [about, el('ul', { class: 'refs' }, ...rows)] : [none]));
}

function blocks(context: Context, why: MemoryWhy): HTMLElement[] {
  const life = block(
    'Its life',
    el(
      'dl',
      { class: 'memory-facts' },
      factLine('Allocated by', opLink(context, why.op.op, why.name)),
      factLine('Size', formatBytes(why.bytes)),
      factLine('Allocated at', point(why.allocated_ns, 'before the first op')),
      factLine('Freed at', point(why.freed_ns, 'not before the end')),
    ),
  );
  const { last } = why;
  const reader = last
    ? block(
        'Last reader',
        el(
          'dl',
          { class: 'memory-facts' },
          factLine('Op', opLink(context, last.op.op, last.op.name)),
          ...(last.waited_for ? [factLine('Waited for', opLink(context, last.waited_for.op, last.waited_for.name))] : []),
          factLine('All inputs there at', point(last.ready_ns, '–')),
          factLine('Ran later by', formatDuration(last.late_ns)),
          factLine('Right after its inputs', afterInputs(last.would_free_bytes, last.would_need_bytes)),
        ),
      )
    : block('Last reader', why.output === null ? 'Nobody reads it: it is no output of its op.' : 'No op that was recorded reads it.');
  const readers = block(
    `Read by ${plural(why.reader_count, 'op')}, ${plural(why.waiting, 'op')} still to end`,
    el('ul', { class: 'refs' }, ...why.readers.slice(0, MOST).map((ref) => refLine(context, ref, why.op.device))),
  );
  const kept = why.holders.length > 0 ? [holders(context, 'It is alive for', why.holders)] : [];
  return [life, reader, ...kept, ...(why.reader_count > 0 ? [readers] : [])];
}

function afterInputs(would_free: number, would_need: number): string {
  if (would_free === 0 && would_need === 0) return 'nothing would change at this moment';
  return `${formatBytes(would_free)} would be free now${would_need > 0 ? `, and ${formatBytes(would_need)} of its outputs there` : ''}`;
}
