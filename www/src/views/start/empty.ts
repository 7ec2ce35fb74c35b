// The page before anything is open: what to drop, the sample, that nothing is uploaded, and how to record a trace.
import { el, icon } from '../../base/dom';
import { attempt } from '../../state/failures';
import { openSample } from '../../state/opened/open';
import type { Context } from '../../state/state';
import { pickFiles } from './drop';
import { ICONS } from '../shared/icons';

const RECORD = `full, run = tf.RunOptions(trace_level=3, output_partition_graphs=True), tf.RunMetadata()
session.run(train_op, options=full, run_metadata=run)
open('step.pb', 'wb').write(run.SerializeToString())`;

export function emptyPage(context: Context): HTMLElement {
  const has_sample = context.page.fileUrl('sample.steplens.gz') !== null;
  return el(
    'section',
    { class: 'empty', 'aria-label': 'Open a trace' },
    el(
      'div',
      { class: 'empty-card' },
      picture(),
      el('h2', {}, 'What did one training step do?'),
      el(
        'p',
        { class: 'empty-lead' },
        'Drop a TensorFlow ',
        el('b', {}, 'RunMetadata'),
        ' anywhere on this page; or an event file, pickle, XSpace, Chrome trace or Paddle profile. Several files, folders and packed ones, too.',
      ),
      el(
        'div',
        { class: 'empty-actions' },
        el('button', { class: 'button primary big', type: 'button', onclick: pickFiles }, icon(ICONS.open), 'Open a trace…'),
        has_sample &&
          el(
            'button',
            { class: 'button big', type: 'button', onclick: () => attempt(context, 'Not opened', openSample(context)) },
            icon(ICONS.sample),
            'Look at a sample',
          ),
      ),
      el('p', { class: 'empty-note' }, 'Nothing is uploaded: your file is read here, in this browser, and the page works offline.'),
      el(
        'div',
        { class: 'record' },
        el('h3', {}, 'Record one step', el('span', { class: 'record-note' }, ' with tensorflow.compat.v1 as tf')),
        el('pre', { tabindex: 0, 'aria-label': 'Python code that records a step' }, el('code', {}, RECORD)),
      ),
    ),
  );
}

/** A hint of what will be here: lanes with marks of each category, and one transfer between them. */
function picture(): SVGSVGElement {
  const lanes: [y: number, marks: [x: number, width: number, kind: string][]][] = [
    [
      0,
      [
        [0, 96, 'compute'],
        [100, 34, 'compute'],
        [168, 120, 'compute'],
        [330, 70, 'compute'],
      ],
    ],
    [
      14,
      [
        [12, 40, 'communication'],
        [136, 30, 'communication'],
        [292, 34, 'communication'],
      ],
    ],
    [
      36,
      [
        [54, 20, 'copy'],
        [78, 88, 'compute'],
        [170, 46, 'compute'],
        [252, 128, 'compute'],
      ],
    ],
    [
      50,
      [
        [20, 54, 'communication'],
        [218, 30, 'communication'],
        [384, 16, 'copy'],
      ],
    ],
  ];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 400 62');
  svg.setAttribute('class', 'empty-picture');
  svg.setAttribute('aria-hidden', 'true');
  for (const [y, marks] of lanes) {
    for (const [x, width, kind] of marks) {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      for (const [name, value] of Object.entries({ x, y, width, height: 11, rx: 2, class: `fill-${kind}` }))
        rect.setAttribute(name, String(value));
      svg.append(rect);
    }
  }
  return svg;
}
