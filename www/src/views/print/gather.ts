// Works out what a report needs and the page does not know yet.
import { errorBody, SUPERSEDED } from '../../engine/errors';
import { comparisonOf } from '../../state/shown/comparison';
import { scopeQuery } from '../../state/scope';
import { totalsOf } from '../../state/shown/totals';
import type { Context, Gathered } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { printed } from './picture';
import { wantedMarks } from '../../state/shown/marks';

export async function gather(context: Context, trace: OpenTrace): Promise<Gathered> {
  const { state, engine } = context;
  const { range } = state;
  if (trace.summary.transfers === undefined) await totalsOf(context, trace);
  const paper = printed(state);
  const op_types = await known(engine.ask('opTypes', scopeQuery(state, null)));
  const network = await known(engine.ask('network'));
  const findings = await known(engine.ask('findings'));
  const found = await known(engine.ask('doctor'));
  const marks = await known(engine.ask('marks', wantedMarks(paper)));
  const comparison = state.other && (comparisonOf(state) ?? (await known(engine.ask('compare'))));
  const doctor = found && found.findings;
  return { of: trace, range, op_types, network, findings, doctor, comparison, paper: marks && { state: { ...paper.state, marks }, marks } };
}

/** The report says itself what is missing in it. Where something else is shown meanwhile, there is none. */
async function known<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (thrown) {
    if (errorBody(thrown).code === SUPERSEDED) throw thrown;
    return null;
  }
}
