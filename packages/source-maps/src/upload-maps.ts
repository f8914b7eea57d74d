import { createHash } from 'node:crypto';
import type { Page, PositionResolution, SourceMap } from '@service/protocol';
import { ApiError, type ApiClient } from '@service/api-client';
import { checkMap, type CheckedMap } from './check-map.ts';
import { readScript, type Script } from './find-scripts.ts';
import { MapError, type MapErrorCode } from './map-error.ts';
import { debugIdOfScript } from './map-reference.ts';
import { debugIdOfMap, isEmptyMap } from './raw-source-map.ts';
import { runLimited } from './run-limited.ts';

export interface UploadOptions {
  projectId: number;
  release: string | null;
  /** Where the scripts are served: `https://cdn.example/app/`, or `~/app/` for any host. */
  urlPrefix: string;
  /** Called once for each script, as soon as its result is known. */
  onResult?: (result: UploadResult) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** The result for the map of one script. */
export type UploadResult = { script: Script } & (
  | { status: 'uploaded' | 'unchanged'; map: SourceMap; proof: MapProof }
  /** The script has no map and names none, such as a script that only lists other files. */
  | { status: 'without_map' }
  /** The map is empty, because the bundler has generated all of the script. */
  | { status: 'without_sources' }
  | { status: 'failed'; code: MapErrorCode; reason: string }
);

/** A position that the server has mapped back to its source. */
interface MapProof {
  file: string;
  line: number;
  sources: number;
}

const concurrentUploads = 4;
const hashesPerRequest = 50;
const uploadTimeoutMs = 300_000;
/** The server deletes maps that nothing uses. One that is older than this is uploaded again, which keeps it. */
const renewAfterMs = 30 * 24 * 60 * 60 * 1_000;

/** A map that is ready to be uploaded. Its text is not kept: all maps of a build may be larger than the memory. */
interface PreparedMap extends CheckedMap {
  script: Script;
  hash: string;
  debugId: string | null;
  url: string;
}

/**
 * Uploads the maps of scripts, four at a time, and proves each: the server must resolve a position of the script to its
 * source. Skips a map that the server already has, if it is not too old and can be proven. Resolves with one result for
 * each script. A result is `failed` if the map is unusable or the server rejects it. Rejects with any other error, such
 * as an UnreachableError.
 */
export async function uploadMaps(
  api: ApiClient,
  scripts: readonly Script[],
  { projectId, release, urlPrefix, onResult, now = Date.now }: UploadOptions,
): Promise<UploadResult[]> {
  const results = new Map<Script, UploadResult>();
  const finish = (result: UploadResult): void => {
    results.set(result.script, result);
    onResult?.(result);
  };
  const orFailed = async (script: Script, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      finish(toFailure(script, error));
    }
  };
  const readable: PreparedMap[] = [];
  for (const script of scripts)
    if (script.map.kind === 'missing' && !script.map.isNamed) finish({ script, status: 'without_map' });
    else
      await orFailed(script, async () => {
        const map = await prepareMap(script, urlPrefix);
        if (map) readable.push(map);
        else finish({ script, status: 'without_sources' });
      });
  const contested = contestedUrls(readable);
  const prepared = readable.filter(({ script, url, debugId }) => {
    if (debugId !== null || !contested.has(url)) return true;
    finish({ script, status: 'failed', code: 'not_proven', reason: contestedReason(url) });
    return false;
  });
  const target = { api, projectId, release };
  const known = await findKnownMaps(target, prepared);
  await runLimited(prepared, concurrentUploads, (map) =>
    orFailed(map.script, async () => {
      const stored = known.find((one) => isEqualMap(one, map, { release, since: now() - renewAfterMs }));
      const proof = stored && (await proveStored(target, map, stored));
      if (stored && proof) return finish({ script: map.script, status: 'unchanged', map: stored, proof });
      const uploaded = await uploadMap(target, map);
      finish({ script: map.script, status: 'uploaded', map: uploaded, proof: await proveMap(target, map, uploaded) });
    }),
  );
  return scripts.flatMap((script) => results.get(script) ?? []);
}

interface Target {
  api: ApiClient;
  projectId: number;
  release: string | null;
}

/** Reads and checks the map of a script. Returns null if it is empty. Rejects with a MapError if it is unusable. */
async function prepareMap(script: Script, urlPrefix: string): Promise<PreparedMap | null> {
  const { code, map, mapText } = await readScript(script);
  if (isEmptyMap(map)) return null;
  const [ofScript, ofMap] = [debugIdOfScript(code), debugIdOfMap(map)];
  if (ofScript !== null && ofMap !== null && ofScript !== ofMap)
    throw new MapError('other_build', `The script has the debug id ${ofScript}, its map has ${ofMap}.`);
  return {
    ...checkMap({ code, map }),
    script,
    hash: createHash('sha256').update(mapText).digest('hex'),
    debugId: ofMap,
    url: urlOf(urlPrefix, script),
  };
}

/**
 * Returns the URLs of several scripts without debug ids whose maps differ. The server could store only the last one.
 */
function contestedUrls(maps: readonly PreparedMap[]): Set<string> {
  const hashes = new Map<string, string>();
  const contested = new Set<string>();
  for (const { url, hash, debugId } of maps) {
    if (debugId !== null) continue;
    if ((hashes.get(url) ?? hash) !== hash) contested.add(url);
    hashes.set(url, hash);
  }
  return contested;
}

function contestedReason(url: string): string {
  return `Scripts in several folders have the URL ${url}, so their maps would replace each other. Use debug ids (service sourcemaps inject), or upload each folder with its own --dist-url.`;
}

/**
 * Returns the URL of a script. Characters of its name that would end the path, or be read as an escape, are escaped.
 */
function urlOf(urlPrefix: string, { name }: Script): string {
  return urlPrefix.replace(/\/*$/, '/') + name.replaceAll(/[%?#]/g, encodeURIComponent);
}

/** Returns the stored maps with the content of one of these. */
async function findKnownMaps({ api, projectId }: Target, maps: readonly PreparedMap[]): Promise<SourceMap[]> {
  const hashes = [...new Set(maps.map(({ hash }) => hash))];
  const known: SourceMap[] = [];
  for (let at = 0; at < hashes.length; at += hashesPerRequest) {
    const hash = hashes.slice(at, at + hashesPerRequest);
    for (let page = 1, pages = 1; page <= pages; page++) {
      const found = await api.call<Page<SourceMap>>('GET', `/projects/${projectId}/source-maps`, {
        query: { hash, size: 100, page },
      });
      known.push(...found.items);
      pages = found.pages;
    }
  }
  return known;
}

function isEqualMap(
  stored: SourceMap,
  { hash, url }: PreparedMap,
  { release, since }: { release: string | null; since: number },
): boolean {
  if (stored.hash !== hash || stored.release !== release || stored.url !== url) return false;
  return Date.parse(stored.created_at) > since;
}

async function uploadMap({ api, projectId, release }: Target, { script, url }: PreparedMap): Promise<SourceMap> {
  const { mapText } = await readScript(script);
  const form = new FormData();
  if (release !== null) form.append('release', release);
  form.append('url', url);
  form.append('file', new Blob([mapText]), `${script.name.split('/').at(-1)}.map`);
  return api.call('POST', `/projects/${projectId}/source-maps`, { body: form, timeoutMs: uploadTimeoutMs });
}

/**
 * Returns null if the stored map does not resolve the sample, most likely because a newer map has precedence. Uploading
 * the map again makes it the newest.
 */
async function proveStored(target: Target, map: PreparedMap, stored: SourceMap): Promise<MapProof | null> {
  return proveMap(target, map, stored).catch((error: unknown) => {
    if (error instanceof MapError) return null;
    throw error;
  });
}

/** Lets the server resolve the sample like a frame of a report. Rejects with a MapError if the result is wrong. */
async function proveMap(
  { api, projectId, release }: Target,
  { sample, debugId, url, sources }: PreparedMap,
  uploaded: SourceMap,
): Promise<MapProof> {
  const { original, result, maps } = await api.call<PositionResolution>('GET', `/projects/${projectId}/resolution`, {
    query: {
      file: url.replace(/^~/, 'https://any.invalid'),
      line: sample.line,
      column: sample.column,
      release: release ?? undefined,
      debug_id: debugId ?? undefined,
    },
  });
  if (!original) throw notProven(`The result is ${result}.`);
  if (maps[0]?.id !== uploaded.id)
    throw notProven(`Another map has precedence: ${maps[0]?.file} (id ${maps[0]?.id}). Delete it or use debug ids.`);
  const { file, line, column } = original;
  if (line !== sample.sourceLine || column !== sample.sourceColumn || fileName(file) !== fileName(sample.source))
    throw notProven(
      `The server maps ${sample.line}:${sample.column} to ${file}:${line}:${column}, the map to ${sample.source}:${sample.sourceLine}:${sample.sourceColumn}.`,
    );
  return { file, line, sources };
}

function notProven(detail: string): MapError {
  return new MapError('not_proven', `The server has the map but does not resolve a position with it. ${detail}`);
}

/** Returns the name of a source without folders. The server escapes some characters of a name, so none is escaped. */
function fileName(path: string): string {
  const name =
    path
      .replace(/[?#].*$/, '')
      .split(/[/\\]/)
      .at(-1) ?? path;
  return name.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      // The bytes are no UTF-8, so they are a part of the name.
      return escapes;
    }
  });
}

/** Returns the failed result of a script. Throws errors that concern all scripts. */
function toFailure(script: Script, error: unknown): UploadResult {
  if (error instanceof MapError) return { script, status: 'failed', code: error.code, reason: error.message };
  if (error instanceof ApiError && (error.status === 413 || error.status === 422))
    return { script, status: 'failed', code: 'map_rejected', reason: error.message };
  throw error;
}
