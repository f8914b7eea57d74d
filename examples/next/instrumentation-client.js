import { init } from '@service/browser';

init({
  apiKey: process.env.NEXT_PUBLIC_SERVICE_KEY,
  endpoint: process.env.NEXT_PUBLIC_SERVICE_URL ?? 'http://127.0.0.1:4400',
  release: '1.0.0',
});
