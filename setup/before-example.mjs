// What `npm start` in the folder of an example runs first.
import { ensureSetup } from './ensure.mjs';

ensureSetup('examples');
