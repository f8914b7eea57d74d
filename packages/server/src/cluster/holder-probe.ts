import { Agent, get } from 'node:http';
import type { Peer } from '../storage/postgres/postgres-lease.ts';
import { peerSecretHeader } from './peer-headers.ts';

const probeMs = 100;
const probeTimeoutMs = 2_000;
/** A machine that refuses this many connections in a row runs no server. */
const refusedUntilGone = 2;
/** A holder that has not responded for this long is unreachable from here, although PostgreSQL may see it. */
const maxSilenceMs = 5_000;

/**
 * Detects that the process of the holder has ended, seconds before its missing heartbeat shows that: the machine then
 * refuses connections. Refusals count only after an accepted connection, because the address may be wrong.
 * Also detects a network that loses all packets to the holder: requests that are pending there would wait for minutes.
 */
export class HolderProbe {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #holder: () => Peer | null;
  readonly #onGone: (holder: Peer) => void;
  readonly #onUnreachable: () => void;
  #reachedId = '';
  #refusedCount = 0;
  /** The holder that does not respond, and since when. */
  #silent: { id: string; since: number } | null = null;
  #isProbing = false;
  readonly #timer: NodeJS.Timeout;

  /**
   * `holder` returns another server that holds the log, or null. `onGone` and `onUnreachable` may be called repeatedly.
   */
  constructor(holder: () => Peer | null, onGone: (holder: Peer) => void, onUnreachable: () => void) {
    this.#holder = holder;
    this.#onGone = onGone;
    this.#onUnreachable = onUnreachable;
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
    const startedAt = performance.now();
    const outcome = await this.#reach(holder);
    this.#isProbing = false;
    if (outcome === 'reached') this.#reachedId = holder.id;
    this.#refusedCount = outcome === 'refused' ? this.#refusedCount + 1 : 0;
    if (this.#refusedCount >= refusedUntilGone && this.#reachedId === holder.id) this.#onGone(holder);
    if (outcome !== 'unknown') this.#silent = null;
    else if (this.#silent?.id !== holder.id) this.#silent = { id: holder.id, since: startedAt };
    if (this.#silent && performance.now() - this.#silent.since >= maxSilenceMs) this.#onUnreachable();
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
