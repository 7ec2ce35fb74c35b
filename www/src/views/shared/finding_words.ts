// How findings, and bars of a comparison, are said on the page: the row above the timeline, the tabs, and the printed report.
import { say } from '../../base/messages';
import { formatShare } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { FindingList, FindingRow } from '../../engine/protocol';

/** The sentences that follow the verdict's first. */
export const aboutVerdict = ({ verdict, verdict_main }: FindingList): string => verdict.slice(verdict_main.length).trimStart();

/** What the step would save: `−17 ms`; what rests on no replay says so by another sign. Empty where a finding has no time. */
export function savingWords({ saving_ns, share_ppm, basis }: FindingRow): string {
  if (saving_ns !== null) return say('finding-saving', { length: formatDuration(saving_ns) });
  if (basis === 'path' && share_ppm !== null) return say('finding-share', { share: formatShare(share_ppm / 1e6) });
  return '';
}

/** All but the last sentence: where the figure that it repeats stands already. */
export const withoutLast = (said: string): string => /^.*[.。](?= )/s.exec(said)?.[0] ?? said;

/** The first sentence of a finding, which says what is wrong. */
export const firstSentence = (said: string): string => /^.*?[.。](?=\s|$|(?<=。))/.exec(said)?.[0] ?? said;
