// The drawer's tab of steps: all steps and runs that the files hold, what is usual of them, and what is said of one.
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount, plural } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import { STEP_RULES, type StepList, type StepRule, type Usual, type UsualFigure } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { lookAt, readStep, toggleAllSteps } from '../../../state/opened/look';
import { RULE_WORDS, stepsWithOps } from '../../../state/opened/steps';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { pageOf } from '../../table/columns';
import { longTable, type LongTable } from '../../table/long_table';
import { stepColumns, type StepKey, type StepRow } from './step_columns';
import { stepFacts } from './step_facts';
import { stepStrip } from './step_strip';
import { PARTS, REPAIRED_MARK } from '../../shared/words';

export function stepsPanel(context: Context): HTMLElement {
  const { state, frame } = context;
  const rule = ruleChoice(context);
  const all = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled('All steps on one axis, and back', 'all-steps'),
      onclick: () => toggleAllSteps(context),
    },
    'all on one axis',
  );
  const usual = el('dl', { class: 'usual' });
  const above = el('div', { class: 'steps-above' }, usual, stepStrip(context));
  const place = el('div', { class: 'steps-table' });
  const element = el('div', { class: 'steps' }, place, stepFacts(context));
  let listed: StepList | null = null;
  let table: LongTable | null = null;
  frame.onDom(Changed.steps | Changed.trace | Changed.drawer, () => {
    const { steps, trace, looking } = state;
    if (!steps || !trace) return;
    const view = looking ?? trace.view;
    if (steps !== listed) {
      listed = steps;
      table = stepsTable(context, steps, [rule, all], above);
      fill(place, table.element);
      fill(usual, ...usualFigures(steps));
      above.hidden = stepsWithOps(steps) < 2;
    }
    rule.value = view.rule;
    all.hidden = steps.steps.length < 2;
    all.setAttribute('aria-pressed', String(view.step === null));
    if (state.tab !== 'steps' || !state.drawer_open) return;
    table?.refresh(true);
  });
  return element;
}

function ruleChoice(context: Context): HTMLSelectElement {
  const choice = el('select', {
    'aria-label': 'What makes a step',
    title: 'What makes a step: what the files say, every file, every recording in a file; or everything is one step of many processes',
  });
  for (const rule of STEP_RULES) choice.append(el('option', { value: rule }, `Steps: ${RULE_WORDS[rule]}`));
  choice.addEventListener('change', () => lookAt(context, { rule: choice.value as StepRule }));
  return choice;
}

function stepsTable(context: Context, list: StepList, tools: HTMLElement[], above: HTMLElement): LongTable {
  const { state } = context;
  const columns = stepColumns(list);
  const rows = list.steps.map((step, place): StepRow => ({ ...step, place }));
  return longTable<StepRow, StepKey>(context, {
    one: 'step',
    many: 'steps',
    id: 'step',
    columns,
    sorting: null,
    filter: 'name or file',
    tools,
    above,
    page: async (query) => pageOf(rows, columns, query),
    go: ({ place, ops }) => (ops > 0 ? lookAt(context, { step: place }) : readStep(context, place)),
    isChosen: ({ place }) => place === (state.read_step ?? (state.looking ?? state.trace?.view)?.step),
    said: (total) => `${said(list, total)}${(state.trace?.view.repairs.length ?? 0) > 0 ? `, ${REPAIRED_MARK} repaired` : ''}`,
  });
}

function said(list: StepList, total: number): string {
  const { length } = list.steps;
  const empty = length - stepsWithOps(list);
  const without = empty > 0 && total === length ? `, ${formatCount(empty)} without ops` : '';
  return `${total < length ? `${formatCount(total)} of ` : ''}${plural(length, 'step')}${without}`;
}

const FIGURES: readonly [UsualFigure, string, (value: number) => string][] = [
  ['window_ns', 'length', formatDuration],
  ...PARTS.map(({ part, short, figure }): [UsualFigure, string, (value: number) => string] => [
    figure,
    part === 'compute' || part === 'idle' ? short : `exp. ${short}`,
    formatDuration,
  ]),
  ['transferred_bytes', 'moved', formatBytes],
];

/** Mean and deviation of each figure; of the length also the percentiles. */
function usualFigures({ usual }: StepList): HTMLElement[] {
  return FIGURES.flatMap(([figure, name, format]) => {
    const of = usual[figure];
    if (!of || of.max === 0) return [];
    const percentiles = figure === 'window_ns' ? [el('dd', { class: 'note' }, `p50 ${format(of.p50)} · p99 ${format(of.p99)}`)] : [];
    const value = el('dd', {});
    setText(value, `${format(of.mean)} ± ${format(of.deviation)}`);
    return [el('div', { title: inWords(of, name, format) }, el('dt', {}, name), value, ...percentiles)];
  });
}

const inWords = (of: Usual, name: string, format: (value: number) => string): string =>
  `${name} over all steps: mean ${format(of.mean)}, standard deviation ${format(of.deviation)}\nleast ${format(of.min)}, half of them at most ${format(of.p50)}, 99 of 100 at most ${format(of.p99)}, most ${format(of.max)}`;
