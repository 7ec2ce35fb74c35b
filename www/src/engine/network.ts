// The shapes of `steplens.network/1`, as the program prints it: part of the contract in protocol.ts.
import type { Ns } from '../base/time';
import type { DeviceId } from './protocol';

export interface Network {
  schema: 'steplens.network/1';
  span_ns: Ns;
  devices: DeviceShare[];
}

/** Communication of one device: `communication_ns` is hidden behind compute, exposed, or beside a copy. */
export interface DeviceShare {
  device: DeviceId;
  name: string;
  communication_ns: Ns;
  hidden_ns: Ns;
  exposed_ns: Ns;
}
