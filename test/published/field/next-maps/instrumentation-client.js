import { init } from '@service/browser';
const query = new URLSearchParams(location.search);
init({ apiKey: query.get('key'), endpoint: query.get('endpoint'), release: 'next-1' });
