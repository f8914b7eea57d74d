import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Connect, ModuleNode, ViteDevServer } from 'vite';

/** The map of a module as the dev server sent it to a page. */
export interface ServedMap {
  /** The file name of the module. */
  name: string;
  /** Returns the map. Sources that are files are relative to the root of the app. */
  toJson(): object;
}

type ServedModule = Pick<ModuleNode, 'file' | 'transformResult'>;

/** The maximum number of recorded versions of a module: a page may run older versions than the latest. */
const maxVersions = 20;

/** The modules that a dev server has sent to pages. The URL of each version is different, because of `?t=`. */
export class ServedModules {
  readonly #server: ViteDevServer;
  /** The modules by host and path. The key of a version is the query of its URL; the oldest version is the first. */
  readonly #versions = new Map<string, Map<string, ServedMap>>();

  constructor(server: ViteDevServer) {
    this.#server = server;
  }

  /** Records the module of each response. It has to run before the middlewares of Vite. */
  readonly middleware: Connect.NextHandleFunction = (request, response, next) => {
    const { host, 'if-none-match': cached } = request.headers;
    const path = request.originalUrl ?? request.url ?? '';
    response.once('finish', () => {
      const etag = response.statusCode === 304 ? cached : response.getHeader('etag');
      // Code of libraries needs no original lines, and its maps are large.
      if (etag === undefined || path.includes('/node_modules/')) return;
      void this.#record(`//${host}${path}`, path, etag).catch(() => {
        // A plugin could not resolve the URL. The lines of this module stay those of the transformed code.
      });
    });
    next();
  };

  /** Returns the map of the module at a URL, or null if none is recorded. */
  find(url: string): ServedMap | null {
    const [module, query] = splitQuery(url.replace(/^https?:/, ''));
    return this.#versions.get(module)?.get(query) ?? null;
  }

  async #record(url: string, path: string, etag: unknown): Promise<void> {
    const module = await this.#moduleOf(path);
    // After another change, the map of the sent code is lost.
    if (!module?.transformResult || module.transformResult.etag !== etag) return;
    const map = toServedMap(module, this.#server.config.root);
    if (!map) return;
    const [name, query] = splitQuery(url);
    const versions = this.#versions.get(name) ?? new Map<string, ServedMap>();
    this.#versions.set(name, versions);
    versions.delete(query);
    versions.set(query, map);
    const [oldest] = versions.keys();
    if (versions.size > maxVersions && oldest !== undefined) versions.delete(oldest);
  }

  /** Finds the module of a requested URL as Vite does. */
  async #moduleOf(path: string): Promise<ServedModule | undefined> {
    const { environments, moduleGraph, config } = this.#server as Partial<ViteDevServer> & ViteDevServer;
    const inApp = path.startsWith(config.base) ? `/${path.slice(config.base.length)}` : path;
    const url = decodeURI(inApp)
      .replace('__x00__', '\0')
      .replace(/^\/@id\//, '');
    // Vite 5 has no environments.
    return (environments?.client.moduleGraph ?? moduleGraph).getModuleByUrl(url);
  }
}

/** Vite holds one object for each version of a module. An equal version gets the same map. */
const mapsByResult = new WeakMap<object, ServedMap>();

function toServedMap({ file, transformResult }: ServedModule, root: string): ServedMap | null {
  const map = transformResult?.map;
  if (!transformResult || !map || !('version' in map) || map.mappings === '') return null;
  let served = mapsByResult.get(transformResult);
  if (!served) {
    const toAppPath = (source: string): string => {
      // The file of a virtual module is its id.
      if (file === null || !isAbsolute(file) || source.startsWith('\0') || /^[a-z-]{2,}:/i.test(source)) return source;
      const [path] = splitQuery(resolve(dirname(file), source));
      return relative(root, path).replaceAll('\\', '/');
    };
    const name = file?.split('/').at(-1) || 'module';
    const toJson = (): object => {
      const copy = JSON.parse(JSON.stringify(map)) as { sources: (string | null)[] };
      return { ...copy, sources: copy.sources.map((source) => source && toAppPath(source)) };
    };
    served = { name, toJson };
    mapsByResult.set(transformResult, served);
  }
  return served;
}

function splitQuery(url: string): [module: string, query: string] {
  const [module = '', query = ''] = url.split(/\?(.*)/s);
  return [module, query];
}
