// The drawer's tab of the flame: what ran inside of what, as bars on one another, and the time of each name.
import { el, fill, setText } from '../../../base/dom';
import { say, type PlainId } from '../../../base/messages';
import { frameLabel } from '../../../base/names';
import { CATEGORIES, type FlameAnswer, type FlameLayers, type FlameMeasure } from '../../../engine/protocol';
import { CATEGORY_WORDS } from '../../../state/category_words';
import { Changed } from '../../../state/frame';
import { chooseFlame, FLAME, showBar, showName, FLAME_CHANGED } from '../../../state/shown/flame';
import { setSearch } from '../../../state/shown/search';
import { chooseTab } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import type { Figures } from '../../../state/types';
import { answerPanel } from '../tab_panel';
import { namesTable } from './names';
import { flamePicture } from './picture';

const LAYERS: Record<FlameLayers, PlainId> = {
  modules: 'flame-modules',
  ops: 'flame-ops',
  python: 'flame-python',
  scopes: 'flame-scopes',
};

export const panel = answerPanel({
  ask: FLAME,
  failed: say('flame-failed'),
  changed: [Changed.scope, FLAME_CHANGED, Changed.theme],
  make: (context, { failed, again }) => {
    const layers = el('select', { 'aria-label': say('flame-layers'), title: say('flame-layers-about') });
    const measure = el(
      'select',
      { 'aria-label': say('flame-measure'), title: say('flame-measure-about') },
      el('option', { value: 'time' }, say('flame-by-time')),
      el('option', { value: 'gpu' }, say('flame-by-gpu')),
    );
    layers.addEventListener('change', () => chooseFlame(context, { layers: layers.value as FlameLayers, path: [], name: null }));
    measure.addEventListener('change', () => chooseFlame(context, { measure: measure.value as FlameMeasure }));
    const sentence = el('p', { class: 'flame-sentence', role: 'status' });
    const path = el('nav', { class: 'flame-path', 'aria-label': say('flame-path') });
    const legend = el('div', { class: 'flame-legend' });
    const picture = flamePicture(context, again);
    const table = namesTable(context);
    const foot = el('div', { class: 'flame-foot' }, picture.said, legend);
    const head = el('div', { class: 'flame-head' }, failed, layers, measure, sentence, path);
    const element = el('div', { class: 'flame' }, el('div', { class: 'flame-picture' }, head, picture.element, foot), table.element);
    let shown: FlameAnswer | null = null;
    const show = ({ answer, has_failed }: Figures<FlameAnswer>) => {
      // The flame before stays until the next one is there.
      const now = answer ?? shown;
      for (const part of [picture.element, foot, table.element]) part.hidden = !now || now.names.length === 0;
      layers.hidden = measure.hidden = !now || now.layers === null;
      setText(sentence, has_failed ? '' : (answer?.sentence ?? say('flame-wait')));
      if (!now || has_failed) return;
      if (now !== shown) {
        fill(layers, ...now.choices.map((own) => el('option', { value: own }, say(LAYERS[own]))));
        fill(path, ...pathParts(context, now));
        fill(legend, ...legendItems(now));
        table.show(now);
        shown = now;
      }
      layers.value = now.layers ?? '';
      measure.value = context.state.flame.measure;
      picture.show(now);
    };
    return { element, show };
  },
});

/** The path to the bar at the bottom, each part of it a way back, and what can be done with the last one. */
function pathParts(context: Context, { path }: FlameAnswer): (HTMLElement | string)[] {
  const { name } = context.state.flame;
  if (path.length === 0 && name === null) return [];
  const all = el('button', { class: 'chip', type: 'button', onclick: () => showBar(context, []) }, say('flame-all'));
  const last = name ?? path.at(-1)!;
  const parts = path.flatMap((part, depth) => [
    '›',
    el(
      'button',
      { class: 'chip', type: 'button', title: part, onclick: () => showBar(context, path.slice(0, depth + 1)) },
      frameLabel(part),
    ),
  ]);
  const find = () => {
    setSearch(context, { text: last, regex: false });
    chooseTab(context, 'matches');
  };
  return [
    all,
    ...(name === null ? parts : ['›', el('strong', { title: name }, say('flame-every', { name: frameLabel(name) }))]),
    ...(name === null
      ? [
          el(
            'button',
            { class: 'chip', type: 'button', title: say('flame-around-about'), onclick: () => showName(context, last) },
            say('flame-around'),
          ),
        ]
      : []),
    el('button', { class: 'chip', type: 'button', onclick: find }, say('flame-find')),
  ];
}

function legendItems({ bars, outside }: FlameAnswer): HTMLElement[] {
  const there = new Set([...bars, ...outside].map(({ category }) => category));
  return CATEGORIES.filter((category) => there.has(category)).map((category) =>
    el('span', {}, el('span', { class: `dot dot-${category}` }), CATEGORY_WORDS[category]),
  );
}
