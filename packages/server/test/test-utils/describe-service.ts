import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accepted, ErrorGroup, GroupDetails, Page, Problem, Project } from '@service/protocol';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { isThorough } from '../../../../test/test-utils/depth.ts';
import { createService, type ConfigInput, type Service } from '../../src/index.ts';
import { expectAsDescribed } from '../docs/as-described.ts';
import { encodeForm } from './encode-form.ts';

export const adminToken = 'test-admin-token-0123456789';

/** All fields that tests read in JSON responses. Each test reads those of its call. */
export type Body = Partial<Omit<Problem, 'status'> & Accepted & Project & GroupDetails & Page<ErrorGroup>>;

export interface TestResponse<Json = Body> {
  status: number;
  headers: Headers;
  body: Json;
  text: string;
}

export interface CallOptions {
  /** Sent as JSON. A string or bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Null sends no token. */
  token?: string | null;
}

export interface TestService {
  service: Service;
  /** Calls the API, as the owner by default. */
  call<Json = Body>(method: string, path: string, options?: CallOptions): Promise<TestResponse<Json>>;
  /** The project `Shop`, which is created when the service starts for the first time. */
  project: Project;
  /** Sends a report to the project. */
  report(fields?: object, options?: CallOptions): Promise<TestResponse>;
  /** Stops the service and starts it again on the same storage. */
  restart(config?: ConfigInput): Promise<void>;
}

export type Start = (config?: ConfigInput) => Promise<TestService>;

const drivers = {
  'memory:': async () => 'memory:',
  'file:': async () => `file:${await temporaryFolder()}`,
};

/** A short run tests only the default storage. */
const testedDrivers = isThorough ? (['memory:', 'file:'] as const) : (['file:'] as const);

const cleanups: (() => Promise<unknown>)[] = [];

/** Creates a folder that `cleanUp` deletes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-test-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the same tests on files and, except in a short run, in memory. */
export function describeService(name: string, body: (start: Start, driver: keyof typeof drivers) => void): void {
  describe.each(testedDrivers)(`${name} on %s`, (driver) => {
    afterEach(cleanUp);
    body((config) => startService(driver, config), driver);
  });
}

/** Like `describeService`, for behavior that does not depend on the driver. */
export function describeInMemory(name: string, body: (start: Start) => void): void {
  describe(name, () => {
    afterEach(cleanUp);
    body((config) => startService('memory:', config));
  });
}

/**
 * All tests of the block share one service, so none may depend on what another stores. They run over a socket and,
 * except in a short run, without one.
 */
export function describeShared(
  name: string,
  body: (service: () => TestService) => void,
  config: ConfigInput = {},
): void {
  describe.each(testedDrivers)(`${name} (%s)`, (driver) => {
    let shared: TestService;
    beforeAll(async () => void (shared = await startService(driver, config)));
    afterAll(cleanUp);
    body(() => shared);
  });
}

export async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
}

async function startService(driver: keyof typeof drivers, config: ConfigInput = {}): Promise<TestService> {
  const storage = await drivers[driver]();
  const open = (more: ConfigInput = {}): Promise<Service> =>
    createService({
      storage,
      adminToken,
      adminPassword: 'correct horse battery',
      logLevel: 'silent',
      port: 0,
      ...config,
      ...more,
    });
  let service = await open();
  cleanups.push(() => service.close());
  // Services on files are called over a socket, services in memory without one: both must behave the same.
  const isOverSocket = driver === 'file:';
  let base = isOverSocket ? (await service.listen()).url : 'http://127.0.0.1:4400';

  const call = async <Json>(method: string, path: string, options: CallOptions = {}): Promise<TestResponse<Json>> => {
    const { body, headers = {}, token = adminToken } = options;
    const form = body instanceof FormData ? await encodeForm(body) : undefined;
    const contentType = form?.contentType ?? 'application/json';
    const response = await (isOverSocket ? fetch : service.fetch)(
      new Request(`${base}${path.startsWith('/') ? '' : '/api/v1/'}${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : {
              body: (form?.bytes ??
                (typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))) as NonNullable<
                RequestInit['body']
              >,
            }),
      }),
    );
    const text = await response.text();
    const isReadable = !path.startsWith('/') && (isOverSocket || !response.headers.has('content-encoding'));
    if (isReadable) expectAsDescribed(method, path, response.status, text);
    return { status: response.status, headers: response.headers, text, body: parse<Json>(text) };
  };
  const { body: project } = await call<Project>('POST', 'projects', { body: { name: 'Shop' } });
  return {
    get service() {
      return service;
    },
    call,
    project,
    report: (fields = {}, options = {}) =>
      call('POST', 'errors', {
        token: null,
        body: { project_api_key: project.api_key, message: 'It broke', ...fields },
        ...options,
      }),
    async restart(more) {
      await service.close();
      service = await open(more);
      if (isOverSocket) base = (await service.listen()).url;
    },
  };
}

function parse<Json>(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Pages and empty responses have only `text`.
    return {} as Json;
  }
}
