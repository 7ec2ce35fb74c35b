// The script inside the hosted page: what takes long starts while the page's own script is still on its way.
import { startEarly } from './engine/early';

startEarly();
