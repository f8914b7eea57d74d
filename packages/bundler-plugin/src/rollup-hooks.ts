import { dirname, resolve } from 'node:path';
import type { Build } from './build.ts';

/** A file of a build, as Rollup, Rolldown and Vite pass it. Chunks have `code`, other files `source`. */
interface BundleFile {
  type: 'chunk' | 'asset';
  fileName: string;
  code?: string;
  isEntry?: boolean;
  /** The file of the map. Not set by versions of Rollup in which it can only be that of the chunk with `.map`. */
  sourcemapFileName?: string | null;
  source?: string | Uint8Array;
}

/** The files of a build by their names. */
export type Bundle = Record<string, BundleFile>;

/** Where a build writes its files. */
export interface WriteOptions {
  dir?: string | undefined;
  file?: string | undefined;
  sourcemap?: boolean | 'inline' | 'hidden' | undefined;
  sourcemapPathTransform?: ((source: string, map: string) => string) | undefined;
}

/** The functions that mark outputs whose maps the plugin has switched on. */
const ownTransforms = new WeakSet<object>();

/**
 * Returns the options of an output with hidden maps. Bundlers pass copies of them to later hooks, also for several
 * outputs at once. Functions are passed on, so one that changes no path marks the output.
 */
export function withOwnMaps<Output extends WriteOptions>(output: Output): Output {
  const transform = output.sourcemapPathTransform ?? ((source) => source);
  const marked = (source: string, map: string): string => transform(source, map);
  ownTransforms.add(marked);
  return { ...output, sourcemap: 'hidden', sourcemapPathTransform: marked };
}

/** Returns whether the configuration of an output of Rollup or Rolldown has source maps. */
export function hasMapsOfUser({ sourcemap, sourcemapPathTransform }: WriteOptions): boolean {
  return Boolean(sourcemap) && !(sourcemapPathTransform && ownTransforms.has(sourcemapPathTransform));
}

const scriptName = /\.[cm]?js$/;

/** Adds the release to the entries of a bundle, and debug ids to its scripts with maps, before it is written. */
export function transformBundle(build: Build, bundle: Bundle): void {
  for (const file of Object.values(bundle)) {
    if (!scriptName.test(file.fileName)) continue;
    const mapFile = bundle[mapNameOf(file)];
    const map = mapFile?.type === 'asset' ? textOf(mapFile.source) : null;
    // Vite emits workers as assets. An asset without a map may be a copied file, so it stays unchanged.
    if (file.type === 'asset' && map === null) continue;
    const isEntry = file.type === 'asset' || file.isEntry === true;
    const code = file.type === 'asset' ? textOf(file.source) : file.code;
    if (code === undefined || code === null) continue;
    const transformed = build.transform({ code, map }, isEntry);
    if (file.type === 'asset') file.source = transformed.code;
    else file.code = transformed.code;
    if (mapFile && transformed.map !== null) mapFile.source = transformed.map;
  }
}

/** Uploads the maps of a bundle that was written. */
export async function finishBundle(
  build: Build,
  { dir, file }: WriteOptions,
  bundle: Bundle,
  { publicPath, hasUserMaps }: { publicPath: string; hasUserMaps: boolean },
): Promise<void> {
  const mapNames = new Map(Object.values(bundle).map((one) => [one.fileName, mapNameOf(one)]));
  await build.finish({
    folder: resolve(dir ?? dirname(file ?? '.')),
    names: Object.keys(bundle),
    mapNames,
    hasUserMaps,
    publicPath,
  });
}

function mapNameOf({ fileName, sourcemapFileName }: BundleFile): string {
  return sourcemapFileName ?? `${fileName}.map`;
}

function textOf(source: string | Uint8Array | undefined): string | null {
  if (source === undefined) return null;
  return typeof source === 'string' ? source : Buffer.from(source).toString();
}
