// The ids that the core gives: u32 indices, over the whole of what is shown.
export type OpId = number;
export type DeviceId = number;

/**
 * Lanes are numbered over the whole trace: a device's lanes are contiguous, in the order of `Summary.devices`. Ids are
 * those of the newest arrangement.
 */
export type LaneId = number;

/** `NONE` stands for "no id" in u32 arrays. */
export const NONE = 0xffffffff;
