// The drawer's tab of steps: all steps and runs that the files hold, what is usual of them, and what is said of one.
import { clauses } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import { STEP_RULES, type StepList, type StepRule, type Usual, type UsualFigure } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { showView, readStep, toggleAllSteps } from '../../../state/opened/show_view';
import { countOfSteps, RULE_WORDS, stepsWithOps } from '../../../state/opened/steps';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { pageOf } from '../../table/columns';
import { longTable, type LongTable } from '../../table/long_table';
import { stepColumns, type StepKey, type StepRow } from './step_columns';
import { stepFacts } from './step_facts';
import { stepStrip } from './step_strip';
import { PARTS, REPAIRED_MARK } from '../../shared/words';
import { isShown, type MakePanel } from '../tab_panel';

export const panel: MakePanel = (context, tab) => {
  const { state, frame } = context;
  const rule = ruleChoice(context);
  const all = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('all-steps-toggle'), 'all-steps'),
      onclick: () => toggleAllSteps(context),
    },
    say('all-steps-chip'),
  );
  const usual = el('dl', { class: 'usual' });
  const above = el('div', { class: 'steps-above' }, usual, stepStrip(context));
  const place = el('div', { class: 'steps-table' });
  const element = el('div', { class: 'steps' }, place, stepFacts(context));
  let listed: StepList | null = null;
  let table: LongTable | null = null;
  frame.onDom([Changed.steps, Changed.trace, Changed.drawer], () => {
    const { steps, trace, pending_view } = state;
    if (!steps || !trace) return;
    const view = pending_view ?? trace.view;
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
    if (!isShown(state, tab)) return;
    table?.refresh(true);
  });
  return element;
};

function ruleChoice(context: Context): HTMLSelectElement {
  const choice = el('select', {
    'aria-label': say('step-rule'),
    title: say('step-rule-about'),
  });
  for (const rule of STEP_RULES) choice.append(el('option', { value: rule }, say('steps-by-rule', { rule: RULE_WORDS[rule] })));
  choice.addEventListener('change', () => showView(context, { rule: choice.value as StepRule }));
  return choice;
}

function stepsTable(context: Context, list: StepList, tools: HTMLElement[], above: HTMLElement): LongTable {
  const { state } = context;
  const columns = stepColumns(list);
  const rows = list.steps.map((step, place): StepRow => ({ ...step, place }));
  return longTable<StepRow, StepKey>(context, {
    counted: 'steps',
    many: say('name-steps'),
    id: 'step',
    columns,
    sorting: null,
    filter: say('filter-name-or-file'),
    tools,
    above,
    page: async (query) => pageOf(rows, columns, query),
    go: ({ place, ops }) => (ops > 0 ? showView(context, { step: place }) : readStep(context, place)),
    isChosen: ({ place }) => place === (state.read_step ?? (state.pending_view ?? state.trace?.view)?.step),
    said: (total) => clauses([said(list, total), (state.trace?.view.repairs.length ?? 0) > 0 && `${REPAIRED_MARK} ${say('repaired')}`]),
  });
}

function said(list: StepList, total: number): string {
  const { length } = list.steps;
  const empty = length - stepsWithOps(list);
  const steps = say('steps', { count: countOfSteps(list) });
  if (total < length) return say('number-of', { number: formatCount(total), all: steps });
  return empty > 0 ? clauses([steps, say('steps-without-ops', { count: empty })]) : steps;
}

const FIGURES: readonly [UsualFigure, string, (value: number) => string][] = [
  ['window_ns', say('figure-length'), formatDuration],
  ...PARTS.map(({ part, short, figure }): [UsualFigure, string, (value: number) => string] => [
    figure,
    part === 'compute' || part === 'idle' ? short : say('exposed-short', { part: short }),
    formatDuration,
  ]),
  ['transferred_bytes', say('figure-sent'), formatBytes],
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
  say('usual-words', {
    figure: name,
    mean: format(of.mean),
    deviation: format(of.deviation),
    min: format(of.min),
    p50: format(of.p50),
    p99: format(of.p99),
    max: format(of.max),
  });
