import { init } from '@service/browser';

init({
  apiKey: 'pk_field',
  endpoint: new URLSearchParams(location.search).get('endpoint'),
  release: '1.0.0',
});
