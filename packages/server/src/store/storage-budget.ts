import { storedBurstHours } from '../retention/retention-policy.ts';
import type { StorageRoom } from './log/storage-room.ts';
import type { ProjectSizes } from './model/project-sizes.ts';
import { TokenBuckets } from './structures/token-buckets.ts';

const secondsPerHour = 3_600;

export interface StorageBudgetOptions {
  /** Bytes that the reports of a project may add per hour. */
  bytesPerHour: number;
  /** Bytes that the stored reports of a project may take. */
  projectBytes: number;
  room: Pick<StorageRoom, 'assertFree'>;
  sizes: Pick<ProjectSizes, 'storedBytesOf'>;
  /** Returns milliseconds of a monotonic clock. */
  now: () => number;
}

/** Limits the bytes that the reports of a project take in the storage: a public key must not fill the disk. */
export class StorageBudget {
  /** Reports that were counted without being stored. */
  unstoredCount = 0;
  readonly #options: StorageBudgetOptions;
  readonly #buckets: TokenBuckets;
  readonly #unstored = new Map<number, number>();

  constructor(options: StorageBudgetOptions) {
    const { bytesPerHour, now } = options;
    this.#options = options;
    this.#buckets = new TokenBuckets(bytesPerHour * storedBurstHours, bytesPerHour / secondsPerHour, now);
  }

  get projectBytes(): number {
    return this.#options.projectBytes;
  }

  /** Throws `storage_unavailable` if the storage has no room for more reports. */
  assertRoom(): void {
    this.#options.room.assertFree();
  }

  /**
   * Returns the body of a report, or null if the project stores too much, or has stored too much recently.
   * `stagedBytes` is the size of the bodies in the batch that is being written.
   */
  take<Body extends string | Uint8Array>(projectId: number, body: Body, stagedBytes = 0): Body | null {
    if (this.#fits(projectId, body.length + stagedBytes) && this.spend(projectId, body.length)) return body;
    this.unstoredCount++;
    this.#unstored.set(projectId, this.unstoredOf(projectId) + 1);
    return null;
  }

  /** Counts bytes that the project adds. Returns false if it has stored too much recently. */
  spend(projectId: number, bytes: number): boolean {
    return this.#buckets.take(projectId, bytes);
  }

  /** Returns the reports of a project that were counted without being stored since the start of the server. */
  unstoredOf(projectId: number): number {
    return this.#unstored.get(projectId) ?? 0;
  }

  #fits(projectId: number, more: number): boolean {
    const { sizes, projectBytes } = this.#options;
    return sizes.storedBytesOf(projectId) + more <= projectBytes;
  }
}
