import { ProblemError } from '../problem.ts';
import { TemporaryFile } from './temporary-file.ts';

interface UploadBounds {
  uploads: number;
  /** Bytes in temporary files. */
  bytes: number;
}

const gib = 2 ** 30;
/** A team can take at most half of each. An upload also takes some hundred kilobytes of memory. */
const boundsOfTeam: UploadBounds = { uploads: 36, bytes: gib };
const boundsOfAll: UploadBounds = { uploads: 72, bytes: 2 * gib };
/** Temporary files take at most this part of the room that is free without them. */
const maxPartOfRoom = 1 / 2;

/**
 * Limits the uploads of source maps, or of their chunks, that are in progress and the bytes of their temporary files,
 * per team and in all. If all teams together reach a limit, the team that takes the most gives way.
 */
export class UploadBudget {
  readonly #uploads = new Set<UploadInProgress>();
  #maxBytes = boundsOfAll.bytes;

  /**
   * Begins an upload. Throws `overloaded` if the team has too many, or if all teams together do and no other team has
   * more uploads than it would have. The caller must release it.
   */
  begin(teamId: number): UploadInProgress {
    const own = this.#ofTeam(teamId).length;
    if (own >= boundsOfTeam.uploads) throw tooManyUploads();
    if (this.#uploads.size >= boundsOfAll.uploads) this.#makeRoom(own);
    const upload = new UploadInProgress(teamId, {
      onOpen: (file) => this.setFreeBytes(file.freeBytes),
      onAdd: () => this.#checkBytes(upload),
      onRelease: () => this.#uploads.delete(upload),
    });
    this.#uploads.add(upload);
    return upload;
  }

  /** Returns whether another upload of the team would be rejected or take the place of another one. */
  isFull(teamId: number): boolean {
    return this.#uploads.size >= boundsOfAll.uploads || this.#ofTeam(teamId).length >= boundsOfTeam.uploads;
  }

  /** Limits the bytes further if the temporary files are on a disk with little room. */
  setFreeBytes(freeBytes: number): void {
    const roomBytes = freeBytes + sumBytes([...this.#uploads]);
    this.#maxBytes = Math.min(boundsOfAll.bytes, roomBytes * maxPartOfRoom);
  }

  #ofTeam(teamId: number): UploadInProgress[] {
    return [...this.#uploads].filter((upload) => upload.teamId === teamId);
  }

  /** Rejects the newest upload of the team with the most. Throws if no team has more than the next one would have. */
  #makeRoom(own: number): void {
    const [newest] = this.#unfinished()
      .toReversed()
      .map((upload) => ({ upload, count: this.#ofTeam(upload.teamId).length }))
      .toSorted((a, b) => b.count - a.count);
    if (!newest || newest.count <= own + 1) throw tooManyUploads();
    newest.upload.reject(tooManyUploads());
  }

  #checkBytes(upload: UploadInProgress): void {
    if (sumBytes(this.#ofTeam(upload.teamId)) > boundsOfTeam.bytes) upload.reject(tooManyBytes());
    while (sumBytes([...this.#uploads]) > this.#maxBytes) {
      const [largest] = this.#unfinished()
        .map((other) => ({ other, teamBytes: sumBytes(this.#ofTeam(other.teamId)) }))
        .toSorted((a, b) => b.teamBytes - a.teamBytes || b.other.bytes - a.other.bytes);
      if (!largest) return;
      largest.other.reject(tooManyBytes());
    }
  }

  /** Returns the uploads whose file is still being received, oldest first. */
  #unfinished(): UploadInProgress[] {
    return [...this.#uploads].filter(({ isComplete }) => !isComplete);
  }
}

interface UploadEvents {
  onOpen: (file: TemporaryFile) => void;
  onAdd: () => void;
  onRelease: () => void;
}

/** An upload in progress. */
export class UploadInProgress {
  readonly teamId: number;
  /** Bytes in its temporary file. */
  bytes = 0;
  /** True once the whole file has been received. From then on the upload is not rejected any more. */
  isComplete = false;
  readonly #rejection = new AbortController();
  readonly #on: UploadEvents;

  constructor(teamId: number, on: UploadEvents) {
    this.teamId = teamId;
    this.#on = on;
  }

  /** Aborts with the error for the client. */
  get signal(): AbortSignal {
    return this.#rejection.signal;
  }

  /** Opens its temporary file. The caller must close it. Rejects with `storage_unavailable` if it can't be opened. */
  async openFile(): Promise<TemporaryFile> {
    const file = await TemporaryFile.open();
    this.#on.onOpen(file);
    return file;
  }

  /** Counts bytes before they are written. Throws if this upload has been rejected. */
  add(bytes: number): void {
    this.bytes += bytes;
    this.#on.onAdd();
    this.signal.throwIfAborted();
  }

  reject(error: ProblemError): void {
    this.release();
    this.#rejection.abort(error);
  }

  /** Gives the slot and the bytes of this upload back to the budget. Later calls have no effect. */
  release(): void {
    this.#on.onRelease();
  }
}

function sumBytes(uploads: readonly UploadInProgress[]): number {
  return uploads.reduce((sum, { bytes }) => sum + bytes, 0);
}

function tooManyUploads(): ProblemError {
  return uploadsOverloaded(
    'Too many source maps are being uploaded. Upload fewer at a time, and try again in a few seconds.',
  );
}

function tooManyBytes(): ProblemError {
  return uploadsOverloaded(
    'The source maps that are being uploaded are too large together. Upload fewer at a time, and try again in a few seconds.',
  );
}

function uploadsOverloaded(detail: string): ProblemError {
  return new ProblemError('overloaded', detail, { retryAfterSeconds: 5 });
}
