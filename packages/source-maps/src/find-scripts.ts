import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readInlineMap } from './inline-map.ts';
import { dataUrl, findMapReference } from './map-reference.ts';
import { MapError } from './map-error.ts';
import { parseSourceMap, type RawSourceMap } from './raw-source-map.ts';

/** Where the map of a script is. */
type MapLocation =
  | { kind: 'file'; path: string }
  | { kind: 'inline' }
  | { kind: 'missing'; isNamed: boolean; reason: string };

/** A script of a build. */
export interface Script {
  /** The absolute path. */
  path: string;
  /** The path relative to the folder that was searched, with `/`. */
  name: string;
  map: MapLocation;
}

const scriptFile = /\.(?:js|mjs|cjs|jsbundle|bundle)$/;
const ignoredFolders = new Set(['node_modules', '.git']);

/**
 * Finds the scripts in folders, except those in `node_modules` and `.git`, sorted by name. A path can also be a single
 * script. Rejects with the error of the file system if a path can't be read.
 */
export async function findScripts(paths: readonly string[]): Promise<Script[]> {
  const found = new Map<string, Script>();
  for (const path of paths) {
    const root = resolve(path);
    const isScript = (await stat(root)).isFile();
    for (const file of isScript ? [root] : await scriptsIn(root)) {
      const name = isScript ? basename(file) : relative(root, file).split(sep).join('/');
      if (!found.has(file)) found.set(file, { path: file, name, map: await locateMap(file) });
    }
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the scripts of a build among the names of its files, which are relative to its folder. `mapNames` has the
 * files of maps by script, as far as the bundler knows them: a script with a hidden map does not name it.
 */
export async function scriptsOfBuild(
  folder: string,
  names: Iterable<string>,
  mapNames: ReadonlyMap<string, string> = new Map(),
): Promise<Script[]> {
  const scripts: Script[] = [];
  for (const name of names) {
    if (!scriptFile.test(name)) continue;
    const path = join(folder, name);
    const mapName = mapNames.get(name);
    const map = await locateMap(path, mapName === undefined ? null : join(folder, mapName));
    scripts.push({ path, name: name.split(sep).join('/'), map });
  }
  return scripts;
}

/** Reads a script and its map. Rejects with a MapError if the map is missing or unreadable. */
export async function readScript({ path, map }: Script): Promise<{ code: string; map: RawSourceMap; mapText: string }> {
  const code = await readFile(path, 'utf8');
  const mapText = await readMap(code, map);
  return { code, map: parseSourceMap(mapText), mapText };
}

async function readMap(code: string, map: MapLocation): Promise<string> {
  if (map.kind === 'missing') throw new MapError('map_missing', map.reason);
  if (map.kind === 'file') return readFile(map.path, 'utf8');
  return readInlineMap(code) ?? '';
}

async function scriptsIn(folder: string): Promise<string[]> {
  const scripts: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links are not followed: they may lead out of the build, or in a circle.
    if (entry.isDirectory() && !ignoredFolders.has(entry.name)) scripts.push(...(await scriptsIn(path)));
    else if (entry.isFile() && scriptFile.test(entry.name)) scripts.push(path);
  }
  return scripts;
}

/** Locates the map of a script: within it, at the path that is known, as the script names it, or next to it. */
async function locateMap(script: string, known: string | null = null): Promise<MapLocation> {
  const url = findMapReference(await readFile(script, 'utf8'))?.url;
  if (url !== undefined && dataUrl.test(url)) return { kind: 'inline' };
  const named = url === undefined ? null : pathOfReference(script, url);
  for (const path of [known, named, `${script}.map`])
    if (path !== null && (await isFile(path))) return { kind: 'file', path };
  return {
    kind: 'missing',
    isNamed: url !== undefined,
    reason:
      url === undefined
        ? 'The script has no source map. Build with source maps (hidden ones are enough).'
        : 'The source map that the script names does not exist. Upload before the maps are removed.',
  };
}

/** Returns the path of a map that a script names. Of a URL or an absolute path, only the name of the file counts. */
function pathOfReference(script: string, url: string): string | null {
  try {
    const plain = decodeURIComponent(url.replace(/[?#].*$/, ''));
    return resolve(dirname(script), /^[a-z][\w+.-]*:|^\//i.test(plain) ? basename(plain) : plain);
  } catch {
    // The reference has a malformed escape. The map next to the script may still exist.
    return null;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
