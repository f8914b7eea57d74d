import type { GroupStatus } from '../../../packages/protocol/src/index.ts';
import type { Deed } from './deed.ts';
import type { Call, Machine, Request } from './machine.ts';

const mapUrl = 'https://shop.example/app.js';

/** How each deed is asked of the server. */
export class Deeds {
  /** Since the last quiet moment. */
  done: Deed[] = [];
  readonly #machine: Machine;
  #marks = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  report(
    project: number,
    key: string,
    message: string,
    {
      eventId = null,
      pad = 0,
      stack = null,
    }: { eventId?: string | null; pad?: number; stack?: { release: string } | null } = {},
  ): Deed {
    const mark = `user ${++this.#marks}`;
    const body = {
      project_api_key: key,
      message,
      ...(eventId && { event_id: eventId }),
      user: { id: mark },
      environment: 'production',
      release: stack?.release ?? `1.0.${this.#marks % 7}`,
      ...(pad > 0 && { metadata: { pad: 'x'.repeat(pad) } }),
      ...(stack && { stacktrace: `Error: ${message}\n    at pay (${mapUrl}:1:1)` }),
    };
    const name = `report ${mark} of ${message} to ${project}${eventId ? ` as ${eventId.slice(-4)}` : ''}`;
    const call = this.#ask<never>({ method: 'POST', path: 'errors', body }, name);
    return this.#did({ kind: 'report', project, message, eventId, mark, key, call });
  }

  status(project: number, group: number, status: GroupStatus): Deed {
    const request = { method: 'PATCH', path: `errors/${group}/status`, body: { status } };
    return this.#did({
      kind: 'status',
      project,
      group,
      status,
      call: this.#ask(request, `set group ${group} ${status}`),
    });
  }

  deleteGroup(project: number, group: number): Deed {
    const call = this.#ask({ method: 'DELETE', path: `errors/${group}` }, `delete group ${group}`);
    return this.#did({ kind: 'delete group', project, group, call });
  }

  createProject(): Deed {
    const name = `project ${++this.#marks}`;
    const call = this.#ask<never>({ method: 'POST', path: 'projects', body: { name } }, `make ${name}`);
    return this.#did({ kind: 'create project', name, call });
  }

  deleteProject(project: number): Deed {
    const call = this.#ask({ method: 'DELETE', path: `projects/${project}` }, `delete project ${project}`);
    return this.#did({ kind: 'delete project', project, call });
  }

  rotate(project: number): Deed {
    const request = { method: 'POST', path: `projects/${project}/api-key/rotate` };
    return this.#did({ kind: 'rotate', project, call: this.#ask<never>(request, `rotate the key of ${project}`) });
  }

  upload(project: number, release: string): Deed {
    const mark = `upload ${++this.#marks}`;
    const request = { method: 'POST', path: `projects/${project}/source-maps`, ...mapForm(release, mark) };
    const call = this.#ask<never>(request, `${mark}, a map of ${release} of ${project}`);
    return this.#did({ kind: 'upload', project, release, mark, call });
  }

  deleteMap(project: number, map: number): Deed {
    const request = { method: 'DELETE', path: `projects/${project}/source-maps/${map}` };
    return this.#did({ kind: 'delete map', project, map, call: this.#ask(request, `delete map ${map} of ${project}`) });
  }

  #ask<Body>(request: Request, name: string): Call<Body> {
    return this.#machine.ask<Body>({ ...request, path: `api/v1/${request.path}` }, name);
  }

  #did(deed: Deed): Deed {
    this.done.push(deed);
    return deed;
  }
}

/** A map whose only source line says which upload it came with. */
function mapForm(release: string, mark: string): { body: Buffer; type: string } {
  const map = {
    version: 3,
    file: 'app.js',
    sources: ['src/pay.ts'],
    sourcesContent: [`charge(); // ${mark}`],
    names: [],
    mappings: 'AAAA',
  };
  const boundary = 'simulated-boundary';
  const part = (head: string, content: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const form = [
    part('name="release"', release),
    part('name="url"', mapUrl),
    part('name="file"; filename="app.js.map"', JSON.stringify(map)),
    `--${boundary}--\r\n`,
  ];
  return { body: Buffer.from(form.join('')), type: `multipart/form-data; boundary=${boundary}` };
}
