// The one script of the single file. In a document it is the page; in a worker it is the engine behind it. The hosted page has a script
// for each.
import { startPage } from './page';
import { startWorker } from './worker';
import { later } from './later';

if (typeof document === 'undefined') startWorker();
else startPage(() => Promise.resolve(later));
