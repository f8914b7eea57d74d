import { init } from '@service/browser';

init({
  apiKey: process.env.SERVICE_KEY,
  endpoint: process.env.SERVICE_URL,
  environment: 'example',
  release: '0.1.0',
});
