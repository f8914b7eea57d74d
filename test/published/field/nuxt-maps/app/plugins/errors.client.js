import { captureException, init } from '@service/browser';

export default defineNuxtPlugin(({ hook }) => {
  const query = new URLSearchParams(location.search);
  init({ apiKey: query.get('key'), endpoint: query.get('endpoint') });
  hook('vue:error', (error) => captureException(error));
});
