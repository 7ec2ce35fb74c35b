// What was worked out for a printed report: the browser's own menu prints it again, as long as the same is shown.
import { say } from '../../base/messages';
import { Changed } from '../frame';
import { announce, type Context, type Gathered, type State } from '../state';
import type { Offer } from '../types';

/** Keeps it; false where something else is shown by now, and nobody wants it printed. */
export function keepGathered({ state }: Context, gathered: Gathered): boolean {
  if (state.trace !== gathered.of || state.range !== gathered.range) return false;
  state.gathered = gathered;
  return true;
}

/** That of what is shown; null where nothing was gathered for it. */
export const gatheredOf = ({ gathered, trace, range }: State): Gathered | null =>
  gathered && gathered.of === trace && gathered.range === range ? gathered : null;

/** Nobody needs to read that a small trace is worked out. */
const SAY_AFTER_MS = 400;

/** Says that a report is prepared, with a way to stop, until `gathering` ends; gives what was gathered, or null where the user stopped it. */
export async function whileGathering(context: Context, gathering: Promise<Gathered>): Promise<Gathered | null> {
  const { state, frame } = context;
  let offer: Offer | null = null;
  const end = () => {
    clearTimeout(timer);
    if (offer && state.offer === offer) state.offer = null;
    frame.invalidate(Changed.notes);
  };
  let stop: (nothing: null) => void = () => undefined;
  const stopped = new Promise<null>((resolve) => (stop = resolve));
  const timer = setTimeout(() => {
    offer = { text: say('print-preparing'), action: say('cancel'), run: () => stop(null) };
    state.offer = offer;
    announce(context, offer.text, Changed.notes, Changed.notice);
  }, SAY_AFTER_MS);
  try {
    return await Promise.race([gathering, stopped]);
  } finally {
    end();
  }
}
