import { init } from '@service/browser';

interface Settings {
  apiKey: string;
  endpoint: string;
}

function countItems(settings: Settings): never {
  init(settings);
  throw new TypeError('The counter is stuck');
}

addEventListener('message', ({ data }: MessageEvent<Settings>) => countItems(data));
postMessage('ready');
