import { init } from '@service/browser';

const settings = new URLSearchParams(location.search);

init({
  apiKey: settings.get('key') ?? '',
  endpoint: settings.get('endpoint') ?? 'http://127.0.0.1:4400',
  release: '1.0.0',
});
