import { storedBurstHours } from '../retention/retention-policy.ts';
import type { StorageRoom } from './log/storage-room.ts';
import { TokenBuckets } from './structures/token-buckets.ts';

const bytesPerMb = 1024 * 1024;
const secondsPerHour = 3_600;

/** Limits the bytes that the reports of a project may add to the storage: a public key must not fill the disk. */
export class StorageBudget {
  /** Reports that were counted without being stored. */
  unstoredCount = 0;
  readonly #room: Pick<StorageRoom, 'assertFree'>;
  readonly #buckets: TokenBuckets;

  constructor(mbPerHour: number, room: Pick<StorageRoom, 'assertFree'>, now?: () => number) {
    this.#room = room;
    this.#buckets = new TokenBuckets(
      mbPerHour * bytesPerMb * storedBurstHours,
      (mbPerHour * bytesPerMb) / secondsPerHour,
      now,
    );
  }

  /** Throws `storage_unavailable` if the storage has no room for more reports. */
  assertRoom(): void {
    this.#room.assertFree();
  }

  /** Returns the body of a report, or null if the project has stored too much recently. */
  take<Body extends string | Uint8Array>(projectId: number, body: Body): Body | null {
    if (this.spend(projectId, body.length)) return body;
    this.unstoredCount++;
    return null;
  }

  /** Counts bytes that the project adds. Returns false if it has stored too much recently. */
  spend(projectId: number, bytes: number): boolean {
    return this.#buckets.take(projectId, bytes);
  }
}
