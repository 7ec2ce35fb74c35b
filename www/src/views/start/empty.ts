// The page before anything is open: what to drop, the sample, that nothing is uploaded, and how to record a trace.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { attempt } from '../../state/failures';
import { openSample } from '../../state/opened/open';
import { announce, type Context } from '../../state/state';
import { Changed } from '../../state/frame';
import { RECENT_CHANGED } from '../../state/opened/recent';
import { pickFiles } from './drop';
import { recentList } from './recent_list';
import { fleetButton } from './fleet_folder';
import { folderInput, watchButton } from './watch_folder';
import { copyText } from '../shared/copy';
import { ICONS } from '../shared/icons';

/* eslint-disable words/from-catalogue -- code, and names of programs */
const RECORDERS = [
  [
    'TensorFlow',
    `import tensorflow.compat.v1 as tf
full, run = tf.RunOptions(trace_level=3, output_partition_graphs=True), tf.RunMetadata()
session.run(train_op, options=full, run_metadata=run)
open('step.pb', 'wb').write(run.SerializeToString())`,
  ],
  [
    'PyTorch',
    `from torch.profiler import profile
with profile(record_shapes=True) as run:
    train_step()
run.export_chrome_trace('step.json')`,
  ],
  [
    'JAX',
    `import jax
with jax.profiler.trace('traces'):
    train_step().block_until_ready()
# drop traces/plugins/profile/*/*.xplane.pb here`,
  ],
] as const;
/* eslint-enable words/from-catalogue */

export function emptyPage(context: Context): HTMLElement {
  const has_sample = context.page.fileUrl('sample.steplens.gz') !== null;
  return el(
    'section',
    { class: 'empty', 'aria-label': say('open-a-trace') },
    el(
      'div',
      { class: 'empty-card' },
      picture(),
      el('h2', {}, say('empty-question')),
      el(
        'p',
        { class: 'empty-lead' },
        el('span', { class: 'for-pointer' }, say('empty-lead')),
        el('span', { class: 'for-fingers' }, say('empty-lead-touch')),
        el('br'),
        say('empty-formats'),
      ),
      el(
        'div',
        { class: 'empty-actions' },
        el('button', { class: 'button primary big', type: 'button', onclick: pickFiles }, icon(ICONS.open), say('open-a-trace-more')),
        has_sample &&
          el(
            'button',
            { class: 'button big', type: 'button', onclick: () => attempt(context, say('not-opened'), openSample(context)) },
            icon(ICONS.sample),
            say('open-sample'),
          ),
        fleetButton(context),
        watchButton(context),
        folderInput(context),
      ),
      el('p', { class: 'empty-note' }, say('empty-privacy')),
      addressNote(context),
      recent(context),
      record(context),
    ),
  );
}

/** How to record a step, with the program of one's choice. */
function record(context: Context): HTMLElement {
  const code = el('code', {});
  const copy = el(
    'button',
    {
      class: 'chip record-copy',
      type: 'button',
      onclick: () =>
        attempt(
          context,
          say('not-copied'),
          copyText(Promise.resolve(code.textContent)).then(() => announce(context, say('copied-text'), Changed.notice)),
        ),
    },
    say('copy'),
  );
  const choices = RECORDERS.map(([name, lines]) => {
    const choice = el('button', { class: 'chip', type: 'button', onclick: () => show() }, name);
    const show = () => {
      for (const one of choices) one.choice.setAttribute('aria-pressed', String(one.choice === choice));
      setText(code, lines);
    };
    return { choice, show };
  });
  choices[0]?.show();
  return el(
    'div',
    { class: 'record' },
    el('div', { class: 'record-head' }, el('h3', {}, say('empty-record')), ...choices.map(({ choice }) => choice)),
    el('div', { class: 'record-code' }, el('pre', { tabindex: 0, 'aria-label': say('empty-record-code') }, code), copy),
  );
}

/** What the address was about, where that is not here any more. */
function addressNote({ state, frame }: Context): HTMLElement {
  const element = el('p', { class: 'address-note', hidden: true });
  frame.onDom([RECENT_CHANGED], () => {
    element.hidden = state.address_note === '';
    setText(element, state.address_note);
  });
  return element;
}

/** Shown once there is something to go back to, or the user has switched it off. */
function recent(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('div', { class: 'record recent-part', hidden: true }, el('h3', {}, say('recent-title')), recentList(context));
  frame.onDom([RECENT_CHANGED], () => {
    element.hidden = state.recent.length === 0 && state.keeps_recent;
  });
  return element;
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
