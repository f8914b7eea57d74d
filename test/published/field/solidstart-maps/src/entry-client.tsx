import { init } from '@service/browser';
import { mount, StartClient } from '@solidjs/start/client';

const query = new URLSearchParams(location.search);
init({ apiKey: query.get('key') ?? '', endpoint: query.get('endpoint') ?? '' });
mount(() => <StartClient />, document.querySelector('#app') as HTMLElement);
