// What kinds of segments of the observed path are called, and which colour each has.
import { say, type PlainId } from '../../base/messages';

interface KindWords {
  label: string;
  /** Of what category it has the colour, or which one of its own. */
  look: string;
  about: string;
}

const KINDS: Readonly<Record<string, readonly [label: PlainId, look: string, about: PlainId]>> = {
  compute: ['path-compute', 'compute', 'path-compute-about'],
  copy: ['path-copy', 'copy', 'path-copy-about'],
  transit: ['path-transit', 'transit', 'path-transit-about'],
  'sender-queue': ['path-sender-queue', 'queued', 'path-sender-queue-about'],
  producer: ['path-producer', 'waiting', 'path-producer-about'],
  behind: ['path-behind', 'waiting', 'path-behind-about'],
  launching: ['path-launching', 'launch', 'path-launching-about'],
  allocation: ['path-allocating', 'allocation', 'path-allocating-about'],
  input: ['path-input', 'input', 'path-input-about'],
  starting: ['path-starting', 'before', 'path-starting-about'],
  'host-between-ops': ['path-host-between-ops', 'waiting', 'path-host-between-ops-about'],
  'python-between-ops': ['path-python-between-ops', 'waiting', 'path-python-between-ops-about'],
  gap: ['path-gap', 'unknown', 'path-gap-about'],
};

export const PATH_KINDS = Object.keys(KINDS);

/** What an edge of the execution graph is, by its word. */
export const EDGE_WORDS: Readonly<Record<string, string>> = {
  data: say('edge-data'),
  control: say('edge-control'),
  transfer: say('edge-transfer'),
  launch: say('edge-launch'),
  sync: say('edge-sync'),
  event: say('edge-event'),
  'other-stream': say('edge-other-stream'),
  handover: say('edge-handover'),
  stream: say('edge-stream'),
  thread: say('edge-thread'),
  link: say('edge-link'),
  room: say('edge-room'),
};

export function kindWords(kind: string): KindWords {
  const known = KINDS[kind];
  return known ? { label: say(known[0]), look: known[1], about: say(known[2]) } : { label: kind, look: 'unknown', about: '' };
}
