// The figures of the network: asked for when their tab is opened, and again for each step or view.
import { say } from '../../base/messages';
import { ofShown, type Question } from '../figures';
import { Changed } from '../frame';
import type { Context } from '../state';
import { noteView } from './history';

export const NETWORK: Question<'network'> = {
  verb: 'network',
  of: ofShown,
  parameters: () => [],
  outcome: say('network-not-analysed'),
};

export function chooseSection(context: Context, id: string): void {
  context.state.network_section = id;
  context.frame.invalidate(Changed.network);
  noteView(context);
}
