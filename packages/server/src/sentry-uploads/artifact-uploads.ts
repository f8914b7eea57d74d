import { createHash } from 'node:crypto';
import { limits } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { Semaphore } from '../jobs/semaphore.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { receiveSourceMap } from '../source-maps/receive-source-map.ts';
import { assertMapRoom } from '../source-maps/source-map-usage.ts';
import type { UploadInProgress } from '../uploads/upload-budget.ts';
import { uploadSourceMap } from '../source-maps/upload-source-map.ts';
import { TemporaryFile } from '../uploads/temporary-file.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { openBundle, type Bundle, type BundledMap } from './bundle-archive.ts';
import { ChunkStore, type BundleChunk } from './chunk-store.ts';

/** A bundle that a tool wants to be assembled from its chunks. */
export interface BundleInput {
  /** SHA-1 of the bundle, and of its chunks in order. */
  checksum: string;
  chunks: readonly string[];
  /** Used if the manifest has no release. */
  release: string | null;
  projects: readonly ProjectRecord[];
}

/** The state of a bundle, as Sentry's tools read it. */
export interface BundleState {
  state: 'not_found' | 'created' | 'ok' | 'error';
  missingChunks: string[];
  detail: string | null;
}

interface Assembly {
  result: BundleState | null;
  done: Promise<BundleState>;
  /** The ids of the stored maps. If one is deleted, the bundle can be assembled again. */
  mapIds: number[];
}

/** A tool polls until the bundle is assembled. Each poll waits for at most this time. */
const pollMs = 15_000;
/** Beyond this number, the oldest results are no longer available to polls. */
const maxResults = 200;
const maxBundleBytes = 256 * 1024 * 1024;
/** Bundles that are assembled at a time: each needs the disk space of its chunks a second time. Teams take turns. */
const maxAssembling = 2;
const maxWaitingBundles = 100;
/** The maximum bytes of all source maps of a bundle, decompressed. */
const maxMapsBytes = 1024 * 1024 * 1024;

/** Receives source maps from Sentry's tools, in bundles that are uploaded in chunks. */
export class ArtifactUploads {
  readonly #services: Services;
  readonly #chunks: ChunkStore;
  readonly #assembling = new Semaphore(maxAssembling, maxWaitingBundles);
  /** By team, checksum and projects, oldest first. */
  readonly #assemblies = new Map<string, Assembly>();

  constructor(services: Services) {
    this.#services = services;
    this.#chunks = new ChunkStore(services.now);
    services.beforeClose.push(async () => {
      await Promise.allSettled(Array.from(this.#assemblies.values(), ({ done }) => done));
      await this.#chunks.close();
    });
  }

  /** Writes a chunk. Rejects as `ChunkStore.receive` does. */
  receiveChunk(upload: UploadInProgress, pieces: AsyncIterable<Uint8Array>): Promise<BundleChunk> {
    return this.#chunks.receive(upload, pieces);
  }

  /**
   * Keeps a chunk. `name` is the hash that the tool computed. Rejects with `bad_request` if the chunk has another hash,
   * and as `ChunkStore.add` does.
   */
  async addChunk({ teamId }: Caller, chunk: BundleChunk, name: string | null): Promise<void> {
    if (name?.toLowerCase() === chunk.sha1) return this.#chunks.add(teamId, chunk);
    await chunk.file.close();
    throw new ProblemError('bad_request', 'The name of a chunk must be the SHA-1 of its bytes.');
  }

  /**
   * Assembles a bundle, unless that is in progress or has succeeded. Resolves with its state, after `pollMs` at the
   * latest.
   */
  async assemble(caller: Caller, input: BundleInput): Promise<BundleState> {
    const projectIds = input.projects.map(({ id }) => id).join(' ');
    const key = `${caller.teamId} ${input.checksum} ${projectIds}`;
    const known = this.#assemblies.get(key);
    if (known && this.#isCurrent(known)) return this.#stateOf(known);
    const chunks = this.#chunks.find(caller.teamId, input.chunks);
    const missingChunks = input.chunks.filter((_, index) => chunks[index] === null);
    if (missingChunks.length > 0 || chunks.length === 0)
      return { state: 'not_found', missingChunks: [...new Set(missingChunks)], detail: null };
    return this.#stateOf(this.#start(key, caller, input, chunks as BundleChunk[]));
  }

  /** Returns false if the bundle must be assembled again: it failed, or one of its maps was deleted. */
  #isCurrent({ result, mapIds }: Assembly): boolean {
    if (result === null) return true;
    const { source_maps: maps } = this.#services.store.model.tables;
    return result.state === 'ok' && mapIds.every((id) => maps.get(id) !== undefined);
  }

  #start(key: string, caller: Caller, input: BundleInput, chunks: readonly BundleChunk[]): Assembly {
    const removeChunks = this.#chunks.use(caller.teamId, input.chunks);
    const mapIds: number[] = [];
    const done = this.#assembling
      .run(() => this.#run(caller, input, chunks, mapIds), caller.teamId)
      .catch((error: unknown): BundleState => this.#failed(error))
      .then(async (result) => {
        assembly.result = result;
        await removeChunks();
        return result;
      });
    const assembly: Assembly = { result: null, done, mapIds };
    this.#assemblies.delete(key);
    this.#assemblies.set(key, assembly);
    for (const [oldest, { result }] of this.#assemblies) {
      if (this.#assemblies.size <= maxResults) break;
      if (result !== null) this.#assemblies.delete(oldest);
    }
    return assembly;
  }

  async #stateOf({ done }: Assembly): Promise<BundleState> {
    let timer: NodeJS.Timeout | undefined;
    const waiting = new Promise<BundleState>((resolve) => {
      timer = setTimeout(() => resolve({ state: 'created', missingChunks: [], detail: null }), pollMs);
    });
    try {
      return await Promise.race([done, waiting]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #run(
    caller: Caller,
    { checksum, release, projects }: BundleInput,
    chunks: readonly BundleChunk[],
    mapIds: number[],
  ): Promise<BundleState> {
    assertMapRoom(this.#services, caller.teamId, null);
    const file = await joined(chunks, checksum);
    try {
      const bundle = await openBundle(file);
      try {
        return await this.#storeMaps(caller, projects, { ...bundle, release: bundle.release ?? release }, mapIds);
      } finally {
        bundle.close();
      }
    } finally {
      await file.close();
    }
  }

  async #storeMaps(
    caller: Caller,
    projects: readonly ProjectRecord[],
    { maps, release }: Omit<Bundle, 'close'>,
    mapIds: number[],
  ): Promise<BundleState> {
    if (maps.length === 0)
      return failure('The bundle has no source maps. Build them, and upload the folder that contains them.');
    if (maps.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxMapsBytes)
      return failure('The source maps of the bundle are too large together. Upload fewer at a time.');
    let invalid = 0;
    for (const map of maps) {
      for (const project of projects) {
        const id = await this.#storeMap(caller, project, map, release);
        if (id === null) invalid++;
        else mapIds.push(id);
      }
    }
    if (invalid === 0) return { state: 'ok', missingChunks: [], detail: null };
    return failure(`${invalid} of ${maps.length * projects.length} source maps can't be read. The others are stored.`);
  }

  /** Resolves with the id of the stored map, or with null if the map is invalid or too large. */
  async #storeMap(
    caller: Caller,
    project: ProjectRecord,
    map: BundledMap,
    release: string | null,
  ): Promise<number | null> {
    if (map.sizeBytes > limits.sourceMapBytes) return null;
    try {
      const received = await receiveSourceMap(this.#services, () => map.pieces(), caller.teamId);
      const { fileName, url, debugId } = map;
      const upload = { fileName, received, release, url: isWithin(url, limits.urlChars), debugId };
      const stored = await uploadSourceMap(this.#services, caller, project, upload);
      return stored.map.id;
    } catch (error) {
      const isInvalid =
        error instanceof ProblemError && (error.code === 'invalid_source_map' || error.code === 'validation_failed');
      if (isInvalid || isZipError(error)) return null;
      throw error;
    }
  }

  #failed(error: unknown): BundleState {
    if (error instanceof ProblemError) return failure(error.message);
    this.#services.log.error({ err: error }, 'a bundle of source maps could not be stored');
    return failure('The bundle could not be stored. Try again later.');
  }
}

function failure(detail: string): BundleState {
  return { state: 'error', missingChunks: [], detail };
}

function isWithin(text: string | null, limit: number): string | null {
  return text !== null && text.length <= limit ? text : null;
}

/** Returns whether an error comes from a damaged entry of the archive. The zip library throws plain errors then. */
function isZipError(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return (typeof code === 'string' && code.startsWith('Z_')) || /bytes in the stream|compress/.test(String(message));
}

/**
 * Joins chunks into one file. Rejects with `payload_too_large` beyond `maxBundleBytes`, and with `bad_request` on a
 * wrong checksum.
 */
async function joined(chunks: readonly BundleChunk[], checksum: string): Promise<TemporaryFile> {
  if (chunks.reduce((sum, { bytes }) => sum + bytes, 0) > maxBundleBytes)
    throw new ProblemError('payload_too_large', 'The bundle is too large. Upload fewer files at a time.');
  const file = await TemporaryFile.open();
  try {
    const sha1 = createHash('sha1');
    for (const chunk of chunks)
      for await (const piece of chunk.file.pieces()) {
        sha1.update(piece);
        await file.append(piece);
      }
    if (sha1.digest('hex') !== checksum.toLowerCase())
      throw new ProblemError('bad_request', 'The chunks do not have the checksum of the bundle.');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
