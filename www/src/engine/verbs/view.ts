// What is open, which view of it is shown, how its lanes are arranged and coloured, and what is wrong with it.
import type { Arrangement, ColorBy, ColorSum, Doctor, Found, Light, RangeQuery, StepRule, Totals, View } from '../protocol';
import { answerOf, core, current, setLighting } from '../worker/shown';
import { rangeOf } from './range_query';
import { FLOW, KERNELS, parsed, plain, TRANSFERS, type Answer, type VerbEntries } from './verb';

export const VIEW = {
  /** What the files of the open trace hold. */
  found: { answer: () => parsed<Found>(current().found()) },
  /** The totals of what is shown, once they are known: the core follows the data flow piece by piece, and answers in between. */
  totals: { needs: TRANSFERS, answer: () => parsed<Totals>(current().totals()) },
  /** The steps and runs to choose from, repaired as what is shown. */
  steps: { answer: (rule: StepRule) => plain(core.steps(rule)) },
  /** Shows something else of what is open. All ids are others from then on, lanes are packed, and nothing is searched. */
  showView: { answer: (view: View) => plain(core.showView(view)) },
  /** How many ops of what is shown each pattern for communication matches; fails with `bad-option` where one cannot be read. */
  patternOps: {
    answer: (patterns: readonly string[]): Answer<Uint32Array> => {
      const counts = current().patternOps([...patterns]);
      return { value: counts, transfer: [counts.buffer as ArrayBuffer] };
    },
  },
  /** What is wrong with all that was opened, with the ops by the ids that they have in what is shown. */
  doctor: { needs: TRANSFERS, answer: () => parsed<Doctor>(answerOf(current(), 'doctor')) },
  /** The groups of every device, by DeviceId. Lanes have other ids from then on. */
  arrange: { answer: (by: Arrangement) => plain(core.arrange(by)) },
  /** Gives ops colours, which steps that are shown later have, too; nothing is lit from then on. */
  colorBy: {
    needs: (by: ColorBy) => (by === 'slack' ? FLOW : []),
    answer: (by: ColorBy) => plain(core.colorBy(by)),
  },
  /** Whether names record the phases of a training step. */
  hasPhases: { needs: KERNELS, answer: () => plain(current().hasPhases()) },
  /** How much time each colour has in a range, by colour. */
  colorSums: { answer: (query: RangeQuery) => parsed<ColorSum[]>(current().colorSums(rangeOf(query))) },
  /** From now on marks say which of them are lit; null for no light. */
  light: {
    answer: (light: Light | null): Answer<void> => {
      setLighting(light?.lighting ?? 'off');
      const type = light && 'op_type' in light ? light.op_type : undefined;
      const colors = light && 'colors' in light ? light.colors : [];
      current().light(
        type,
        colors.reduce((bits, color) => bits | (1 << color), 0),
      );
      return plain(undefined);
    },
  },
  /** Whether anything was recorded of which thread ran which op: without, lanes arranged by thread say nothing. */
  hasThreads: { answer: () => plain(current().hasThreads()) },
} satisfies VerbEntries;
