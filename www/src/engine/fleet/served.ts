// A dataset that `steplens serve` serves with the page.
import { asked, checked } from '../watched/served';
import type { FleetPlace } from './place';

const SERVED = 'meta[name="steplens-fleet"]';

/** The dataset; null where the page was not served with one. */
export function servedFleet(page: Document = document): FleetPlace | null {
  const name = page.querySelector(SERVED)?.getAttribute('content') ?? null;
  if (name === null) return null;
  return {
    name,
    overview: async () => (await checked(await asked('fleet'))).blob(),
    async trace(path) {
      const answer = await asked(`fleet/${path.split('/').map(encodeURIComponent).join('/')}`);
      return answer.status === 404 ? null : (await checked(answer)).blob();
    },
  };
}
