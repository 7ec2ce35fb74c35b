// The report that is printed: what is open, how the step divides, what matters, what is wrong, the picture of the view, and the tables.
import { listed, pieces } from '../../base/joined';
import { say, capital } from '../../base/messages';
import { formatMoment } from '../../base/clock';
import { el, type Child } from '../../base/dom';
import { formatBytes, formatCount, formatShare } from '../../base/format';
import { placeLabel } from '../../base/names';
import { formatDuration, formatEnds } from '../../base/time';
import { colorNames } from '../../draw/theme';
import type { Finding, OpTypeRow, Split, Summary } from '../../engine/protocol';
import { unitNames, leaderOf, unitOps } from '../../state/layout/units';
import { lengthOf, type Window } from '../../base/time_scale';
import { inView, scope, scopeSplit, unitSplit } from '../../state/scope';
import { repairWords } from '../../state/opened/repairs';
import { OP_TIME_WORDS, spokenSize, spokenView } from '../../state/opened/steps';
import { answerTo } from '../../state/figures';
import { FINDINGS } from '../../state/shown/findings';
import { NETWORK } from '../../state/shown/network';
import type { Context, Gathered } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { damageWords } from '../notices/damage_bar';
import { subsetWords } from '../notices/part_bar';
import { colorName } from '../shared/color_names';
import { aboutVerdict } from '../shared/finding_words';
import { CATEGORY_WORDS, partsOf, wholeWords, type PartWords } from '../shared/words';
import { splitBar } from '../shared/split_bar';
import { comparisonPart } from './comparison';
import { networkTables } from './network';
import { isCut, picture } from './picture';
import { paperTable, part, type PaperColumn } from './tables';

const MOST_TYPES = 10;
/** Of a thousand devices nobody reads all on paper; how many are left out is said. */
const MOST_DEVICES = 150;

/** `gathered` is null where the browser's own menu was faster than whoever asks for figures. */
export function reportOf(context: Context, gathered: Gathered | null): HTMLElement {
  const { state } = context;
  const { trace } = state;
  if (!trace) return el('section', {});
  const network = gathered ? gathered.network : answerTo(state, NETWORK);
  const op_types = gathered?.op_types ?? null;
  const missing = [op_types === null && say('op-types-title'), network === null && say('tab-network')].filter((name) => name !== false);
  return el(
    'main',
    { class: 'print-report' },
    head(context, trace),
    split(context),
    matters(context, gathered),
    comparisonPart(context, gathered),
    problems(gathered?.doctor ?? state.findings?.list ?? [], trace.summary),
    view(context, gathered),
    devices(context, trace.summary),
    op_types && types(op_types),
    ...(network ? networkTables(network, trace.summary) : []),
    missing.length > 0 && el('p', { class: 'note' }, say('print-missing', { what: listed(missing) })),
    foot(context, trace),
  );
}

const namesOf = ({ files }: Summary): string => listed(files.map(({ name }) => name));

function head(context: Context, trace: OpenTrace): HTMLElement {
  const { summary, view } = trace;
  const { state } = context;
  const { transfers = 0, transferred_bytes = 0 } = summary;
  const figures = [
    view.step === null && summary.view.steps <= 1 ? spokenSize(summary) : spokenView(view, summary, state.steps),
    transfers > 0 && say('transfers', { count: transfers }),
    transferred_bytes > 0 && formatBytes(transferred_bytes),
  ].filter((text) => text !== false);
  const changed = [
    damageWords(trace),
    subsetWords(trace),
    capital(repairWords(state)),
    view.clocks.length > 0 && capital(say('clocks-set')),
    view.op_time !== 'schedule' && OP_TIME_WORDS[view.op_time],
    ...view.communication.map((pattern) => say('print-pattern', { pattern })),
  ];
  const { range } = state;
  const files = summary.files.map(({ name, format, bytes }) => say('file-of-format', { name, format, size: formatBytes(bytes) }));
  return el(
    'header',
    { class: 'paper-head' },
    el('p', { class: 'note' }, say('print-report')),
    el('h1', {}, namesOf(summary)),
    el('p', {}, figures.join(' · ')),
    el('p', { class: 'note' }, listed(files)),
    ...changed.map((text) => text && el('p', { class: 'paper-warning' }, text)),
    range && el('p', { class: 'paper-warning' }, say('print-range', pointsOf(range))),
  );
}

const pointsOf = ({ start, end }: Window) => formatEnds(start, end);

/** The step bar, and its figures in a table: of the range, where one is selected. */
function split({ state }: Context): HTMLElement {
  const of_what = state.range ? say('range-title') : wholeWords(state);
  const bar = splitBar(true, of_what);
  const step = scopeSplit(state, null);
  const any_device = scopeSplit(state, 'any');
  bar.update(step, of_what);
  const columns: PaperColumn<PartWords>[] = [
    { title: say('print-part'), cell: ({ label }) => label },
    { title: say('print-time'), numeric: true, cell: ({ of }) => (step ? formatDuration(of(step)) : '–') },
    { title: say('column-share'), numeric: true, cell: step ? shareOf(step) : () => '–' },
    ...(any_device ? [{ title: say('row-any-device'), numeric: true, cell: shareOf(any_device) }] : []),
  ];
  const title = `${of_what} ${formatDuration(lengthOf(scope(state)))}`;
  return part(title, 0, bar.element, paperTable(columns, partsOf([step, any_device])));
}

const shareOf =
  (split: Split) =>
  ({ of }: { of: (split: Split) => number }): string =>
    formatShare(split.window_ns > 0 ? of(split) / split.window_ns : 0);

/** The verdict, and the first findings: how much each would save, and what to do. */
function matters(context: Context, gathered: Gathered | null): Child {
  const found = gathered ? gathered.findings : answerTo(context.state, FINDINGS);
  if (!found) return null;
  const items = found.findings
    .slice(0, MOST_FINDINGS)
    .map(({ sentence, advice }) => el('li', {}, el('strong', {}, sentence), ` ${advice}`));
  return part(
    say('findings-row-title'),
    0,
    el('p', {}, el('strong', {}, found.verdict_main), ` ${aboutVerdict(found)}`),
    items.length > 0 && el('ol', {}, ...items),
  );
}

/** More would not be read on paper. */
const MOST_FINDINGS = 5;

/** What the doctor found, and what the files lost. */
function problems(findings: readonly Finding[], { files }: Summary): Child {
  const found = findings.map(({ title, sentence, count, counted, devices: names, repaired }) =>
    el(
      'li',
      {},
      el('strong', {}, title),
      count > 0 && ` (${say('count-of', { count, what: counted })})`,
      repaired && ` · ${say('repaired')}`,
      say('finding-on-devices', { sentence: capital(sentence), devices: listed(names.slice(0, 6).map(placeLabel)) }),
    ),
  );
  const lost = files.flatMap(({ name, problems: own }) =>
    own.map(({ code, count, detail }) => el('li', {}, ...pieces('problem-of-file', { name, count, code: el('code', {}, code), detail }))),
  );
  return found.length + lost.length > 0 && part(say('tab-problems'), found.length + lost.length, el('ul', {}, ...found, ...lost));
}

function view(context: Context, gathered: Gathered | null): Child {
  const { state } = context;
  const paper = gathered?.paper ?? (state.marks && { state, marks: state.marks });
  if (!paper) return null;
  const { colors, color_order: order, color_sums: sums } = paper.state;
  const title = say('print-view', pointsOf(inView(state)));
  const legend =
    colors &&
    order.map((color) =>
      el(
        'li',
        {},
        el('span', { class: `dot dot-${colorNames(colors.by)[color]}` }),
        `${colorName(colors, color)} `,
        sums ? el('span', { class: 'note' }, formatDuration(sums[color]?.own_ns ?? 0)) : null,
      ),
    );
  return part(
    title,
    0,
    picture(context, paper.state, paper.marks, title),
    legend && el('ul', { class: 'paper-legend' }, ...legend),
    isCut(paper.state) && el('p', { class: 'note' }, say('print-cut')),
  );
}

function devices({ state }: Context, summary: Summary): HTMLElement {
  const { devices: all } = summary;
  const leaders = all.map((_, device) => device).filter((device) => leaderOf(all, device) === device);
  const wordsOf = unitNames(summary);
  const splitOf = (device: number): Split | null => unitSplit(state, device);
  const parts = partsOf(leaders.map(splitOf));
  const columns: PaperColumn<number>[] = [
    { title: say('column-device'), cell: (device) => wordsOf(device).place },
    { title: say('column-ops'), numeric: true, cell: (device) => formatCount(unitOps(summary, device)) },
    {
      title: say('column-split'),
      cell: (device) => {
        const { place } = wordsOf(device);
        const bar = splitBar(false, place);
        bar.update(splitOf(device), place);
        return bar.element;
      },
    },
    ...parts.map(({ short, of }): PaperColumn<number> => ({
      title: short,
      numeric: true,
      cell: (device) => {
        const own = splitOf(device);
        return own ? shareOf(own)({ of }) : '–';
      },
    })),
    {
      title: say('link-busy'),
      numeric: true,
      cell: (device) => {
        const own = splitOf(device);
        return own ? formatDuration(own.busy_ns) : '–';
      },
    },
  ];
  const more = leaders.length - MOST_DEVICES;
  return part(
    say('print-devices'),
    leaders.length,
    paperTable(columns, leaders.slice(0, MOST_DEVICES)),
    more > 0 && el('p', { class: 'note' }, say('and-more', { count: more })),
  );
}

function types(rows: readonly OpTypeRow[]): HTMLElement {
  // They come with what GPUs ran first, each place by its own time.
  const longest = rows.slice(0, MOST_TYPES);
  const columns: PaperColumn<OpTypeRow>[] = [
    { title: say('column-op-type'), cell: (row) => row.op_type },
    { title: say('column-category'), cell: (row) => CATEGORY_WORDS[row.category] },
    { title: say('column-ops'), numeric: true, cell: (row) => formatCount(row.count) },
    { title: say('column-self'), numeric: true, cell: (row) => formatDuration(row.self_ns) },
    { title: say('column-total'), numeric: true, cell: (row) => formatDuration(row.total_ns) },
    { title: say('column-share'), numeric: true, cell: (row) => formatShare(row.share_ppm / 1e6) },
    { title: say('column-mean'), numeric: true, cell: (row) => formatDuration(row.mean_ns) },
    { title: say('column-max'), numeric: true, cell: (row) => formatDuration(row.max_ns) },
  ];
  const more = rows.length - longest.length;
  return part(
    say('print-op-types'),
    0,
    paperTable(columns, longest),
    more > 0 && el('p', { class: 'note' }, say('and-more', { count: more })),
  );
}

function foot({ version }: Context, { summary }: OpenTrace): HTMLElement {
  const made = say('print-made', { when: formatMoment(Date.now()), version, files: namesOf(summary) });
  return el('footer', { class: 'paper-foot' }, made);
}
