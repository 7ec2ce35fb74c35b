// The network on paper: the tensors that devices waited for longest, and the links that carried most.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { formatBytes, formatCount } from '../../base/format';
import { placeLabel, routeLabel } from '../../base/names';
import { formatDuration } from '../../base/time';
import type { LinkRow, Network, Summary, TensorRow } from '../../engine/protocol';
import { tensorName } from '../drawer/network/section';
import { paperTable, part, type PaperColumn } from './tables';

const MOST = 10;

export function networkTables(network: Network, { devices }: Summary): HTMLElement[] {
  const { rows, total } = network.waits_by_tensor;
  const waits: PaperColumn<TensorRow>[] = [
    { title: say('column-device'), cell: (row) => placeLabel(devices[row.device ?? -1]?.name ?? '') },
    { title: say('column-waited'), numeric: true, cell: (row) => formatDuration(row.waited_ns) },
    { title: say('column-for'), cell: tensorName },
    { title: say('part-from'), cell: (row) => (row.source === undefined ? '–' : placeLabel(row.source)) },
    { title: say('column-size'), numeric: true, cell: (row) => (row.bytes === null ? '–' : formatBytes(row.bytes)) },
    { title: say('column-times'), numeric: true, cell: (row) => formatCount(row.transfers) },
  ];
  const links: PaperColumn<LinkRow>[] = [
    { title: say('print-link'), cell: routeLabel },
    { title: say('tab-transfers'), numeric: true, cell: (row) => formatCount(row.count) },
    { title: say('column-size'), numeric: true, cell: (row) => (row.bytes === null ? '–' : formatBytes(row.bytes)) },
    { title: say('link-busy'), numeric: true, cell: (row) => (row.timed > 0 ? formatDuration(row.busy_ns) : '–') },
    { title: 'p50', numeric: true, cell: (row) => (row.p50_ns === null ? '–' : formatDuration(row.p50_ns)) },
  ];
  const most = [...network.links.pairs].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.count - a.count).slice(0, MOST);
  const longest = [...rows].sort((a, b) => b.waited_ns - a.waited_ns).slice(0, MOST);
  const more = (count: number) => count > 0 && el('p', { class: 'note' }, say('and-more', { count }));
  return [
    ...(longest.length > 0 ? [part(say('print-tensors'), 0, paperTable(waits, longest), more(total - longest.length))] : []),
    ...(most.length > 0 ? [part(say('print-links'), 0, paperTable(links, most), more(network.links.pairs.length - most.length))] : []),
  ];
}
