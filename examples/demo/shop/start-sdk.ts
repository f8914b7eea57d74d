import { init } from '@service/browser';
import { noteReport, noteWarnings } from './report-log.ts';

// Imported before all other modules of the shop, because errors before it are not reported.
const {
  apiKey = '',
  environment = '',
  release = '',
} = document.querySelector<HTMLMetaElement>('meta[name="shop"]')?.dataset ?? {};

noteWarnings();
init({ apiKey, endpoint: location.origin, environment, release, beforeSend: noteReport });
