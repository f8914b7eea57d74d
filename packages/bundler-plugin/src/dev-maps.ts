import { randomUUID } from 'node:crypto';
import type { ApiClient } from '@service/api-client';
import type { SourceMap } from '@service/protocol';
import { log } from './log.ts';
import type { ServedMap, ServedModules } from './served-modules.ts';

/** A URL and what follows it, in the stack of any engine. */
const frameText = /https?:\/\/[^\s"\\]+/g;
/** A URL before a line and a column. */
const frameUrl = /^(.+?):\d+:\d+/;

export interface DevProject {
  api: ApiClient;
  projectId: number;
}

/** Uploads the maps of the modules in a stack, and adds their debug ids to the report. */
export class DevMaps {
  readonly #project: () => Promise<DevProject>;
  readonly #uploads = new WeakMap<ServedMap, Promise<string>>();

  constructor(project: () => Promise<DevProject>) {
    this.#project = project;
  }

  /**
   * Adds to a report the debug ids of the modules in its stack. Never rejects: if an upload fails, the body is returned
   * unchanged.
   */
  async addDebugIds(body: string, modules: ServedModules): Promise<string> {
    const served = [...frameUrls(body)].flatMap((url) => {
      const map = modules.find(url);
      return map ? [{ url, map }] : [];
    });
    if (served.length === 0) return body;
    try {
      const ids: Record<string, string> = {};
      for (const { url, map } of served) ids[url] = await this.#debugIdOf(map);
      const report = JSON.parse(body) as { debug_ids?: object };
      return JSON.stringify({ ...report, debug_ids: { ...report.debug_ids, ...ids } });
    } catch (error) {
      log(
        `The source maps of an error could not be uploaded, so its stack shows the transformed code: ${(error as Error).message}`,
      );
      return body;
    }
  }

  #debugIdOf(map: ServedMap): Promise<string> {
    let id = this.#uploads.get(map);
    if (!id) {
      id = this.#upload(map);
      this.#uploads.set(map, id);
      id.catch(() => this.#uploads.delete(map));
    }
    return id;
  }

  async #upload(map: ServedMap): Promise<string> {
    const { api, projectId } = await this.#project();
    const debugId = randomUUID();
    const form = new FormData();
    // All versions of a module have one name, so a map must match by debug id only. No script is named `NAME@ID`, so
    // no frame matches the map by name.
    form.append('file', new Blob([JSON.stringify({ ...map.toJson(), debugId })]), `${map.name}@${debugId}.map`);
    await api.call<SourceMap>('POST', `/projects/${projectId}/source-maps`, { body: form });
    return debugId;
  }
}

/** Returns the URLs of the frames in a report. Takes linear time: a page can send any text. */
function frameUrls(body: string): Set<string> {
  return new Set([...body.matchAll(frameText)].flatMap(([frame]) => frameUrl.exec(frame)?.[1] ?? []));
}
