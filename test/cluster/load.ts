import { randomUUID } from 'node:crypto';
import { callAny, type Cluster } from './test-cluster.ts';

/**
 * Sends reports of three bugs at the same time, those of a bug one after the other. `stop` resolves with the number of
 * accepted reports.
 */
export function startLoad(running: Cluster, apiKey: unknown): { stop(): Promise<number> } {
  const over = new AbortController();
  const sending = Promise.all(
    ['basket', 'cart', 'door'].map(async (word) => {
      let accepted = 0;
      while (!over.signal.aborted) {
        const report = { project_api_key: apiKey, message: `The ${word} failed`, event_id: randomUUID() };
        const { status, body } = await callAny(running, 'POST', 'errors', report);
        if (status !== 200) throw new Error(`A report was rejected: ${status} ${JSON.stringify(body)}`);
        accepted++;
      }
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
