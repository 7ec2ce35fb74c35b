// The trace that the open one is compared with: B.
import type { Session } from 'steplens-wasm';
import { superseded } from '../errors';
import type { LaneGroup, OtherShown, OtherView, StepList, Summary } from '../protocol';
import { answerOf, current } from './shown';

let session: Session | null = null;

/** B. Who still asks about one that was closed is not waited for any more. */
export function other(): Session {
  if (!session) throw superseded();
  return session;
}

/** Makes `opened` B, in the place of the one before. */
export function otherIs(opened: Session): void {
  closeOther();
  session = opened;
}

/** Makes `opened` B as long as nobody keeps it so or takes it back. */
export function otherFor(opened: Session): { keep: () => void; back: () => void } {
  const before = session;
  current().forgetCompared();
  session = opened;
  return {
    keep: () => before?.free(),
    back: () => {
      current().forgetCompared();
      session = before;
    },
  };
}

export function closeOther(): void {
  if (!session) return;
  current().forgetCompared();
  session.free();
  session = null;
}

/** Takes B away without freeing it. */
export function takeOther(): Session {
  const taken = other();
  current().forgetCompared();
  session = null;
  return taken;
}

/** Shows of B what `view` says. */
export function showOther({ rule, step, repairs, op_time, clocks, communication, arranged_by }: OtherView): OtherShown {
  const own = other();
  // What is still being compared shares what is shown.
  current().forgetCompared();
  const show = (row: number | null): Summary =>
    JSON.parse(own.showView(rule, row ?? undefined, [...repairs], op_time, [...clocks], [...communication])) as Summary;
  let summary = show(null);
  const steps = JSON.parse(answerOf(own, 'steps', { rule })) as StepList;
  const has_ops = typeof step === 'number' && (steps.steps[step]?.ops ?? 0) > 0;
  const row = step === null ? null : has_ops ? step : (own.typicalStep() ?? null);
  if (row !== null) summary = show(row);
  return { summary, step: row, steps, lanes: JSON.parse(own.arrange(arranged_by)) as LaneGroup[][] };
}
