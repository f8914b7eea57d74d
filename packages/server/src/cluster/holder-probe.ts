import { Agent, get } from 'node:http';
import type { Peer } from '../storage/postgres/postgres-lease.ts';
import { peerSecretHeader } from './peer-headers.ts';

const probeMs = 100;
const probeTimeoutMs = 2_000;
/** A machine that refuses this many connections in a row runs no server. */
const refusedUntilGone = 2;

/**
 * Detects that the process of the holder has ended, seconds before its missing heartbeat shows that: the machine then
 * refuses connections. Refusals count only after an accepted connection, because the address may be wrong.
 */
export class HolderProbe {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #holder: () => Peer | null;
  readonly #onGone: (holder: Peer) => void;
  #reachedId = '';
  #refusedCount = 0;
  #isProbing = false;
  readonly #timer: NodeJS.Timeout;

  /** `holder` returns another server that holds the log, or null. `onGone` may be called repeatedly. */
  constructor(holder: () => Peer | null, onGone: (holder: Peer) => void) {
    this.#holder = holder;
    this.#onGone = onGone;
    this.#timer = setInterval(() => void this.#probe(), probeMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#agent.destroy();
  }

  async #probe(): Promise<void> {
    const holder = this.#holder();
    if (this.#isProbing || !holder?.isReady || holder.address === '') return;
    this.#isProbing = true;
    const outcome = await this.#reach(holder);
    this.#isProbing = false;
    if (outcome === 'reached') this.#reachedId = holder.id;
    this.#refusedCount = outcome === 'refused' ? this.#refusedCount + 1 : 0;
    if (this.#refusedCount >= refusedUntilGone && this.#reachedId === holder.id) this.#onGone(holder);
  }

  #reach({ address, secret }: Peer): Promise<'reached' | 'refused' | 'unknown'> {
    return new Promise((resolve) => {
      const headers = { [peerSecretHeader]: secret };
      const sent = get(`${address}/healthz`, { agent: this.#agent, headers, timeout: probeTimeoutMs }, (response) => {
        response.resume();
        response.once('close', () => resolve('reached'));
      });
      sent.once('timeout', () => sent.destroy());
      sent.once('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'unknown'),
      );
    });
  }
}
