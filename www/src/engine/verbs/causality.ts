// What an op and the whole step waited for.
import { say } from '../../base/messages';
import type { FindingList, Ns, OpId, PathOverSteps, PathPage, SchedulingPage, WhyPage } from '../protocol';
import { current } from '../worker/shown';
import { FLOW, parsed, type VerbEntries } from './verb';

export const CAUSALITY = {
  /** What the step waited for, and what dependencies alone allow: linear in ops and their inputs. */
  criticalPath: { needs: FLOW, answer: () => parsed<PathPage>(current().criticalPath()) },
  /** How often each op is on the path of the steps from `first` up to, and without, `end`: linear in their ops, and each looks for its own. */
  pathOverSteps: { answer: (first: number, end: number) => parsed<PathOverSteps>(current().pathOverSteps(first, end)) },
  /** When ops were ready, scheduled and run: `threads` is how many the user says there are, and ops shorter than `tiny_ns` are tiny. */
  scheduling: {
    needs: FLOW,
    answer: (threads: number | null, tiny_ns: Ns | null) => parsed<SchedulingPage>(current().scheduling(threads, tiny_ns)),
  },
  /** What is worth changing: replays the step once for each rule. */
  findings: {
    needs: FLOW,
    in_pieces: { one: () => current().findingsOne(), parts: () => current().findingsParts(), doing: say('doing-findings') },
    answer: () => parsed<FindingList>(current().findings()),
  },
  /** Why an op started when it did, what ran in its place, and its slack. */
  why: { needs: FLOW, answer: (op: OpId) => parsed<WhyPage>(current().why(op)) },
} satisfies VerbEntries;
