import { rm, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient, ApiError, selectProject } from '@service/api-client';
import {
  findMapReference,
  injectDebugId,
  insertStatement,
  MapError,
  parseSourceMap,
  readInlineMap,
  scriptsOfBuild,
  uploadCommand,
  uploadMaps,
  withInlineMap,
  type Script,
  type UploadResult,
} from '@service/source-maps';
import { readSettings, type BuildSettings, type ServicePluginOptions } from './options.ts';
import { log } from './log.ts';

/** The text of a script and of its map. `map` is null if the script has none, or contains it. */
interface OutputScript {
  code: string;
  map: string | null;
}

/** Where a build has written its scripts. */
export interface WrittenBuild {
  folder: string;
  /** The paths of all files, relative to the folder. */
  names: readonly string[];
  /** The files of maps by script, as far as the bundler knows them. */
  mapNames?: ReadonlyMap<string, string>;
  /** True if the configuration of this output has source maps. Another output of the build may have none. */
  hasUserMaps?: boolean;
  /** What to correct in the configuration if no script has a map. */
  adviceWithoutMaps?: string | null;
  /** The public path of the folder: `/`, `./`, or a URL. */
  publicPath: string;
}

/** The pauses between attempts, in milliseconds: a server may restart during a build. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000, 8_000];

/** After this time, the plugin says that it is uploading. */
const quietMs = 3_000;

/** The steps of the plugin in a build. They are the same for each bundler. */
export class Build {
  readonly settings: BuildSettings;
  /** True if the maps are written only because of the plugin. */
  hasOwnMaps = false;
  #hasWarned = false;

  constructor(options: ServicePluginOptions) {
    this.settings = readSettings(options, process.env, process.cwd());
  }

  /** Prints one line, once in a build, if nothing will be uploaded because the endpoint or the token is not set. */
  warnWithoutToken({ upload }: ServicePluginOptions): void {
    if (this.settings.uploads || upload === false || this.#hasWarned) return;
    this.#hasWarned = true;
    const missing = [
      this.settings.endpoint === null && 'SERVICE_ENDPOINT',
      this.settings.token === null && 'SERVICE_TOKEN',
    ];
    log(`${missing.filter(Boolean).join(' and ')} not set: source maps are not uploaded.`);
  }

  /**
   * Adds the release to an entry. If the settings need maps, also adds a debug id to a script with a map. Returns the
   * script unchanged if its map is damaged or of another build: the upload reports that.
   */
  transform({ code, map }: OutputScript, isEntry: boolean): OutputScript {
    try {
      const mapText = map ?? readInlineMap(code);
      const parsed = mapText === null ? null : parseSourceMap(mapText);
      const released = isEntry ? this.#withRelease({ code, map: parsed }) : { code, map: parsed };
      if (released.map === null) return { code: released.code, map: null };
      const changed = this.settings.needsMaps
        ? injectDebugId({ code: released.code, map: released.map })
        : { code: released.code, map: released.map, isChanged: false };
      // A map that is written again has other bytes, and a page may have the hash of a copied script.
      if (!changed.isChanged && changed.code === code) return { code, map };
      if (map === null) return { code: withInlineMap(changed.code, changed.map), map: null };
      return { code: changed.code, map: JSON.stringify(changed.map) };
    } catch (error) {
      if (error instanceof MapError) return { code, map };
      throw error;
    }
  }

  /** The statement that sets the release for the SDK; null without a release. */
  get releaseStatement(): string | null {
    const { release } = this.settings;
    // The text is escaped, so that the statement is one line and can't end a <script>.
    const text = JSON.stringify(release).replaceAll(
      /[<\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return release === null ? null : `;!function(){try{globalThis.__serviceRelease=${text}}catch(e){}}();`;
  }

  /**
   * Uploads the maps of a written build and proves each, if uploads are on. Then removes the maps that have not failed
   * if `removeMaps` is true, or if it is not set and the plugin switched the maps on. Prints a warning if the upload
   * fails, or rejects with `strict`.
   */
  async finish(written: WrittenBuild): Promise<void> {
    const { folder, names, mapNames, hasUserMaps = false, adviceWithoutMaps = null, publicPath } = written;
    const { uploads, isStrict } = this.settings;
    if (!uploads) return;
    const removesMaps = this.settings.removeMaps ?? (this.hasOwnMaps && !hasUserMaps);
    const scripts = (await scriptsOfBuild(folder, names, mapNames)).filter(({ map }) => map.kind !== 'missing');
    if (scripts.length === 0 && adviceWithoutMaps !== null)
      log(`No script has a source map, so nothing is uploaded. ${adviceWithoutMaps}`);
    try {
      if (scripts.length > 0) await this.#upload(scripts, urlPrefixOf(publicPath), removesMaps);
      if (removesMaps) await removeStyleMaps(folder, names, mapNames);
    } catch (error) {
      const message = `${reasonOf(error)} ${this.#nextStep(folder)}`;
      if (isStrict) throw new Error(`[service] ${message}`, { cause: error });
      log(message);
    }
  }

  /** Returns what to do after a failed upload. */
  #nextStep(folder: string): string {
    const { release } = this.settings;
    return `The source maps are in ${folder}. Upload them, and remove them before you deploy: ${uploadCommand(folder, release)}`;
  }

  async #upload(scripts: readonly Script[], urlPrefix: string, removesMaps: boolean): Promise<void> {
    const { endpoint, token } = this.settings;
    if (!endpoint || !/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint))
      // The text may be a token, or contain a password.
      throw new Error('SERVICE_ENDPOINT is no URL. Set the URL of the server, such as https://errors.example.com.');
    const { username, password } = new URL(endpoint);
    if (username || password)
      throw new Error('SERVICE_ENDPOINT contains a user name or a password. Set the URL of the server without it.');
    // The error of a header with such a token would contain it.
    if (!/^[\u0021-\u007E]+$/.test(token ?? ''))
      throw new Error('SERVICE_TOKEN has characters that no token has. Copy it again.');
    const api = new ApiClient({
      endpoint,
      token: token ?? '',
      userAgent: 'service-bundler-plugin',
      retryDelaysMs,
      onFirstRetry: (reason) => log(`${reason} Trying again…`),
    });
    // A server that does not respond would look like a build that hangs.
    const progress = setTimeout(
      () => log(`Uploading ${scripts.length === 1 ? '1 source map' : `${scripts.length} source maps`} to ${endpoint}…`),
      quietMs,
    );
    const results = await this.#send(api, scripts, urlPrefix).finally(() => clearTimeout(progress));
    const failed = results.filter((result) => result.status === 'failed');
    if (removesMaps) for (const { script, status } of results) if (status !== 'failed') await removeMap(script);
    // A script that the bundler has generated has no position that could be proven.
    const generated = results.filter(({ status }) => status === 'without_sources').length;
    const unchanged = results.filter(({ status }) => status === 'unchanged').length;
    const total = results.length - generated;
    if (total === 0) return;
    const proven = total - failed.length;
    log(
      `${proven} of ${total} source maps ${proven === 1 ? 'is' : 'are'} proven (${unchanged} unchanged), ${this.#releaseText}.`,
    );
    for (const { script, reason } of failed) log(`${script.name}: ${reason}`);
    if (failed.length > 0)
      throw new Error(
        failed.length === 1 ? '1 source map is not usable.' : `${failed.length} source maps are not usable.`,
      );
  }

  async #send(api: ApiClient, scripts: readonly Script[], urlPrefix: string): Promise<UploadResult[]> {
    const { project: selector, release } = this.settings;
    const project = await selectProject(api, selector);
    return uploadMaps(api, scripts, { projectId: project.id, release, urlPrefix });
  }

  get #releaseText(): string {
    const { release, isReleaseMissing } = this.settings;
    if (isReleaseMissing) return 'without a release: no commit was found. Set SERVICE_RELEASE';
    return release === null ? 'without a release' : `release ${release}`;
  }

  #withRelease<Map extends ReturnType<typeof parseSourceMap> | null>(script: {
    code: string;
    map: Map;
  }): { code: string; map: Map } {
    const statement = this.releaseStatement;
    return statement === null ? script : insertStatement(script, statement);
  }
}

/** Returns the reason of a failed upload. Replaces the server's text of a 401, which is about the dashboard. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 401)
    return 'The server does not accept the token. Set SERVICE_TOKEN to a personal access token.';
  return (error as Error).message;
}

/** Removes a map, and the comment that names it. A script that contains a map may have the same one in a file. */
async function removeMap({ path, map }: Script): Promise<void> {
  const code = await readFile(path, 'utf8');
  const reference = findMapReference(code);
  if (reference)
    await writeFile(path, code.slice(0, reference.start) + code.slice(reference.end).replace(/^\r?\n/, ''));
  await rm(map.kind === 'file' ? map.path : `${path}.map`, { force: true });
}

const styleMapComment = /\/\*[#@]\s*sourceMappingURL=[^*]*\*\/\s*$/;

/**
 * Removes the maps of stylesheets, and the comments that name or contain them. They are not uploaded, for no stack
 * needs them, and contain the sources.
 */
async function removeStyleMaps(
  folder: string,
  names: readonly string[],
  mapNames: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  for (const name of names) {
    if (!name.endsWith('.css')) continue;
    const path = join(folder, name);
    await rm(join(folder, mapNames.get(name) ?? `${name}.map`), { force: true });
    // Another plugin may have moved the stylesheet into the page.
    const code = await readFile(path, 'utf8').catch(() => '');
    const plain = code.replace(styleMapComment, '');
    if (plain !== code) await writeFile(path, plain);
  }
}

/** Returns the prefix of the URLs of scripts. With a relative path, they can be served anywhere. */
function urlPrefixOf(publicPath: string): string {
  if (/^https?:\/\//.test(publicPath)) return publicPath;
  if (publicPath.startsWith('//')) return `https:${publicPath}`;
  return publicPath.startsWith('/') ? `~${publicPath}` : '~/';
}
