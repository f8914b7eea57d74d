import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * An error that was captured in a browser, with its bug.
 *
 * @typedef {object} CapturedError
 * @property {string} id
 * @property {string} bug_id
 * @property {string} app
 * @property {string} bundler
 * @property {string} engine
 * @property {string} release
 * @property {boolean} minified
 * @property {'onerror' | 'unhandledrejection' | 'captured'} mechanism
 * @property {string} value_type `error`, or the type of the thrown value
 * @property {string | null} name
 * @property {string} message
 * @property {string} [event_message]
 * @property {string | null} stack
 * @property {string} [filename]
 * @property {number} [lineno]
 * @property {number} [colno]
 * @property {unknown} [cause]
 * @property {unknown} [errors]
 * @property {string} url
 * @property {string} user_agent
 */

/**
 * The true frames of an error, top first, up to the first frame of a library. Without `aligned`, the captured stack has
 * more or fewer frames, so only the top one can be compared.
 *
 * @typedef {{ id: string, aligned: boolean, frames: { file: string, line: number, function: string }[] }} TrueFrames
 */

/**
 * @typedef {object} Corpus
 * @property {string} folder
 * @property {CapturedError[]} records of minified builds
 * @property {TrueFrames[]} truth
 * @property {(name: string) => string | null} scorer returns the path of the corpus' own scorer with a name, or null
 */

/**
 * Opens the folder that contains `records.jsonl.gz`, directly or in a subfolder.
 *
 * @param {string} given
 * @returns {Corpus}
 */
export function openCorpus(given) {
  if (given === '')
    throw new Error(
      '--corpus FOLDER: a folder of captured errors is required. benchmarks/README.md describes its files.',
    );
  const folder = folderOfRecords(resolve(given));
  const truthFile = join(folder, 'frames-truth.jsonl.gz');
  return {
    folder,
    records: /** @type {CapturedError[]} */ (readLines(join(folder, 'records.jsonl.gz'))).filter((row) => row.minified),
    truth: existsSync(truthFile) ? /** @type {TrueFrames[]} */ (readLines(truthFile)) : [],
    scorer: (name) => [join(folder, name), join(dirname(folder), name)].find((path) => existsSync(path)) ?? null,
  };
}

/**
 * Returns the source maps of a project (one app, built by one bundler), in the order of the names of its releases.
 *
 * @param {Corpus} corpus
 * @param {CapturedError} error any of the project
 * @returns {{ release: string, name: string, bytes: Buffer }[]}
 */
export function mapsOf({ folder }, { app, bundler }) {
  const build = join(folder, 'maps', app, bundler);
  return readdirSync(build)
    .toSorted()
    .flatMap((release) =>
      readdirSync(join(build, release), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.map.gz'))
        .map((path) => ({
          release,
          name: basename(path, '.gz'),
          bytes: gunzipSync(readFileSync(join(build, release, path))),
        })),
    );
}

/** @param {string} given */
function folderOfRecords(given) {
  const folders = [given, ...readdirSync(given).map((name) => join(given, name))];
  const found = folders.find((folder) => existsSync(join(folder, 'records.jsonl.gz')));
  if (found === undefined) throw new Error(`${given}: there is no records.jsonl.gz in it.`);
  return found;
}

/** @param {string} path */
function readLines(path) {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
