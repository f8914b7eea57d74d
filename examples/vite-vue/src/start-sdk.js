import { init } from '@service/browser';

const settings = new URLSearchParams(location.search);

/** The project's key: from the address of the page, or from the environment of the build. */
export const apiKey = settings.get('key') ?? import.meta.env.VITE_SERVICE_KEY ?? '';

init({
  apiKey,
  endpoint: settings.get('server') ?? import.meta.env.VITE_SERVICE_URL ?? 'http://127.0.0.1:4400',
  environment: 'example',
  release: '0.1.0',
});
