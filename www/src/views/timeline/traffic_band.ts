// The band above the lanes: bytes a second and transfers in flight over time, of all links or of the one that was chosen.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatAverage, formatCount, formatRate } from '../../base/format';
import { routeLabel } from '../../base/names';
import { formatDuration, formatEnds, ns } from '../../base/time';
import { TimeScale, transformBetween } from '../../base/time_scale';
import { drawPointerLine, drawRange, readingPlate } from '../../draw/overlay';
import { drawPlate } from '../../draw/shapes';
import { drawPeak, drawTraffic, TrafficScale } from '../../draw/traffic';
import { STRIP_COLUMN_PX, type Traffic } from '../../engine/protocol';
import { drawnWindow } from '../../state/shown/glide';
import { Changed, OVER_TIME } from '../../state/frame';
import { onSettled } from '../../state/shown/history';
import { inView } from '../../state/scope';
import type { Context } from '../../state/state';
import {
  chooseRoute,
  showsTraffic,
  TRAFFIC_HEIGHT as HEIGHT,
  toggleTraffic,
  trafficRequester,
  TRAFFIC_CHANGED,
} from '../../state/shown/traffic';
import { timeScale } from '../../state/shown/view';
import { titled } from '../keys/bindings';
import { surface } from '../shared/canvas';
import { ICONS } from '../shared/icons';
import { paletteOf } from '../../state/ui/theme';

/** Above the highest column. */
const AIR = 3;

const ABOUT = say('bandwidth-about');

/** Bytes a second and transfers in flight in the column at a time; '' where nothing is in transit. */
function valueAt({ query, columns }: Traffic, at_ns: number): string {
  const scale = new TimeScale({ start: query.start_ns, end: query.end_ns }, query.width_px);
  const column = Math.floor(scale.toPx(at_ns) / STRIP_COLUMN_PX);
  const rate = columns[2 * column] ?? 0;
  const in_flight = columns[2 * column + 1] ?? 0;
  return in_flight > 0 || rate > 0
    ? `${formatRate(rate)} · ${say('tip-transfers-in-flight', { count: in_flight, average: formatAverage(in_flight) })}`
    : '';
}

export interface TrafficBand {
  row: HTMLElement;
  canvas: HTMLCanvasElement;
}

export function trafficBand(context: Context): TrafficBand {
  const { state, frame } = context;
  const band = surface({ class: 'traffic', role: 'img' });
  const name = el('span', { class: 'traffic-name', title: ABOUT });
  const figures = el('span', { class: 'traffic-figures', title: ABOUT });
  const button = (path: string, title: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title, 'aria-label': title, onclick: run }, icon(path));
  const all = button(ICONS.close, say('bandwidth-all-links'), () => chooseRoute(context, null));
  const hide = button(ICONS.up, titled(say('bandwidth-hide'), 'traffic'), () => toggleTraffic(context));
  const row = el(
    'div',
    { class: 'traffic-row', hidden: true },
    el('div', { class: 'side traffic-side' }, el('div', { class: 'traffic-words' }, name, figures), all, hide),
    band.element,
  );
  const request = trafficRequester(context);
  const scale = new TrafficScale();
  let spoken = state.traffic;
  const peakWords = () => {
    const peaks = state.traffic?.peaks;
    return peaks ? say('bandwidth-peak', { window: formatDuration(peaks.window_ns), rate: formatRate(peaks.bytes_per_second) }) : '';
  };
  const speak = () => {
    const { traffic } = state;
    const window = inView(state);
    const seen = say('from-to', formatEnds(window.start, window.end));
    const peaks = traffic?.peaks;
    const most = peaks
      ? say('bandwidth-most', { peak: peakWords(), transfers: formatCount(peaks.in_flight) })
      : traffic
        ? say('bandwidth-nothing')
        : say('bandwidth-not-yet');
    band.element.setAttribute(
      'aria-label',
      say('bandwidth-spoken', { link: state.route ? routeLabel(state.route) : say('all-links'), window: seen, most }),
    );
  };
  onSettled(context, speak);
  // The lanes get what room this leaves them, so that it comes before they are fitted.
  frame.onDom([Changed.layout, Changed.trace, Changed.drawer, TRAFFIC_CHANGED], () => {
    row.hidden = !showsTraffic(state);
    setText(name, state.route ? routeLabel(state.route) : say('in-transit'));
    all.hidden = state.route === null;
    if (state.viewport.width > 0) band.fit(state.viewport.width, HEIGHT);
    // The canvas has a name from the moment it is there.
    if (!row.hidden && !band.element.hasAttribute('aria-label')) speak();
  });
  frame.onDom([Changed.trace, TRAFFIC_CHANGED], () => {
    const peaks = state.traffic?.peaks;
    setText(
      figures,
      peaks ? say('bandwidth-figures', { rate: formatRate(peaks.bytes_per_second), transfers: formatCount(peaks.in_flight) }) : '',
    );
    if (spoken !== state.traffic) speak();
    spoken = state.traffic;
  });
  const drawn_on = [...OVER_TIME, Changed.marks, TRAFFIC_CHANGED];
  const isShown = () => state.trace !== null && !row.hidden && band.width > 0;
  frame.onRequest(drawn_on, () => {
    if (isShown()) request();
  });
  frame.onCanvas(drawn_on, () => {
    if (!isShown()) return;
    const theme = paletteOf(state);
    const { context: canvas, ratio, width } = band;
    band.clear();
    canvas.fillStyle = theme.band;
    canvas.fillRect(0, 0, width, HEIGHT);
    const { traffic } = state;
    if (traffic) {
      const { start_ns, end_ns, width_px } = traffic.query;
      const from = new TimeScale({ start: start_ns, end: end_ns }, width_px);
      const place = transformBetween(from, new TimeScale(drawnWindow(state), band.element.width));
      canvas.setTransform(1, 0, 0, 1, 0, 0);
      drawTraffic(canvas, traffic, scale.of(traffic), place, AIR * ratio, theme);
      canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    if (state.range) drawRange(canvas, state.range, null, timeScale(state), HEIGHT, theme);
    const peaks = traffic?.peaks;
    if (peaks) {
      const x = timeScale(state).toPx(ns(peaks.at_ns + peaks.window_ns / 2));
      if (x >= 0 && x <= width) drawPeak(canvas, peakWords(), x, width, theme);
    }
    if (state.hover_x !== null) {
      drawPointerLine(canvas, state.hover_x, HEIGHT, theme);
      const text = traffic ? valueAt(traffic, timeScale(state).toNs(state.hover_x)) : '';
      // Below the name of the peak.
      if (text !== '')
        drawPlate(canvas, readingPlate(canvas, text, state.hover_x, HEIGHT - 10, width, theme), theme.raised, theme.text, theme.line);
    }
  });
  return { row, canvas: band.element };
}
