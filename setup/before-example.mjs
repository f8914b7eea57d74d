// Runs before `npm start` in the folder of an example.
import { ensureSetup } from './ensure.mjs';

ensureSetup('examples');
