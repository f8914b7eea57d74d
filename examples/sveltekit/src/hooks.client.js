import { init } from '@service/browser';
import { handleErrorWithReporting } from '@service/browser/sveltekit';

init({
  apiKey: import.meta.env.VITE_SERVICE_KEY,
  endpoint: import.meta.env.VITE_SERVICE_URL ?? 'http://127.0.0.1:4400',
  release: '1.0.0',
});

export const handleError = handleErrorWithReporting();
