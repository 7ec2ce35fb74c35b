// The figures of the network: asked for when their tab is opened, and again for each step or view.
import { say } from '../../base/messages';
import { ofShown, type Question } from '../figures';
import { cause } from '../frame';
import type { Context } from '../state';
import { noteView } from './history';

/** Which section of the figures is shown. */
export const NETWORK_CHANGED = cause('network');

export const NETWORK: Question<'network'> = {
  verb: 'network',
  of: ofShown,
  parameters: () => [],
  outcome: say('network-not-analysed'),
};

export function chooseSection(context: Context, id: string): void {
  context.state.network_section = id;
  context.frame.invalidate(NETWORK_CHANGED);
  noteView(context);
}
