// All verbs, by name.
import { CAUSALITY } from './causality';
import { COMPARE } from './compare';
import { COUNTERS } from './counters';
import { FLEET } from './fleet';
import { MEMORY } from './memory';
import { NETWORK } from './network';
import { OPS } from './ops';
import { SAVING } from './saving';
import { TIMELINE } from './timeline';
import { VIEW } from './view';
import { WATCHED } from './watched';
import { WHAT_IF } from './what_if';

export const VERBS = {
  ...VIEW,
  ...TIMELINE,
  ...OPS,
  ...NETWORK,
  ...MEMORY,
  ...COUNTERS,
  ...CAUSALITY,
  ...WHAT_IF,
  ...COMPARE,
  ...SAVING,
  ...WATCHED,
  ...FLEET,
};
