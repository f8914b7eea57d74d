import { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import type { TemporaryFile } from '../uploads/temporary-file.ts';
import { isRecord } from '../validation/validation.ts';
import { ProblemError } from '../problem.ts';

/** A source map of a bundle, and what the manifest says about it. */
export interface BundledMap {
  debugId: string | null;
  /** The URL of its script, `~/static/app.js`, or null. */
  url: string | null;
  /** The file name of the script. */
  fileName: string;
  sizeBytes: number;
  pieces(): AsyncGenerator<Uint8Array>;
}

export interface Bundle {
  release: string | null;
  maps: BundledMap[];
  close(): void;
}

const maxEntries = 20_000;
/** The maximum bytes of the names and comments of all files, which are in memory together. */
const maxNameBytes = 16 * 1024 * 1024;
const maxManifestBytes = 16 * 1024 * 1024;
const manifestName = 'manifest.json';
/** Bundlers' plugins name files by their debug id. Such a name is no URL of the app, so only the debug id can match. */
const nameOfDebugId = /^~?\/?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}-\d+\.\w+$/i;

/**
 * Opens an artifact bundle of Sentry's tools: a zip archive with a manifest. Rejects with `bad_request` if the file is
 * no such archive, or has too many files. Nothing is extracted to a path of the archive.
 */
export async function openBundle(file: TemporaryFile): Promise<Bundle> {
  const { fromRandomAccessReaderPromise, RandomAccessReader } = await import('yauzl');
  class FileReader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(file.pieces(start, end));
    }
  }
  let archive: ZipFile;
  try {
    archive = await fromRandomAccessReaderPromise(new FileReader(), file.sizeBytes, { autoClose: false });
  } catch (cause) {
    throw unreadableBundle(cause);
  }
  try {
    if (archive.entryCount > maxEntries) throw unreadableBundle('too many files');
    const entries = new Map<string, Entry>();
    let nameBytes = 0;
    for await (const entry of archive.eachEntry()) {
      nameBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (nameBytes > maxNameBytes) throw unreadableBundle('too long names');
      entries.set(entry.fileName, entry);
    }
    const open = (entry: Entry): Promise<Readable> => archive.openReadStreamPromise(entry);
    const manifest = await readManifest(entries.get(manifestName), open);
    return { ...bundleOf(manifest, entries, open), close: () => archive.close() };
  } catch (error) {
    archive.close();
    throw error instanceof ProblemError ? error : unreadableBundle(error);
  }
}

type ManifestFields = Readonly<Record<string, unknown>>;
type OpenEntry = (entry: Entry) => Promise<Readable>;

async function readManifest(entry: Entry | undefined, open: OpenEntry): Promise<ManifestFields> {
  if (!entry || entry.uncompressedSize > maxManifestBytes) throw unreadableBundle('no manifest');
  const pieces: Buffer[] = [];
  for await (const piece of await open(entry)) pieces.push(piece as Buffer);
  const manifest: unknown = JSON.parse(Buffer.concat(pieces).toString());
  if (!isRecord(manifest)) throw unreadableBundle('the manifest is no object');
  return manifest;
}

function bundleOf(
  manifest: ManifestFields,
  entries: ReadonlyMap<string, Entry>,
  open: OpenEntry,
): Omit<Bundle, 'close'> {
  const files = Object.entries(isRecord(manifest.files) ? manifest.files : {}).flatMap(([path, file]) =>
    isRecord(file) ? [{ path, file, headers: lowerCase(file.headers) }] : [],
  );
  /** The URLs of scripts, by the URL of their map. */
  const scripts = new Map<string, string>();
  for (const { file, headers } of files) {
    const { type, url } = file;
    const map = headers.get('sourcemap');
    if (type === 'minified_source' && typeof url === 'string' && map) scripts.set(resolved(map, url), url);
  }
  const maps = files.flatMap(({ path, file, headers }): BundledMap[] => {
    const entry = entries.get(path);
    if (file.type !== 'source_map' || !entry) return [];
    const own = typeof file.url === 'string' ? file.url : path;
    const script = scripts.get(own) ?? null;
    const name = (script ?? own).replace(/\.map$/, '');
    return [
      {
        debugId: headers.get('debug-id') ?? null,
        url: script === null || nameOfDebugId.test(script) ? null : script,
        fileName: name.slice(name.lastIndexOf('/') + 1),
        sizeBytes: entry.uncompressedSize,
        pieces: async function* () {
          yield* await open(entry);
        },
      },
    ];
  });
  return { release: typeof manifest.release === 'string' && manifest.release ? manifest.release : null, maps };
}

/** One tool writes `sourcemap`, another `Sourcemap`. */
function lowerCase(headers: unknown): Map<string, string> {
  return new Map(
    Object.entries(isRecord(headers) ? headers : {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
}

/** Resolves the reference of a script to its map: `app.js.map` next to `~/static/app.js`. */
function resolved(reference: string, script: string): string {
  if (/^(?:~|[a-z]+:)?\//i.test(reference)) return reference;
  const folder = script.slice(0, script.lastIndexOf('/') + 1);
  const parts: string[] = [];
  for (const part of `${folder}${reference}`.split('/'))
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '.') parts.push(part);
  return parts.join('/');
}

function unreadableBundle(cause: unknown): ProblemError {
  return new ProblemError('bad_request', 'The uploaded file is not a readable artifact bundle.', { cause });
}
