// What is worst in the fleet, in a sentence.
import { formatShare } from '../../base/format';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { FleetFigure } from '../../engine/protocol';
import type { Fleet } from '../../state/fleet_open';
import { FIGURE_WORDS, taskWords } from './words';

export function answerWords({ stragglers, run, overview, fault }: Fleet): string {
  if (fault) return '';
  if (overview && overview.runs.length === 0) return say('fleet-no-runs');
  if (!run || !stragglers) return say('fleet-looking');
  const { kind, share, behind, finished_last, finding } = stragglers.worst;
  if (kind === 'work' && behind)
    return say('fleet-worst-work', {
      task: taskWords(behind.task),
      steps: say('steps', { count: behind.steps }),
      figure: FIGURE_WORDS[behind.part as FleetFigure],
      time: formatDuration(behind.time_ns),
      share: formatShare(share ?? 0),
    });
  if (kind === 'end' && finished_last)
    return say('fleet-worst-end', {
      task: taskWords(finished_last.task),
      steps: say('steps', { count: finished_last.steps }),
      time: formatDuration(finished_last.time_ns),
      share: formatShare(share ?? 0),
    });
  if (kind === 'finding' && finding)
    return say('fleet-worst-finding', {
      what: finding.what,
      files: say('fleet-file-count', { count: finding.sources }),
      time: formatDuration(finding.saving_ns),
    });
  if (kind === 'empty') return say('fleet-worst-empty');
  return say(stragglers.judged_steps === 0 ? 'fleet-worst-unjudged' : 'fleet-worst-even');
}
