import { randomUUID } from 'node:crypto';
import { callAny, type Cluster } from './test-cluster.ts';

/** Sends reports of three bugs, of each one after the other. `stop` resolves with the number of accepted reports. */
export function startLoad(running: Cluster, apiKey: unknown): { stop(): Promise<number> } {
  const over = new AbortController();
  const sending = Promise.all(
    ['basket', 'cart', 'door'].map(async (word) => {
      let accepted = 0;
      for (; !over.signal.aborted; accepted++)
        await callAny(running, 'POST', 'errors', {
          project_api_key: apiKey,
          message: `The ${word} failed`,
          event_id: randomUUID(),
        });
      return accepted;
    }),
  );
  return {
    async stop() {
      over.abort();
      return (await sending).reduce((sum, accepted) => sum + accepted, 0);
    },
  };
}
