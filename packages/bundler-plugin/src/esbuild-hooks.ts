import { relative, resolve } from 'node:path';
import { MapError, scriptsOfBuild, writeDebugId, writeStatement } from '@service/source-maps';
import type { PluginBuild, Metafile } from 'esbuild';
import type { Build } from './build.ts';
import { log } from './log.ts';
import type { ServicePluginOptions } from './options.ts';

/**
 * Adds the plugin to a build of esbuild. Changes the files after they are written, because esbuild has no earlier hook.
 */
export function setUpEsbuild(
  build: Build,
  options: ServicePluginOptions,
  { initialOptions, onEnd }: PluginBuild,
): void {
  if (build.settings.needsMaps && !initialOptions.sourcemap) {
    initialOptions.sourcemap = 'external';
    build.hasOwnMaps = true;
  }
  initialOptions.metafile = true;
  let hasEnded = false;
  onEnd(async ({ metafile, errors }) => {
    // A build that ends again is in watch mode, or is served by esbuild.
    if (hasEnded || !metafile || errors.length > 0 || initialOptions.write === false || isWatching()) return;
    hasEnded = true;
    build.warnWithoutToken(options);
    const workFolder = initialOptions.absWorkingDir ?? process.cwd();
    const folder = resolve(workFolder, initialOptions.outdir ?? initialOptions.outfile?.replace(/[^/\\]*$/, '') ?? '.');
    const names = await transformFiles(build, metafile, { workFolder, folder });
    await build.finish({ folder, names, publicPath: initialOptions.publicPath ?? '' });
  });
}

/** Adds the release and debug ids to the scripts of a build. Returns all files, relative to the output folder. */
async function transformFiles(
  build: Build,
  { outputs }: Metafile,
  { workFolder, folder }: { workFolder: string; folder: string },
): Promise<string[]> {
  const names: string[] = [];
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const name = relative(folder, resolve(workFolder, path));
    names.push(name);
    const [script] = await scriptsOfBuild(folder, [name]);
    if (!script) continue;
    const statement = entryPoint === undefined ? null : build.releaseStatement;
    const needsDebugId = build.settings.needsMaps && script.map.kind !== 'missing';
    try {
      if (needsDebugId) await writeDebugId(script, { statement });
      else if (statement !== null) await writeStatement(script, statement);
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      // The upload reports a damaged map.
      if (!build.settings.uploads) log(`${script.name}: ${error.message} The release was not set.`);
    }
  }
  return names;
}

function isWatching(): boolean {
  return process.argv.some((argument) => /^--(?:watch|serve)(?:=|$)/.test(argument));
}
