import type { GroupStatus } from '../../../packages/protocol/src/index.ts';
import type { ClientOperation } from './client-operation.ts';
import type { Call, Machine, Request } from './machine.ts';

const mapUrl = 'https://shop.example/app.js';

/** Sends operations to the server and records them. */
export class Client {
  /** Operations since the last check. */
  history: ClientOperation[] = [];
  readonly #machine: Machine;
  #markers = 0;

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
  ): ClientOperation {
    const marker = `user ${++this.#markers}`;
    const body = {
      project_api_key: key,
      message,
      ...(eventId && { event_id: eventId }),
      user: { id: marker },
      environment: 'production',
      release: stack?.release ?? `1.0.${this.#markers % 7}`,
      ...(pad > 0 && { metadata: { pad: 'x'.repeat(pad) } }),
      ...(stack && { stacktrace: `Error: ${message}\n    at pay (${mapUrl}:1:1)` }),
    };
    const name = `report ${marker} of ${message} to ${project}${eventId ? ` as ${eventId.slice(-4)}` : ''}`;
    const call = this.#send<never>({ method: 'POST', path: 'errors', body }, name);
    return this.#record({ kind: 'report', project, message, eventId, marker, key, call });
  }

  status(project: number, group: number, status: GroupStatus): ClientOperation {
    const request = { method: 'PATCH', path: `errors/${group}/status`, body: { status } };
    return this.#record({
      kind: 'status',
      project,
      group,
      status,
      call: this.#send(request, `set group ${group} ${status}`),
    });
  }

  deleteGroup(project: number, group: number): ClientOperation {
    const call = this.#send({ method: 'DELETE', path: `errors/${group}` }, `delete group ${group}`);
    return this.#record({ kind: 'delete group', project, group, call });
  }

  createProject(): ClientOperation {
    const name = `project ${++this.#markers}`;
    const call = this.#send<never>({ method: 'POST', path: 'projects', body: { name } }, `make ${name}`);
    return this.#record({ kind: 'create project', name, call });
  }

  deleteProject(project: number): ClientOperation {
    const call = this.#send({ method: 'DELETE', path: `projects/${project}` }, `delete project ${project}`);
    return this.#record({ kind: 'delete project', project, call });
  }

  rotate(project: number): ClientOperation {
    const request = { method: 'POST', path: `projects/${project}/api-key/rotate` };
    return this.#record({ kind: 'rotate', project, call: this.#send<never>(request, `rotate the key of ${project}`) });
  }

  upload(project: number, release: string): ClientOperation {
    const marker = `upload ${++this.#markers}`;
    const request = { method: 'POST', path: `projects/${project}/source-maps`, ...mapForm(release, marker) };
    const call = this.#send<never>(request, `${marker}, a map of ${release} of ${project}`);
    return this.#record({ kind: 'upload', project, release, marker, call });
  }

  deleteMap(project: number, map: number): ClientOperation {
    const request = { method: 'DELETE', path: `projects/${project}/source-maps/${map}` };
    return this.#record({
      kind: 'delete map',
      project,
      map,
      call: this.#send(request, `delete map ${map} of ${project}`),
    });
  }

  #send<Body>(request: Request, name: string): Call<Body> {
    return this.#machine.send<Body>({ ...request, path: `api/v1/${request.path}` }, name);
  }

  #record(operation: ClientOperation): ClientOperation {
    this.history.push(operation);
    return operation;
  }
}

/** Returns the form of an upload. The only source line of its map names the upload. */
function mapForm(release: string, marker: string): { body: Buffer; type: string } {
  const map = {
    version: 3,
    file: 'app.js',
    sources: ['src/pay.ts'],
    sourcesContent: [`charge(); // ${marker}`],
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
