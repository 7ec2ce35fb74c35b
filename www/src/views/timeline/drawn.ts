// What the timeline drew last, for finding what is under the pointer.
import type { Rect } from '../../base/geom';
import type { Stub } from '../../draw/arrows';
import type { Batch } from '../../draw/batch';
import type { Flag } from '../../draw/notes';

export interface Drawn {
  batch: Batch | null;
  stubs: Stub[];
  /** The range's plate on the axis. */
  range_plate: Rect | null;
  flags: Flag[];
}
