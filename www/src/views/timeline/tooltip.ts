// What is under the pointer, in a few lines next to it: an op, or how many ops run at once.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill } from '../../base/dom';
import { formatAverage, formatBytes, formatRate, formatValue } from '../../base/format';
import { kernelLabel, placeLabel, routeLabel, tensorLabel } from '../../base/names';
import { formatDuration, formatPoint } from '../../base/time';
import type { OpDetails } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import type { Context, State } from '../../state/state';
import { counterName } from '../../state/shown/counter_rows';
import { pathOf } from '../../state/shown/path';
import type { InFlight, OnCounter, OnFlag, OnPath, OnWire } from '../../state/types';
import { colorNames } from '../../draw/theme';
import { colorName } from '../shared/color_names';
import { unitPlace } from '../../state/layout/units';
import { kindWords } from '../shared/path_words';
import { CATEGORY_WORDS } from '../shared/words';

type About = OpDetails | InFlight | OnWire | OnPath | OnFlag | OnCounter;

function linesOf(state: State, about: About, count: number): HTMLElement[] {
  if ('op' in about) return lines(about, count);
  if ('flag' in about) return flagLines(about);
  if ('row' in about) return counterLines(about);
  if ('device' in about) return densityLines(state, about);
  return 'segment' in about ? segmentLines(state, about) : trafficLines(state, about);
}

export function tooltip({ state, frame }: Context): HTMLElement {
  const element = el('div', { class: 'tooltip', hidden: true, 'aria-hidden': 'true' });
  let shown: About | null = null;
  frame.onDom([Changed.hover, Changed.trace], () => {
    const { hover } = state;
    const about = hover?.details ?? hover?.in_flight ?? hover?.on_wire ?? hover?.on_path ?? hover?.on_flag ?? hover?.on_counter;
    element.hidden = !about;
    if (!hover || !about) return;
    if (shown !== about) {
      shown = about;
      fill(element, ...linesOf(state, about, hover.count));
    }
    const host = element.parentElement;
    if (!host) return;
    const lanes = host.querySelector<HTMLElement>('.lanes');
    const x = hover.x + (lanes?.offsetLeft ?? 0);
    const y = hover.y;
    const { offsetWidth, offsetHeight } = element;
    const left = x + 14 + offsetWidth > host.clientWidth ? x - offsetWidth - 10 : x + 14;
    const top = y + 18 + offsetHeight > host.clientHeight ? y - offsetHeight - 10 : y + 18;
    element.style.transform = `translate(${Math.max(4, Math.round(left))}px, ${Math.max(4, Math.round(top))}px)`;
  });
  return element;
}

/** As many arguments as one reads at a glance; the tab Selection has all. */
const MOST_ARGUMENTS = 5;

/** What an instant says, and how many are at its flag. */
function flagLines({ flag, details }: OnFlag): HTMLElement[] {
  const known = details?.arguments ?? [];
  const more = known.length - MOST_ARGUMENTS;
  return [
    el('div', { class: 'tip-name' }, flag.name),
    el('div', { class: 'tip-line tip-strong' }, say('tip-instant', { at: formatPoint(flag.at_ns, 1000) })),
    ...known
      .slice(0, MOST_ARGUMENTS)
      .map(({ name, value }) => el('div', { class: 'tip-line' }, el('span', { class: 'tip-muted' }, `${name} `), value)),
    ...(more > 0 ? [el('div', { class: 'tip-line tip-muted' }, say('tip-more-arguments', { count: more }))] : []),
    ...(flag.count > 1 ? [el('div', { class: 'tip-line tip-muted' }, say('tip-instants', { count: flag.count }))] : []),
  ];
}

/** What a column of a counter says. */
function counterLines({ row, column, min, max, last }: OnCounter): HTMLElement[] {
  const length = column.end - column.start;
  return [
    el('div', { class: 'tip-name' }, counterName(row)),
    el('div', { class: 'tip-line tip-strong' }, formatValue(last)),
    ...(min < max ? [el('div', { class: 'tip-line' }, say('tip-counter-between', { min: formatValue(min), max: formatValue(max) }))] : []),
    el(
      'div',
      { class: 'tip-line tip-muted' },
      say('tip-column', { length: formatDuration(length), from: formatPoint(column.start, length) }),
    ),
  ];
}

/** What a segment of the critical path says, and what the colours of all are. */
function segmentLines(state: State, { segment }: OnPath): HTMLElement[] {
  const { label, look, about } = kindWords(segment.kind);
  const length = segment.end_ns - segment.start_ns;
  return [
    el('div', { class: 'tip-name' }, kernelLabel(segment.name)),
    el('div', { class: 'tip-line tip-strong' }, el('span', { class: `dot dot-${look}` }), label),
    el(
      'div',
      { class: 'tip-line' },
      formatDuration(length),
      el('span', { class: 'tip-muted' }, ` ${say('tip-from', { at: formatPoint(segment.start_ns, 1000) })}`),
    ),
    ...(segment.behind === null
      ? []
      : [
          el(
            'div',
            { class: 'tip-line' },
            say('tip-earlier', { length: formatDuration(segment.earlier_ns), ops: say('ops', { count: segment.behind_count }) }),
          ),
        ]),
    el('div', { class: 'tip-line tip-muted' }, about),
    el('div', { class: 'tip-line tip-muted tip-legend' }, ...pathLegend(state)),
  ];
}

/** Kinds that look the same are one. */
function pathLegend(state: State): HTMLElement[] {
  const labels = new Map<string, string[]>();
  for (const { look, label } of (pathOf(state)?.by_category ?? []).map(({ key }) => kindWords(key)))
    labels.set(look, [...(labels.get(look) ?? []), label]);
  return [...labels].map(([look, of]) => el('span', {}, el('span', { class: `dot dot-${look}` }), listed(of)));
}

/** What a column of a density strip says. */
function densityLines(state: State, { device, of, column, by_color, color_by, longest }: InFlight): HTMLElement[] {
  const total = by_color.reduce((sum, one) => sum + one, 0);
  const looks = colorNames(color_by);
  const parts = by_color.flatMap((average, color) => {
    const words = `${state.colors?.by === color_by ? colorName(state.colors, color) : ''} ${formatAverage(average)}`;
    return average > 0 ? [el('div', { class: 'tip-line' }, el('span', { class: `dot dot-${looks[color]}` }), words)] : [];
  });
  const length = column.end - column.start;
  return [
    el('div', { class: 'tip-name' }, state.trace ? unitPlace(state.trace.summary, device) : ''),
    el(
      'div',
      { class: 'tip-line tip-strong' },
      say(of === 'communication' ? 'tip-transfers-in-flight' : 'tip-in-flight', { count: total, average: formatAverage(total) }),
      el('span', { class: 'tip-muted' }, ` ${say('on-average')}`),
    ),
    ...(of === 'communication' ? [] : parts),
    el(
      'div',
      { class: 'tip-line tip-muted' },
      say('tip-column', { length: formatDuration(length), from: formatPoint(column.start, length) }),
    ),
    ...(longest ? [el('div', { class: 'tip-line tip-muted tip-next' }, say('tip-longest-transfer')), ...lines(longest, 1)] : []),
  ];
}

/** What a column of the traffic says, and which links it is of. */
function trafficLines({ route }: State, { column, bytes_per_second, in_flight, links }: OnWire): HTMLElement[] {
  const length = column.end - column.start;
  const all = links?.links ?? [];
  const parts = all.map((link) =>
    el('div', { class: 'tip-line' }, `${routeLabel(link)} `, el('span', { class: 'tip-muted' }, formatRate(link.bytes_per_second ?? 0))),
  );
  const more = links?.more
    ? [el('div', { class: 'tip-line tip-muted' }, say('and-other-links', { links: say('other-links', { count: links.more }) }))]
    : [];
  return [
    ...(route ? [el('div', { class: 'tip-name' }, routeLabel(route))] : []),
    el(
      'div',
      { class: 'tip-line tip-strong' },
      el('span', { class: 'dot dot-communication' }),
      say('tip-rate', { rate: formatRate(bytes_per_second) }),
    ),
    el(
      'div',
      { class: 'tip-line' },
      say('tip-transfers', { count: in_flight, average: formatAverage(in_flight) }),
      el('span', { class: 'tip-muted' }, ` ${say('on-average')}`),
    ),
    ...(route && route.source !== null && route.destination !== null ? [] : [...parts, ...more]),
    el(
      'div',
      { class: 'tip-line tip-muted' },
      say('tip-column', { length: formatDuration(length), from: formatPoint(column.start, length) }),
    ),
  ];
}

function lines(details: OpDetails, count: number): HTMLElement[] {
  const { transfer } = details;
  const length = formatDuration(details.end_ns - details.start_ns);
  const made = [
    el('div', { class: 'tip-name' }, transfer ? tensorLabel(transfer.tensor) : kernelLabel(details.name)),
    el(
      'div',
      { class: 'tip-line' },
      el('span', { class: `dot dot-${details.category}` }),
      `${kernelLabel(details.op_type)} · ${CATEGORY_WORDS[details.category]}`,
    ),
    el(
      'div',
      { class: 'tip-line tip-strong' },
      length,
      el('span', { class: 'tip-muted' }, ` ${say('tip-from', { at: formatPoint(details.start_ns, 1000) })}`),
    ),
  ];
  if (transfer) {
    made.push(el('div', { class: 'tip-line' }, `${placeLabel(transfer.source)} → ${placeLabel(transfer.destination)}`));
    const speed = transfer.bytes_per_second === null ? '' : ` · ${formatRate(transfer.bytes_per_second)}`;
    made.push(
      el('div', { class: 'tip-line' }, transfer.bytes === null ? say('size-not-recorded') : `${formatBytes(transfer.bytes)}${speed}`),
    );
  }
  if (!transfer && kernelLabel(details.name) !== details.name)
    made.push(el('div', { class: 'tip-line tip-muted tip-whole' }, details.name));
  if (count > 1) made.push(el('div', { class: 'tip-line tip-muted' }, say('tip-longest', { ops: say('ops', { count }) })));
  return made;
}
