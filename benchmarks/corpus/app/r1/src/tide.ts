import { reportCaught } from './lib/report.ts';
import { show } from './lib/show.ts';

interface Answer {
  value?: number;
  error?: { name: string; message: string; stack: string };
}

const { workerUrl } = globalThis as unknown as { workerUrl: string };
let worker: Worker | undefined;

function startWorker(): Worker {
  const started = new Worker(workerUrl, { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if (data.error) reportCaught(Object.assign(new Error(data.error.message), data.error));
    else show(data.value);
  });
  started.addEventListener('error', (event) => {
    (globalThis as unknown as { workerFailed(event: ErrorEvent): void }).workerFailed(event);
  });
  return started;
}

export function askWorker(kind: string, station: object): void {
  worker ??= startWorker();
  worker.postMessage({ kind, station });
}
