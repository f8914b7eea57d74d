import { init } from '@service/browser';
import { noteReport, noteWarnings } from './report-log.ts';

// Imported before all other modules of the shop: earlier errors are not seen.
const {
  apiKey = '',
  environment = '',
  release = '',
} = document.querySelector<HTMLMetaElement>('meta[name="shop"]')?.dataset ?? {};

noteWarnings();
init({ apiKey, endpoint: location.origin, environment, release, beforeSend: noteReport });
