import { init } from '@service/browser';
import { noteReport, noteWarnings } from './report-log.ts';

// Imported before everything else of the shop: what fails earlier is not seen.
const {
  apiKey = '',
  environment = '',
  release = '',
} = document.querySelector<HTMLMetaElement>('meta[name="shop"]')?.dataset ?? {};

noteWarnings();
init({ apiKey, endpoint: location.origin, environment, release, beforeSend: noteReport });
