import { storedBurstHours } from '../retention/retention-policy.ts';
import { TokenBuckets } from './structures/token-buckets.ts';

const mb = 1024 * 1024;
const secondsPerHour = 3_600;

/** Limits the bytes that the reports of a project may add to the storage: a public key must not fill the disk. */
export class StorageBudget {
  /** Reports that were counted without being stored. */
  unstoredCount = 0;
  readonly #buckets: TokenBuckets;

  constructor(mbPerHour: number, now?: () => number) {
    this.#buckets = new TokenBuckets(mbPerHour * mb * storedBurstHours, (mbPerHour * mb) / secondsPerHour, now);
  }

  /** Returns the body of a report, or null if the project has stored too much recently. */
  take<Body extends string | Uint8Array>(projectId: number, body: Body): Body | null {
    if (this.#buckets.take(projectId, body.length)) return body;
    this.unstoredCount++;
    return null;
  }
}
