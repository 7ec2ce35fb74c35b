// Which accounts of memory there are, which of them each device shows, and which is chosen.
import type { DeviceId, MemoryAccount, MemoryPlace, MemoryReading, MemoryReport } from '../../engine/protocol';
import { answerTo, ofShown } from '../figures';
import type { State } from '../state';

/** What is known of the memory of what is shown; null while it is not there. */
export const memoryOf = (state: State): MemoryReport | null => answerTo(state, { verb: 'memory', of: ofShown });

/** The readings that keep devices apart, the best first. */
const ofDevices = (report: MemoryReport): MemoryReading[] =>
  report.readings.filter(({ accounts }) => accounts.some(({ device }) => device !== null));

/** The reading of the lanes under devices. */
export function laneReading(state: State): MemoryReading | null {
  const report = memoryOf(state);
  if (!report) return null;
  const readings = ofDevices(report);
  return readings.find(({ reading }) => reading === state.memory_place?.reading) ?? readings[0] ?? null;
}

/** Of each device the account that its lane shows: the chosen one, or the one with the highest peak. */
export function laneAccounts(state: State): Map<DeviceId, number> {
  const reading = laneReading(state);
  const shown = new Map<DeviceId, number>();
  const peakOf = (row: number) => reading?.accounts[row]?.peak_bytes ?? 0;
  reading?.accounts.forEach(({ device, peak_bytes }, row) => {
    if (device === null || peak_bytes === 0) return;
    const before = shown.get(device);
    const is_chosen = state.memory_place?.reading === reading.reading && state.memory_place.account === row;
    if (before === undefined || is_chosen || (peakOf(before) < peak_bytes && before !== state.memory_place?.account))
      shown.set(device, row);
  });
  return shown;
}

/** The devices with a lane of live bytes: none while lanes are not wanted. */
export const devicesWithMemory = (state: State): ReadonlySet<DeviceId> => new Set(state.memory_shown ? laneAccounts(state).keys() : []);

/** The account that the tab is about: the chosen one, or the one with the highest peak of the best reading. */
export function chosenPlace(state: State): MemoryPlace | null {
  const report = memoryOf(state);
  if (!report) return null;
  if (state.memory_place && accountAt(report, state.memory_place)) return state.memory_place;
  const [best] = report.readings;
  if (!best) return null;
  let account = 0;
  best.accounts.forEach(({ peak_bytes }, row) => {
    if (peak_bytes > (best.accounts[account]?.peak_bytes ?? 0)) account = row;
  });
  return { reading: best.reading, account };
}

/** The account of `device` with the highest peak, of the best reading that keeps devices apart; null while none is known. */
export function placeOfDevice(state: State, device: DeviceId): MemoryPlace | null {
  const reading = laneReading(state);
  const account = laneAccounts(state).get(device);
  return reading && account !== undefined ? { reading: reading.reading, account } : null;
}

export const readingAt = (report: MemoryReport, { reading }: MemoryPlace): MemoryReading | null =>
  report.readings.find((own) => own.reading === reading) ?? null;

export const accountAt = (report: MemoryReport, place: MemoryPlace): MemoryAccount | null =>
  readingAt(report, place)?.accounts[place.account] ?? null;
