// Why a tensor is alive: its life, its last reader and what that waited for, and the ops that it is alive for. Without one, what keeps the most.
import { el, fill } from '../../../base/dom';
import { formatBytes } from '../../../base/format';
import { say } from '../../../base/messages';
import { formatDuration, formatPoint, ns } from '../../../base/time';
import type { MemoryAlive, MemoryHolder, MemoryWhy } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { block, factLine, opLink, refLine } from '../../shared/parts';

/** Of the lists of ops. */
const MOST = 12;

const point = (at: number | null, without: string): string => (at === null ? without : formatPoint(ns(at), 1000));

export function whyPart(context: Context): { element: HTMLElement; show: (why: MemoryWhy | null, alive: MemoryAlive | null) => void } {
  const element = el('div', { class: 'memory-why', tabindex: 0, role: 'region', 'aria-label': say('alive-why') });
  let shown: unknown = null;
  return {
    element,
    show: (why, alive) => {
      const of = context.state.memory_life === null ? alive : why;
      if (of === null || shown === of) return;
      shown = of;
      const title = why && of === why ? why.name : say('alive-at-this-moment');
      const content = why && of === why ? blocks(context, why) : [holders(context, say('alive-kept-most'), alive?.holders ?? [])];
      fill(element, el('h2', { class: 'memory-title', title }, title), ...content);
    },
  };
}

function holders(context: Context, title: string, list: readonly MemoryHolder[]): HTMLElement {
  const rows = list
    .slice(0, MOST)
    .map(({ op, bytes, tensors }) =>
      el(
        'li',
        {},
        opLink(context, op.op, op.name),
        el('span', { class: 'figure' }, say('alive-held', { bytes: formatBytes(bytes), tensors: say('tensors', { count: tensors }) })),
      ),
    );
  const none = say('alive-kept-by-none');
  const about = el('p', { class: 'note' }, say('alive-kept-about'));
  return block(title, ...(rows.length > 0 ? [about, el('ul', { class: 'refs' }, ...rows)] : [none]));
}

function blocks(context: Context, why: MemoryWhy): HTMLElement[] {
  const life = block(
    say('alive-life'),
    el(
      'dl',
      { class: 'memory-facts' },
      factLine(say('alive-allocated-by'), opLink(context, why.op.op, why.name)),
      factLine(say('alive-size'), formatBytes(why.bytes)),
      factLine(say('alive-allocated-at'), point(why.allocated_ns, say('alive-before-first'))),
      factLine(say('alive-freed-at'), point(why.freed_ns, say('alive-not-freed'))),
    ),
  );
  const { last } = why;
  const reader = last
    ? block(
        say('alive-last-reader'),
        el(
          'dl',
          { class: 'memory-facts' },
          factLine(say('alive-op'), opLink(context, last.op.op, last.op.name)),
          ...(last.waited_for ? [factLine(say('alive-waited-for'), opLink(context, last.waited_for.op, last.waited_for.name))] : []),
          factLine(say('alive-inputs-at'), point(last.ready_ns, '–')),
          factLine(say('alive-late-by'), formatDuration(last.late_ns)),
          factLine(say('alive-right-after'), afterInputs(last.would_free_bytes, last.would_need_bytes)),
        ),
      )
    : block(say('alive-last-reader'), why.output === null ? say('alive-no-output') : say('alive-no-reader'));
  const readers = block(
    say('alive-read-by', { readers: say('ops', { count: why.reader_count }), waiting: say('ops', { count: why.waiting }) }),
    el('ul', { class: 'refs' }, ...why.readers.slice(0, MOST).map((ref) => refLine(context, ref, why.op.device))),
  );
  const kept = why.holders.length > 0 ? [holders(context, say('alive-for'), why.holders)] : [];
  return [life, reader, ...kept, ...(why.reader_count > 0 ? [readers] : [])];
}

function afterInputs(would_free: number, would_need: number): string {
  if (would_free === 0 && would_need === 0) return say('alive-no-change');
  const free = formatBytes(would_free);
  return would_need > 0 ? say('alive-free-and-need', { free, need: formatBytes(would_need) }) : say('alive-free', { free });
}
